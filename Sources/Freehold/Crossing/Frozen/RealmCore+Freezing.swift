import FreeholdStorage

extension RealmCore {
    /// Returns the version that the realm reads, for any thread; in a write transaction, the
    /// version before it. A frozen core returns itself.
    func frozenCore() -> RealmCore {
        if isFrozen { return self }
        // Asynchronous commits that the realm shows already may not be part of a version yet.
        if writeSet == nil { asyncWrites?.settle() }
        if draft != nil { return frozenEditsCore() }
        let version = writeSet?.base ?? currentSnapshot
        if let keptFrozen, keptFrozen.version === version,
            let known = coordinator.core(of: keptFrozen.entry, site: freezingSite)
        {
            return known
        }
        if version !== snapshot {
            return coordinator.frozenCore(
                schema, snapshot: version, of: origin, site: freezingSite)
        }
        let made = coordinator.keptFrozenCore(
            schema, snapshot: version, of: origin, site: freezingSite)
        keptFrozen = (version, made.entry)
        return made.core
    }

    private var freezingSite: CreationSite {
        if let site = FreezingSite.current { return site }
        let opening = confinement.opening
        return CreationSite(fileID: opening.fileID, line: opening.line)
    }

    /// Returns the live realm of the calling queue, actor or scheduler, if there is one, else of
    /// the calling thread. It stays at the version that it reads.
    func thawedCore() -> RealmCore {
        if !isFrozen { return self }
        return coordinator.liveCoreOfCaller(configuration, schema.set, purpose: "thaw()")
    }

    /// Moves to the newest version if the realm reads an older one than `version`. Does nothing
    /// in a transaction, which is at the newest version, and in frozen and read-only realms.
    func catchUp(with version: UInt64) {
        if isFrozen || isReadOnly || writeSet != nil { return }
        if currentSnapshot.version < version { _ = refresh() }
    }

    /// Returns the object's row in a frozen core. Its place is found here, once: afterwards any
    /// number of threads read it, and none of them may write the place.
    func frozenAccessor(of object: ObjectBase, _ binding: ClassBinding) -> ObjectBase {
        checkConfinement(of: object, "Object.freeze()")
        if isDeleted(object) { violation(.deletedObjectUsed(object, operation: "Object.freeze()")) }
        let frozen = frozenCore()
        let frozenBinding = frozen.binding(for: binding.reference)
        if let found = frozen.accessor(object.key, of: frozenBinding) { return found }
        if !store.isDamaged { violation(.frozeObjectOfSameTransaction(object)) }
        return frozenBinding.makeDanglingAccessor(key: object.key, since: frozen.generation)
    }

    /// Whether a row is one of the version that is read: not if a draft has added it.
    func isInFile(_ key: Int64, of table: TableID) -> Bool {
        frozenEdits == nil || currentSnapshot.table(table).contains(RowKey(rawValue: key))
    }

    /// Returns the object's row in the live realm; nil if it does not exist there.
    func thawedAccessor(of object: ObjectBase, _ binding: ClassBinding) -> ObjectBase? {
        let live = thawedCore()
        if isFrozen, !isInFile(object.key, of: binding.table) { return nil }
        return live.accessor(object.key, of: live.binding(for: binding.reference))
    }
}
