import FreeholdStorage

// The delivery of computed changes to the observers, on the realm's scheduler.

extension RealmListener {
    /// Calls the callbacks. On the realm's scheduler, with the realm at the package's version
    /// or, after changes of its own, at a newer one.
    ///
    /// Skips observers that are not at the version that the package starts from: a callback may
    /// write, which notifies the others of a newer version at once.
    func deliver(_ package: ChangePackage) {
        let delivered = package.target
        // The package keeps the previous versions, so nothing is released here.
        let passed = monitor.withLock { () -> [Observer] in
            var passed: [Observer] = []
            for group in package.silent {
                for observer in group.observers where observer.delivered === group.delivered {
                    observer.delivered = delivered
                    if observer.passed != nil { passed.append(observer) }
                }
            }
            return passed
        }
        for observer in passed { observer.passed?(delivered, nil) }
        for item in package.items {
            if let pull = item.observer as? PullObserver, item.change != nil || item.context == nil
            {
                let isWanted = monitor.withLock { () -> Bool in
                    defer { pull.isReady = false }
                    return pull.isReady && pull.isRegistered
                }
                if isWanted { park(pull, item, delivered) }
                continue
            }
            accept(item, delivered)
        }
    }

    /// Notifies an observer, if it is still at the version that the change was computed from.
    func accept(_ item: ChangePackage.Item, _ target: ObservedVersion) {
        let (isCurrent, old) = monitor.withLock { () -> (Bool, (any Sendable)?) in
            guard item.observer.isRegistered, item.observer.delivered === item.delivered else {
                return (false, nil)
            }
            // Paused since this was computed. (Pull observers are not ready when they receive a
            // change.)
            if !item.observer.isReady, !(item.observer is PullObserver) { return (false, nil) }
            defer { (item.observer.delivered, item.observer.state) = (target, item.state) }
            return (true, item.observer.state)
        }
        withExtendedLifetime(old) {}
        if !isCurrent { return }
        guard let context = item.context else { return item.observer.deliverInitial() }
        guard let change = item.change else {
            item.observer.passed?(target, item.state)
            return
        }
        if item.observer.deliver(change, context) { _ = remove(item.observer) }
    }

    /// Sets whether changes are computed for an observer and delivered to it. Any thread.
    func setReady(_ observer: Observer, _ isReady: Bool) {
        monitor.withLock { observer.isReady = isReady }
        if isReady { requestDelivery() }
    }

    // MARK: Pull observers

    /// Parks a change for an observer's task. The task may never run, so the change is dropped
    /// when the realm moves on. On the realm's scheduler.
    private func park(
        _ observer: PullObserver, _ item: ChangePackage.Item, _ target: ObservedVersion
    ) {
        monitor.withLock { parked.append(observer) }
        observer.park(item, target)
    }

    /// Takes the change that was parked for an observer's task. On the realm's scheduler.
    func takeParked(_ observer: PullObserver) -> PullObserver.Parked? {
        monitor.withLock { parked.removeAll { $0 === observer } }
        return observer.takeParked()
    }

    /// Makes the observer ready for changes. Returns false if it is not registered any more.
    func makeReady(_ observer: PullObserver) -> Bool {
        monitor.withLock {
            guard observer.isRegistered else { return false }
            observer.isReady = true
            return true
        }
    }

    /// The group of one observer, ready or not.
    func group(of observer: Observer) -> ObserverGroup {
        monitor.withLock { ObserverGroup(delivered: observer.delivered, observers: [observer]) }
    }
}
