import FreeholdStorage

extension RealmCore {
    /// Makes a draft of the version that a realm reads, or of a draft's edits. O(1).
    ///
    /// - Parameter confinement: Where the draft is used; nil for where this realm is.
    /// - Throws: `invalidInput` in a write transaction with changes, which are in no version.
    func makeDraft(_ site: CreationSite, in confinement: Confinement? = nil) throws(Realm.Error)
        -> RealmCore
    {
        if isReadOnly { violation(.transactionOnReadOnlyRealm(self)) }
        var origin = origin
        if let confinement { origin = origin.confined(to: confinement) }
        let made = DraftState(parent: draft == nil ? nil : self, site: site)
        if let draft {
            let edits = try savepointForDraft()
            made.parentEdits = edits
            made.lastSavepoint = edits
            made.undoStack.moveCurrent(to: edits)
            made.parentMoveCount = draft.moves.count
            made.pin = ReaderPin(.draft, edits.base.version, site, in: coordinator.pins)
            let continued = store.draft(continuing: edits)
            if let writeSet { continued.skipRowKeys(usedBy: writeSet) }
            return RealmCore(drafting: origin, snapshot: edits.base, edits: continued, made)
        }
        if writeSet?.hasChanges == true {
            throw Realm.Error(
                .invalidInput,
                """
                A draft cannot begin with the changes of an open write transaction. Commit it \
                first, or make the draft before it.
                """)
        }
        if writeSet == nil { asyncWrites?.settle() }
        let base = try mappingStorageErrors(readCommitted())
        made.pin = ReaderPin(.draft, base.version, site, in: coordinator.pins)
        return RealmCore(drafting: origin, snapshot: base, edits: store.draft(on: base), made)
    }

    private func savepointForDraft() throws(Realm.Error) -> WriteSet {
        if draft?.group == nil { return savepoint() }
        throw Realm.Error(
            .invalidInput,
            "A nested draft cannot begin inside of a write block of its parent. End it first.")
    }

    /// Returns the edits of a draft as they are now, which do not change any more. O(1) if there
    /// are none since the last call, otherwise O(tables + clusters changed since).
    func savepoint() -> WriteSet {
        guard let draft, let edits = writeSet else { refuseEndedDraft() }
        if let known = draft.lastSavepoint, !edits.hasChangesSinceSavepoint { return known }
        draft.lastSavepoint = edits
        writeSet = store.draft(continuing: edits)
        didMove()
        return edits
    }

    /// Continues with other edits on the same version.
    func restore(_ edits: WriteSet) {
        draft?.lastSavepoint = edits
        let continued = store.draft(continuing: edits)
        if let writeSet { continued.skipRowKeys(usedBy: writeSet) }
        writeSet = continued
        didMove()
        tracking?.tellProvisional()
    }

    /// What the draft's edits are compared with: a version of the file, or the parent's edits.
    var draftBase: TableSource {
        guard let draft, let writeSet else { refuseEndedDraft() }
        return draft.parentEdits ?? writeSet.base
    }

    /// Ends a draft: its edits are gone, its objects and collections become invalid.
    func endDraft() {
        guard let draft, !draft.isOver else { return }
        draft.isOver = true
        draft.undoStack = UndoStack()
        (draft.lastSavepoint, draft.parentEdits, draft.group, draft.pin) = (nil, nil, nil, nil)
        (draft.observed, draft.deliveredEdits) = (nil, nil)
        writeSet = nil
        snapshot = nil
        didInvalidate()
        listener?.removeAll()
        realmObservers = []
        tracking?.tellAll()
    }

    func refuseEndedDraft() -> Never {
        misuse(
            "This draft has ended: it was discarded or invalidated.",
            remedy: "Made at \(draft.map { "\($0.site.fileID):\($0.site.line)" } ?? "?"). "
                + "Make another one with Realm.draft(), and test Draft.isDiscarded first.")
    }
}

// MARK: - Write blocks

/// In a draft, the write blocks of a program are groups of edits: one step of undo each, undone
/// if the block throws.
extension RealmCore {
    func beginGroup(of draft: DraftState, named name: String? = nil) {
        if draft.isOver { refuseEndedDraft() }
        if draft.group != nil { violation(.alreadyInTransaction(self)) }
        // Before the first edit of the group, whose end may skip observers.
        _ = deliverEdits(inCallbacks: true)
        if draft.isOver { refuseEndedDraft() }
        if draft.group != nil { violation(.alreadyInTransaction(self)) }
        addStep(nil)
        draft.group = EditGroup(name: name, start: savepoint())
    }

    /// - Parameter tokens: Observers that are not told of the group.
    func endGroup(of draft: DraftState, withoutNotifying tokens: [NotificationToken] = []) {
        guard let group = draft.group else { violation(.commitWithoutTransaction(self)) }
        for token in tokens { token.checkBelongs(to: self) }
        draft.group = nil
        addStep(group.name)
        if !tokens.isEmpty { listener?.skip(tokens.compactMap(\.observer), to: observedEdits()) }
        _ = deliverEdits(except: tokens)
    }

    func cancelGroup(of draft: DraftState) {
        guard let group = draft.group else { violation(.cancelWithoutTransaction(self)) }
        draft.group = nil
        draft.increments.subtract(draft.undoStack.takeIncrements())
        restore(group.start)
        _ = deliverEdits()
    }
}

extension RealmOrigin {
    func confined(to confinement: Confinement) -> RealmOrigin {
        RealmOrigin(
            coordinator: coordinator, confinement: confinement,
            sharedConfiguration: sharedConfiguration, schema: schema)
    }
}
