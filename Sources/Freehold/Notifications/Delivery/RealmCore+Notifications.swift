import FreeholdStorage

// The connection between a live realm and its observers. Everything here runs on the realm's
// scheduler.

extension RealmCore {
    var origin: RealmOrigin {
        RealmOrigin(
            coordinator: coordinator, confinement: confinement,
            sharedConfiguration: sharedConfiguration,
            schema: schema)
    }

    /// Begins to listen for newer versions if the realm's scheduler can always be reached.
    /// Called once, after the realm was opened.
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

    /// Traps if the realm cannot be observed.
    func checkObservable() {
        if isFrozen {
            misuse(
                "Frozen Realms do not change and do not have change notifications.",
                remedy: "Observe the live object or collection: thaw() it first.")
        }
        if isReadOnly {
            misuse(
                "Read-only Realms do not change and do not have change notifications.",
                remedy: """
                    Open the realm with a configuration whose readOnly is false, to \
                    follow what others write.
                    """)
        }
        if draft == nil, writeSet?.hasChangesSinceSavepoint == true {
            misuse(
                "Cannot create asynchronous query after making changes in a write transaction.",
                remedy: "Observe before the first change of the transaction, or after its commit.")
        }
    }

    /// The listener for registering observers. Traps if the realm cannot be observed, or changes
    /// cannot be delivered.
    func requireListener() -> RealmListener {
        checkObservable()
        if draft != nil { return listenToEdits() }
        requireCallbacks()
        return listen()
    }

    /// Traps if nothing can be called later where the realm is. A draft delivers in
    /// `Realm.refresh()`, too, but wakes no waiting task there.
    func requireCallbacks() {
        requireOwner("Can only add notification blocks from within runloops.", "Observing")
        if let thread = confinement.scheduler as? ThreadScheduler, !thread.isAttended,
            draft != nil || listener == nil
        {
            misuse(
                "Can only add notification blocks from within runloops.",
                remedy: """
                    Nothing could call back on \(thread.name): observe on a queue \
                    (observe(on:)), on the main thread, on an actor, or on a thread whose \
                    run loop runs.
                    """)
        }
    }

    /// Registers an observer, which soon receives its initial notification.
    func register(_ observer: Observer) -> NotificationToken {
        let listener = requireListener()
        add(observer, to: listener)
        requestDelivery()
        return NotificationToken(observer, listener)
    }

    /// Adds an observer that begins with the state that the realm reads: a version, or commits
    /// that are being written to the disk.
    func add(_ observer: Observer, to listener: RealmListener) {
        observer.followedMoveCount = draft?.moves.count ?? 0
        listener.add(observer, at: hasPendingChanges ? nil : observedVersion)
        // A list controller shows a version of any age.
        if draft != nil { listener.follow(self) }
    }

    /// What the realm reads.
    var observedVersion: ObservedVersion {
        draft == nil ? ObservedVersion(currentSnapshot) : observedEdits()
    }

    /// Makes observers that are behind receive their changes soon.
    func requestDelivery() {
        if draft == nil { coordinator.notifier.signal() } else { deliverEditsLater() }
    }

    /// Whether the realm's state, or the state at the beginning of its open transaction, is not
    /// yet a version of the file.
    private var hasPendingChanges: Bool { pendingWrites != nil || asyncWrites?.committed != nil }

    /// Runs a job of the listener.
    ///
    /// - Parameter delivery: Nil if the package became stale: the changes are then computed
    ///   anew.
    func receive(_ delivery: RealmListener.Delivery?) {
        // Deliveries at the wrong moment are computed again later, for the version that is then
        // the newest.
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

    /// Moves to the newest version, unless the realm reads none or already has it. After a
    /// compaction, moves to the same version in the new file.
    private func moveToNewest() {
        // For observers that were registered after the job was sent.
        if moveByItself() { deliverNow(includesInitial: false) }
    }

    /// Does the same as ``moveToNewest()``, without notifying the observers of collections and
    /// objects.
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

    /// Moves to the newest version, if the realm may refresh automatically, before work that
    /// must see earlier commits: a job of an executor, an opening, reading a reference.
    ///
    /// Observers are notified later, when their changes have been computed. O(1), some
    /// nanoseconds, if there is no newer version.
    func catchUpByItself() {
        if isFrozen || isReadOnly || !autorefresh || writeSet != nil || isDelivering { return }
        isUnread = false
        // Applies the outcome of an asynchronous write, if others have committed after it.
        if pendingWrites != nil { asyncWrites?.takeOutcome() }
        if pendingWrites == nil, writeSet == nil, moveByItself() { coordinator.notifier.signal() }
    }

    /// Called when changes can be delivered again.
    func deliverWhatWasMissed() {
        if !hasMissedDelivery || isDelivering { return }
        if draft != nil {
            hasMissedDelivery = false
            return deliverEditsLater()
        }
        if writeSet != nil || pendingWrites != nil { return }
        hasMissedDelivery = false
        coordinator.notifier.signal()
    }

    /// Moves to a version, and notifies the realm's own observers.
    func move(to target: Snapshot) {
        lastForeignVersion = target.version
        snapshot = target
        didMove()
        callRealmObservers(.didChange)
    }

    /// Moves to the same version in the new file after a compaction, without a notification, and
    /// releases the old file.
    func read(compacted version: Snapshot) {
        guard let snapshot, snapshot.version == version.version, !snapshot.isSameFile(as: version)
        else { return }
        self.snapshot = version
        didMove()
        listener?.rebase(to: version)
    }

    /// Notifies all observers at once of the version that the realm reads, after it moved by
    /// itself.
    ///
    /// - Parameter includesInitial: Whether new observers receive their initial call.
    func deliverNow(includesInitial: Bool) {
        guard let listener, let snapshot, listener.hasObservers else { return }
        do throws(StorageError) {
            guard
                let package = try listener.packageNow(
                    ObservedVersion(snapshot), includesInitial: includesInitial)
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

    /// Calls the realm's own observers.
    ///
    /// - Parameter tokens: Observers to leave out.
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
    /// Removes the realm's own observers that have ended: at once, or when the scheduler runs
    /// next.
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

/// Moves a confined value to its scheduler.
struct UnsafeTransfer<Value>: @unchecked Sendable {
    // @unchecked: the code that creates one uses the value on its own scheduler only.
    let value: Value

    init(_ value: Value) { self.value = value }
}
