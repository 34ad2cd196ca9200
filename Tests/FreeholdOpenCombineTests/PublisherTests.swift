import Dispatch
import Foundation
import Freehold
import FreeholdOpenCombine
import OpenCombine
import Testing

/// What publishers send, on a scheduler that is stepped by hand.
@Suite struct PublisherTests {
    @Test func collections() throws {
        try withPlace { place in
            var counts: [Int] = []
            let subscription = place.realm.objects(Dog.self).where { $0.age > 1 }
                .collectionPublisher.map(\.count)
                .sink(
                    receiveCompletion: { Issue.record("\($0)") },
                    receiveValue: { counts.append($0) })
            place.deliver()
            #expect(counts == [0])
            try place.add(1, 2, 3)
            place.deliver()
            try place.writer.write {
                place.writer.objects(Dog.self).where { $0.id == 3 }.first?.name = "Rex"
            }
            place.deliver()
            #expect(counts == [0, 2, 2])
            subscription.cancel()
            try place.add(4)
            place.deliver()
            #expect(counts == [0, 2, 2])
        }
    }

    @Test func changesOfCollections() throws {
        try withPlace { place in
            try place.add(1, 2)
            place.realm.refresh()
            var told: [String] = []
            func text<C: Collection>(_ change: RealmCollectionChange<C>) -> String {
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    "-\(deletions) +\(insertions) *\(modifications)"
                } else {
                    "initial"
                }
            }
            let list = try #require(place.realm.object(ofType: Dog.self, forPrimaryKey: 1)).puppies
            let subscriptions = [
                place.realm.objects(Dog.self).changesetPublisher(keyPaths: ["name"]).sink {
                    told.append(text($0))
                },
                changesetPublisher(list).sink { told.append("list \(text($0))") },
            ]
            place.deliver()
            try place.writer.write {
                let dogs = place.writer.objects(Dog.self)
                dogs[0].name = "Rex"
                dogs[1].age = 50
                dogs[0].puppies.append(dogs[1])
            }
            place.deliver()
            #expect(
                told.sorted() == ["-[] +[] *[0]", "initial", "list -[] +[0] *[]", "list initial"])
            withExtendedLifetime(subscriptions) {}
        }
    }

    @Test func objects() throws {
        try withPlace { place in
            try place.add(1)
            place.realm.refresh()
            let dog = try #require(place.realm.objects(Dog.self).first)
            var told: [String] = []
            let subscriptions = [
                valuePublisher(dog, keyPaths: ["name"]).map(\.name).sink(
                    receiveCompletion: { told.append("value \($0)") },
                    receiveValue: { told.append("value \($0)") }),
                changesetPublisher(dog).sink(
                    receiveCompletion: { told.append("change \($0)") },
                    receiveValue: { change in
                        if case .change(_, let properties) = change {
                            told.append("change \(properties.map(\.name))")
                        } else {
                            told.append("deleted")
                        }
                    }),
                dog.objectWillChange.sink(
                    receiveCompletion: { told.append("will \($0)") },
                    receiveValue: { told.append("will \(dog.isInvalidated ? "" : dog.name)") }),
            ]
            place.deliver()
            #expect(told == [])
            try place.writer.write { place.writer.objects(Dog.self).first?.name = "Rex" }
            place.deliver()
            #expect(told == ["value Rex", "change [\"name\"]", "will Rex"])
            told = []
            try place.writer.write { place.writer.deleteAll() }
            place.deliver()
            #expect(
                told.filter { !$0.hasPrefix("will") } == ["value finished", "change finished"]
                    && told.last == "will finished")
            withExtendedLifetime(subscriptions) {}
        }
    }

    @Test func mapsSectionsAndRealms() throws {
        try withPlace { place in
            try place.add(1)
            place.realm.refresh()
            let dog = try #require(place.realm.objects(Dog.self).first)
            var (map, sections, realms): ([Int], [[String]], Int) = ([], [], 0)
            let subscriptions = [
                dog.tricks.collectionPublisher.sink(
                    receiveCompletion: { _ in }, receiveValue: { map.append($0.count) }),
                dog.tricks.changesetPublisher.sink {
                    if case .update(_, _, let keys, _) = $0 { map.append(keys.count * 100) }
                },
                place.realm.objects(Dog.self).sectioned(by: \.name).collectionPublisher.sink(
                    receiveCompletion: { _ in }, receiveValue: { sections.append($0.allKeys) }),
                place.realm.objects(Dog.self).sectioned(by: \.name).changesetPublisher.sink {
                    if case .update(let all, _, _, _, let inserted, _) = $0 {
                        sections.append(inserted.map { all.allKeys[$0] })
                    }
                },
                place.realm.objectWillChange.sink { realms += 1 },
            ]
            place.deliver()
            #expect(map == [0] && sections == [["dog 1"]])
            try place.writer.write {
                place.writer.objects(Dog.self).first?.tricks["roll"] = 3
                place.writer.objects(Dog.self).first?.name = "Rex"
            }
            place.deliver()
            #expect(
                map == [0, 1, 100] && sections == [["dog 1"], ["Rex"], ["Rex"]] && realms == 1)
            withExtendedLifetime(subscriptions) {}
        }
    }

    /// Without demand nothing is computed; everything meanwhile is one change, however long it
    /// takes, and nothing is lost or told twice.
    @Test func demand() throws {
        try withPlace { place in
            let subscriber = Patient<RealmCollectionChange<Results<Dog>>>()
            var known: [Int] = []
            subscriber.receiving = { change in
                guard case .update(let dogs, let deletions, let insertions, _) = change else {
                    return
                }
                for index in deletions.reversed() { known.remove(at: index) }
                for index in insertions { known.insert(dogs[index].id, at: index) }
            }
            place.realm.objects(Dog.self).changesetPublisher.subscribe(subscriber)
            try place.add(1)
            place.deliver()
            #expect(subscriber.values == 0, "It observes from the first demand on.")
            subscriber.subscription?.request(.max(1))
            place.deliver()
            #expect(subscriber.values == 1)
            known = [1]
            for id in 2...5 {
                try place.add(id)
                place.deliver()
            }
            try place.writer.write {
                place.writer.delete(place.writer.objects(Dog.self).where { $0.id == 1 })
            }
            place.deliver()
            #expect(subscriber.values == 1 && known == [1])
            subscriber.subscription?.request(.max(2))
            place.deliver()
            #expect(subscriber.values == 2 && known == [2, 3, 4, 5])
            // One is left over.
            try place.add(6)
            place.deliver()
            try place.add(7)
            place.deliver()
            #expect(subscriber.values == 3 && known == [2, 3, 4, 5, 6])
            // What a subscriber demands with its answer.
            subscriber.answer = .max(1)
            subscriber.subscription?.request(.max(1))
            place.deliver()
            try place.add(8)
            place.deliver()
            #expect(subscriber.values == 5 && known == [2, 3, 4, 5, 6, 7, 8])
            subscriber.subscription?.cancel()
            subscriber.subscription?.request(.unlimited)
            try place.add(9)
            place.deliver()
            #expect(subscriber.values == 5)
        }
    }

    @Test func tokens() throws {
        try withPlace { place in
            let holder = Holder()
            var counts: [Int] = []
            let subscription = place.realm.objects(Dog.self).collectionPublisher.saveToken(
                on: holder, at: \.token
            )
            .sink(receiveCompletion: { _ in }, receiveValue: { counts.append($0.count) })
            place.deliver()
            let token = try #require(holder.token)
            try place.realm.write(withoutNotifying: [token]) { place.realm.add(Dog(id: 1)) }
            place.deliver()
            try place.add(2)
            place.deliver()
            #expect(counts == [0, 2])
            subscription.cancel()
            #expect(!token.invalidate(), "Cancelling ended it.")
        }
    }

    @Test func frozenValues() throws {
        try withPlace { place in
            try place.add(1)
            place.realm.refresh()
            let dog = try #require(place.realm.objects(Dog.self).first)
            var frozen: [Bool] = []
            let dogs = place.realm.objects(Dog.self)
            let subscriptions = [
                dogs.collectionPublisher.freeze().sink(
                    receiveCompletion: { _ in }, receiveValue: { frozen.append($0.isFrozen) }),
                dogs.changesetPublisher.freeze().sink {
                    if case .update(let dogs, _, _, _) = $0 { frozen.append(dogs.isFrozen) }
                },
                changesetPublisher(dog).freeze().sink {
                    if case .change(let dog, _) = $0 { frozen.append(dog.isFrozen) }
                },
                dog.tricks.changesetPublisher.freeze().sink {
                    if case .update(let tricks, _, _, _) = $0 { frozen.append(tricks.isFrozen) }
                },
                dogs.sectioned(by: \.name).changesetPublisher.freeze().sink {
                    if case .update(let sections, _, _, _, _, _) = $0 {
                        frozen.append(sections.isFrozen)
                    }
                },
            ]
            place.deliver()
            try place.writer.write {
                let dog = place.writer.objects(Dog.self).first
                dog?.age = 50
                dog?.tricks["roll"] = 1
            }
            place.deliver()
            #expect(frozen == Array(repeating: true, count: 6))
            withExtendedLifetime(subscriptions) {}
        }
    }

    @MainActor @Test func queues() async throws {
        try await withMainPlace { realm, configuration in
            let queue = DispatchQueue(label: "publisher")
            let (counts, send) = AsyncStream.makeStream(of: String.self)
            let dogs = realm.objects(Dog.self)
            // Sendable: else they would belong to the main actor, and be refused elsewhere.
            let subscriptions = [
                dogs.collectionPublisher.subscribe(on: queue).sink(
                    receiveCompletion: { @Sendable _ in },
                    receiveValue: { @Sendable dogs in send.yield("there \(dogs.count)") }),
                dogs.changesetPublisher.subscribe(on: queue).sink { @Sendable change in
                    if case .update(_, _, let new, _) = change { send.yield("new \(new)") }
                },
                dogs.collectionPublisher.threadSafeReference().receive(on: queue)
                    .sink(
                        receiveCompletion: { @Sendable _ in },
                        receiveValue: { @Sendable dogs in
                            send.yield("passed \(dogs.count) \(dogs.isFrozen)")
                        }),
            ]
            var iterator = counts.makeAsyncIterator()
            var told = [
                await iterator.next(isolation: #isolation),
                await iterator.next(isolation: #isolation),
            ]
            #expect(Set(told) == ["there 0", "passed 0 false"])
            try await Task.detached { try Place.addHere(configuration, 1) }.value
            told = [
                await iterator.next(isolation: #isolation),
                await iterator.next(isolation: #isolation),
                await iterator.next(isolation: #isolation),
            ]
            #expect(Set(told) == ["there 1", "new [0]", "passed 1 false"])
            for subscription in subscriptions { subscription.cancel() }
        }
    }
}
