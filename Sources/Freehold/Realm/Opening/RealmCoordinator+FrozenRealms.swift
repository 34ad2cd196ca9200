import Foundation
import FreeholdStorage

extension RealmCoordinator {
    /// The frozen realm of a version. Any number of threads may use the result. O(1).
    ///
    /// - Parameters:
    ///   - isKept: Whether a live realm keeps the result for the next freeze, until
    ///     ``endKeeping(_:)``.
    ///   - origin: Evaluated only if the realm must be created.
    ///   - site: Where the program freezes something; nil if the library needs the realm for
    ///     itself. Evaluated if no other site is known.
    func frozenCore(
        _ schema: BoundSchema, snapshot: Snapshot, isKept: Bool = false,
        of origin: @autoclosure () -> RealmOrigin, site: @autoclosure () -> CreationSite? = nil
    ) -> RealmCore {
        let key = FrozenKey(version: snapshot.version, schema: ObjectIdentifier(schema))
        return lock.withLock {
            if let index = frozen.index(forKey: key),
                let known = unsafeTryRetain(frozen.values[index].core)
            {
                if frozen.values[index].site == nil { frozen.values[index].site = site() }
                if isKept { frozen.values[index].keep(known) }
                return known
            }
            let created = RealmCore(freezing: origin(), snapshot: snapshot)
            var registered = Registered(created, site: site())
            if isKept { registered.keep(created) }
            frozen[key] = registered
            return created
        }
    }

    /// The frozen realm of a version that a live realm keeps. O(1).
    ///
    /// - Parameter site: Where the program freezes. Reports name it, if the program had let go of
    ///   the version.
    func keptCore(_ schema: BoundSchema, version: UInt64, site: @autoclosure () -> CreationSite)
        -> RealmCore?
    {
        let key = FrozenKey(version: version, schema: ObjectIdentifier(schema))
        return lock.withLock {
            guard let index = frozen.index(forKey: key) else { return nil }
            if frozen.values[index].isLetGo { frozen.values[index].site = site() }
            return frozen.values[index].kept
        }
    }

    /// Called when a live realm moves on from a version whose frozen realm it kept.
    func endKeeping(_ schema: BoundSchema, version: UInt64) {
        guard store.environment.isOwnedByThisProcess else { return }
        let key = FrozenKey(version: version, schema: ObjectIdentifier(schema))
        // Released outside the lock, which its `deinit` takes.
        let released = lock.withLock { () -> RealmCore? in
            guard let index = frozen.index(forKey: key) else { return nil }
            frozen.values[index].keeperCount -= 1
            return frozen.values[index].keeperCount == 0 ? frozen.values[index].kept.take() : nil
        }
        withExtendedLifetime(released) {}
    }

    /// Called by a frozen core's `deinit`; see ``forget(_:in:)``.
    func forgetFrozen(_ core: RealmCore) {
        guard store.environment.isOwnedByThisProcess else { return }
        let reference = Unmanaged.passUnretained(core).toOpaque()
        let key = FrozenKey(core)
        lock.withLock {
            if frozen[key]?.core.toOpaque() == reference { frozen[key] = nil }
        }
    }

    /// The data that reports need from each realm.
    var reportedRealms: [(versions: RealmVersions, confinement: Confinement, site: CreationSite?)] {
        let reported = lock.withLock {
            var reported = Array(live.values)
            // Not over the indices, which keep a copy of all values.
            for key in Array(frozen.keys) {
                guard let index = frozen.index(forKey: key), !frozen.values[index].isLetGo else {
                    continue
                }
                reported.append(frozen.values[index])
                // The last reference must not be released under the lock.
                reported[reported.count - 1].kept = nil
            }
            return reported
        }
        // Outside the lock, because a handover takes it inside its task's lock.
        return reported.map {
            (
                RealmVersions(read: $0.reading.current, written: $0.writing.current),
                $0.confinement.current, $0.site
            )
        }
    }
}

extension RealmCoordinator.Registered {
    /// Whether only live realms keep a frozen one, and the program has let go of it.
    fileprivate var isLetGo: Bool {
        mutating get { kept != nil && isKnownUniquelyReferenced(&kept) }
    }

    fileprivate mutating func keep(_ core: RealmCore) {
        kept = core
        keeperCount += 1
    }
}

extension RealmCoordinator.FrozenKey {
    fileprivate init(_ core: RealmCore) {
        self.init(version: core.currentSnapshot.version, schema: ObjectIdentifier(core.schema))
    }
}
