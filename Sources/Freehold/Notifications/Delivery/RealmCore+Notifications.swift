import FreeholdStorage

// Where a live realm meets its observers. Everything here runs on the realm's scheduler.

extension RealmCore {
    var origin: RealmOrigin {
        RealmOrigin(
            coordinator: coordinator, confinement: confinement, configuration: configuration,
            schema: schema)
    }

    /// Begins to listen for newer versions, where the realm's scheduler can be reached at any
    /// time. Once, when the realm was opened.
    func listenIfReachable() {
        if isReadOnly || belongsToTask { return }
        switch confinement.domain {
        case .main, .queue, .actor, .scheduler: listen()
        case .thread:
            if let thread = confinement.scheduler as? ThreadScheduler, thread.isAttended {
                listen()
            }
        case .frozen: return
        }
    }

    @discardableResult
    private func listen() -> RealmListener {
        if let listener { return listener }
        (confinement.scheduler as? ThreadScheduler)?.attend()
        let made = RealmListener(origin, snapshot)
        made.setAutorefresh(autorefresh)
        listener = made
        coordinator.notifier.add(made)
        return made
    }

    /// Traps where nothing can be observed.
    func checkObservable() {
        if isFrozen {
            violation(
                .misuse(
                    text: "Frozen Realms do not change and do not have change notifications.",
                    remedy: "Observe the live object or collection: thaw() it first."))
        }
        if isReadOnly {
            violation(
                .misuse(
                    text: "Read-only Realms do not change and do not have change notifications.",
                    remedy:
                        """
                        Open the realm with a configuration whose readOnly is false, to \
                        follow what others write.
                        """
                ))
        }
        if writeSet?.hasChangesSinceSavepoint == true {
            violation(
                .misuse(
                    text:
                        """
                        Cannot create asynchronous query after making changes in a write \
                        transaction.
                        """,
                    remedy:
                        "Observe before the first change of the transaction, or after its commit."))
        }
    }

    /// The way to register observers. Traps where nothing can be observed or delivered.
    func requireListener() -> RealmListener {
        checkObservable()
        requireOwner("Can only add notification blocks from within runloops.", "Observing")
        if let thread = confinement.scheduler as? ThreadScheduler, !thread.isAttended,
            listener == nil
        {
            violation(
                .misuse(
                    text: "Can only add notification blocks from within runloops.",
                    remedy:
                        """
                        Nothing could call back on \(thread.name): observe on a queue \
                        (observe(on:)), on the main thread, on an actor, or on a thread whose \
                        run loop runs.
                        """))
        }
        return listen()
    }

    /// Registers an observer, which is told of the present soon.
    func register(_ observer: Observer) -> NotificationToken {
        let listener = requireListener()
        add(observer, to: listener)
        coordinator.notifier.signal()
        return NotificationToken(observer, listener)
    }

    /// Adds an observer that begins with what the realm reads: a version, or what was committed
    /// and is on its way to the disk.
    func add(_ observer: Observer, to listener: RealmListener) {
        listener.add(observer, at: hasPendingChanges ? nil : currentSnapshot)
    }

    /// Whether what the realm reads, or what its open transaction began with, is no version of
    /// the file yet.
    private var hasPendingChanges: Bool { pendingWrites != nil || asyncWrites?.committed != nil }

    /// A job of the listener's runs.
    ///
    /// - Parameter delivery: Nil if what was to be delivered became stale: what there is to
    ///   tell by now is found out anew.
    func receive(_ delivery: RealmListener.Delivery?) {
        // What comes at the wrong moment is computed again afterwards, for the version that is
        // the newest then.
        if writeSet != nil || pendingWrites != nil || isDelivering {
            hasMissedDelivery = true
            return
        }
        defer {
            if let snapshot, autorefresh, !store.isNewest(snapshot) {
                coordinator.notifier.signal()
            }
        }
        switch delivery {
        case .package(let package): receive(package)
        case .move: moveToNewest()
        case .announce:
            if let snapshot, !autorefresh, !store.isNewest(snapshot) {
                callRealmObservers(.refreshRequired)
            }
        case nil: return
        }
    }

    private func receive(_ package: ChangePackage) {
        let target = package.target.snapshot
        if let snapshot, snapshot.version > target.version { return }
        if snapshot?.version == target.version { read(compacted: target) }
        if snapshot?.version != target.version {
            if !autorefresh && snapshot != nil || !fits(target.catalog) { return }
            move(to: target)
        }
        delivering { listener?.deliver(package) }
    }

    /// Moves to the newest version, unless the realm reads none or stays where it is; to the
    /// same version in the new file after a compaction.
    private func moveToNewest() {
        // Those that were registered since the job was sent off.
        if moveByItself() { deliverNow(includesInitial: false) }
    }

    /// As ``moveToNewest()``. Collections' and objects' observers are still to be told.
    ///
    /// - Returns: Whether the realm moved.
    private func moveByItself() -> Bool {
        guard let snapshot, !store.isNewest(snapshot), let newest = try? store.newestSnapshot(),
            fits(newest.catalog)
        else { return false }
        if newest.version == snapshot.version {
            read(compacted: newest)
            return false
        }
        if !autorefresh { return false }
        move(to: newest)
        return true
    }

    /// Moves to the newest version where the realm may move by itself, in front of work that is
    /// to see what was committed before it began: a job of an executor, an opening, a reference
    /// that is read.
    ///
    /// Observers are told later, when their changes have been computed. O(1) while there is
    /// nothing newer: nanoseconds.
    func catchUpByItself() {
        if isFrozen || isReadOnly || !autorefresh || writeSet != nil || isDelivering { return }
        isUnread = false
        // The outcome of an asynchronous write that others have committed after.
        if pendingWrites != nil { asyncWrites?.takeOutcome() }
        if pendingWrites == nil, writeSet == nil, moveByItself() { coordinator.notifier.signal() }
    }

    /// Changes can be delivered again.
    func deliverWhatWasMissed() {
        if !hasMissedDelivery || writeSet != nil || pendingWrites != nil || isDelivering { return }
        hasMissedDelivery = false
        coordinator.notifier.signal()
    }

    /// Moves to a version, and tells the realm's own observers.
    func move(to target: Snapshot) {
        lastForeignVersion = target.version
        snapshot = target
        didMove()
        callRealmObservers(.didChange)
    }

    /// The file was compacted: goes on reading the same version in the new file, which nobody
    /// notices, and lets go of the old one.
    func read(compacted version: Snapshot) {
        guard let snapshot, snapshot.version == version.version, !snapshot.isSameFile(as: version)
        else { return }
        self.snapshot = version
        didMove()
        listener?.rebase(to: version)
    }

    /// The realm moved by itself: tells everyone of the version that it reads now, at once.
    ///
    /// - Parameter includesInitial: Whether observers that have been told of nothing yet are
    ///   called for the first time.
    func deliverNow(includesInitial: Bool) {
        guard let listener, let snapshot, listener.hasObservers else { return }
        do throws(StorageError) {
            guard let package = try listener.packageNow(snapshot, includesInitial: includesInitial)
            else { return }
            delivering { listener.deliver(package) }
        } catch {
            store.noteDamage(error)
        }
    }

    func delivering(_ body: () -> Void) {
        let outer = isDelivering
        isDelivering = true
        body()
        isDelivering = outer
        deliverWhatWasMissed()
    }

    // MARK: The realm's own observers

    /// Calls what observes the realm itself.
    ///
    /// - Parameter tokens: Of observers that are left out.
    func callRealmObservers(
        _ notification: Realm.Notification, except tokens: [NotificationToken] = []
    ) {
        if realmObservers.isEmpty { return }
        delivering {
            for observer in realmObservers
            where observer.isActive && !tokens.contains(where: { $0.realmObserver === observer }) {
                observer.call(notification, Realm(core: self))
            }
        }
    }
}

extension RealmCore {
    /// Drops what has ended among the realm's own observers: now, or as soon as the scheduler
    /// comes to it.
    func forgetRealmObserversLater() {
        guard let scheduler = confinement.scheduler else { return }
        if scheduler.isCurrent {
            realmObservers.removeAll { !$0.isActive }
            return
        }
        let confined = UnsafeTransfer(self)
        scheduler.run { confined.value.realmObservers.removeAll { !$0.isActive } }
    }
}

/// Carries what is confined to a scheduler there.
struct UnsafeTransfer<Value>: @unchecked Sendable {
    // @unchecked: whoever makes one uses the value on its own scheduler only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
