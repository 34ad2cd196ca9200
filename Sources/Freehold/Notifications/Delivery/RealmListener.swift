import FreeholdStorage
import Synchronization

/// The observers of a live realm, and the delivery of their changes. The file's
/// ``ChangeNotifier`` requests the changes on its thread; they are delivered on the realm's
/// scheduler.
///
/// One package of changes is pending at a time. While it waits for a busy scheduler, newer
/// versions only make the next package larger. So a slow reader gets fewer, combined change
/// sets, and no queue grows.
///
/// Lock order: `monitor` is taken last, and nothing is called or released under it.
final class RealmListener: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let origin: RealmOrigin
    /// The draft whose observers these are; nil for those of a realm.
    private let draft: DraftReference?
    /// Unique among the listeners of this process.
    let number = RealmListener.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    private static let numbers = Atomic<UInt64>(0)
    /// Protects the variables below, and the observers' variables that are set here. Internal,
    /// like `parked`, because the delivery has a file of its own.
    let monitor = Monitor()
    /// In the order of registration.
    private(set) var observers: ContiguousArray<Observer> = []
    /// The version that the realm reads; nil if it reads none.
    private var snapshot: Snapshot?
    private var isBusy = false
    /// Whether a package was requested meanwhile.
    private var isAskedWhileBusy = false
    private var autorefresh = true
    /// The number of callbacks that wait for `refreshRequired`.
    private var realmObserverCount = 0
    /// The work of the pending job; nil if there is none, or if it became stale.
    ///
    /// The scheduler may never run the job. So it must not keep unneeded versions, or observers
    /// whose registrations have ended: an observer keeps its collection, which keeps the realm,
    /// which keeps this.
    private var delivery: Delivery?
    /// The number of a package's observers that have ended. They are removed when they outnumber
    /// the others, which keep the realm anyway.
    private var endedCount = 0
    /// Whether a job is pending or delivering. It takes the delivery, or whatever is due when it
    /// runs.
    private var isScheduled = false
    /// The version that the job's package leads to, set when computing begins. The maximum while
    /// the job runs.
    private var scheduledVersion: UInt64 = 0
    /// How often a package became stale while it was computed or pending.
    private var staleCount: UInt64 = 0
    /// Observers with a parked change, which may pin versions. Protected by `monitor`.
    var parked: [PullObserver] = []
    /// Whether a package was requested while one was pending.
    private var isAskedAgain = false
    /// The newest version announced to a realm without autorefresh.
    private var announced: UInt64 = 0

    /// The work of a job on the realm's scheduler.
    enum Delivery: Sendable {
        /// Moves the realm to the newest version at the time the job runs. Pins no version
        /// until then.
        case move
        /// Announces a newer version to a realm that does not move.
        case announce
        /// Notifies observers of changes.
        case package(ChangePackage)
    }

    init(_ origin: RealmOrigin, _ snapshot: Snapshot?, of draft: DraftReference? = nil) {
        self.origin = origin
        self.snapshot = snapshot
        self.draft = draft
    }

    /// Makes observers that are behind receive their changes soon. Any thread.
    func requestDelivery() {
        guard let draft else { return origin.coordinator.notifier.signal() }
        if let scheduler = origin.confinement.scheduler { draft.deliver(on: scheduler) }
    }

    // MARK: Registration

    /// - Parameter version: The baseline for observers without an initial call, unless they
    ///   already hold an older version. Nil while the realm's state is being written to the
    ///   disk: ``beginWaiting(at:)`` sets the baseline later.
    func add(_ observer: Observer, at version: ObservedVersion?) {
        let delivered = observer.delivered ?? (observer.beginsSilently ? version : nil)
        monitor.withLock {
            observer.delivered = delivered
            observer.isRegistered = true
            observers.append(observer)
        }
    }

    /// Sets the baseline of observers without an initial call, once the state that they were
    /// added at is a version.
    func beginWaiting(at version: Snapshot) {
        monitor.withLock {
            var delivered: ObservedVersion?
            for observer in observers where observer.delivered == nil && observer.beginsSilently {
                let begun = delivered ?? ObservedVersion(version)
                delivered = begun
                observer.delivered = begun
            }
        }
    }

    /// Whether observers wait for their initial state, which a transaction must not change.
    var hasWaitingObservers: Bool {
        monitor.withLock {
            observers.contains { $0.delivered == nil && ($0.isReady || $0.beginsSilently) }
        }
    }

    /// The versions that observers were last notified of, and those that pending changes keep.
    /// O(observers). Any thread.
    var pinnedVersions: [(version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64)] {
        let (waiting, parked) = monitor.withLock {
            () -> (
                [(version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64)],
                [PullObserver]
            ) in
            var delivered: [UInt64: UInt64] = [:]
            for observer in observers {
                if let version = observer.delivered {
                    delivered[version.snapshot.version] = version.since
                }
            }
            var pinned = delivered.map {
                (version: $0.key, holder: Realm.PinnedVersion.Holder.observer, since: $0.value)
            }
            if case .package(let package) = delivery {
                for version in package.versions {
                    pinned.append((version, .delivery, package.target.since))
                }
            }
            return (pinned, self.parked)
        }
        var pinned = waiting
        for observer in parked {
            for (version, since) in observer.parkedVersions {
                pinned.append((version, .delivery, since))
            }
        }
        return pinned
    }

    /// A report entry for a version that changes are computed for. Nil if there are no
    /// observers.
    func pin(_ version: UInt64) -> ReaderPin? {
        guard hasObservers else { return nil }
        let opening = origin.confinement.opening
        return ReaderPin(
            .delivery, version, CreationSite(fileID: opening.fileID, line: opening.line),
            in: origin.coordinator.pins)
    }

    /// Removes an observer. Returns whether it was registered. Any thread.
    func remove(_ observer: Observer) -> Bool {
        let (removed, old) = monitor.withLock { () -> (Observer?, (ObservedVersion?, Delivery?)) in
            guard let index = observers.firstIndex(where: { $0 === observer }) else {
                return (nil, (nil, nil))
            }
            observer.isRegistered = false
            // A token that ended may be kept for ever, and keeps its observer.
            let delivered = observer.delivered.take()
            let removed = observers.remove(at: index)
            parked.removeAll { $0 === observer }
            guard case .package(var package) = delivery else { return (removed, (delivered, nil)) }
            if observers.isEmpty {
                defer { delivery = .move }
                return (removed, (delivered, delivery))
            }
            endedCount += 1
            if endedCount <= observers.count { return (removed, (delivered, nil)) }
            let old = delivery
            package.removeEnded()
            delivery = .package(package)
            endedCount = 0
            return (removed, (delivered, old))
        }
        withExtendedLifetime(old) {}
        return removed != nil
    }

    /// Ends all registrations, and drops pending changes.
    func removeAll() {
        let (removed, old) = monitor.withLock {
            () -> (ContiguousArray<Observer>, (Delivery?, [ObservedVersion])) in
            defer { (observers, parked) = ([], []) }
            for observer in observers { observer.isRegistered = false }
            return (observers, (dropPackage(), observers.compactMap { $0.delivered.take() }))
        }
        withExtendedLifetime(old) {}
        for observer in removed { observer.end() }
    }

    /// Whether an observer of this realm is registered.
    func contains(_ observer: Observer) -> Bool { monitor.withLock { observer.isRegistered } }

    var hasObservers: Bool { monitor.withLock { !observers.isEmpty } }

    func countRealmObservers(_ change: Int) { monitor.withLock { realmObserverCount += change } }

    // MARK: What the realm does

    /// Called when the realm reads another version.
    ///
    /// - Parameter isBusy: Whether it is in a write transaction, or its write is on its way to
    ///   the disk: nothing can then be delivered.
    func didMove(to snapshot: Snapshot?, isBusy: Bool) {
        let (old, stale, passed, isAsked) = monitor.withLock {
            () -> (Snapshot?, Delivery?, [PullObserver], Bool) in
            let isElsewhere = self.snapshot !== snapshot
            let isPast = isElsewhere && (snapshot.map { scheduledVersion <= $0.version } ?? true)
            defer {
                self.snapshot = snapshot
                self.isBusy = isBusy
                if !isBusy { isAskedWhileBusy = false }
                if isElsewhere { parked = [] }
            }
            let stale = isPast ? dropPackage() : nil
            return (self.snapshot, stale, isElsewhere ? parked : [], !isBusy && isAskedWhileBusy)
        }
        withExtendedLifetime((old, stale)) {}
        for observer in passed { observer.dropPrepared() }
        if isAsked { origin.coordinator.notifier.signal() }
    }

    /// Takes a stale package out of the pending job, which then computes the changes when it
    /// runs. Call it with the lock, and release the result without it.
    private func dropPackage() -> Delivery? {
        if !isScheduled { return nil }
        switch delivery {
        case .move, .announce: return nil
        // Includes a package that is being computed.
        case .package, nil:
            staleCount &+= 1
            isAskedAgain = true
            return delivery.take()
        }
    }

    func setAutorefresh(_ value: Bool) {
        let stale = monitor.withLock { () -> Delivery? in
            autorefresh = value
            return value ? nil : dropPackage()
        }
        withExtendedLifetime(stale) {}
    }

    /// Moves observers to a version without a notification, so that the changes up to it are
    /// never reported. Observers without a notification so far are not moved.
    func skip(_ skipped: [Observer], to delivered: ObservedVersion) {
        let old = monitor.withLock { () -> [(ObservedVersion?, (any Sendable)?)] in
            skipped.filter { $0.delivered != nil }.map { observer in
                defer { (observer.delivered, observer.state) = (delivered, nil) }
                return (observer.delivered, observer.state)
            }
        }
        withExtendedLifetime(old) {}
    }

    /// Moves observers to the same version in the compacted file. They then keep nothing of the
    /// old file, and the next change is found by comparing pages. No change from that version is
    /// pending, because it is the newest.
    func rebase(to version: Snapshot) {
        let rebased = ObservedVersion(version)
        let old = monitor.withLock { () -> [ObservedVersion] in
            observers.compactMap { observer in
                guard let delivered = observer.delivered,
                    delivered.snapshot.version == version.version,
                    !delivered.snapshot.isSameFile(as: version)
                else { return nil }
                observer.delivered = rebased
                return delivered
            }
        }
        withExtendedLifetime(old) {}
    }

    // MARK: Computing

    /// The observers that need changes, grouped by their last versions.
    private var groups: [ObserverGroup] {
        var groups: [ObserverGroup] = []
        for observer in observers where observer.isReady {
            if let last = groups.indices.last, groups[last].delivered === observer.delivered {
                groups[last].observers.append(observer)
            } else {
                groups.append(ObserverGroup(delivered: observer.delivered, observers: [observer]))
            }
        }
        return groups
    }

    /// An observer's state at its last notification. If it changes meanwhile, the result
    /// computed from it is dropped.
    func state(of observer: Observer) -> (any Sendable)? { monitor.withLock { observer.state } }

    /// The computation needed to bring the observers or the realm to a version; nil for none.
    private enum Plan {
        case package([ObserverGroup], Snapshot, staleCount: UInt64)
        case move
        case announce
    }

    private func plan(_ newest: Snapshot) -> Plan? {
        monitor.withLock { () -> Plan? in
            if isScheduled {
                isAskedAgain = true
                return nil
            }
            if isBusy {
                isAskedWhileBusy = true
                return nil
            }
            let isBehind = snapshot.map { $0.version < newest.version } ?? false
            let target = autorefresh ? newest : snapshot ?? newest
            if observers.contains(where: {
                $0.isReady && ($0.delivered?.snapshot.version ?? 0) < target.version
            }) {
                isScheduled = true
                scheduledVersion = target.version
                return .package(groups, target, staleCount: staleCount)
            }
            let isInOldFile =
                snapshot.map { $0.version == newest.version && !$0.isSameFile(as: newest) } ?? false
            if isInOldFile || (isBehind && autorefresh) {
                isScheduled = true
                return .move
            }
            if !isBehind { return nil }
            if realmObserverCount == 0 || announced >= newest.version { return nil }
            announced = newest.version
            isScheduled = true
            return .announce
        }
    }

    /// Computes the notifications about the newest version, and sends them to the realm. On the
    /// notifier's thread.
    func prepare(_ newest: Snapshot) {
        // A realm whose classes another process has changed keeps its version.
        guard origin.schema.fits(newest.catalog), let plan = plan(newest) else { return }
        switch plan {
        case .package(let groups, let target, let staleCount):
            do throws(StorageError) {
                let made = try ChangePackage(
                    groups, of: self, ChangeRound(origin, to: ObservedVersion(target)))
                monitor.withLock {
                    // Not if the realm moved past it meanwhile.
                    if self.staleCount != staleCount { return }
                    var current = made
                    current.removeEnded()
                    delivery = observers.isEmpty ? .move : .package(current)
                    endedCount = 0
                }
                withExtendedLifetime(made) {}
            } catch {
                // The file is damaged. The realm moves nevertheless: otherwise it would request
                // the same package again and again.
                origin.coordinator.store.noteDamage(error)
                monitor.withLock { delivery = .move }
            }
        case .move: monitor.withLock { delivery = .move }
        case .announce: monitor.withLock { delivery = .announce }
        }
        // A scheduler that never runs again keeps its work, and everything that the work refers
        // to.
        origin.confinement.scheduler?.run { [weak self] in self?.arrive() }
    }

    /// Runs the job on the realm's scheduler.
    private func arrive() {
        // No other package is computed before the observers reach this version.
        let delivery = monitor.withLock { () -> Delivery? in
            scheduledVersion = .max
            return self.delivery.take()
        }
        defer {
            let isAskedAgain = monitor.withLock { () -> Bool in
                isScheduled = false
                defer { self.isAskedAgain = false }
                return self.isAskedAgain
            }
            if isAskedAgain { origin.coordinator.notifier.signal() }
        }
        guard let core = origin.coordinator.core(in: origin.confinement.domain),
            core.listener === self
        else { return }
        core.receive(delivery)
        withExtendedLifetime(core) {}
    }

    /// The notifications about the version that the realm reads; nil for none. On the realm's
    /// scheduler.
    func packageNow(_ target: ObservedVersion, includesInitial: Bool) throws(StorageError)
        -> ChangePackage?
    {
        let (groups, stale) = monitor.withLock { () -> ([ObserverGroup], Delivery?) in
            let isBehind = observers.contains { observer in
                observer.isReady
                    && observer.delivered.map { $0.order < target.order }
                        ?? includesInitial
            }
            // The pending package starts from the observers' current versions.
            return isBehind ? (self.groups, dropPackage()) : ([], nil)
        }
        withExtendedLifetime(stale) {}
        return groups.isEmpty
            ? nil
            : try ChangePackage(
                groups, of: self, ChangeRound(origin, to: target), includesInitial: includesInitial)
    }
}
