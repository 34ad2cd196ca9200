import FreeholdStorage

/// The states of a draft that undo and redo lead to.
///
/// Each is a fork, which shares with the current edits all that has not changed since.
struct UndoStack {
    /// A state, and the name of the edits that follow it.
    struct Step {
        let name: String?
        let edits: WriteSet
    }

    /// The states before the current one, oldest first.
    private(set) var undo: [Step] = []
    /// The states that were undone, the next one last.
    private(set) var redo: [Step] = []
    /// The state at the last checkpoint; nil for the draft as it began.
    private(set) var current: WriteSet?
    /// The greatest number of steps.
    var limit = 100 {
        didSet { trim() }
    }

    /// Adds what was edited since the last checkpoint as one step.
    ///
    /// - Parameter edits: The current state.
    mutating func add(_ edits: WriteSet, after last: WriteSet, named name: String?) {
        undo.append(Step(name: name, edits: last))
        redo = []
        current = edits
        trim()
    }

    /// Goes one step back, and returns the state to restore.
    mutating func goBack(from edits: WriteSet) -> WriteSet? {
        guard let step = undo.popLast() else { return nil }
        redo.append(Step(name: step.name, edits: edits))
        current = step.edits
        return step.edits
    }

    /// Goes one step forward, and returns the state to restore.
    mutating func goForward(from edits: WriteSet) -> WriteSet? {
        guard let step = redo.popLast() else { return nil }
        undo.append(Step(name: step.name, edits: edits))
        current = step.edits
        return step.edits
    }

    mutating func begin(at edits: WriteSet) {
        (undo, redo, current) = ([], [], edits)
    }

    private mutating func trim() {
        if undo.count > limit { undo.removeFirst(undo.count - limit) }
    }
}
