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
    /// A step keeps the columns that its edits changed, for the cluster of up to 500 rows that
    /// each edited object is in: about 6 KiB for one property of an object with 12. Once the draft
    /// was saved or rebased, it keeps the edited values alone, and for a changed list all of its
    /// elements.
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
    /// are told as of any change. An observer of an object or of its collections ends when the
    /// object is deleted, and stays ended when it comes back: observe it again. One of results
    /// goes on.
    ///
    /// Steps survive saving and rebasing. To undo one that was saved is a new edit, to be saved.
    /// If others have changed the same since, or took the primary key of an object that would
    /// come back, this throws. If a draft has no steps when it is saved, the edits are no step,
    /// either: call ``checkpoint(_:)`` before ``save()`` to undo them later. An object that a step
    /// deleted, and that a merge kept because others had changed it, is left as it is.
    ///
    /// - Returns: Whether there was something to undo.
    /// - Throws: ``DraftConflict`` if others have changed the same since the step: `base` is what
    ///   the step had left, `mine` what undoing it would set. ``Realm/Error`` with the code
    ///   `schemaMismatch` if the classes have changed since. The draft and its steps are as
    ///   before. Only for a step before the last ``save()`` or ``rebase()``.
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: No write block of the draft is open.
    @discardableResult
    public func undo() throws -> Bool { try undo { _ in nil } }

    /// Undoes as ``undo()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: `mine` undoes what others changed since, `theirs` leaves that.
    /// - Returns: Whether there was something to undo.
    /// - Throws: As ``undo()``. ``DraftConflict`` only for conflicts that the resolution cannot
    ///   settle: an object that others deleted does not return.
    @discardableResult
    public func undo(resolving resolution: DraftConflict.Resolution) throws -> Bool {
        try undo { _ in resolution }
    }

    /// Undoes as ``undo()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict. Nil leaves it.
    /// - Returns: Whether there was something to undo.
    /// - Throws: As ``undo()``, and what `resolve` throws.
    @discardableResult
    public func undo(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        try core.verifyConfinement(.operation("Draft.undo()"))
        return try core.undoStep(resolving: resolve)
    }

    /// Does the step again that was undone last. An object that it adds again gets another primary
    /// key if the realm assigns these and others took the first one.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: As ``undo()``.
    /// - Precondition: As ``undo()``.
    @discardableResult
    public func redo() throws -> Bool { try redo { _ in nil } }

    /// Redoes as ``redo()``, and settles all conflicts alike.
    ///
    /// - Parameter resolution: Which side stands.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo(resolving:)-(DraftConflict.Resolution)``.
    @discardableResult
    public func redo(resolving resolution: DraftConflict.Resolution) throws -> Bool {
        try redo { _ in resolution }
    }

    /// Redoes as ``redo()``, and asks for each conflict how it is settled.
    ///
    /// - Parameter resolve: Called once for each conflict. Nil leaves it.
    /// - Returns: Whether there was a step.
    /// - Throws: As ``undo()``, and what `resolve` throws.
    @discardableResult
    public func redo(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        try core.verifyConfinement(.operation("Draft.redo()"))
        return try core.redoStep(resolving: resolve)
    }
}

extension RealmCore {
    /// The state at the last checkpoint.
    private var checkpoint: WriteSet? { draft?.undoStack.current }

    /// Whether edits since the last checkpoint would be a step.
    var isEditedSinceCheckpoint: Bool {
        guard let draft, let writeSet else { return false }
        if writeSet.hasChangesSinceSavepoint { return true }
        guard let savepoint = draft.lastSavepoint else { return false }
        return savepoint !== draft.undoStack.current
            && !(draft.undoStack.current == nil && !savepoint.hasChanges)
    }

    /// Makes the edits since the last checkpoint one step.
    func addStep(_ name: String?) {
        guard let draft, isEditedSinceCheckpoint else { return }
        let last = checkpoint ?? draft.parentEdits ?? store.draft(on: savepoint().base)
        draft.undoStack.add(savepoint(), after: last, named: name)
    }

    fileprivate func undoStep(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        guard let draft else { return false }
        refuseInGroup("Draft.undo()")
        addStep(nil)
        guard let step = draft.undoStack.undo.last else { return false }
        let edits = savepoint()
        let (new, moves) = try state(after: step, isRedo: false, resolving: resolve)
        draft.undoStack.goBack(from: edits, to: new, moves)
        draft.increments.add(step.increments)
        note(moves, from: edits)
        restore(new)
        _ = deliverEdits()
        return true
    }

    fileprivate func redoStep(
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        guard let draft else { return false }
        refuseInGroup("Draft.redo()")
        guard !isEditedSinceCheckpoint, let step = draft.undoStack.redo.last else { return false }
        let edits = savepoint()
        let (new, moves) = try state(after: step, isRedo: true, resolving: resolve)
        draft.undoStack.goForward(from: edits, to: new, moves)
        draft.increments.add(step.increments)
        note(moves, from: edits)
        restore(new)
        _ = deliverEdits()
        return true
    }

    /// The state that a step leads to from the current edits.
    private func state(
        after step: UndoStack.Step, isRedo: Bool,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> (WriteSet, [RowMoves]) {
        switch step.content {
        case .edits(let edits): return (edits, [])
        case .changes(let changes):
            let edits = savepoint()
            var (target, moves) = (edits, [RowMoves]())
            try settlingConflicts(resolve) { resolve in
                target = store.draft(continuing: edits)
                if let writeSet { target.skipRowKeys(usedBy: writeSet) }
                let result = try mappingStorageErrors(
                    apply(
                        changes, isRedo: isRedo, to: target, counters: step.increments.counters,
                        resolving: resolve))
                moves = result.moves
                return result.conflicts
            }
            return (target, moves)
        }
    }

    /// Notes which rows returned with other keys. A row of the edits keeps its key: a step has
    /// found it there.
    private func note(_ moves: [RowMoves], from edits: WriteSet) {
        for move in moves {
            var keys = move.moved
            for (table, moved) in keys {
                let rows = edits.table(table)
                keys[table] = moved.filter { !rows.contains(RowKey(rawValue: $0.key)) }
            }
            note(keys)
        }
    }

    /// Traps inside of a write block of the draft.
    func refuseInGroup(_ operation: String) {
        if draft?.group == nil { return }
        misuse(
            "\(operation) is not possible inside of a write block of the draft.",
            remedy: "Call it after the block.")
    }
}
