import FreeholdStorage
import Synchronization

/// What a live realm's observers are, and the way of what happened to them: asked by the file's
/// ``ChangeNotifier`` on its thread, delivered on the realm's scheduler.
///
/// One package of changes is on its way at a time. While it waits for a busy scheduler, newer
/// versions only make the next package larger: so a slow reader gets few and coalesced change
/// sets, and nothing grows.
///
/// Lock order: `monitor` is taken last, and nothing is called or released under it.
final class RealmListener: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let origin: RealmOrigin
    /// No other listener of this process has it.
    let number = RealmListener.numbers.wrappingAdd(1, ordering: .relaxed).newValue
    private static let numbers = Atomic<UInt64>(0)
    private let monitor = Monitor()
    /// In the order of registration.
    private var observers: ContiguousArray<Observer> = []
    /// The version that the realm reads; nil if it reads none.
    private var snapshot: Snapshot?
    private var isBusy = false
    /// Whether somebody asked for a package meanwhile.
    private var isAskedWhileBusy = false
    private var autorefresh = true
    /// How many callbacks want to hear that a refresh is required.
    private var realmObserverCount = 0
    /// What the job that is on its way will do; nil if there is nothing, or if it became stale.
    ///
    /// The scheduler may never run the job. So it must not keep a version that nobody needs any
    /// more, and no observer whose registration has ended: an observer keeps its collection,
    /// which keeps the realm, which keeps this.
    private var delivery: Delivery?
    /// How many of a package's observers have ended. They go when they are more than those that
    /// are left, which keep the realm anyway.
    private var endedCount = 0
    /// Whether a job is on its way that will take the delivery, or whatever there is by then;
    /// also while it delivers.
    private var isScheduled = false
    /// The version that the job's package leads to, from the moment on when it begins to be
    /// computed. The greatest while the job runs.
    private var scheduledVersion: UInt64 = 0
    /// How often a package that was being computed, or was on its way, became stale.
    private var staleCount: UInt64 = 0
    /// Observers for whose tasks a change is parked, which may hold versions.
    private var parked: [PullObserver] = []
    /// Whether somebody asked for a package while one was on its way.
    private var isAskedAgain = false
    /// The newest version that a realm without autorefresh was told to be there.
    private var announced: UInt64 = 0

    /// What a job on the realm's scheduler does.
    enum Delivery: Sendable {
        /// Moves the realm to the version that is the newest when the job runs. Holds no
        /// version until then.
        case move
        /// Says that there is a newer version, to a realm that does not move.
        case announce
        /// Tells observers what changed.
        case package(ChangePackage)
    }

    init(_ origin: RealmOrigin, _ snapshot: Snapshot?) {
        self.origin = origin
        self.snapshot = snapshot
    }

    // MARK: Registration

    /// - Parameter version: What the realm reads, from which on an observer is told that is not
    ///   told of the beginning; unless it knows an older one already. Nil where that is on its
    ///   way to the disk: ``beginWaiting(at:)`` says later what it has become.
    func add(_ observer: Observer, at version: Snapshot?) {
        let told =
            observer.told ?? (observer.beginsSilently ? version.map { ObservedVersion($0) } : nil)
        monitor.withLock {
            observer.told = told
            observer.isRegistered = true
            observers.append(observer)
        }
    }

    /// What the realm read when they were added is a version now: observers that are not told
    /// of the beginning begin there.
    func beginWaiting(at version: Snapshot) {
        monitor.withLock {
            var told: ObservedVersion?
            for observer in observers where observer.told == nil && observer.beginsSilently {
                let begun = told ?? ObservedVersion(version)
                told = begun
                observer.told = begun
            }
        }
    }

    /// Whether observers wait for their beginning, which a transaction must not change.
    var hasWaitingObservers: Bool {
        monitor.withLock {
            observers.contains { $0.told == nil && ($0.isReady || $0.beginsSilently) }
        }
    }

    /// The versions that observers were told of last, and those that are kept by what is on its
    /// way to them. O(observers). Any thread.
    var heldVersions: [(version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64)] {
        let (waiting, parked) = monitor.withLock {
            () -> (
                [(version: UInt64, holder: Realm.PinnedVersion.Holder, since: UInt64)],
                [PullObserver]
            ) in
            var told: [UInt64: UInt64] = [:]
            for observer in observers {
                if let version = observer.told { told[version.snapshot.version] = version.since }
            }
            var held = told.map {
                (version: $0.key, holder: Realm.PinnedVersion.Holder.observer, since: $0.value)
            }
            if case .package(let package) = delivery {
                for version in package.versions {
                    held.append((version, .delivery, package.target.since))
                }
            }
            return (held, self.parked)
        }
        var held = waiting
        for observer in parked {
            for (version, since) in observer.parkedVersions {
                held.append((version, .delivery, since))
            }
        }
        return held
    }

    /// What tells of a version that changes are being computed for. Nil if the listener has
    /// nobody to tell.
    func hold(_ version: UInt64) -> ReaderPin? {
        guard hasObservers else { return nil }
        let opening = origin.confinement.opening
        return ReaderPin(
            .delivery, version, CreationSite(fileID: opening.fileID, line: opening.line),
            in: origin.coordinator.holds)
    }

    /// Any thread. Returns whether it was registered.
    func remove(_ observer: Observer) -> Bool {
        let (removed, old) = monitor.withLock { () -> (Observer?, (ObservedVersion?, Delivery?)) in
            guard let index = observers.firstIndex(where: { $0 === observer }) else {
                return (nil, (nil, nil))
            }
            observer.isRegistered = false
            // A token that ended may be kept for ever, and keeps its observer.
            let told = observer.told.take()
            let removed = observers.remove(at: index)
            parked.removeAll { $0 === observer }
            guard case .package(var package) = delivery else { return (removed, (told, nil)) }
            if observers.isEmpty {
                defer { delivery = .move }
                return (removed, (told, delivery))
            }
            endedCount += 1
            if endedCount <= observers.count { return (removed, (told, nil)) }
            let old = delivery
            package.removeEnded()
            delivery = .package(package)
            endedCount = 0
            return (removed, (told, old))
        }
        withExtendedLifetime(old) {}
        return removed != nil
    }

    /// Ends all registrations, and drops what is on its way.
    func removeAll() {
        let (removed, old) = monitor.withLock {
            () -> (ContiguousArray<Observer>, (Delivery?, [ObservedVersion])) in
            defer { (observers, parked) = ([], []) }
            for observer in observers { observer.isRegistered = false }
            return (observers, (dropPackage(), observers.compactMap { $0.told.take() }))
        }
        withExtendedLifetime(old) {}
        for observer in removed { observer.end() }
    }

    /// Whether an observer of this realm is registered.
    func contains(_ observer: Observer) -> Bool { monitor.withLock { observer.isRegistered } }

    var hasObservers: Bool { monitor.withLock { !observers.isEmpty } }

    func countRealmObservers(_ change: Int) { monitor.withLock { realmObserverCount += change } }

    // MARK: What the realm does

    /// The realm reads another version.
    ///
    /// - Parameter isBusy: Whether it is in a write transaction, or has written something that
    ///   is on its way to the disk: then it cannot be told of anything.
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

    /// Takes a stale package out of the job that is on its way, which finds out then what is to
    /// be told. With the lock; the caller releases the result without it.
    private func dropPackage() -> Delivery? {
        if !isScheduled { return nil }
        switch delivery {
        case .move, .announce: return nil
        // One that is being computed, too.
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

    /// Makes observers take a version for told, so that what led to it is never reported.
    /// Those that have not been told anything yet are left to begin as they would.
    func skip(_ skipped: [Observer], to version: Snapshot) {
        let told = ObservedVersion(version)
        let old = monitor.withLock { () -> [(ObservedVersion?, (any Sendable)?)] in
            skipped.filter { $0.told != nil }.map { observer in
                defer { (observer.told, observer.state) = (told, nil) }
                return (observer.told, observer.state)
            }
        }
        withExtendedLifetime(old) {}
    }

    /// Gives observers that were told of a version the same one in the file as it is after a
    /// compaction, so that they keep nothing of the old file, and the next change is found by
    /// comparing pages. Nothing is on its way from that version, because it is the newest.
    func rebase(to version: Snapshot) {
        let rebased = ObservedVersion(version)
        let old = monitor.withLock { () -> [ObservedVersion] in
            observers.compactMap { observer in
                guard let told = observer.told, told.snapshot.version == version.version,
                    !told.snapshot.isSameFile(as: version)
                else { return nil }
                observer.told = rebased
                return told
            }
        }
        withExtendedLifetime(old) {}
    }

    // MARK: Computing

    /// The observers that something is to be computed for, by what they were told.
    private var groups: [ObserverGroup] {
        var groups: [ObserverGroup] = []
        for observer in observers where observer.isReady {
            if let last = groups.indices.last, groups[last].told === observer.told {
                groups[last].observers.append(observer)
            } else {
                groups.append(ObserverGroup(told: observer.told, observers: [observer]))
            }
        }
        return groups
    }

    /// What an observer knew when it was told last. If it is told of something else meanwhile,
    /// what is computed from this is dropped.
    func state(of observer: Observer) -> (any Sendable)? { monitor.withLock { observer.state } }

    /// What has to be computed for the observers to stand at a version, or for the realm to
    /// move there; nil for nothing.
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
                $0.isReady && ($0.told?.snapshot.version ?? 0) < target.version
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

    /// On the notifier's thread: computes what the realm is to be told of the newest version,
    /// and sends it on its way.
    func prepare(_ newest: Snapshot) {
        // A realm whose classes another process has changed stays where it is.
        guard origin.schema.fits(newest.catalog), let plan = plan(newest) else { return }
        switch plan {
        case .package(let groups, let target, let staleCount):
            do throws(StorageError) {
                let made = try ChangePackage(groups, of: self, ChangeRound(origin, to: target))
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
                // The file is damaged. The realm moves nevertheless: left behind, it would ask
                // for the same again and again.
                origin.coordinator.store.noteDamage(error)
                monitor.withLock { delivery = .move }
            }
        case .move: monitor.withLock { delivery = .move }
        case .announce: monitor.withLock { delivery = .announce }
        }
        // A scheduler that is never run again keeps its work, and with it what that refers to.
        origin.confinement.scheduler?.run { [weak self] in self?.arrive() }
    }

    /// On the realm's scheduler.
    private func arrive() {
        // Nothing else is computed before the observers stand where this leads to.
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

    /// What the observers are to be told of the version that the realm reads; nil for nothing.
    /// On the realm's scheduler.
    func packageNow(_ target: Snapshot, includesInitial: Bool) throws(StorageError)
        -> ChangePackage?
    {
        let (groups, stale) = monitor.withLock { () -> ([ObserverGroup], Delivery?) in
            let isBehind = observers.contains { observer in
                observer.isReady
                    && observer.told.map { $0.snapshot.version < target.version } ?? includesInitial
            }
            // What is on its way begins where the observers stand now.
            return isBehind ? (self.groups, dropPackage()) : ([], nil)
        }
        withExtendedLifetime(stale) {}
        return groups.isEmpty
            ? nil
            : try ChangePackage(
                groups, of: self, ChangeRound(origin, to: target), includesInitial: includesInitial)
    }

    // MARK: Delivering

    /// Calls the callbacks. On the realm's scheduler, with the realm at the package's version
    /// or, after changes of its own, at a newer one.
    ///
    /// Each observer is told only if it still stands where the package found it: a callback may
    /// write, which tells the others of a newer version at once.
    func deliver(_ package: ChangePackage) {
        let told = package.target
        // The package keeps what they were told, so nothing is released here.
        let passed = monitor.withLock { () -> [Observer] in
            var passed: [Observer] = []
            for group in package.silent {
                for observer in group.observers where observer.told === group.told {
                    observer.told = told
                    if observer.passed != nil { passed.append(observer) }
                }
            }
            return passed
        }
        for observer in passed { observer.passed?(told.snapshot, nil) }
        for item in package.items {
            if let pull = item.observer as? PullObserver, item.change != nil || item.context == nil
            {
                let isWanted = monitor.withLock { () -> Bool in
                    defer { pull.isReady = false }
                    return pull.isReady && pull.isRegistered
                }
                if isWanted { park(pull, item, told) }
                continue
            }
            accept(item, told)
        }
    }

    /// Tells an observer of a version, if it still stands where that was computed from.
    func accept(_ item: ChangePackage.Item, _ target: ObservedVersion) {
        let (isCurrent, old) = monitor.withLock { () -> (Bool, (any Sendable)?) in
            guard item.observer.isRegistered, item.observer.told === item.told else {
                return (false, nil)
            }
            // Paused since this was computed. (Those that come for their changes are not ready
            // when they get one.)
            if !item.observer.isReady, !(item.observer is PullObserver) { return (false, nil) }
            defer { (item.observer.told, item.observer.state) = (target, item.state) }
            return (true, item.observer.state)
        }
        withExtendedLifetime(old) {}
        if !isCurrent { return }
        guard let context = item.context else { return item.observer.deliverInitial() }
        guard let change = item.change else {
            item.observer.passed?(target.snapshot, item.state)
            return
        }
        if item.observer.deliver(change, context) { _ = remove(item.observer) }
    }

    /// Whether anything is to be computed for an observer, and delivered.
    func setReady(_ observer: Observer, _ isReady: Bool) {
        monitor.withLock { observer.isReady = isReady }
        if isReady { origin.coordinator.notifier.signal() }
    }

    // MARK: Observers that come for their changes

    /// Leaves a change for an observer's task. The task may never run, so the change goes when
    /// the realm moves on. On the realm's scheduler.
    private func park(
        _ observer: PullObserver, _ item: ChangePackage.Item, _ target: ObservedVersion
    ) {
        monitor.withLock { parked.append(observer) }
        observer.park(item, target)
    }

    /// The task of an observer takes what was parked. On the realm's scheduler.
    func takeParked(_ observer: PullObserver) -> PullObserver.Parked? {
        monitor.withLock { parked.removeAll { $0 === observer } }
        return observer.takeParked()
    }

    /// From now on something is to be computed for the observer. Returns false if it is not
    /// registered any more.
    func makeReady(_ observer: PullObserver) -> Bool {
        monitor.withLock {
            guard observer.isRegistered else { return false }
            observer.isReady = true
            return true
        }
    }

    /// One observer, ready or not.
    func group(of observer: Observer) -> ObserverGroup {
        monitor.withLock { ObserverGroup(told: observer.told, observers: [observer]) }
    }
}
