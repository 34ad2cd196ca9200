import FreeholdStorage

extension Realm {
    /// A notification about a realm.
    @frozen public enum Notification: String, Sendable {
        /// The realm's data changed: it moved to a newer version, or committed a transaction of
        /// its own.
        case didChange = "RLMRealmDidChangeNotification"
        /// There is a newer version, and ``Realm/autorefresh`` is off. ``Realm/refresh()`` moves
        /// to it.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// The block that ``Realm/observe(_:)`` calls.
    public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) ->
        Void

    /// Calls a block whenever the realm's data changes: inside
    /// ``commitWrite(withoutNotifying:)`` and ``refresh()``, and when the realm moves to a
    /// version that others committed.
    ///
    /// ```swift
    /// let token = realm.observe { _, realm in print(realm.objects(Dog.self).count) }
    /// ```
    ///
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: The realm's scheduler can call back: the main thread, a queue, an actor,
    ///   a thread with a running run loop. The realm is live and not read-only.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        core.checkConfinement("Realm.observe(_:)")
        let listener = core.requireListener()
        let observer = RealmObserver(core, block)
        core.realmObservers.append(observer)
        listener.countRealmObservers(1)
        return NotificationToken(observer)
    }
}

/// An observer of a realm itself.
final class RealmObserver: @unchecked Sendable {
    // @unchecked: `isActive` is protected by its lock; the rest is used on the realm's scheduler
    // only.

    let core: RealmCore
    let call: Realm.NotificationBlock
    private let active = Locked(true)

    init(_ core: RealmCore, _ call: @escaping Realm.NotificationBlock) {
        self.core = core
        self.call = call
    }

    var isActive: Bool { active.withLock { $0 } }

    /// Ends the observer. Returns whether it was active. Any thread, because a token's last
    /// reference may be released anywhere.
    func end() -> Bool {
        let wasActive = active.withLock { active in
            defer { active = false }
            return active
        }
        if wasActive {
            core.listener?.countRealmObservers(-1)
            core.forgetRealmObserversLater()
        }
        return wasActive
    }
}
