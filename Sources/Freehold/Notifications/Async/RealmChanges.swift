import FreeholdStorage

extension Realm {
    /// The realm's own notifications, for `for await`. They equal those of ``observe(_:)``.
    ///
    /// ```swift
    /// @MainActor func follow(_ realm: Realm) async {
    ///     for await _ in realm.changes { count = realm.objects(Dog.self).count }
    /// }
    /// ```
    ///
    /// A loop receives each notification on its own actor, which must be the realm's.
    /// Notifications that come while the loop is busy are combined into one of each kind, in the
    /// order of the first of each, so no queue grows. The loop ends when its task is cancelled.
    /// Each loop is a separate observer that starts with its first `next`, and keeps the realm
    /// alive.
    ///
    /// Thread rule: confined like the realm. Iterating traps off its actor, and where
    /// ``observe(_:)`` would; in a ``Draft``, also where nothing can wake the loop.
    public var changes: Changes { Changes(realm: self) }

    /// The notifications of a realm: ``Realm/changes``.
    public struct Changes: AsyncSequence {
        /// The value of each iteration.
        public typealias Element = Realm.Notification
        /// A loop never throws.
        public typealias Failure = Never

        fileprivate let realm: Realm

        /// Creates an iterator. It starts to observe with the first
        /// ``AsyncIterator/next(isolation:)``.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(realm: realm) }

        /// Iterates over the notifications.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private let realm: Realm
            private var registration: Registration?

            fileprivate init(realm: Realm) { self.realm = realm }

            /// Returns the next notification; nil after a cancellation.
            public mutating func next() async -> Realm.Notification? {
                await next(isolation: #isolation)
            }

            /// Returns the next notification; nil after a cancellation.
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

    /// One loop's observer. It ends with the last reference.
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
            core.requireCallbacks()
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
    *, unavailable,
    message: "Changes are confined to the observed realm's actor: loop over them there."
)
extension Realm.Changes: Sendable {}
