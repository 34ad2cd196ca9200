import FreeholdStorage

/// Decides about conflicts; nil leaves one.
typealias ConflictResolver = (Conflict) -> Resolution?

// Saving a draft takes three steps. `prepareSave` makes the transaction: the edits as they are
// if nobody has committed since, else merged into the newest version, on which the draft goes on
// from then. The commit needs nothing of the draft. `finishSave` bases the draft on the committed
// version, with what was edited meanwhile.
extension RealmCore {
    /// Throws unless the draft can be saved or rebased now.
    func checkSavable(_ operation: String) {
        guard let draft, !draft.isOver else { refuseEndedDraft() }
        refuseInGroup(operation)
        if draft.isSaving {
            misuse(
                "\(operation) while the draft is being saved.",
                remedy: "Await the first save() before the next.")
        }
    }

    /// Saves a draft, and waits until that is on the disk.
    func saveDraft(resolving resolve: @escaping ConflictResolver) throws {
        checkSavable("Draft.save()")
        guard let draft else { return }
        if draft.parent != nil { return try saveIntoParent(resolving: resolve) }
        if try !hasEditsToSave() { return }
        let begun = try mappingStorageErrors(beginSave())
        let (transaction, saved) = try prepareSave(in: begun, resolving: resolve)
        transaction.author = draft.author
        transaction.increments = draft.increments.ofRows
        finishSave(of: saved, in: try mappingStorageErrors(store.commit(transaction)))
    }

    /// Whether saving would change the file. If all edits were changed back, nothing is left of
    /// increments, either.
    func hasEditsToSave() throws -> Bool {
        if try mappingStorageErrors(findDraftChanges()) { return true }
        draft?.increments = Increments()
        return false
    }

    private func beginSave() throws(StorageError) -> WriteSet {
        let identity = writerIdentity(draft?.site.fileID, draft?.site.line ?? 0)
        let start = ContinuousClock.now
        let begun = try PoolWaits.during(store) { () throws(StorageError) in
            try store.beginWrite(as: identity, timeout: configuration.writeTimeout)
        }
        PoolWaits.note(identity, since: start, store.path)
        return begun
    }

    /// Returns the transaction that saves the draft's edits, and the edits that it has.
    ///
    /// - Parameter begun: A new transaction, which ends here if this throws.
    private func prepareSave(in begun: WriteSet, resolving resolve: @escaping ConflictResolver)
        throws -> (transaction: WriteSet, saved: WriteSet)
    {
        do {
            if !fits(begun.base.catalog) { throw Realm.Error(schemaChanged) }
            begun.maximumNumberOfActiveVersions = configuration.maximumNumberOfActiveVersions
            endStep()
            let edits = savepoint()
            if let transaction = store.transaction(continuing: edits, in: begun) {
                return (transaction, edits)
            }
            let merge = try self.merge(
                edits, since: edits.base, into: begun, theirs: begun.base, resolving: resolve)
            move(to: begun, from: edits, after: merge)
            return (begun, begun)
        } catch {
            store.cancel(begun)
            throw error
        }
    }

    /// Bases the draft on the version that its edits are in, with what was edited since.
    func finishSave(of saved: WriteSet, in committed: Snapshot) {
        let live = coordinator.core(confinedAs: confinement)
        live?.recordSave(of: saved, since: saved.base)
        guard let draft, !draft.isOver else { return }
        endStep()
        if !draft.undoStack.isEmpty { detachSteps(from: savepoint()) }
        guard let edits = writeSet else { return }
        let continued = store.draft(on: committed)
        if draft.lastSavepoint !== saved || edits.hasChangesSinceSavepoint {
            do throws(StorageError) {
                try continued.apply(ChangeSet(VersionDifference(from: saved, to: edits)))
            } catch {
                store.noteDamage(error)
            }
        }
        continued.skipRowKeys(usedBy: edits)
        base(on: committed, continued)
        if !draft.undoStack.isEmpty { draft.undoStack.moveCurrent(to: savepoint()) }
        draft.increments = Increments()
        live?.catchUpByItself()
        _ = deliverEdits()
    }

    /// Makes edits a step before they are merged, if there are others: these would lead back to
    /// a state without the edits.
    private func endStep() {
        if draft?.undoStack.isEmpty == false { addStep(nil) }
    }

    /// Turns the steps of a draft into changes, before it is based on another version.
    ///
    /// - Parameters:
    ///   - edits: The edits on the version before.
    ///   - merge: What became of their rows.
    private func detachSteps(from edits: WriteSet, after merge: RowMoves? = nil) {
        guard let draft, !draft.undoStack.isEmpty else { return }
        do throws(StorageError) {
            try draft.undoStack.detach(from: edits)
            if let merge, !merge.isEmpty { draft.undoStack.moveRows(merge) }
        } catch {
            store.noteDamage(error)
            draft.undoStack.removeAll()
        }
    }

    /// Replaces a draft's version and edits. Its steps of undo keep no version any more.
    private func base(on version: Snapshot, _ edits: WriteSet) {
        guard let draft else { return }
        draft.lastSavepoint = nil
        draft.undoStack.moveCurrent(to: nil)
        snapshot = version
        draft.pin = ReaderPin(.draft, version.version, draft.site, in: coordinator.pins)
        writeSet = edits
        didMove()
    }

    /// Moves the draft to the version with which its edits were merged.
    private func move(to target: WriteSet, from edits: WriteSet, after merge: RowMoves) {
        guard let draft else { return }
        note(merge)
        draft.noteForeignChanges()
        detachSteps(from: edits, after: merge)
        base(on: target.base, store.draft(continuing: target))
        draft.lastSavepoint = target
        draft.undoStack.moveCurrent(to: target)
    }

    private func note(_ merge: RowMoves) {
        var keys = merge.moved
        for (table, dropped) in merge.dropped {
            keys[table, default: [:]].merge(newAbsentKeys(for: dropped)) { $1 }
        }
        note(keys)
    }

    /// Merges edits into a write set, and applies the result to it.
    ///
    /// - Returns: The rows of the edits that have other keys in the target.
    /// - Throws: ``DraftConflict`` if a conflict is left, and nothing is applied.
    private func merge(
        _ edits: WriteSet, since base: TableSource, into target: WriteSet, theirs: TableSource,
        resolving resolve: @escaping ConflictResolver
    ) throws -> RowMoves {
        let merge = try mappingStorageErrors(
            ThreeWayMerge(
                base: base, mine: edits, theirs: theirs, into: target,
                automaticKeys: schema.tablesWithAutomaticKeys,
                counters: draft?.increments.counters ?? Counters(), resolving: resolve))
        if !merge.conflicts.isEmpty {
            let report = ConflictReport(
                self, base: base, mine: edits, theirs: theirs, newRows: merge.newRows)
            throw DraftConflict(
                path: store.path, conflicts: report.sorted(merge.conflicts).map(report.conflict),
                hidesValues: hidesValues)
        }
        let moves = RowMoves(merge, absent: absentKeys(in: edits, since: base))
        // Delete rules read and change the target through the bindings.
        writeSet = target
        didMove()
        do throws(StorageError) {
            try make(merge.changes, in: target)
        } catch {
            restore(edits)
            throw Realm.Error(error)
        }
        return moves
    }

    /// Applies changes to the draft's write set, and deletes as its delete rules say.
    func make(_ changes: ChangeSet, in target: WriteSet) throws(StorageError) {
        try target.apply(changes) { (writeSet, table, keys) throws(StorageError) in
            try delete(keys, of: table, in: writeSet)
        }
    }

    private func delete(_ keys: [Int64], of table: TableID, in target: WriteSet)
        throws(StorageError)
    {
        guard let bound = schema[table], !bound.schema.relationships.isEmpty,
            let binding = bindingIfManaged(for: bound.schema.type)
        else { return try target.deleteRows(keys, of: table) }
        var plan = DeletionPlan(self, target)
        plan.add(keys, of: binding)
        try plan.carryOut()
    }

    // MARK: Parents

    private func saveIntoParent(resolving resolve: @escaping ConflictResolver) throws {
        guard let draft, let parent = draft.parent, let parentState = parent.draft,
            let base = draft.parentEdits
        else { return }
        if parentState.isOver { parent.refuseEndedDraft() }
        try checkParentRows(parentState)
        parent.refuseInGroup("Draft.save()")
        let hasEdits = try hasEditsToSave()
        endStep()
        let edits = savepoint()
        parent.addStep(nil)
        let theirs = parent.savepoint()
        if theirs === base {
            detachSteps(from: edits)
            if hasEdits { parent.restore(edits) }
        } else {
            let target = store.draft(continuing: theirs)
            if let used = parent.writeSet { target.skipRowKeys(usedBy: used) }
            let merge = try self.merge(
                edits, since: base, into: target, theirs: theirs, resolving: resolve)
            note(merge)
            draft.noteForeignChanges()
            detachSteps(from: edits, after: merge)
            if hasEdits { parent.restore(target) }
        }
        parentState.note(draft.increments)
        parent.addStep(nil)
        parentState.noteForeignChanges()
        draft.increments = Increments()
        rejoin(parent, parentState)
        _ = parent.deliverEdits()
        _ = deliverEdits()
    }

    /// Begins anew with the parent's edits.
    private func rejoin(_ parent: RealmCore, _ parentState: DraftState) {
        guard let draft else { return }
        let edits = parent.savepoint()
        let continued = store.draft(continuing: edits)
        if let parentEdits = parent.writeSet { continued.skipRowKeys(usedBy: parentEdits) }
        if let own = writeSet { continued.skipRowKeys(usedBy: own) }
        base(on: edits.base, continued)
        (draft.parentEdits, draft.lastSavepoint) = (edits, edits)
        draft.parentMoveCount = parentState.moves.count
        draft.undoStack.moveCurrent(to: edits)
    }

    /// Throws if rows that the parent had added got other keys since this draft began: what this
    /// draft edited is then not found any more.
    private func checkParentRows(_ parent: DraftState) throws {
        if draft?.parentMoveCount == parent.moves.count { return }
        throw Realm.Error(
            .invalidInput,
            """
            The draft that this one belongs to was saved or rebased, and objects that it had \
            added were moved by that. Save nested drafts before their parents.
            """)
    }

    // MARK: Rebasing

    /// Moves a draft to the newest version, or to the current edits of its parent, and keeps its
    /// edits. Returns whether others had changed anything.
    func rebaseDraft(resolving resolve: @escaping ConflictResolver) throws -> Bool {
        checkSavable("Draft.rebase()")
        guard let draft else { return false }
        if let parent = draft.parent, let parentState = parent.draft {
            if parentState.isOver { parent.refuseEndedDraft() }
            try checkParentRows(parentState)
            let theirs = parent.savepoint()
            guard let base = draft.parentEdits, theirs !== base else { return false }
            endStep()
            let edits = savepoint()
            let target = store.draft(continuing: theirs)
            if let used = parent.writeSet { target.skipRowKeys(usedBy: used) }
            let merge = try self.merge(
                edits, since: base, into: target, theirs: theirs, resolving: resolve)
            note(merge)
            draft.noteForeignChanges()
            detachSteps(from: edits, after: merge)
            self.base(on: theirs.base, store.draft(continuing: target))
            (draft.parentEdits, draft.lastSavepoint) = (theirs, target)
            draft.parentMoveCount = parentState.moves.count
            draft.undoStack.moveCurrent(to: target)
            _ = deliverEdits()
            return true
        }
        return try moveToNewest(resolving: resolve)
    }

    /// Merges the edits into the newest version, without a lock. Returns whether the draft moved.
    func moveToNewest(resolving resolve: @escaping ConflictResolver) throws -> Bool {
        if let snapshot, store.isNewest(snapshot) { return false }
        let newest = try mappingStorageErrors(store.newestSnapshot())
        guard let old = snapshot, newest.version != old.version || !newest.isSameFile(as: old)
        else { return false }
        if !fits(newest.catalog) { throw Realm.Error(schemaChanged) }
        endStep()
        let edits = savepoint()
        let target = store.draft(on: newest)
        let merge = try self.merge(
            edits, since: edits.base, into: target, theirs: newest, resolving: resolve)
        move(to: target, from: edits, after: merge)
        _ = deliverEdits()
        return true
    }

    /// The conflicts that saving would find now, without those that are settled.
    func findConflicts(resolving resolve: @escaping ConflictResolver) throws -> [FoundConflict] {
        guard let draft, !draft.isOver else { refuseEndedDraft() }
        let edits = savepoint()
        let (base, theirs): (TableSource, TableSource)
        let target: WriteSet
        if let parent = draft.parent, let parentState = parent.draft {
            if parentState.isOver { parent.refuseEndedDraft() }
            try checkParentRows(parentState)
            let savepoint = parent.savepoint()
            (base, theirs) = (draft.parentEdits ?? savepoint, savepoint)
            target = store.draft(continuing: savepoint)
        } else {
            let newest = try mappingStorageErrors(store.newestSnapshot())
            if !fits(newest.catalog) { throw Realm.Error(schemaChanged) }
            (base, theirs) = (edits.base, newest)
            target = store.draft(on: newest)
        }
        if base === theirs || !edits.hasChanges { return [] }
        let merge = try mappingStorageErrors(
            ThreeWayMerge(
                base: base, mine: edits, theirs: theirs, into: target,
                automaticKeys: schema.tablesWithAutomaticKeys,
                counters: draft.increments.counters, resolving: resolve))
        let report = ConflictReport(
            self, base: base, mine: edits, theirs: theirs, newRows: merge.newRows)
        return report.sorted(merge.conflicts).map {
            FoundConflict(stored: $0, conflict: report.conflict($0), report: report)
        }
    }
}

/// A conflict as storage found it, and as the program is told of it.
struct FoundConflict {
    let stored: Conflict
    let conflict: DraftConflict.Conflict
    let report: ConflictReport
}

extension BoundSchema {
    /// The tables whose primary keys the realm assigns. O(classes).
    var tablesWithAutomaticKeys: Set<TableID> {
        Set(
            classes.lazy.filter { $0.schema.primaryKeyProperty?.isAutoIncremented ?? false }
                .map(\.table))
    }
}
