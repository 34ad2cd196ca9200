import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// `PropertyChange.oldValue`: what others replaced, and nil for what the realm replaced by itself.
@Suite struct FormerValueTests {
    typealias Item = ObservedModels.Item

    final class Names: Projection<Item> {
        @Projected(\Item.name) var name
    }

    /// An observer of an object and one of its projection.
    private func withObservers(_ body: (Observatory, Item, ChangeLog) throws -> Void) throws {
        try withObservatory { place in
            try place.writer.write { place.writer.add(Item(id: 1, name: "a")) }
            place.realm.refresh()
            let log = ChangeLog()
            let item = try #require(place.realm.object(ofType: Item.self, forPrimaryKey: 1))
            let tokens = [
                item.observe { log.add($0) }, Names(projecting: item).observe { log.add($0) },
            ]
            place.deliver()
            try body(place, item, log)
            withExtendedLifetime(tokens) {}
        }
    }

    private func rename(_ name: String, in realm: Realm) throws {
        try realm.write {
            try #require(realm.object(ofType: Item.self, forPrimaryKey: 1)).name = name
        }
    }

    @Test func ofOthers() throws {
        try withObservers { place, _, log in
            try rename("b", in: place.writer)
            place.deliver()
            #expect(log.take() == ["name: a -> b", "name: a -> b"])
            try rename("c", in: place.writer)
            place.realm.refresh()
            #expect(log.take() == ["name: b -> c", "name: b -> c"])
            try rename("d", in: place.writer)
            try place.realm.write {}
            #expect(log.take() == ["name: c -> d", "name: c -> d"], "Where a write begins.")
        }
    }

    @Test func ofTheRealmItself() throws {
        try withObservers { place, item, log in
            try place.realm.write { item.name = "b" }
            place.deliver()
            #expect(log.take() == ["name: nil -> b", "name: nil -> b"])
            try place.realm.write { item.name = "c" }
            try place.realm.write { item.rank = 1 }
            #expect(
                log.take() == ["name: nil -> c", "name: nil -> c"], "Where the next write begins.")
            place.deliver()
            #expect(log.take() == ["rank: nil -> 1"])
        }
    }

    @Test func ofAsynchronousWrites() throws {
        try withObservers { place, item, log in
            place.realm.writeAsync { item.name = "b" }
            while place.realm.isPerformingAsynchronousWriteOperations {
                _ = place.scheduler.waitForWork(); place.scheduler.runAll()
            }
            place.deliver()
            #expect(log.take() == ["name: nil -> b", "name: nil -> b"])
        }
    }

    /// Nothing changes by that, so there is nothing to tell.
    @Test func whatIsAssignedAgain() throws {
        try withObservers { place, item, log in
            try place.realm.write {
                item.numbers.append(objectsIn: [1, 2])
                item.marks["a"] = 1
            }
            place.deliver()
            #expect(log.take().count == 1)
            try place.realm.write {
                item.name = item.name
                item.numbers.removeAll()
                item.numbers.append(objectsIn: [1, 2])
                item.marks = item.marks
            }
            place.deliver()
            #expect(log.take() == [])
        }
    }

    /// One change for both: the observers have not been told between them.
    @Test func ofTheRealmAndOthersAtOnce() throws {
        try withObservers { place, item, log in
            try place.realm.write { item.name = "b" }
            try rename("c", in: place.writer)
            place.realm.refresh()
            #expect(log.take() == ["name: a -> c", "name: a -> c"])
            try place.realm.write { item.name = "d" }
            place.deliver()
            #expect(log.take() == ["name: nil -> d", "name: nil -> d"])
        }
    }
}
