import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Subqueries that compare elements with the object around them, and subqueries in each other.
@Suite struct CorrelatedSubqueryTests {
    typealias Shelf = Shelves.Shelf
    typealias Item = Shelves.Item

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Nil where types of Swift stand in the way.
        let query: (@Sendable (Query<Shelf>) -> Query<Bool>)?
        let holds: @Sendable (Shelf) -> Bool
        /// The same as a string.
        let format: String
    }

    private static let comparisons: [Case] = [
        Case(
            testDescription: "elements with a property",
            query: { ($0.items.rank == $0.total).count > 0 },
            holds: { s in s.items.contains { $0.rank == s.total } },
            format: "SUBQUERY(items, $i, $i.rank == total).@count > 0"),
        Case(
            testDescription: "none like the object",
            query: { ($0.items.name == $0.title).count == 0 },
            holds: { s in !s.items.contains { $0.name == s.title } },
            format: "SUBQUERY(items, $i, $i.name == title).@count == 0"),
        Case(
            testDescription: "on the left", query: { ($0.total < $0.items.rank).count >= 2 },
            holds: { s in s.items.count { s.total < $0.rank } >= 2 },
            format: "SUBQUERY(items, $i, total < $i.rank).@count >= 2"),
        Case(
            testDescription: "a property that may be nil", query: nil,
            holds: { s in s.items.count { $0.rank != s.limit && $0.isNew } == 1 },
            format: "SUBQUERY(items, $i, $i.rank != limit AND $i.isNew == true).@count == 1"),
        Case(
            testDescription: "over a link of the object",
            query: { ($0.items.rank > $0.best.rank).count > 0 },
            holds: { s in s.items.contains { item in s.best.map { item.rank > $0.rank } ?? false }
            },
            format: "SUBQUERY(items, $i, $i.rank > best.rank).@count > 0"),
        Case(
            testDescription: "a condition on the object alone",
            query: { ($0.items.rank > 0 && $0.total > 0).count > 0 },
            holds: { s in s.total > 0 && s.items.contains { $0.rank > 0 } },
            format: "SUBQUERY(items, $i, $i.rank > 0 AND total > 0).@count > 0"),
        Case(
            testDescription: "text", query: { ($0.items.name.starts(with: $0.title)).count > 0 },
            holds: { s in
                !s.title.isEmpty && s.items.contains { $0.name.utf8.starts(with: s.title.utf8) }
            },
            format: "SUBQUERY(items, $i, $i.name BEGINSWITH title).@count > 0"),
        Case(
            testDescription: "an element that is a link of the object",
            query: { ($0.items.twin == $0.best).count > 0 },
            holds: { s in s.items.contains { $0.twin == s.best } },
            format: "SUBQUERY(items, $i, $i.twin == best).@count > 0"),
        Case(
            testDescription: "elements that are values", query: nil,
            holds: { s in s.numbers.count { $0 > s.total } > 1 },
            format: "SUBQUERY(numbers, $n, $n > total).@count > 1"),
        Case(
            testDescription: "a map's values",
            query: { ($0.named.values.rank < $0.total).count > 0 },
            holds: { s in s.named.values.contains { $0.map { $0.rank < s.total } ?? false } },
            format: "SUBQUERY(named, $n, $n.rank < total).@count > 0"),
        Case(
            testDescription: "links back", query: { ($0.previous.total == $0.total).count > 0 },
            holds: { s in s.previous.contains { $0.total == s.total } },
            format: "SUBQUERY(previous, $p, $p.total == total).@count > 0"),
        Case(
            testDescription: "what all elements give together",
            query: { ($0.items.rank == $0.items.rank.max).count > 1 },
            holds: { s in s.items.count { $0.rank == s.items.max(of: \.rank) } > 1 },
            format: "SUBQUERY(items, $i, $i.rank == items.@max.rank).@count > 1"),
        Case(
            testDescription: "their count", query: { ($0.items.rank < $0.items.count).count == 2 },
            holds: { s in s.items.count { $0.rank < s.items.count } == 2 },
            format: "SUBQUERY(items, $i, $i.rank < items.@count).@count == 2"),
        Case(
            testDescription: "elements of an element", query: nil,
            holds: { s in s.items.contains { $0.sizes.contains(s.total) } },
            format: "SUBQUERY(items, $i, ANY $i.sizes == total).@count > 0"),
        Case(
            testDescription: "another collection of the object",
            query: { ($0.items.rank == $0.total && $0.items.rank >= $0.numbers.min).count > 0 },
            holds: { s in
                s.items.contains { item in
                    item.rank == s.total && s.numbers.min().map { item.rank >= $0 } ?? false
                }
            },
            format: "SUBQUERY(items, $i, $i.rank == total AND $i.rank >= numbers.@min).@count > 0"),
        Case(
            testDescription: "not", query: { !(($0.items.rank == $0.total).count > 0) },
            holds: { s in !s.items.contains { $0.rank == s.total } },
            format: "NOT SUBQUERY(items, $i, $i.rank == total).@count > 0"),
        Case(
            testDescription: "a count with a property",
            query: { ($0.items.rank > $0.total).count == $0.total },
            holds: { s in s.items.count { $0.rank > s.total } == s.total },
            format: "SUBQUERY(items, $i, $i.rank > total).@count == total"),
    ]

    private static let nested: [Case] = [
        Case(
            testDescription: "the same collection once more",
            query: { ($0.items.rank >= 0 && ($0.items.rank != 1).count > 1).count > 0 },
            holds: { s in s.items.contains { $0.rank >= 0 } && s.items.count { $0.rank != 1 } > 1 },
            format:
                """
                SUBQUERY(items, $a, $a.rank >= 0 AND SUBQUERY(items, $b, $b.rank != \
                1).@count > 1).@count > 0
                """
        ),
        Case(
            testDescription: "the inner one first",
            query: { (($0.items.rank != 1).count > 1 && $0.items.rank >= 0).count > 0 },
            holds: { s in s.items.contains { $0.rank >= 0 } && s.items.count { $0.rank != 1 } > 1 },
            format:
                """
                SUBQUERY(items, $a, SUBQUERY(items, $b, $b.rank != 1).@count > 1 AND \
                $a.rank >= 0).@count > 0
                """
        ),
        Case(
            testDescription: "a collection of the elements",
            query: { ($0.items.rank >= 0 && ($0.items.sizes > 0).count > 1).count > 0 },
            holds: { s in
                s.items.contains { item in item.rank >= 0 && item.sizes.count { $0 > 0 } > 1 }
            },
            format:
                """
                SUBQUERY(items, $a, $a.rank >= 0 AND SUBQUERY($a.sizes, $b, $b > 0).@count \
                > 1).@count > 0
                """
        ),
        Case(
            testDescription: "only there",
            query: { (($0.items.shelves.total > 0).count > 1).count > 0 },
            holds: { s in s.items.contains { item in item.shelves.count { $0.total > 0 } > 1 } },
            format:
                """
                SUBQUERY(items, $a, SUBQUERY($a.shelves, $b, $b.total > 0).@count > \
                1).@count > 0
                """),
        Case(
            testDescription: "with the element around", query: nil,
            holds: { s in
                s.items.contains { item in item.rank > 0 && item.sizes.contains { $0 < item.rank } }
            },
            format:
                """
                SUBQUERY(items, $a, $a.rank > 0 AND SUBQUERY($a.sizes, $b, $b < \
                $a.rank).@count > 0).@count > 0
                """
        ),
        Case(
            testDescription: "with the object around both", query: nil,
            holds: { s in s.items.contains { item in item.sizes.contains(s.total) } },
            format:
                """
                SUBQUERY(items, $a, $a.rank > -9 AND SUBQUERY($a.sizes, $b, $b == \
                total).@count > 0).@count > 0
                """
        ),
        Case(
            testDescription: "another collection of the object",
            query: { ($0.items.rank > 0 && ($0.numbers > 0).count > 1).count > 0 },
            holds: { s in s.items.contains { $0.rank > 0 } && s.numbers.count { $0 > 0 } > 1 },
            format:
                """
                SUBQUERY(items, $a, $a.rank > 0 AND SUBQUERY(numbers, $b, $b > 0).@count > \
                1).@count > 0
                """
        ),
        Case(
            testDescription: "as often as another",
            query: { (($0.items.rank > 0).count == ($0.rare.rank > 0).count) },
            holds: { s in s.items.count { $0.rank > 0 } == s.rare.count { $0.rank > 0 } },
            format:
                """
                SUBQUERY(items, $a, $a.rank > 0).@count == SUBQUERY(rare, $b, $b.rank > \
                0).@count
                """),
    ]

    static let cases = comparisons + nested

    private func withShelves(
        function: String = #function, _ body: (Realm, Results<Shelf>) throws -> Void
    ) throws {
        var random = Seed.random(function: function)
        let shelves = Shelves.random(80, using: &random)
        try withTemporaryRealm(Shelves.all) { realm throws in
            try realm.write { realm.add(shelves) }
            try body(realm, realm.objects(Shelf.self))
        }
    }

    @Test(arguments: cases)
    func asInSwift(_ item: Case) throws {
        try withShelves { realm, shelves throws in
            let expected: [Int] = Array(shelves).filter(item.holds).map(\.id)
            #expect(
                !expected.isEmpty && expected.count < shelves.count, "The condition holds for some."
            )
            #expect(shelves.filter(item.format).map(\.id) == expected)
            #expect(shelves.filter(item.format).count == expected.count)
            #expect(shelves.filter(item.format).explain().count == expected.count)
            #expect(
                shelves.filter("total > 0 AND " + item.format).map(\.id)
                    == Array(shelves).filter { item.holds($0) && $0.total > 0 }.map(\.id))
            var predicates = [try RealmPredicate(parsing: item.format)]
            if let query = item.query {
                #expect(shelves.where(query).map(\.id) == expected)
                #expect(shelves.where(query).count == expected.count)
                // What it prints says the same.
                let (text, arguments) = query(Query<Shelf>._constructForTesting())
                    ._constructPredicate()
                #expect(
                    try shelves.filter(RealmPredicate(parsing: text, arguments: arguments)).map(
                        \.id) == expected, "\(text)")
                predicates.append(RealmPredicate(Shelf.self, where: query))
            }
            var random = Seed.random()
            let unmanaged = Shelves.random(80, using: &random)
            for predicate in predicates {
                #expect(try RealmPredicate(parsing: predicate.description) == predicate)
                // Without a realm, element by element; nothing links back there.
                if item.format.contains("previous") || item.format.contains("shelves") { continue }
                for start in [0, 20, 40, 60] {
                    let list = List<Shelf>()
                    list.append(objectsIn: unmanaged[start..<start + 20])
                    #expect(
                        list.index(matching: predicate)
                            == unmanaged[start..<start + 20].firstIndex(where: item.holds).map {
                                $0 - start
                            })
                }
            }
            // In a transaction that affected what it asks for.
            realm.beginWrite()
            for shelf in shelves.prefix(20) {
                shelf.total += 1
                shelf.items.append(objectsIn: Array(realm.objects(Item.self).prefix(2)))
            }
            for thing in realm.objects(Item.self).prefix(10) { thing.rank -= 1 }
            #expect(
                shelves.filter(item.format).map(\.id) == Array(shelves).filter(item.holds).map(\.id)
            )
            realm.cancelWrite()
        }
    }

    /// Realm's texts for them.
    @Test func formats() {
        func format(_ query: (Query<Shelf>) -> Query<Bool>) -> String {
            query(Query<Shelf>._constructForTesting())._constructPredicate().0
        }
        #expect(
            format { ($0.items.rank >= 0 && ($0.items.rank != 123).count > 0).count > 0 }
                == """
                (SUBQUERY(items, $col1, (($col1.rank >= %@) && (SUBQUERY(items, $col2, \
                ($col2.rank != %@)).@count > %@))).@count > %@)
                """
        )
        #expect(
            format { ($0.items.name == $0.title).count == 0 }
                == "(SUBQUERY(items, $col1, ($col1.name == title)).@count == %@)")
        #expect(
            format { ($0.items.sizes.count >= 0).count > 0 }
                == "(SUBQUERY(items, $col1, ($col1.sizes.@count >= %@)).@count > %@)")
        #expect(
            format { (($0.items.shelves.total > 1).count > 1).count > 0 }
                == """
                (SUBQUERY(items, $col1, (SUBQUERY($col1.shelves, $col2, ($col2.total > \
                %@)).@count > %@)).@count > %@)
                """
        )
    }

    /// As deep as strings may be nested, each level about the elements of the one around it and
    /// about the object.
    @Test func deep() throws {
        try withShelves { realm, shelves throws in
            var text = "$v9.total == total"
            for level in (1...9).reversed() {
                let from = level == 1 ? "previous" : "$v\(level - 1).previous"
                text = "SUBQUERY(\(from), $v\(level), \(text)).@count > 0"
            }
            func reaches(_ shelf: Shelf, _ depth: Int, _ total: Int) -> Bool {
                depth == 0
                    ? shelf.total == total
                    : shelf.previous.contains { reaches($0, depth - 1, total) }
            }
            let expected: [Int] = Array(shelves).filter { reaches($0, 9, $0.total) }.map(\.id)
            #expect(shelves.filter(text).map(\.id) == expected && !expected.isEmpty)
        }
    }

    @Test(
        arguments: [
            (
                "SUBQUERY(items, $i, $i.rank == ranks).@count > 0",
                """
                Invalid keypath 'ranks': Property 'ranks' not found in object of type \
                'Shelves_Shelf'
                """
            ),
            ("SUBQUERY(items, $i, ANY $i.sizes == ANY numbers).@count > 0", nil),
            (
                "SUBQUERY(items, $i, ANY numbers == $i.sizes).@count > 0",
                "Comparing two collection columns is not permitted."
            ),
            (
                "SUBQUERY(items, $i, $i.rank == title).@count > 0",
                "Property type mismatch between int and string"
            ),
        ] as [(String, String?)])
    func misfits(_ format: String, _ message: String?) throws {
        try withShelves { realm, _ throws in
            let error = #expect(throws: RealmPredicateError.self) {
                try RealmPredicate(format).check(Shelf.self, in: realm)
            }
            if let message { #expect(error?.message == message) }
        }
    }

    @Test func severalCollections() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let shelf = Query<Shelves.Shelf>._constructForTesting()
            _ = ((shelf.items.rank > 1 && shelf.rare.rank > 1).count > 0)._constructPredicate()
        }
        expectMessage(
            result, "Subqueries must contain a keypath starting with a collection.",
            "The condition names several collections.")
    }
}
