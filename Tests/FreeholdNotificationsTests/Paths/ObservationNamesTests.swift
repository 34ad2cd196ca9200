import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// The names about observation that programs of Realm Swift use.
@Suite struct ObservationNamesTests {
    typealias Item = ObservedModels.Item

    private func withItems(_ body: (Observatory, Item, ChangeLog) throws -> Void) throws {
        try withObservatory { observatory in
            try observatory.writer.write {
                let item = Item(id: 1, name: "a")
                observatory.writer.add(item)
                let other = Item(id: 2, name: "b")
                observatory.writer.add(other)
                item.related["x"] = other
            }
            observatory.realm.refresh()
            try body(
                observatory,
                try #require(observatory.realm.object(ofType: Item.self, forPrimaryKey: 1)),
                ChangeLog())
        }
    }

    private func change(_ observatory: Observatory, _ body: (Item) -> Void) throws {
        try observatory.writer.write {
            body(try #require(observatory.writer.object(ofType: Item.self, forPrimaryKey: 2)))
        }
        observatory.deliver()
    }

    @Test func keyPathsOfMapsOfObjects() throws {
        try withItems { observatory, item, log in
            let token = item.related.observe(keyPaths: [\.name]) { log.add($0) }
            func observed<M: RealmKeyedCollection>(_ map: M) -> NotificationToken {
                map.observe(keyPaths: ["rank"]) { log.add($0) }
            }
            let generic = observed(item.related)
            observatory.deliver()
            #expect(log.take() == ["initial 1", "initial 1"])
            try change(observatory) { $0.rank = 5 }
            #expect(log.take() == [#"-[] +[] *["x"]"#])
            generic.invalidate()
            try change(observatory) { $0.name = "c" }
            #expect(log.take() == [#"-[] +[] *["x"]"#])
            token.invalidate()
        }
    }

    private func add<S: RealmSectionedResult>(
        _ change: SectionedResultsChange<S>, to log: ChangeLog
    ) {
        switch change {
        case .initial(let sections): log.add("initial \(sections.count)")
        case .update(_, let deletions, let insertions, let modifications, _, _):
            log.add("-\(deletions) +\(insertions) *\(modifications)")
        }
    }

    @Test func keyPathsOfSections() throws {
        try withItems { observatory, _, log in
            let sections = observatory.realm.objects(Item.self).sectioned(by: \.id)
            func observed<S: RealmSectionedResult>(_ sections: S) -> NotificationToken {
                sections.observe(keyPaths: ["rank"]) { self.add($0, to: log) }
            }
            let tokens = [
                sections.observe(keyPaths: [\.rank]) { self.add($0, to: log) },
                sections[1].observe(keyPaths: [\.rank]) { self.add($0, to: log) },
                observed(sections), observed(sections[1]),
            ]
            observatory.deliver()
            #expect(log.take().sorted() == ["initial 1", "initial 1", "initial 2", "initial 2"])
            try change(observatory) { $0.name = "c" }
            #expect(log.take() == [])
            try change(observatory) { $0.rank = 5 }
            #expect(log.take() == Array(repeating: "-[] +[] *[[1, 0]]", count: 4))
            for token in tokens { token.invalidate() }
        }
    }

    /// On queues, with key paths: each is told in the beginning, and of what its key paths name.
    @Test func keyPathsOnQueues() throws {
        try withItems { observatory, item, _ in
            let queue = DispatchQueue(label: "names"), came = DispatchSemaphore(value: 0)
            let sections = observatory.realm.objects(Item.self).sectioned(by: \.id)
            let changed = DispatchSemaphore(value: 0)
            let tokens = [
                sections.observe(keyPaths: [\.rank], on: queue) {
                    if case .initial = $0 { came.signal() } else { changed.signal() }
                },
                sections[1].observe(keyPaths: [\.rank], on: queue) {
                    if case .initial = $0 { came.signal() } else { changed.signal() }
                },
                item.related.observe(keyPaths: [\.rank], on: queue) {
                    if case .initial = $0 { came.signal() } else { changed.signal() }
                },
            ]
            for _ in 0..<3 { came.wait() }
            try observatory.writer.write {
                observatory.writer.object(ofType: Item.self, forPrimaryKey: 2)?.rank = 9
            }
            for _ in 0..<3 { changed.wait() }
            for token in tokens { token.invalidate() }
            queue.sync {}
        }
    }

    /// Through the protocols, on queues, and frozen.
    @Test func protocolsOnQueues() throws {
        try withItems { observatory, item, _ in
            let queue = DispatchQueue(label: "protocols"), came = DispatchSemaphore(value: 0)
            func observed<M: RealmKeyedCollection>(_ map: M) -> NotificationToken {
                map.observe(on: queue) { _ in came.signal() }
            }
            func observed<S: RealmSectionedResult>(_ sections: S) -> NotificationToken {
                sections.observe(on: queue) { _ in came.signal() }
            }
            func frozen<M: RealmKeyedCollection>(_ map: M) -> M { map.freeze() }
            let sections = observatory.realm.objects(Item.self).sectioned(by: \.id)
            let tokens = [
                observed(item.marks), observed(item.related), observed(sections),
                observed(sections[0]),
            ]
            for _ in tokens { came.wait() }
            for token in tokens { token.invalidate() }
            queue.sync {}
            #expect(
                frozen(item.related).isFrozen && frozen(item.related).count == item.related.count)
        }
    }

    @Test func objectsOfABaseClass() throws {
        try withItems { observatory, item, log in
            let token = item.observe { (change: ObjectChange<ObjectBase>) in
                if case .change(let object, let properties) = change {
                    log.add("\(object === item) \(properties.map(\.name))")
                } else {
                    log.add("\(change)")
                }
            }
            let own = item.observe(keyPaths: ["name"]) { (change: ObjectChange<Object>) in
                if case .deleted = change { log.add("gone") }
            }
            try observatory.writer.write {
                observatory.writer.object(ofType: Item.self, forPrimaryKey: 1)?.name = "z"
            }
            observatory.deliver()
            #expect(log.take() == [#"true ["name"]"#])
            try observatory.writer.write { observatory.writer.deleteAll() }
            observatory.deliver()
            #expect(log.take().sorted() == ["deleted", "gone"])
            withExtendedLifetime((token, own)) {}
        }
    }

    @Test func anObjectIsNoneOfAnotherClass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withObservatory { observatory in
                let item = try observatory.realm.write { observatory.realm.create(Item.self) }
                _ = item.observe { (_: ObjectChange<EmbeddedObject>) in }
            }
        }
        expectMessage(result, "Could not cast value of type 'Item' to 'EmbeddedObject'.")
    }

    @Test func names() throws {
        try withItems { observatory, item, log in
            let token = NotificationToken()
            #expect(!token.invalidate())
            let block: NotificationBlock = { notification, _ in log.add("\(notification)") }
            let observing = observatory.realm.observe(block)
            try observatory.realm.write(withoutNotifying: [token]) { item.rank += 1 }
            #expect(log.take() == ["didChange"])
            let change: RealmSectionedResultsChange<SectionedResults<Int, Item>>? = nil
            let transaction: AsyncTransactionId? = nil
            #expect(change == nil && transaction == nil)
            observing.invalidate()
        }
    }

    /// Of values without an order, as Realm compiles it; objects take it with descriptors.
    @Test func sectionsByAFunction() throws {
        try withItems { observatory, item, _ in
            try observatory.realm.write { item.numbers.append(objectsIn: [1, 2, 3]) }
            let sections = item.numbers.sectioned(by: { $0 % 2 == 0 })
            #expect(sections.allKeys == [false, true])
            func generic<C: RealmCollection>(_ collection: C) -> SectionedResults<Bool, Int>
            where C.Element == Int { collection.sectioned(by: { $0 > 1 }) }
            #expect(generic(item.numbers).allKeys == [false, true])
            #expect(
                observatory.realm.objects(Item.self).sectioned(by: \.name).allKeys == ["a", "b"])
        }
    }
}
