import Dispatch
import Foundation
import Freehold
import FreeholdOpenCombine
import OpenCombine
import OpenCombineDispatch
import Testing

/// Values on their way to queues: `receive(on:)`, `threadSafeReference()`, `subscribe(on:)`,
/// with frozen values among them.
///
/// The publishing realm is stepped by hand; what arrives on the queue is waited for there.
@Suite struct HandoverTests {
    /// A serial queue, and what arrived on it.
    private final class Arrivals: @unchecked Sendable {
        // Sendable: `texts` is used on the queue only.
        let queue = DispatchQueue(label: "handover")
        private var texts: [String] = []
        private let isOwn = DispatchSpecificKey<Bool>()

        init() { queue.setSpecific(key: isOwn, value: true) }

        func add(_ text: String) {
            texts.append(
                DispatchQueue.getSpecific(key: isOwn) == true ? text : "elsewhere: \(text)")
        }

        /// What came since the last time. What is on its way is on the queue already.
        func take() -> [String] {
            queue.sync {
                defer { texts = [] }
                return texts
            }
        }
    }

    private func withDog(_ body: (Place, Dog, Arrivals) throws -> Void) throws {
        try withPlace { place in
            try place.writer.write {
                let dog = place.writer.create(
                    Dog.self, value: ["id": 1, "name": "a", "tricks": ["roll": 1]] as [String: Any])
                dog.best = place.writer.create(
                    Dog.self, value: ["id": 2, "name": "b"] as [String: Any])
                dog.puppies.append(dog)
            }
            place.realm.refresh()
            let arrivals = Arrivals()
            try body(
                place, try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 1)),
                arrivals)
            // The realms of the queue go before the file is verified.
            arrivals.queue.sync {}
        }
    }

    private func rename(_ place: Place, to name: String) throws {
        try place.writer.write {
            place.writer.object(ofType: Dog.self, forPrimaryKey: 1)?.name = name
        }
        place.deliver()
    }

    /// Subscribes to each form of handover of one publisher.
    private func sinks<P: Publisher>(
        _ name: String, _ publisher: P, _ arrivals: Arrivals,
        _ text: @escaping @Sendable (P.Output) -> String
    ) -> AnyCancellable {
        publisher.sink(
            receiveCompletion: { @Sendable end in arrivals.add("\(name) \(end)") },
            receiveValue: { @Sendable in arrivals.add("\(name) \(text($0))") })
    }

    @Test func values() throws {
        try withDog { place, dog, arrivals in
            let dogs = place.realm.objects(Dog.self)
            let subscriptions = [
                sinks("results", dogs.collectionPublisher.receive(on: arrivals.queue), arrivals) {
                    "\($0.count) \($0.isFrozen) \($0[0].name)"
                },
                sinks(
                    "list", dog.puppies.collectionPublisher.receive(on: arrivals.queue.ocombine),
                    arrivals
                ) { "\($0.count) \($0[0].name)" },
                sinks("map", dog.tricks.collectionPublisher.receive(on: arrivals.queue), arrivals) {
                    "\($0.count)"
                },
                sinks(
                    "sections",
                    dogs.sectioned(by: \.name).collectionPublisher.receive(on: arrivals.queue),
                    arrivals
                ) { "\($0.allKeys)" },
                sinks("object", valuePublisher(dog).receive(on: arrivals.queue), arrivals) {
                    $0.name
                },
                sinks(
                    "filtered",
                    valuePublisher(dog).filter { $0.name != "" }.threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) { $0.name },
            ]
            place.deliver()
            #expect(
                arrivals.take().sorted() == [
                    "list 1 a", "map 1", "results 2 false a", #"sections ["a", "b"]"#,
                ])
            try rename(place, to: "Rex")
            #expect(
                arrivals.take().sorted() == [
                    "filtered Rex", "list 1 Rex", "object Rex", "results 2 false Rex",
                    #"sections ["Rex", "b"]"#,
                ])
            try place.writer.write {
                place.writer.delete(place.writer.objects(Dog.self).where { $0.id == 1 })
            }
            place.deliver()
            // The list and the map are gone with the object.
            #expect(
                arrivals.take().sorted() == [
                    "filtered finished", "object finished", "results 1 false b", #"sections ["b"]"#,
                ])
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    @Test func changes() throws {
        try withDog { place, dog, arrivals in
            let dogs = place.realm.objects(Dog.self)
            let subscriptions = [
                sinks("results", dogs.changesetPublisher.receive(on: arrivals.queue), arrivals) {
                    change in
                    if case .update(let dogs, _, _, let modified) = change {
                        "\(modified.map { dogs[$0].name })"
                    } else {
                        "initial"
                    }
                },
                sinks(
                    "again",
                    dogs.changesetPublisher.map { $0 }.threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) { change in
                    if case .update(let dogs, _, _, let modified) = change {
                        "\(modified.map { dogs[$0].name })"
                    } else {
                        "initial"
                    }
                },
                sinks("map", dog.tricks.changesetPublisher.receive(on: arrivals.queue), arrivals) {
                    change in
                    if case .update(let map, _, let inserted, _) = change {
                        "\(inserted.map { map[$0] ?? 0 })"
                    } else {
                        "initial"
                    }
                },
                sinks(
                    "sections",
                    dogs.sectioned(by: \.name).changesetPublisher.receive(on: arrivals.queue),
                    arrivals
                ) { change in
                    if case .update(let all, _, _, _, let inserted, _) = change {
                        "\(inserted.map { all[$0].key })"
                    } else {
                        "initial"
                    }
                },
                sinks("object", changesetPublisher(dog).receive(on: arrivals.queue), arrivals) {
                    change in
                    guard case .change(let dog, let properties) = change else { return "\(change)" }
                    return properties.map {
                        """
                        \($0.name) \(($0.newValue as? Dog)?.name ?? "\($0.newValue ?? "nil")") \
                        \(dog.name)
                        """
                    }.joined(separator: ", ")
                },
            ]
            place.deliver()
            #expect(
                arrivals.take().sorted() == [
                    "again initial", "map initial", "results initial", "sections initial",
                ])
            try place.writer.write {
                let dog = place.writer.object(ofType: Dog.self, forPrimaryKey: 1)
                dog?.name = "Rex"
                dog?.tricks["sit"] = 2
                dog?.best = dog
            }
            place.deliver()
            #expect(
                arrivals.take().sorted() == [
                    #"again ["Rex"]"#, "map [2]",
                    "object name Rex Rex, tricks nil Rex, best Rex Rex", #"results ["Rex"]"#,
                    #"sections ["Rex"]"#,
                ])
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    /// Frozen values pass through as they are, at once: `freeze()` in front of
    /// `threadSafeReference()`.
    @Test func frozenValuesPassThrough() throws {
        try withDog { place, dog, arrivals in
            let dogs = place.realm.objects(Dog.self)
            let subscriptions = [
                sinks(
                    "results",
                    dogs.collectionPublisher.freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) { "\($0.isFrozen) \($0.count)" },
                sinks(
                    "list",
                    dog.puppies.collectionPublisher.freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) { "\($0.isFrozen) \($0.count)" },
                sinks(
                    "map",
                    dog.tricks.collectionPublisher.freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) { "\($0.isFrozen) \($0.count)" },
                sinks(
                    "set",
                    dog.friends.changesetPublisher.freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) {
                    if case .initial(let set) = $0 { "\(set.isFrozen)" } else { "?" }
                },
                sinks(
                    "map changes",
                    dog.tricks.changesetPublisher.freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) {
                    if case .initial(let map) = $0 { "\(map.isFrozen)" } else { "?" }
                },
                sinks(
                    "sections",
                    dogs.sectioned(by: \.name).changesetPublisher.freeze().threadSafeReference()
                        .receive(on: arrivals.queue), arrivals
                ) {
                    if case .initial(let sections) = $0 { "\(sections.isFrozen)" } else { "?" }
                },
                sinks(
                    "object",
                    changesetPublisher(dog).freeze().threadSafeReference().receive(
                        on: arrivals.queue), arrivals
                ) {
                    guard case .change(let dog, let properties) = $0 else { return "\($0)" }
                    return
                        """
                        \(dog.isFrozen) \
                        \(properties.map { ($0.newValue as? Dog)?.isFrozen ?? true })
                        """
                },
            ]
            place.deliver()
            #expect(
                arrivals.take().sorted() == [
                    "list true 1", "map changes true", "map true 1", "results true 2",
                    "sections true", "set true",
                ])
            try place.writer.write {
                let dog = place.writer.object(ofType: Dog.self, forPrimaryKey: 1)
                dog?.best = dog
            }
            place.deliver()
            #expect(arrivals.take().contains("object true [true]"))
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    /// What was deleted before it arrived is left out, where a realm is open that has read the
    /// newest version; the demand for it stays.
    @Test func whatIsGoneIsLeftOut() throws {
        try withDog { place, dog, arrivals in
            let isHeld = DispatchSemaphore(value: 0), mayGo = DispatchSemaphore(value: 0)
            let configuration = place.realm.configuration
            // Used on its queue only.
            nonisolated(unsafe) var reader: Realm?
            arrivals.queue.async {
                isHeld.signal()
                mayGo.wait()
                reader = try? Realm(configuration: configuration, queue: arrivals.queue)
                #expect(reader?.objects(Dog.self).count == 1)
            }
            isHeld.wait()
            let subscription = sinks(
                "list", dog.puppies.collectionPublisher.receive(on: arrivals.queue), arrivals
            ) { "\($0.count)" }
            let one = sinks(
                "one",
                place.realm.objects(Dog.self).collectionPublisher.first().threadSafeReference()
                    .receive(on: arrivals.queue), arrivals
            ) { "\($0.count)" }
            place.deliver()
            try place.writer.write {
                place.writer.delete(place.writer.objects(Dog.self).where { $0.id == 1 })
            }
            mayGo.signal()
            #expect(arrivals.take() == ["one 1", "one finished"])
            subscription.cancel()
            one.cancel()
            arrivals.queue.sync { reader = nil }
        }
    }

    @Test func cancellingStopsWhatIsOnItsWay() throws {
        try withDog { place, dog, arrivals in
            let mayGo = DispatchSemaphore(value: 0)
            arrivals.queue.async { mayGo.wait() }
            let subscription = sinks(
                "list", dog.puppies.collectionPublisher.receive(on: arrivals.queue), arrivals
            ) { "\($0.count)" }
            place.deliver()
            subscription.cancel()
            mayGo.signal()
            #expect(arrivals.take() == [])
        }
    }

    @Test func tokensByBothNames() throws {
        try withDog { place, dog, arrivals in
            let holders = (0..<4).map { _ in Holder() }
            let subscriptions = [
                dog.objectWillChange.saveToken(on: holders[0], for: \.token).sink { _ in },
                place.realm.objectWillChange.saveToken(on: holders[1], for: \.token).sink { _ in },
                place.realm.objectWillChange.saveToken(on: holders[2], at: \.token).sink { _ in },
                dog.puppies.changesetPublisher.saveToken(on: holders[3], at: \.token).sink { _ in },
            ]
            #expect(holders.allSatisfy { $0.token != nil })
            for subscription in subscriptions { subscription.cancel() }
        }
    }

    /// The types that programs name.
    @Test func names() throws {
        try withDog { place, dog, arrivals in
            let dogs = place.realm.objects(Dog.self)
            let value: RealmPublishers.Value<Results<Dog>> = dogs.collectionPublisher
            let changes: RealmPublishers.CollectionChangeset<Results<Dog>> = dogs.changesetPublisher
            let object: RealmPublishers.ObjectChangeset<Dog> = changesetPublisher(dog)
            let map: RealmPublishers.MapChangeset<Map<String, Int>> = dog.tricks.changesetPublisher
            let will: RealmPublishers.WillChange<Dog> = dog.objectWillChange
            let saved: RealmPublishers.ValueWithToken<Results<Dog>, Holder> = value.saveToken(
                on: Holder(), at: \.token)
            let handed:
                RealmPublishers.Handover<RealmPublishers.Value<Results<Dog>>, DispatchQueue> =
                    value.receive(on: arrivals.queue)
            let deferred:
                RealmPublishers.DeferredHandoverCollectionChangeset<
                    RealmPublishers.CollectionChangeset<Results<Dog>>, Results<Dog>, DispatchQueue
                > = changes.receive(on: arrivals.queue)
            let safe:
                RealmPublishers.MakeThreadSafeObjectChangeset<
                    RealmPublishers.ObjectChangeset<Dog>, Dog
                > = object.threadSafeReference()
            withExtendedLifetime((value, changes, object, map, will, saved, handed, deferred, safe))
            {}
        }
    }

    // MARK: Opening

    @Test func asyncOpen() throws {
        try withDog { place, _, arrivals in
            let done = DispatchSemaphore(value: 0)
            let configuration = place.realm.configuration
            let subscription = Realm.asyncOpen(configuration: configuration).receive(
                on: arrivals.queue
            ).sink(
                receiveCompletion: { @Sendable end in
                    arrivals.add("\(end)")
                    done.signal()
                },
                receiveValue: { @Sendable realm in arrivals.add("\(realm.objects(Dog.self).count)")
                })
            done.wait()
            #expect(arrivals.take() == ["2", "finished"])
            var wrong = configuration
            wrong.encryptionKey = Data(count: 64)
            let failing = Realm.asyncOpen(configuration: wrong).receive(on: arrivals.queue).sink(
                receiveCompletion: { @Sendable end in
                    if case .failure(let error) = end { arrivals.add("\(error is Realm.Error)") }
                    done.signal()
                },
                receiveValue: { @Sendable _ in arrivals.add("opened") })
            done.wait()
            #expect(arrivals.take() == ["true"])
            withExtendedLifetime((subscription, failing)) {}
        }
    }

    @Test func aCancelledOpeningSaysNothing() throws {
        try withDog { place, _, arrivals in
            let mayGo = DispatchSemaphore(value: 0), came = DispatchSemaphore(value: 0)
            arrivals.queue.async { mayGo.wait() }
            let publisher = Realm.asyncOpen(configuration: place.realm.configuration)
            let cancelled = sinks("first", publisher.receive(on: arrivals.queue), arrivals) { _ in
                "opened"
            }
            cancelled.cancel()
            let second = publisher.receive(on: arrivals.queue).sink(
                receiveCompletion: { @Sendable _ in came.signal() },
                receiveValue: { @Sendable _ in arrivals.add("second") })
            mayGo.signal()
            came.wait()
            #expect(arrivals.take() == ["second"])
            withExtendedLifetime(second) {}
        }
    }
}
