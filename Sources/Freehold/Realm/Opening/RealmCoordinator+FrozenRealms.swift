import Foundation
import FreeholdStorage

/// A frozen realm in its coordinator. The variables are protected by the coordinator's lock.
///
/// A live realm keeps the frozen one of the version that it reads, for the next freeze: that keeps
/// nothing that the live one does not keep.
final class FrozenEntry {
    fileprivate let registered: RealmCoordinator.Registered
    /// Where the program froze the version; nil for one that the library froze.
    @exclusivity(unchecked) fileprivate(set) var site: CreationSite?
    /// The frozen realm, while live ones keep it.
    @exclusivity(unchecked) fileprivate var kept: RealmCore?
    /// The number of these live realms.
    @exclusivity(unchecked) fileprivate var keeperCount = 0

    fileprivate init(_ core: RealmCore, _ site: CreationSite?) {
        registered = RealmCoordinator.Registered(core)
        self.site = site
    }

    /// Whether the program has released the frozen realm, so that only live realms still keep it.
    fileprivate var isLetGo: Bool { kept != nil && isKnownUniquelyReferenced(&kept) }
}

extension RealmCoordinator {
    /// The frozen realm of a version. Any number of threads may use the result. O(1).
    ///
    /// - Parameters:
    ///   - origin: Evaluated only if the realm must be created.
    ///   - site: Where the program freezes something; nil if the library needs the realm for
    ///     itself. Evaluated if no other site is known.
    func frozenCore(
        _ schema: BoundSchema, snapshot: Snapshot, of origin: @autoclosure () -> RealmOrigin,
        site: @autoclosure () -> CreationSite? = nil
    ) -> RealmCore {
        lock.withLock { frozenEntry(schema, snapshot, origin(), site()).core }
    }

    /// As ``frozenCore(_:snapshot:of:site:)``, for a live realm that keeps the result until
    /// ``endKeeping(_:)``.
    func keptFrozenCore(
        _ schema: BoundSchema, snapshot: Snapshot, of origin: @autoclosure () -> RealmOrigin,
        site: @autoclosure () -> CreationSite?
    ) -> (core: RealmCore, entry: FrozenEntry) {
        lock.withLock {
            let (core, entry) = frozenEntry(schema, snapshot, origin(), site())
            entry.kept = core
            entry.keeperCount += 1
            return (core, entry)
        }
    }

    /// The caller holds the lock.
    private func frozenEntry(
        _ schema: BoundSchema, _ snapshot: Snapshot, _ origin: @autoclosure () -> RealmOrigin,
        _ site: @autoclosure () -> CreationSite?
    ) -> (core: RealmCore, entry: FrozenEntry) {
        let key = FrozenKey(version: snapshot.version, schema: ObjectIdentifier(schema))
        if let known = frozen[key], let core = unsafeTryRetain(known.registered.core) {
            if known.site == nil { known.site = site() }
            return (core, known)
        }
        let core = RealmCore(freezing: origin(), snapshot: snapshot)
        let entry = FrozenEntry(core, site())
        frozen[key] = entry
        return (core, entry)
    }

    /// The frozen realm that a live one keeps. O(1).
    ///
    /// - Parameter site: Where the program freezes. Reports of held versions name it if the program
    ///   had released the version in the meantime.
    func core(of entry: FrozenEntry, site: @autoclosure () -> CreationSite) -> RealmCore? {
        lock.withLock {
            if entry.isLetGo { entry.site = site() }
            return entry.kept
        }
    }

    /// Called when a live realm moves on from a version whose frozen realm it kept.
    func endKeeping(_ entry: FrozenEntry) {
        guard store.environment.isOwnedByThisProcess else { return }
        // Released outside the lock, which its `deinit` takes.
        let released = lock.withLock { () -> RealmCore? in
            entry.keeperCount -= 1
            return entry.keeperCount == 0 ? entry.kept.take() : nil
        }
        withExtendedLifetime(released) {}
    }

    /// Called by a frozen core's `deinit`; see ``forget(_:in:)``.
    func forgetFrozen(_ core: RealmCore) {
        guard store.environment.isOwnedByThisProcess else { return }
        let reference = Unmanaged.passUnretained(core).toOpaque()
        let key = FrozenKey(
            version: core.currentSnapshot.version, schema: ObjectIdentifier(core.schema))
        lock.withLock {
            if frozen[key]?.registered.core.toOpaque() == reference { frozen[key] = nil }
        }
    }

    /// The data that reports need from each realm.
    var reportedRealms: [(versions: RealmVersions, confinement: Confinement, site: CreationSite?)] {
        let reported = lock.withLock {
            live.values.map { (realm: $0, site: CreationSite?.none) }
                + frozen.values.filter { !$0.isLetGo }.map { ($0.registered, $0.site) }
        }
        // Outside the lock, because a handover takes it inside its task's lock.
        return reported.map { realm, site in
            (
                RealmVersions(read: realm.reading.current, written: realm.writing.current),
                realm.confinement.current, site
            )
        }
    }
}
