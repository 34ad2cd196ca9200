import FreeholdStorage

/// The steps that undo and redo of a draft lead to.
///
/// Steps since the draft was last saved or rebased are savepoints, which share with the current
/// edits all that has not changed since. Savepoints keep the version that the draft was based on.
/// So older steps are changes (``detach(from:)``), which are merged into the edits when they are
/// undone.
struct UndoStack {
    struct Step {
        let name: String?
        var content: Content
        /// What the step adds to integer properties.
        var increments: Increments
    }

    enum Content {
        /// The edits to go on with, on the draft's current base.
        case edits(WriteSet)
        case changes(UndoStep)
    }

    /// What leads back, oldest first. Changes come before savepoints.
    private(set) var undo: [Step] = []
    /// What leads forward again, the next one last. Changes come before savepoints.
    private(set) var redo: [Step] = []
    /// The state at the last checkpoint; nil for the draft as it began.
    private(set) var current: WriteSet?
    /// What was added to integer properties since the last checkpoint.
    private(set) var increments = Increments()
    /// The greatest number of steps.
    var limit = 100 {
        didSet { trim() }
    }

    var isEmpty: Bool { undo.isEmpty && redo.isEmpty }

    /// Adds what was edited since the last checkpoint as one step.
    ///
    /// - Parameter edits: The current state.
    mutating func add(_ edits: WriteSet, after last: WriteSet, named name: String?) {
        undo.append(Step(name: name, content: .edits(last), increments: increments.inverse))
        increments = Increments()
        redo = []
        current = edits
        trim()
    }

    /// Goes one step back.
    ///
    /// - Parameters:
    ///   - edits: The state before.
    ///   - new: The state that the step led to.
    ///   - moves: The rows of the step that have other keys in it. Steps before it follow. What
    ///     leads forward again begins with the state before, and does not.
    mutating func goBack(from edits: WriteSet, to new: WriteSet, _ moves: [RowMoves] = []) {
        guard let step = undo.popLast() else { return }
        redo.append(
            Step(name: step.name, content: .edits(edits), increments: step.increments.inverse))
        current = new
        Self.moveRows(moves, in: &undo)
    }

    /// Goes one step forward; see ``goBack(from:to:_:)``.
    mutating func goForward(from edits: WriteSet, to new: WriteSet, _ moves: [RowMoves] = []) {
        guard let step = redo.popLast() else { return }
        undo.append(
            Step(name: step.name, content: .edits(edits), increments: step.increments.inverse))
        current = new
        Self.moveRows(moves, in: &redo)
        trim()
    }

    /// Begins at another state: the draft is based on another version, with the same edits.
    ///
    /// - Parameter edits: Does not change any more; nil for the version itself.
    mutating func moveCurrent(to edits: WriteSet?) {
        current = edits
        increments = Increments()
    }

    /// Notes what was added to integer properties.
    mutating func note(_ added: Increments) { increments.add(added) }

    /// Takes out what was added since the last checkpoint, which is undone otherwise.
    mutating func takeIncrements() -> Increments {
        defer { increments = Increments() }
        return increments
    }

    /// Turns all savepoints into changes. Afterwards the steps keep no version. O(changes).
    ///
    /// - Parameter edits: The current state, with no edits since the last checkpoint.
    mutating func detach(from edits: TableSource) throws(StorageError) {
        try Self.detach(&undo, from: edits)
        try Self.detach(&redo, from: edits)
    }

    private static func detach(_ steps: inout [Step], from edits: TableSource)
        throws(StorageError)
    {
        var start = edits
        for index in steps.indices.reversed() {
            guard case .edits(let end) = steps[index].content else { return }
            let changes = try DetachedChanges(from: start, to: end)
            steps[index].content = .changes(
                UndoStep(name: steps[index].name, parts: [changes]))
            start = end
        }
    }

    /// Follows rows that got other keys when the current edits were merged.
    mutating func moveRows(_ moves: RowMoves) {
        Self.forgetReturn(of: moves.kept, in: &undo)
        Self.forgetReturn(of: moves.kept, in: &redo)
        Self.moveRows([moves], in: &undo)
        Self.moveRows([moves], in: &redo)
    }

    /// Of each row that a merge has brought back, the next step that would bring it back is left
    /// out: it would add the row again.
    private static func forgetReturn(of rows: [TableID: Set<Int64>], in steps: inout [Step]) {
        var rows = rows
        for index in steps.indices.reversed() {
            if rows.values.allSatisfy(\.isEmpty) { return }
            steps[index].content.forgetReturn(of: &rows)
        }
    }

    private static func moveRows(_ moves: [RowMoves], in steps: inout [Step]) {
        if moves.isEmpty { return }
        for index in steps.indices {
            steps[index].content.moveRows(moves)
            for move in moves { steps[index].increments.moveRows(move.moved) }
        }
    }

    mutating func removeAll() { (undo, redo) = ([], []) }

    private mutating func trim() {
        if undo.count > limit { undo.removeFirst(undo.count - limit) }
    }
}

extension UndoStack.Content {
    /// The rows of a savepoint have the keys that its state gave them.
    fileprivate mutating func moveRows(_ moves: [RowMoves]) {
        guard case .changes(var step) = self else { return }
        step.moveRows(moves)
        self = .changes(step)
    }

    fileprivate mutating func forgetReturn(of rows: inout [TableID: Set<Int64>]) {
        guard case .changes(var step) = self else { return }
        step.forgetReturn(of: &rows)
        self = .changes(step)
    }
}
