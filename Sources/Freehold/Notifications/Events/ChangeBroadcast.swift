import FreeholdStorage

/// One observation of a collection that feeds any number of streams, on any threads:
/// ``RealmCollection/broadcast(keyPaths:fileID:line:)-([String]?,_,_)``.
///
/// ```swift
/// // On the realm's actor:
/// let broadcast = realm.objects(Dog.self).where { $0.age > 5 }.broadcast()
///
/// // For each client, wherever it is served:
/// for await update in broadcast.updates { try await send(JSONEncoder().encode(update)) }
/// ```
///
/// - A new subscriber first receives the current state: an update with
///   ``ChangeEvent/isInitial``, which has all objects as insertions.
/// - A slow subscriber misses nothing: everything since its last update becomes one update, the
///   difference from the state that it knows. The pending data grows with the number of changed
///   objects, not with the number of changes.
/// - Each update contains the frozen collection after the event. Between updates the broadcast
///   keeps its last version in the file.
/// - The streams end when ``end()`` is called, when the owner of the collection is deleted, and
///   with ``Realm/invalidate()``. One stream ends when its task is cancelled. Updates that were
///   not fetched are then dropped.
/// - The registration lives as long as the broadcast or one of its streams. It keeps the realm
///   open.
///
/// Changes are computed once for all subscribers, in the background. Each subscriber costs
/// O(changes) per update, and initially O(objects) on its own thread.
///
/// Thread rule: create it on the collection's thread, queue or actor. Use and release it
/// anywhere: it is `Sendable`.
public final class ChangeBroadcast<Subject: ThreadConfined>: Sendable {
    let hub: BroadcastHub<Subject>
    private let token: NotificationToken

    init(_ hub: BroadcastHub<Subject>, _ token: NotificationToken) {
        self.hub = hub
        self.token = token
    }

    deinit { hub.finish() }

    /// The updates for one subscriber. Each loop over them begins with the state at that time.
    public var updates: Updates { Updates(broadcast: self) }

    /// The frozen collection at the broadcast's last update.
    public var current: Frozen<Subject> { hub.current }

    /// Ends the observation and all streams. Any thread.
    public func end() {
        token.end()
        hub.finish()
    }

    /// An update for a subscriber.
    public struct Update: Sendable, Encodable {
        /// The frozen collection after the event.
        public let collection: Frozen<Subject>
        /// The changes since the subscriber's last update.
        public let event: ChangeEvent

        /// Encodes the event. The collection is not encoded.
        ///
        /// - Throws: What the encoder throws.
        public func encode(to encoder: any Encoder) throws { try event.encode(to: encoder) }
    }

    /// The updates of a broadcast, for `for await`. Can be passed to any thread.
    public struct Updates: AsyncSequence, Sendable {
        /// The value of each iteration.
        public typealias Element = Update
        /// A loop never throws.
        public typealias Failure = Never

        let broadcast: ChangeBroadcast

        /// Subscribes from this moment on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(subscription: BroadcastSubscription(broadcast))
        }

        /// Iterates over the updates.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let subscription: BroadcastSubscription<Subject>

            /// Returns the next update; nil at the end.
            public mutating func next() async -> Update? { await subscription.next() }

            /// Returns the next update; nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Update? {
                await subscription.next()
            }
        }
    }
}

@available(*, unavailable, message: "An iterator belongs to the loop that made it.")
extension ChangeBroadcast.Updates.AsyncIterator: Sendable {}

/// A subscription to a broadcast. It ends with its last reference.
final class BroadcastSubscription<Subject: ThreadConfined>: Sendable {
    private let broadcast: ChangeBroadcast<Subject>
    private let number: Int

    init(_ broadcast: ChangeBroadcast<Subject>) {
        self.broadcast = broadcast
        number = broadcast.hub.subscribe()
    }

    deinit { broadcast.hub.leave(number) }

    func next() async -> ChangeBroadcast<Subject>.Update? {
        let (hub, number) = (broadcast.hub, number)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in hub.wait(number, continuation) }
        } onCancel: {
            hub.leave(number)
        }
        return hub.take(number)
    }
}

/// Distributes events from the observer to the subscribers. The observer refers to the hub; the
/// hub refers only to waiting tasks.
final class BroadcastHub<Subject: ThreadConfined>: Sendable {
    private struct Subscriber: Sendable {
        /// Whether the subscriber has yet to receive the current state.
        var isNew = true
        var pending = PendingEvents()
        var waiting: CheckedContinuation<Void, Never>?

        var hasUpdate: Bool { isNew || !pending.isEmpty }
    }

    private struct Content: Sendable {
        var current: Frozen<Subject>
        var subscribers: [Int: Subscriber] = [:]
        var lastNumber = 0
        var isOver = false
    }

    /// Replaced collections are released outside the lock.
    private let content: Locked<Content>
    /// All keys of a frozen collection.
    private let keys: @Sendable (Frozen<Subject>) -> [ObjectKey]

    init(_ current: Frozen<Subject>, _ keys: @escaping @Sendable (Frozen<Subject>) -> [ObjectKey]) {
        content = Locked(Content(current: current))
        self.keys = keys
    }

    var current: Frozen<Subject> { content.withLock { $0.current } }

    /// Publishes an event. On the realm's scheduler.
    func publish(_ event: ChangeEvent, _ collection: Frozen<Subject>) {
        let (woken, old) = content.withLock {
            content -> ([CheckedContinuation<Void, Never>], Frozen<Subject>) in
            var woken: [CheckedContinuation<Void, Never>] = []
            let old = content.current
            content.current = collection
            for number in content.subscribers.keys {
                if content.subscribers[number]?.isNew == false {
                    content.subscribers[number]?.pending.add(event)
                }
                if content.subscribers[number]?.hasUpdate == true,
                    let waiting = content.subscribers[number]?.waiting.take()
                {
                    woken.append(waiting)
                }
            }
            return (woken, old)
        }
        withExtendedLifetime(old) { for continuation in woken { continuation.resume() } }
    }

    /// Moves to a version in which the collection is unchanged, so that the old version is not
    /// kept.
    func move(to collection: Frozen<Subject>) {
        let old = content.withLock { content -> Frozen<Subject> in
            defer { content.current = collection }
            return content.current
        }
        withExtendedLifetime(old) {}
    }

    /// Ends all subscriptions: there will be no further events. Any thread.
    func finish() {
        let subscribers = content.withLock { content -> [Int: Subscriber] in
            defer { content.subscribers = [:] }
            content.isOver = true
            return content.subscribers
        }
        for subscriber in subscribers.values { subscriber.waiting?.resume() }
    }

    func subscribe() -> Int {
        content.withLock { content in
            content.lastNumber += 1
            if !content.isOver { content.subscribers[content.lastNumber] = Subscriber() }
            return content.lastNumber
        }
    }

    /// Ends a subscription, and wakes its waiting task. Any thread.
    func leave(_ number: Int) {
        content.withLock { $0.subscribers.removeValue(forKey: number) }?.waiting?.resume()
    }

    func wait(_ number: Int, _ continuation: CheckedContinuation<Void, Never>) {
        let isReady = content.withLock { content -> Bool in
            guard let subscriber = content.subscribers[number], !subscriber.hasUpdate else {
                return true
            }
            content.subscribers[number]?.waiting = continuation
            return false
        }
        if isReady { continuation.resume() }
    }

    /// The update for a subscriber; nil if it left or there are no further updates.
    func take(_ number: Int) -> ChangeBroadcast<Subject>.Update? {
        let taken = content.withLock {
            content -> (collection: Frozen<Subject>, event: ChangeEvent?)? in
            guard var subscriber = content.subscribers[number] else { return nil }
            let event = subscriber.isNew ? nil : subscriber.pending.take()
            subscriber.isNew = false
            content.subscribers[number] = subscriber
            return (content.current, event)
        }
        guard let taken else { return nil }
        return ChangeBroadcast.Update(
            collection: taken.collection,
            event: taken.event ?? ChangeEvent(initial: keys(taken.collection)))
    }
}
