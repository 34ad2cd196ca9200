import FreeholdStorage

/// The transactions of one live realm that can be undone and redone. Confined like the realm.
final class TransactionHistory {
    /// Oldest first; what is undone next is the last.
    @exclusivity(unchecked) private(set) var undo: [Entry] = []
    /// What is redone next is the last.
    @exclusivity(unchecked) private(set) var redo: [Entry] = []
    /// Whether transactions are recorded.
    @exclusivity(unchecked) var isRecording = false
    /// The state before the open transaction, if it is recorded.
    @exclusivity(unchecked) var start: TableSource?
    /// The name of the open transaction, or of the next one.
    @exclusivity(unchecked) var nextName: String?
    /// What the open transaction does to the history, unless it is a new step.
    @exclusivity(unchecked) var replay: Replay?
    /// The open group.
    @exclusivity(unchecked) private(set) var group: Group?
    @exclusivity(unchecked) var stepLimit = 100 {
        didSet { trim() }
    }
    @exclusivity(unchecked) var byteLimit = 16 << 20 {
        didSet { trim() }
    }
    /// The sum of all entries.
    @exclusivity(unchecked) private(set) var byteCount = 0

    struct Entry {
        var step: UndoStep
        /// Whether the transaction is not on the disk yet.
        var isPending = false
    }

    /// A transaction that undoes or redoes a step.
    struct Replay {
        enum Direction {
            case undo, redo
        }

        let direction: Direction
        let moves: [RowMoves]
    }

    struct Group {
        let name: String?
        var depth = 1
        /// Newest first.
        var parts: [DetachedChanges] = []
        var isPending = false
    }

    // MARK: Recording

    /// Notes a committed transaction.
    ///
    /// - Parameters:
    ///   - inverse: Leads back from the state after it.
    ///   - isPending: Whether it is written to the disk later; see ``endPending(isWritten:)``.
    func record(_ inverse: DetachedChanges, isPending: Bool = false) {
        if let replay {
            self.replay = nil
            return note(replay, inverse)
        }
        if inverse.isEmpty { return }
        clearRedo()
        if group != nil {
            group?.parts.insert(inverse, at: 0)
            group?.isPending = isPending
            return
        }
        push(UndoStep(name: nextName, parts: [inverse]), isPending: isPending)
        nextName = nil
    }

    /// Called when the open transaction is cancelled.
    func forgetOpenTransaction() {
        if start != nil { nextName = nil }
        start = nil
    }

    private func push(_ step: UndoStep, isPending: Bool) {
        undo.append(Entry(step: step, isPending: isPending))
        byteCount += step.byteCount
        trim()
    }

    /// Ends the wait of all pending transactions: they are on the disk, or lost.
    func endPending(isWritten: Bool) {
        if isWritten {
            for index in undo.indices.reversed() {
                if !undo[index].isPending { break }
                undo[index].isPending = false
            }
            group?.isPending = false
            return
        }
        while let last = undo.last, last.isPending { dropUndo() }
        // The group's part of what was lost is not known apart from the rest.
        if group?.isPending == true { group?.parts = [] }
        group?.isPending = false
    }

    // MARK: Groups

    func beginGroup(_ name: String?) {
        if group == nil {
            group = Group(name: name ?? nextName)
            nextName = nil
        } else {
            group?.depth += 1
        }
    }

    func endGroup() {
        guard let ended = group else { return }
        if ended.depth > 1 {
            group?.depth -= 1
            return
        }
        group = nil
        if ended.parts.isEmpty { return }
        push(UndoStep(name: ended.name, parts: ended.parts), isPending: ended.isPending)
    }

    // MARK: Undoing

    /// Moves a step from one stack to the other one.
    private func note(_ replay: Replay, _ inverse: DetachedChanges) {
        let last =
            switch replay.direction {
            case .undo: dropUndo()
            case .redo: dropRedo()
            }
        guard let last else { return }
        move(replay)
        if inverse.isEmpty { return }
        let step = UndoStep(name: last.step.name, parts: [inverse])
        switch replay.direction {
        case .undo:
            redo.append(Entry(step: step))
            byteCount += step.byteCount
            trim()
        case .redo: push(step, isPending: false)
        }
    }

    /// The step that a direction leads to.
    func next(_ direction: Replay.Direction) -> UndoStep? {
        switch direction {
        case .undo: undo.last?.step
        case .redo: redo.last?.step
        }
    }

    /// Makes the steps behind one that was replayed follow the rows that have other keys since.
    /// What leads the other way begins with the state before, and does not follow.
    private func move(_ replay: Replay) {
        if replay.moves.isEmpty { return }
        switch replay.direction {
        case .undo: for index in undo.indices { undo[index].step.moveRows(replay.moves) }
        case .redo: for index in redo.indices { redo[index].step.moveRows(replay.moves) }
        }
        byteCount = (undo + redo).reduce(0) { $0 + $1.step.byteCount }
    }

    // MARK: Forgetting

    @discardableResult
    private func dropUndo() -> Entry? {
        guard let last = undo.popLast() else { return nil }
        byteCount -= last.step.byteCount
        return last
    }

    private func dropRedo() -> Entry? {
        guard let last = redo.popLast() else { return nil }
        byteCount -= last.step.byteCount
        return last
    }

    private func clearRedo() {
        byteCount -= redo.reduce(0) { $0 + $1.step.byteCount }
        redo = []
    }

    func removeAll() {
        (undo, redo, byteCount, nextName) = ([], [], 0, nil)
        group?.parts = []
    }

    /// Forgets the steps that are farthest away, until the limits are kept.
    private func trim() {
        var (count, bytes) = (undo.count + redo.count, byteCount)
        func drop(from entries: inout [Entry]) {
            var dropped = 0
            while dropped < entries.count, count > stepLimit || bytes > byteLimit {
                bytes -= entries[dropped].step.byteCount
                count -= 1
                dropped += 1
            }
            entries.removeFirst(dropped)
        }
        drop(from: &undo)
        drop(from: &redo)
        byteCount = bytes
    }
}
