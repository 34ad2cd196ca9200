import FreeholdStorage

extension Draft {
    /// Whether there is a step to undo: edits since the last checkpoint, or a step before it.
    public var canUndo: Bool {
        core.checkConfinement("Draft.canUndo")
        return core.draft.map { !$0.undoStack.undo.isEmpty || core.isEditedSinceCheckpoint }
            ?? false
    }

    /// Whether there is an undone step to do again. False after a new edit.
    public var canRedo: Bool {
        core.checkConfinement("Draft.canRedo")
        return core.draft.map { !$0.undoStack.redo.isEmpty && !core.isEditedSinceCheckpoint }
            ?? false
    }

    /// The names of the steps that can be undone, oldest first; nil for a step without a name.
    public var undoNames: [String?] {
        core.checkConfinement("Draft.undoNames")
        let names = core.draft?.undoStack.undo.map(\.name) ?? []
        return core.isEditedSinceCheckpoint ? names + [nil] : names
    }

    /// The names of the steps that can be done again, the next one last.
    public var redoNames: [String?] {
        core.checkConfinement("Draft.redoNames")
        if core.isEditedSinceCheckpoint { return [] }
        return core.draft?.undoStack.redo.map(\.name) ?? []
    }

    /// The greatest number of steps that are kept, 100 at first. The oldest are forgotten.
    ///
    /// A step keeps the clusters of rows that its edits changed, of up to 500 rows each.
    public var undoLimit: Int {
        get {
            core.checkConfinement("Draft.undoLimit")
            return core.draft?.undoStack.limit ?? 0
        }
        nonmutating set {
            core.checkConfinement("Draft.undoLimit")
            if newValue < 0 {
                misuse(
                    "An undo limit cannot be negative.", remedy: "Pass 0 to keep no steps.")
            }
            core.draft?.undoStack.limit = newValue
        }
    }

    /// Makes what was edited since the last checkpoint one step of undo. Does nothing if nothing
    /// was edited.
    ///
    /// - Parameter name: What the edits did, for a menu: "Rename".
    public func checkpoint(_ name: String? = nil) {
        core.checkConfinement("Draft.checkpoint(_:)")
        core.addStep(name)
        _ = core.deliverEdits()
    }

    /// Undoes the edits since the last checkpoint; if there are none, the step before it.
    ///
    /// Objects that the step added become invalid, those that it deleted come back. Observers
    /// are told as of any change. Saving and rebasing forget all steps.
    ///
    /// - Returns: Whether there was something to undo.
    @discardableResult
    public func undo() -> Bool {
        core.checkConfinement("Draft.undo()")
        return core.undoStep()
    }

    /// Does the step again that was undone last.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func redo() -> Bool {
        core.checkConfinement("Draft.redo()")
        return core.redoStep()
    }
}

extension RealmCore {
    /// The state at the last checkpoint.
    private var checkpoint: WriteSet? { draft?.undoStack.current }

    /// Whether edits since the last checkpoint would be a step.
    var isEditedSinceCheckpoint: Bool {
        guard let draft, let writeSet else { return false }
        if writeSet.hasChangesSinceSavepoint { return true }
        guard let fork = draft.lastFork else { return false }
        return fork !== draft.undoStack.current
            && !(draft.undoStack.current == nil && !fork.hasChanges)
    }

    /// Makes the edits since the last checkpoint one step.
    func addStep(_ name: String?) {
        guard let draft, isEditedSinceCheckpoint else { return }
        let last = checkpoint ?? draft.parentEdits ?? store.draft(on: fork().base)
        draft.undoStack.add(fork(), after: last, named: name)
    }

    fileprivate func undoStep() -> Bool {
        guard let draft else { return false }
        refuseInGroup("Draft.undo()")
        addStep(nil)
        guard let edits = draft.undoStack.goBack(from: fork()) else { return false }
        restore(edits)
        _ = deliverEdits()
        return true
    }

    fileprivate func redoStep() -> Bool {
        guard let draft, !isEditedSinceCheckpoint else { return false }
        refuseInGroup("Draft.redo()")
        guard let edits = draft.undoStack.goForward(from: fork()) else { return false }
        restore(edits)
        _ = deliverEdits()
        return true
    }

    /// Traps inside of a write block of the draft.
    func refuseInGroup(_ operation: String) {
        if draft?.group == nil { return }
        misuse(
            "\(operation) is not possible inside of a write block of the draft.",
            remedy: "Call it after the block.")
    }
}
