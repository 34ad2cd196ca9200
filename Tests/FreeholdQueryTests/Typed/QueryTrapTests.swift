import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct QueryTrapTests {
    @Test func anObjectOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(1) { fixture in
                try withItems(1) { other in
                    let stranger = try other.realm.write { other.realm.create(ResultsOwner.self) }
                    _ = fixture.items.where { $0.owner == stranger }
                }
            }
        }
        expectMessage(
            result, "Object must be from the Realm being queried", "belongs to another realm")
    }

    @Test func aPropertyThatIsNotPersisted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withItems(0) { fixture in
                _ = fixture.realm.objects(ResultsStateful.self).where { $0.visits > 0 }
            }
        }
        expectMessage(
            result, "Key path '", "visits' does not lead to a persisted property",
            "mark it with @Persisted, or filter a Swift array")
    }
}

/// Expressions over collections that say nothing.
@Suite struct QueryExpressionTrapTests {
    typealias Shelf = Shelves.Shelf

    private static let traps: [String: @Sendable (Query<Shelf>) -> Any] = [
        "Comparing two collection columns is not permitted.": {
            ($0.items.name == $0.rare.name)._constructPredicate()
        },
        "Subqueries must contain a keypath starting with a collection.": {
            (($0.total == 1).count > 1)._constructPredicate()
        },
        "Subqueries do not support map subscripts.": {
            (($0.items.rank == 1 && $0.scores["a"] == 1).count > 1)._constructPredicate()
        },
        "Subqueries do not support AnyRealmValue subscripts.": {
            (($0.items.any["a"] == .int(1)).count > 1)._constructPredicate()
        },
        "Cannot apply key path to Map subscripts.": { $0.named["a"].name },
        "Cannot apply a keypath to (\"SUBQUERY(items, $col1, ($col1.rank == %@)).@count\", [1])": {
            ($0.items.rank == 1).count.max
        },
        "Cannot add subscript to": { $0.items.any.max["a"] },
    ]

    @Test(arguments: traps.keys.sorted())
    func expressions(_ text: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [text] in
            _ = QueryExpressionTrapTests.traps[text]?(Query<Shelf>._constructForTesting())
        }
        expectMessage(result, text)
    }

    @Test func whatTheClassDoesNotFit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Shelves.all) { realm in
                try withTemporaryRealm(Shelves.all) { other in
                    let stranger = try other.write { other.create(Shelves.Item.self) }
                    _ = realm.objects(Shelf.self).where { $0.items.contains(stranger) }
                }
            }
        }
        expectMessage(
            result, "Object must be from the Realm being queried",
            "find its counterpart in this one")
    }
}
