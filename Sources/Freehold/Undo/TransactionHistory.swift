import FreeholdStorage

/// The transactions of one live realm that can be undone and redone. Confined like the realm.
final class TransactionHistory {
    /// Oldest first; what is undone next is the last.
    @exclusivity(unchecked) private(set) var undo: [Entry] = []
    /// What is redone next is the last.
    @exclusivity(unchecked) private(set) var redo: [Entry] = []
    /// What could be redone before the first pending transaction. It returns if that is lost.
    @exclusivity(unchecked) private var redoBeforePending: [Entry] = []
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
        /// How many of its newest transactions are not on the disk yet.
        var pendingCount = 0
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
        var name: String?
        var depth = 1
        /// Newest first.
        var parts: [DetachedChanges] = []
        /// How many of the newest parts are not on the disk yet.
        var pendingCount = 0
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
        // The name was that of this transaction, whatever it did.
        let name = nextName.take()
        if inverse.isEmpty { return }
        if !isPending { redoBeforePending = [] } else if !redo.isEmpty { redoBeforePending = redo }
        clearRedo()
        if var group = group.take() {
            group.name = group.name ?? name
            group.parts.insert(inverse, at: 0)
            if isPending { group.pendingCount += 1 }
            self.group = group
            return
        }
        push(Entry(step: UndoStep(name: name, parts: [inverse]), pendingCount: isPending ? 1 : 0))
    }

    /// Called when the open transaction is cancelled.
    func forgetOpenTransaction() {
        if start != nil { nextName = nil }
        start = nil
    }

    /// Called when a recorded transaction could not be committed. A step that it was to undo or
    /// redo stays.
    func forgetFailedTransaction() {
        if replay == nil { nextName = nil }
    }

    private func push(_ entry: Entry) {
        undo.append(entry)
        byteCount += entry.step.byteCount
        trim()
    }

    /// Ends the wait of all pending transactions: they are on the disk, or lost. A saved draft
    /// may have added a step after them.
    func endPending(isWritten: Bool) {
        let returning = redoBeforePending
        redoBeforePending = []
        if isWritten {
            for index in undo.indices { undo[index].pendingCount = 0 }
            group?.pendingCount = 0
            return
        }
        for index in undo.indices.reversed() where undo[index].pendingCount > 0 {
            byteCount -= undo[index].step.byteCount
            if undo[index].pendingCount == undo[index].step.parts.count {
                undo.remove(at: index)
                continue
            }
            undo[index].step.removeFirstParts(undo[index].pendingCount)
            undo[index].pendingCount = 0
            byteCount += undo[index].step.byteCount
        }
        if var group = group.take() {
            group.parts.removeFirst(group.pendingCount)
            group.pendingCount = 0
            self.group = group
        }
        if returning.isEmpty { return }
        redo = returning
        byteCount += returning.reduce(0) { $0 + $1.step.byteCount }
        trim()
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
        push(
            Entry(
                step: UndoStep(name: ended.name, parts: ended.parts),
                pendingCount: ended.pendingCount))
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
        case .redo: push(Entry(step: step))
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
        redoBeforePending = []
        group?.parts = []
        group?.pendingCount = 0
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
