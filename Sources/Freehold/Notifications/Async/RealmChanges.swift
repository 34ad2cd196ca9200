import FreeholdStorage

extension Realm {
    /// What the realm itself does, for `for await`: the same as what ``observe(_:)`` reports.
    ///
    /// ```swift
    /// @MainActor func follow(_ realm: Realm) async {
    ///     for await _ in realm.changes { count = realm.objects(Dog.self).count }
    /// }
    /// ```
    ///
    /// A loop gets each notification on the actor that it runs on, which must be the realm's.
    /// Notifications that come while the loop is busy are one of each kind, in the order in
    /// which the first of each came: nothing is stored up. The loop ends when its task is
    /// cancelled. Each loop observes for itself, from its first `next` on, and keeps the realm
    /// alive.
    ///
    /// Thread rule: confined like the realm. Iterating traps off its actor, and where
    /// ``observe(_:)`` would.
    public var changes: Changes { Changes(realm: self) }

    /// The notifications of a realm: ``Realm/changes``.
    public struct Changes: AsyncSequence {
        /// What each turn of a loop gets.
        public typealias Element = Realm.Notification
        /// A loop cannot fail.
        public typealias Failure = Never

        fileprivate let realm: Realm

        /// Begins to observe with the first ``AsyncIterator/next(isolation:)``.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(realm: realm) }

        /// Waits for one notification after another.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let realm: Realm
            private var registration: Registration?

            fileprivate init(realm: Realm) { self.realm = realm }

            /// The next notification; nil after a cancellation.
            public mutating func next() async -> Realm.Notification? {
                await next(isolation: #isolation)
            }

            /// The next notification; nil after a cancellation.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Realm
                .Notification?
            {
                if Task.isCancelled { return nil }
                let registration = registration ?? Registration(realm)
                self.registration = registration
                return await registration.next(isolation: actor)
            }
        }
    }

    /// One loop's observer. Ended with its last reference.
    private final class Registration {
        private let core: RealmCore
        private var token: NotificationToken?
        private let mailbox: ChangeMailbox<Void>
        private let outstanding: Outstanding

        /// Used on the realm's scheduler only.
        private final class Outstanding {
            var notifications: [Realm.Notification] = []
        }

        init(_ realm: Realm) {
            core = realm.core
            let (mailbox, outstanding) = (ChangeMailbox<Void>(), Outstanding())
            (self.mailbox, self.outstanding) = (mailbox, outstanding)
            token = realm.observe { notification, _ in
                if !outstanding.notifications.contains(notification) {
                    outstanding.notifications.append(notification)
                }
                mailbox.put(())
            }
        }

        func next(isolation actor: isolated (any Actor)?) async -> Realm.Notification? {
            while true {
                core.checkConfinement("waiting for changes")
                _ = mailbox.take()
                if !outstanding.notifications.isEmpty {
                    return outstanding.notifications.removeFirst()
                }
                guard await mailbox.wait(isolation: actor) else {
                    token = nil
                    return nil
                }
            }
        }
    }
}

@available(
    *, unavailable, message: "Changes are confined as the realm is: loop over them on its actor."
)
extension Realm.Changes: Sendable {}
