import FreeholdStorage

/// What a live realm's observers are, and the way of what happened to them: asked by the file's ``ChangeNotifier`` on its thread, delivered on the realm's scheduler.
///
/// One package of changes is on its way at a time. While it waits for a busy scheduler, newer versions only make the next package larger: so a slow reader gets few
/// and coalesced change sets, and nothing grows.
///
/// Lock order: `monitor` is taken last, and nothing is called or released under it.
final class RealmListener: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.

    let origin: RealmOrigin
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
    /// Computed and on its way. Observers whose registrations have ended go out of it: an observer keeps its collection, which keeps the realm, which keeps this, and the
    /// scheduler may never come to it.
    private var package: ChangePackage?
    /// How many of the package's observers have ended. They go when they are more than those that are left, which keep the realm anyway.
    private var endedCount = 0
    /// Whether a job is on its way that will take the package, or whatever there is by then.
    private var isScheduled = false
    /// Whether somebody asked for a package while one was on its way.
    private var isAskedAgain = false
    /// The newest version that a realm without autorefresh was told to be there.
    private var announced: UInt64 = 0

    init(_ origin: RealmOrigin, _ snapshot: Snapshot?) {
        self.origin = origin
        self.snapshot = snapshot
    }

    // MARK: Registration

    /// - Parameter version: What the realm reads, from which on an observer is told that is not told of the beginning; unless it knows an older one already.
    func add(_ observer: Observer, at version: Snapshot) {
        let told = observer.told ?? (observer.beginsSilently ? ObservedVersion(version) : nil)
        monitor.withLock {
            observer.told = told
            observer.isRegistered = true
            observers.append(observer)
        }
    }

    /// The versions that the observers keep.
    var toldVersions: Set<UInt64> {
        monitor.withLock { Set(observers.compactMap { $0.told?.snapshot.version }) }
    }

    /// Any thread. Returns whether it was registered.
    func remove(_ observer: Observer) -> Bool {
        let (removed, old) = monitor.withLock { () -> (Observer?, ChangePackage?) in
            guard let index = observers.firstIndex(where: { $0 === observer }) else { return (nil, nil) }
            observer.isRegistered = false
            let removed = observers.remove(at: index)
            guard package != nil else { return (removed, nil) }
            endedCount += 1
            if endedCount <= observers.count { return (removed, nil) }
            defer { package?.removeEnded() }
            endedCount = 0
            return (removed, package)
        }
        withExtendedLifetime(old) {}
        return removed != nil
    }

    /// Ends all registrations.
    func removeAll() {
        let (removed, old) = monitor.withLock { () -> (ContiguousArray<Observer>, ChangePackage?) in
            let old = package
            defer {
                observers = []
                package?.removeEnded()
            }
            for observer in observers { observer.isRegistered = false }
            return (observers, old)
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
    /// - Parameter isBusy: Whether it is in a write transaction, or has written something that is on its way to the disk: then it cannot be told of anything.
    func didMove(to snapshot: Snapshot?, isBusy: Bool) {
        let (old, isAsked) = monitor.withLock { () -> (Snapshot?, Bool) in
            defer {
                self.snapshot = snapshot
                self.isBusy = isBusy
                if !isBusy { isAskedWhileBusy = false }
            }
            return (self.snapshot, !isBusy && isAskedWhileBusy)
        }
        withExtendedLifetime(old) {}
        if isAsked { origin.coordinator.notifier.signal() }
    }

    func setAutorefresh(_ value: Bool) { monitor.withLock { autorefresh = value } }

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

    /// Gives observers that were told of a version the same one in the file as it is after a compaction, so that they keep nothing of the old file, and the next change is found
    /// by comparing pages. Nothing is on its way from that version, because it is the newest.
    func rebase(to version: Snapshot) {
        let rebased = ObservedVersion(version)
        let old = monitor.withLock { () -> [ObservedVersion] in
            observers.compactMap { observer in
                guard let told = observer.told, told.snapshot.version == version.version, !told.snapshot.isSameFile(as: version) else { return nil }
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

    /// What an observer knew when it was told last. If it is told of something else meanwhile, what is computed from this is dropped.
    func state(of observer: Observer) -> (any Sendable)? { monitor.withLock { observer.state } }

    /// What has to be computed for the observers to stand at a version, or for the realm to move there; nil for nothing.
    private enum Plan {
        case package([ObserverGroup], Snapshot)
        case move(Snapshot)
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
            if observers.contains(where: { $0.isReady && ($0.told?.snapshot.version ?? 0) < target.version }) {
                isScheduled = true
                return .package(groups, target)
            }
            let isInOldFile = snapshot.map { $0.version == newest.version && !$0.isSameFile(as: newest) } ?? false
            if isInOldFile {
                isScheduled = true
                return .move(newest)
            }
            if !isBehind { return nil }
            if autorefresh {
                isScheduled = true
                return .move(newest)
            }
            if realmObserverCount == 0 || announced >= newest.version { return nil }
            announced = newest.version
            isScheduled = true
            return .announce
        }
    }

    /// On the notifier's thread: computes what the realm is to be told of the newest version, and sends it on its way.
    func prepare(_ newest: Snapshot) {
        // A realm whose classes another process has changed stays where it is.
        guard origin.schema.fits(newest.catalog), let plan = plan(newest) else { return }
        var made: ChangePackage?
        switch plan {
        case .package(let groups, let target):
            do throws(StorageError) {
                made = try ChangePackage(groups, of: self, ChangeRound(origin, to: target))
            } catch {
                // The file is damaged. The realm moves nevertheless: left behind, it would ask for the same again and again.
                origin.coordinator.store.noteDamage(error)
                made = ChangePackage(movingTo: target)
            }
        case .move(let target): made = ChangePackage(movingTo: target)
        case .announce: break
        }
        monitor.withLock {
            package = made
            package?.removeEnded()
            endedCount = 0
        }
        withExtendedLifetime(made) {}
        // A scheduler that is never run again keeps its work, and with it what that refers to.
        origin.confinement.scheduler?.run { [weak self] in self?.arrive() }
    }

    /// On the realm's scheduler.
    private func arrive() {
        let (package, isAskedAgain) = monitor.withLock { () -> (ChangePackage?, Bool) in
            isScheduled = false
            defer { self.isAskedAgain = false }
            return (self.package.take(), self.isAskedAgain)
        }
        defer { if isAskedAgain { origin.coordinator.notifier.signal() } }
        guard let core = origin.coordinator.core(in: origin.confinement.domain), core.listener === self else { return }
        core.receive(package)
        withExtendedLifetime(core) {}
    }

    /// What the observers are to be told of the version that the realm reads; nil for nothing. On the realm's scheduler.
    func packageNow(_ target: Snapshot, includesInitial: Bool) throws(StorageError) -> ChangePackage? {
        let groups = monitor.withLock { () -> [ObserverGroup] in
            let isBehind = observers.contains { observer in
                observer.isReady && observer.told.map { $0.snapshot.version < target.version } ?? includesInitial
            }
            return isBehind ? self.groups : []
        }
        return groups.isEmpty ? nil : try ChangePackage(groups, of: self, ChangeRound(origin, to: target), includesInitial: includesInitial)
    }

    // MARK: Delivering

    /// Calls the callbacks. On the realm's scheduler, with the realm at the package's version or, after changes of its own, at a newer one.
    ///
    /// Each observer is told only if it still stands where the package found it: a callback may write, which tells the others of a newer version at once.
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
            if let pull = item.observer as? PullObserver, item.change != nil || item.context == nil {
                let isWanted = monitor.withLock { () -> Bool in
                    defer { pull.isReady = false }
                    return pull.isReady && pull.isRegistered
                }
                if isWanted { pull.park(item, told) }
                continue
            }
            accept(item, told)
        }
    }

    /// Tells an observer of a version, if it still stands where that was computed from.
    func accept(_ item: ChangePackage.Item, _ target: ObservedVersion) {
        let isCurrent = monitor.withLock { () -> Bool in
            guard item.observer.isRegistered, item.observer.told === item.told else { return false }
            // Paused since this was computed. (Those that come for their changes are not ready when they get one.)
            if !item.observer.isReady, !(item.observer is PullObserver) { return false }
            (item.observer.told, item.observer.state) = (target, item.state)
            return true
        }
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

    /// From now on something is to be computed for the observer. Returns false if it is not registered any more.
    func makeReady(_ observer: PullObserver) -> Bool {
        monitor.withLock {
            guard observer.isRegistered else { return false }
            observer.isReady = true
            return true
        }
    }

    /// One observer, ready or not.
    func group(of observer: Observer) -> ObserverGroup { monitor.withLock { ObserverGroup(told: observer.told, observers: [observer]) } }
}
