import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Changes by the objects, and broadcasts of them, on a scheduler that is stepped by hand.
@Suite struct ChangeEventTests {
    typealias Item = ObservedModels.Item

    /// What a loop over changes was told: it is asked for one after the other, on the scheduler.
    private func withItems(_ ids: [Int], _ body: (Observatory) throws -> Void) throws {
        try withObservatory { observatory in
            try observatory.writer.write {
                for id in ids { observatory.writer.add(Item(id: id, name: "n\(id)", rank: id)) }
            }
            observatory.realm.refresh()
            try body(observatory)
        }
    }

    private func event(
        deleted: [Int] = [], inserted: [Int] = [], modified: [Int] = [], moved: [Int] = [],
        isInitial: Bool = false
    ) -> ChangeEvent {
        var event = ChangeEvent()
        event.deletions = deleted.map { .int($0) }
        event.insertions = inserted.map { .int($0) }
        event.modifications = modified.map { .int($0) }
        event.moves = moved.map { .int($0) }
        event.isInitial = isInitial
        return event
    }

    private struct Taken<Subject: ThreadConfined>: @unchecked Sendable {
        // Sendable: the test waits for the task that uses it.
        var iterator: ChangeBroadcast<Subject>.Updates.AsyncIterator
    }

    /// Where subscribers run: the pool's threads may all wait in ``next(_:)``.
    private static let executor = PinnedExecutor("subscribers")

    /// What a subscriber gets when it comes now, without waiting.
    private func next<Subject>(_ updates: inout ChangeBroadcast<Subject>.Updates.AsyncIterator)
        throws -> ChangeBroadcast<Subject>.Update?
    {
        let box = Locker<ChangeBroadcast<Subject>.Update?>(nil)
        let done = DispatchSemaphore(value: 0)
        let passed = Locker<Taken<Subject>?>(Taken(iterator: updates))
        Task.detached(executorPreference: Self.executor) {
            // The task itself keeps nothing when the test goes on.
            if var taken = passed.value {
                passed.value = nil
                box.value = await taken.iterator.next()
            }
            done.signal()
        }
        done.wait()
        // The task may end after this. A result in its box would keep its version until then.
        defer { box.value = nil }
        return box.value
    }

    private func expect<Subject: ThreadConfined>(
        _ broadcast: ChangeBroadcast<Subject>, _ observatory: Observatory, initial: [ObjectKey],
        _ steps: [(change: (Realm) throws -> Void, event: ChangeEvent)]
    ) throws {
        var eager = broadcast.updates.makeAsyncIterator()
        let first = try #require(try next(&eager))
        #expect(first.event.isInitial && first.event.insertions == initial)
        for step in steps {
            try observatory.writer.write { try step.change(observatory.writer) }
            observatory.deliver()
            #expect(try next(&eager)?.event == step.event)
        }
    }

    // MARK: Kinds

    @Test func results() throws {
        try withItems([1, 2, 3]) { observatory in
            try expect(
                observatory.realm.objects(Item.self).sorted(byKeyPath: "rank").broadcast(),
                observatory, initial: [.int(1), .int(2), .int(3)],
                [
                    ({ $0.add(Item(id: 4, rank: 0)) }, event(inserted: [4])),
                    (
                        { $0.object(ofType: Item.self, forPrimaryKey: 2)?.name = "x" },
                        event(modified: [2])
                    ),
                    (
                        { $0.object(ofType: Item.self, forPrimaryKey: 4)?.rank = 9 },
                        event(moved: [4])
                    ),
                    (
                        { realm in
                            realm.delete(realm.objects(Item.self).where { $0.id == 2 })
                            realm.add(Item(id: 5, rank: 5))
                        }, event(deleted: [2], inserted: [5])
                    ),
                ])
            // All objects of a class, unsorted: positions of the table.
            try expect(
                observatory.realm.objects(Item.self).broadcast(keyPaths: ["name"]), observatory,
                initial: [.int(1), .int(3), .int(4), .int(5)],
                [
                    (
                        { realm in
                            realm.delete(realm.objects(Item.self).where { $0.id == 1 })
                            realm.object(ofType: Item.self, forPrimaryKey: 3)?.rank = 77
                            realm.object(ofType: Item.self, forPrimaryKey: 4)?.name = "y"
                        }, event(deleted: [1], modified: [4])
                    )
                ])
        }
    }

    /// In a list an object may be several times.
    @Test func lists() throws {
        try withItems([1, 2, 3]) { observatory in
            let first = try #require(observatory.realm.object(ofType: Item.self, forPrimaryKey: 1))
            func children(_ realm: Realm) -> List<Item> {
                realm.object(ofType: Item.self, forPrimaryKey: 1)!.children
            }
            func item(_ realm: Realm, _ id: Int) -> Item {
                realm.object(ofType: Item.self, forPrimaryKey: id)!
            }
            try expect(
                first.children.broadcast(), observatory, initial: [],
                [
                    (
                        { children($0).append(objectsIn: [item($0, 2), item($0, 3)]) },
                        event(inserted: [2, 3])
                    ),
                    ({ children($0).append(item($0, 2)) }, event(moved: [2])),
                    ({ children($0).remove(at: 0) }, event(moved: [2])),
                    ({ children($0).removeLast() }, event(deleted: [2])),
                    ({ item($0, 3).name = "z" }, event(modified: [3])),
                    ({ $0.delete(item($0, 3)) }, event(deleted: [3])),
                ])
        }
    }

    @Test func setsAndAnyCollections() throws {
        try withItems([1, 2, 3]) { observatory in
            let first = try #require(observatory.realm.object(ofType: Item.self, forPrimaryKey: 1))
            func item(_ realm: Realm, _ id: Int) -> Item {
                realm.object(ofType: Item.self, forPrimaryKey: id)!
            }
            let changes: [(change: (Realm) throws -> Void, event: ChangeEvent)] = [
                ({ item($0, 1).friends.insert(item($0, 2)) }, event(inserted: [2])),
                ({ item($0, 2).name += "z" }, event(modified: [2])),
                ({ item($0, 1).friends.remove(item($0, 2)) }, event(deleted: [2])),
            ]
            try expect(first.friends.broadcast(), observatory, initial: [], changes)
            try expect(
                AnyRealmCollection(first.friends).broadcast(), observatory, initial: [], changes)
            try expect(
                AnyRealmCollection(observatory.realm.objects(Item.self).where { $0.id > 1 })
                    .broadcast(), observatory, initial: [.int(2), .int(3)],
                [
                    ({ $0.add(Item(id: 4)) }, event(inserted: [4])),
                    ({ $0.delete(item($0, 4)) }, event(deleted: [4])),
                ])
        }
    }

    @Test func linkingObjectsAndMaps() throws {
        try withItems([1, 2, 3]) { observatory in
            let second = try #require(observatory.realm.object(ofType: Item.self, forPrimaryKey: 2))
            func item(_ realm: Realm, _ id: Int) -> Item {
                realm.object(ofType: Item.self, forPrimaryKey: id)!
            }
            try expect(
                second.previous.broadcast(), observatory, initial: [],
                [
                    ({ item($0, 1).next = item($0, 2) }, event(inserted: [1])),
                    ({ item($0, 1).next = nil }, event(deleted: [1])),
                ])
            var inserted = ChangeEvent(), other = ChangeEvent()
            inserted.insertions = [.string("a"), .string("b")]
            other.deletions = [.string("a")]
            other.modifications = [.string("b")]
            try expect(
                second.marks.broadcast(), observatory, initial: [],
                [
                    (
                        {
                            item($0, 2).marks["a"] = 1; item($0, 2).marks["b"] = 2
                        }, inserted
                    ),
                    (
                        {
                            item($0, 2).marks["a"] = nil; item($0, 2).marks["b"] = 3
                        }, other
                    ),
                ])
        }
    }

    @Test func sections() throws {
        try withItems([1, 2, 3]) { observatory in
            let sections = observatory.realm.objects(Item.self).sectioned(by: \.name)
            try expect(
                sections.broadcast(), observatory, initial: [.int(1), .int(2), .int(3)],
                [
                    (
                        { $0.object(ofType: Item.self, forPrimaryKey: 1)?.name = "n2" },
                        event(moved: [1])
                    ),
                    (
                        { realm in
                            realm.delete(realm.objects(Item.self).where { $0.id == 3 })
                            realm.add(Item(id: 4, name: "a"))
                            realm.object(ofType: Item.self, forPrimaryKey: 2)?.rank = 50
                        }, event(deleted: [3], inserted: [4], modified: [2])
                    ),
                ])
        }
    }

    /// Without a primary key, rows have numbers, which stay.
    @Test func objectsWithoutAKey() throws {
        try withObservatory([
            EncodingModels.Dog.self, EncodingModels.Person.self, EncodingModels.Address.self,
            EncodingModels.PlaceRecord.self,
        ]) { observatory in
            typealias Dog = EncodingModels.Dog
            try observatory.writer.write {
                for name in ["a", "b"] { observatory.writer.add(Dog(value: ["name": name])) }
            }
            observatory.realm.refresh()
            let dogs = observatory.realm.objects(Dog.self)
            let broadcast = dogs.broadcast()
            var updates = broadcast.updates.makeAsyncIterator()
            let first = try #require(try next(&updates))
            let keys = first.event.insertions
            #expect(
                keys == [dogs[0].objectKey, dogs[1].objectKey]
                    && first.collection.object(for: keys[1])?.name == "b")
            try observatory.writer.write {
                observatory.writer.delete(observatory.writer.objects(Dog.self)[0])
            }
            observatory.deliver()
            #expect(try next(&updates)?.event.deletions == [keys[0]])
            #expect(try dogs[0].objectKey == keys[1] && keys[0].json().isEmpty == false)
        }
    }

    // MARK: Broadcasts

    /// A new subscriber begins with the present; one that is slow gets the difference from what
    /// it knows.
    @Test func subscribersAtTheirOwnPace() throws {
        try withItems([1, 2]) { observatory in
            let broadcast = observatory.realm.objects(Item.self).broadcast()
            func write(_ body: (Realm) -> Void) throws {
                try observatory.writer.write { body(observatory.writer) }
                observatory.deliver()
            }
            var slow = broadcast.updates.makeAsyncIterator()
            #expect(try next(&slow)?.event == event(inserted: [1, 2], isInitial: true))
            try write { $0.add(Item(id: 3)) }
            try write { $0.add(Item(id: 4)) }
            var late = broadcast.updates.makeAsyncIterator()
            #expect(try next(&late)?.event == event(inserted: [1, 2, 3, 4], isInitial: true))
            try write { $0.delete($0.objects(Item.self).where { $0.id == 3 || $0.id == 1 }) }
            try write { $0.object(ofType: Item.self, forPrimaryKey: 2)?.name = "x" }
            try write { $0.object(ofType: Item.self, forPrimaryKey: 4)?.name = "y" }
            let update = try #require(try next(&slow))
            #expect(update.event == event(deleted: [1], inserted: [4], modified: [2]))
            #expect(
                update.object(for: .int(4))?.name == "y" && update.object(for: .int(3)) == nil
                    && update.collection.count == 2)
            #expect(
                try update.json()
                    == #"""
                    {"deletions":[1],"insertions":[4],"isInitial":false,"modifications":[2],\#
                    "moves":[]}
                    """#
            )
            #expect(try next(&late)?.event == event(deleted: [1, 3], modified: [2, 4]))
            #expect(broadcast.current.count == 2)
        }
    }

    /// However events come together, applying them gives what the collection has. Seeded.
    @Test func everySubscriberArrivesAtTheTruth() throws {
        var random = Seed.random()
        try withItems([1, 2, 3]) { observatory in
            let broadcast = observatory.realm.objects(Item.self).sorted(byKeyPath: "rank")
                .broadcast()
            var iterators = (0..<3).map { _ in broadcast.updates.makeAsyncIterator() }
            var known: [[ObjectKey: String]] = [[:], [:], [:]]
            func fetch(_ number: Int) throws {
                guard let update = try next(&iterators[number]) else { return }
                for key in update.event.deletions {
                    #expect(known[number].removeValue(forKey: key) != nil)
                }
                for key in update.event.insertions {
                    #expect(known[number][key] == nil)
                    known[number][key] = update.object(for: key)?.name
                }
                for key in update.event.modifications + update.event.moves {
                    #expect(known[number][key] != nil)
                    known[number][key] = update.object(for: key)?.name
                }
                #expect(Set(known[number].keys) == Set(update.collection.map(\.objectKey)))
                #expect(update.collection.allSatisfy { known[number][$0.objectKey] == $0.name })
            }
            for number in 0..<3 { try fetch(number) }
            for step in 0..<60 {
                // Each step changes something, so that each subscriber gets an event.
                try observatory.writer.write {
                    let realm = observatory.writer
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let id = Int.random(in: 1...8, using: &random)
                        if let item = realm.object(ofType: Item.self, forPrimaryKey: id) {
                            switch Int.random(in: 0..<3, using: &random) {
                            case 0: realm.delete(item)
                            case 1: item.name = "s\(step)"
                            default: item.rank = Int.random(in: 0..<10, using: &random)
                            }
                        } else {
                            realm.add(
                                Item(
                                    id: id, name: "s\(step)",
                                    rank: Int.random(in: 0..<10, using: &random)))
                        }
                    }
                    realm.add(Item(id: 100 + step, name: "t", rank: 3))
                }
                if Bool.random(using: &random) { observatory.deliver() } else { continue }
                for number in 0..<3
                where number == 0 || Int.random(in: 0..<(number * 4), using: &random) == 0 {
                    try fetch(number)
                }
            }
            try observatory.writer.write { observatory.writer.add(Item(id: 1000)) }
            observatory.deliver()
            for number in 0..<3 { try fetch(number) }
            #expect(known[0] == known[1] && known[1] == known[2])
        }
    }

    @Test func endings() throws {
        try withItems([1]) { observatory in
            let item = try #require(observatory.realm.object(ofType: Item.self, forPrimaryKey: 1))
            // What has the collection is deleted.
            let list = item.children.broadcast()
            var updates = list.updates.makeAsyncIterator()
            #expect(try next(&updates)?.event.isInitial == true)
            // Ended, before and after a subscriber came.
            let ended = observatory.realm.objects(Item.self).broadcast()
            var others = ended.updates.makeAsyncIterator()
            #expect(try next(&others)?.event.isInitial == true)
            ended.end()
            var none = ended.updates.makeAsyncIterator()
            #expect(try next(&others) == nil && next(&none) == nil)
            try observatory.writer.write {
                observatory.writer.object(ofType: Item.self, forPrimaryKey: 1)?.children.append(
                    Item(id: 2))
            }
            try observatory.writer.write {
                observatory.writer.delete(observatory.writer.objects(Item.self))
            }
            observatory.deliver()
            #expect(try next(&updates) == nil)
            let invalidated = observatory.realm.objects(Item.self).broadcast()
            var last = invalidated.updates.makeAsyncIterator()
            #expect(try next(&last)?.event.isInitial == true)
            observatory.realm.invalidate()
            #expect(try next(&last) == nil)
        }
    }

    /// The registration lives as long as the broadcast or a stream, and keeps nothing afterwards.
    @Test func nothingIsKept() throws {
        try withItems([1]) { observatory in
            weak var released: ChangeBroadcast<Results<Item>>?
            do {
                var updates = observatory.realm.objects(Item.self).broadcast().updates
                    .makeAsyncIterator()
                #expect(try next(&updates)?.event.isInitial == true)
                try observatory.writer.write { observatory.writer.add(Item(id: 2)) }
                observatory.deliver()
                #expect(try next(&updates)?.event == event(inserted: [2]))
            }
            do {
                let broadcast = observatory.realm.objects(Item.self).broadcast()
                released = broadcast
                #expect(released != nil)
            }
            #expect(released == nil)
            observatory.realm.refresh()
            let report = try observatory.realm.versionReport()
            #expect(
                !report.pins.contains { $0.holder == .frozen || $0.holder == .observer },
                "\(report)")
        }
    }

    @MainActor @Test func tasksAndCancellation() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        let broadcast = realm.objects(Item.self).broadcast()
        let (counts, send) = AsyncStream.makeStream(of: Int.self)
        let updates = broadcast.updates
        let clients = (0..<4).map { _ in
            Task.detached {
                for await update in updates { send.yield(update.collection.count) }
                send.yield(-1)
            }
        }
        var iterator = counts.makeAsyncIterator()
        for _ in 0..<4 { #expect(await iterator.next(isolation: #isolation) == 0) }
        try await Task.detached {
            let realm = try await Realm.open(configuration: configuration)
            try realm.write { realm.add(Item(id: 1)) }
        }.value
        for _ in 0..<4 { #expect(await iterator.next(isolation: #isolation) == 1) }
        clients[0].cancel()
        #expect(await iterator.next(isolation: #isolation) == -1)
        broadcast.end()
        for _ in 0..<3 { #expect(await iterator.next(isolation: #isolation) == -1) }
        realm.refresh()
        #expect(try realm.check().isEmpty)
        directory.delete()
    }

    // MARK: Loops

    @MainActor @Test func loopsGetKeys() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file(), objectTypes: ObservedModels.all)
        let realm = try await Realm(configuration: configuration)
        try realm.write { realm.add(Item(id: 1)) }
        var iterator = realm.objects(Item.self).identifiedChanges().makeAsyncIterator()
        var change = try #require(await iterator.next(isolation: #isolation))
        #expect(
            change.event == event(inserted: [1], isInitial: true) && change.collection.count == 1)
        try realm.write {
            realm.deleteAll()
            realm.add(Item(id: 2))
        }
        change = try #require(await iterator.next(isolation: #isolation))
        #expect(change.event == event(deleted: [1], inserted: [2]))
        let item = try #require(realm.objects(Item.self).first)
        var marks = item.marks.identifiedChanges().makeAsyncIterator()
        #expect(await marks.next(isolation: #isolation)?.event.isInitial == true)
        var sections = realm.objects(Item.self).sectioned(by: \.name).identifiedChanges()
            .makeAsyncIterator()
        #expect(
            await sections.next(isolation: #isolation)?.event
                == event(inserted: [2], isInitial: true))
        try realm.write {
            item.marks["a"] = 1
            item.name = "other"
        }
        #expect(await marks.next(isolation: #isolation)?.event.insertions == [.string("a")])
        #expect(await sections.next(isolation: #isolation)?.event == event(moved: [2]))
        #expect(try realm.check().isEmpty)
        directory.delete()
    }
}
