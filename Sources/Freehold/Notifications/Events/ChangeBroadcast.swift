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
/// - A new subscriber first gets the present state: an update with ``ChangeEvent/isInitial``,
///   which has all objects as insertions.
/// - A subscriber that is slow misses nothing: what happened since it last came is one update,
///   the difference from what it knows. What waits for it grows with the objects that changed,
///   not with the number of changes.
/// - Each update has the collection as it is after the event, frozen. Between updates the
///   broadcast keeps the version that it was told last in the file.
/// - The streams end when ``end()`` is called, when what has the collection is deleted, and
///   with ``Realm/invalidate()``. One of them ends when its task is cancelled. What was not
///   fetched before is dropped.
/// - The registration lives as long as the broadcast or one of its streams. It keeps the realm
///   open.
///
/// Computing is done once for all subscribers, in the background; a subscriber costs O(what
/// changed), in the beginning O(objects) on its own thread.
///
/// Thread rule: made on the collection's thread, queue or actor. Used and released anywhere:
/// `Sendable`.
public final class ChangeBroadcast<Subject: ThreadConfined>: Sendable {
    let hub: BroadcastHub<Subject>
    private let token: NotificationToken

    init(_ hub: BroadcastHub<Subject>, _ token: NotificationToken) {
        self.hub = hub
        self.token = token
    }

    deinit { hub.finish() }

    /// The updates, for one subscriber: each loop over them begins with the state at that time.
    public var updates: Updates { Updates(broadcast: self) }

    /// The collection as it was when the broadcast was told last, frozen.
    public var current: Frozen<Subject> { hub.current }

    /// Ends the observation and all streams. Any thread.
    public func end() {
        token.end()
        hub.finish()
    }

    /// What a subscriber gets.
    public struct Update: Sendable, Encodable {
        /// The collection after the event.
        public let collection: Frozen<Subject>
        /// What happened since the subscriber's last update.
        public let event: ChangeEvent

        /// Encodes the event.
        public func encode(to encoder: any Encoder) throws { try event.encode(to: encoder) }
    }

    /// The updates of a broadcast, for `for await`. May be passed anywhere.
    public struct Updates: AsyncSequence, Sendable {
        /// What each turn of a loop gets.
        public typealias Element = Update
        /// A loop cannot fail.
        public typealias Failure = Never

        let broadcast: ChangeBroadcast

        /// Subscribes, from now on.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(subscription: BroadcastSubscription(broadcast))
        }

        /// Waits for one update after another.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let subscription: BroadcastSubscription<Subject>

            /// The next update. Nil at the end.
            public mutating func next() async -> Update? { await subscription.next() }

            /// The next update. Nil at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Update? {
                await subscription.next()
            }
        }
    }
}

@available(*, unavailable, message: "An iterator belongs to the loop that made it.")
extension ChangeBroadcast.Updates.AsyncIterator: Sendable {}

/// A subscriber's place in a broadcast, which goes with its last reference.
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

/// What the observer leaves for the subscribers. The observer refers to it, it refers to nobody
/// but those who wait.
final class BroadcastHub<Subject: ThreadConfined>: Sendable {
    private struct Subscriber: Sendable {
        /// Whether it still has to be told of the present state.
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

    /// Its current state outlives no lock: what is replaced is released outside.
    private let content: Locked<Content>
    /// All that a frozen collection has.
    private let keys: @Sendable (Frozen<Subject>) -> [ObjectKey]

    init(_ current: Frozen<Subject>, _ keys: @escaping @Sendable (Frozen<Subject>) -> [ObjectKey]) {
        content = Locked(Content(current: current))
        self.keys = keys
    }

    var current: Frozen<Subject> { content.withLock { $0.current } }

    /// Something happened. On the realm's scheduler.
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

    /// The realm is at another version, in which the collection is the same: the old one is not
    /// kept.
    func move(to collection: Frozen<Subject>) {
        let old = content.withLock { content -> Frozen<Subject> in
            defer { content.current = collection }
            return content.current
        }
        withExtendedLifetime(old) {}
    }

    /// Nothing will be published any more. Any thread.
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

    /// Wakes whoever waits, for ever. Any thread.
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

    /// What happened for a subscriber; nil if it left or nothing more will come.
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
