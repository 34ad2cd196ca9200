import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// What people write in predicate strings, each against plain Swift.
@Suite struct PredicateIdiomTests {
    typealias Shelf = Shelves.Shelf

    private static var cases: [(format: String, arguments: [Any?], holds: (Shelf) -> Bool)] {
        [
            ("ANY items.rank > 0", [], { $0.items.contains { $0.rank > 0 } }),
            ("SOME items.rank > 0", [], { $0.items.contains { $0.rank > 0 } }),
            ("NONE items.rank > 0", [], { !$0.items.contains { $0.rank > 0 } }),
            ("ALL items.rank > 0", [], { $0.items.allSatisfy { $0.rank > 0 } }),
            ("ANY items.isNew == 1", [], { $0.items.contains { $0.isNew } }),
            ("best.isNew == YES", [], { $0.best?.isNew == true }),
            ("best.isNew == 0", [], { $0.best?.isNew == false }),
            ("items.@count > 1", [], { $0.items.count > 1 }),
            ("items.@size == 0", [], { $0.items.isEmpty }),
            ("items.@max.rank > 0", [], { ($0.items.map(\.rank).max() ?? .min) > 0 }),
            ("items.@sum.rank == %@", [0], { $0.items.map(\.rank).reduce(0, +) == 0 }),
            ("numbers.@min < %d", [0], { ($0.numbers.compactMap { $0 }.min() ?? .max) < 0 }),
            (
                "SUBQUERY(items, $item, $item.rank > 0 AND $item.isNew == true).@count > 0", [],
                { $0.items.contains { $0.rank > 0 && $0.isNew } }
            ),
            ("ANY numbers IN %@", [[1, 2]], { $0.numbers.contains { $0 == 1 || $0 == 2 } }),
            ("%@ IN numbers", [1], { $0.numbers.contains(1) }),
            ("title MATCHES '.*a.*'", [], { $0.title.contains("a") && !$0.title.contains("\n") }),
            ("NOT (total > 0) && limit == nil", [], { !($0.total > 0) && $0.limit == nil }),
            ("next.items.@count > 0", [], { ($0.next?.items.count ?? 0) > 0 }),
        ]
    }

    @Test func sayWhatPlainSwiftSays() throws {
        var random = Seed.random()
        let shelves = Shelves.random(120, using: &random)
        try withTemporaryRealm(Shelves.all) { realm in
            try realm.write { realm.add(shelves) }
            let all = realm.objects(Shelf.self)
            for item in Self.cases {
                let predicate = try RealmPredicate(parsing: item.format, arguments: item.arguments)
                try predicate.check(Shelf.self, in: realm)
                let expected = Array(all.filter(item.holds).map(\.id))
                #expect(
                    Array(all.filter(predicate).map(\.id)) == expected,
                    "\(item.format), FREEHOLD_SEED=\(random.seed)")
            }
        }
    }

    @Test func listsThatNoRealmManages() throws {
        let list = List<Shelf>()
        list.append(
            objectsIn: [1, 2, 3].map {
                Shelf(value: [
                    "id": $0, "items": ($0 > 1 ? [["id": $0, "rank": $0]] : []) as [Any],
                ])
            })
        #expect(list.index(matching: "ANY items.rank > 2") == 2)
        #expect(list.index(matching: try RealmPredicate("items.@count == 1")) == 1)
        #expect(list.index(matching: "id == 7") == nil)
    }

    @Test func regionsAreArguments() throws {
        try withTemporaryRealm(Places.all) { realm in
            try realm.write {
                realm.add([Places.Shop(1, 10, 10), Places.Shop(2, 50, 10), Places.Shop(3, 11, 12)])
            }
            let radius = try #require(Distance.kilometers(500))
            let circle = try #require(GeoCircle(center: (10, 10), radius: radius))
            #expect(
                Array(realm.objects(Places.Shop.self).filter("spot IN %@", circle).map(\.id)) == [
                    1, 3,
                ])
            #expect(
                Array(
                    realm.objects(Places.Shop.self).filter("NOT spot IN %@ AND id > 1", circle).map(
                        \.id)) == [2])
        }
    }

    @Test func textSearches() throws {
        try withTemporaryRealm(Shelves.all) { realm in
            try realm.write {
                for (id, title) in ["Swift databases", "the Café of Swift owners", "other"]
                    .enumerated()
                { realm.create(Shelf.self, value: ["id": id, "title": title] as [String: Any]) }
            }
            let all = realm.objects(Shelf.self)
            #expect(Array(all.filter("title TEXT 'swift -databases'").map(\.id)) == [1])
            #expect(Array(all.filter("title TEXT %@ OR id == 2", "data*").map(\.id)) == [0, 2])
            #expect(try RealmPredicate("title TEXT 'a'").description == "title TEXT \"a\"")
        }
    }

    @Test func typedQueriesAsValues() throws {
        let predicate = RealmPredicate(Shelf.self) { $0.total > 3 && $0.items.rank == 2 }
        #expect(try predicate == RealmPredicate("total > 3 AND ANY items.rank == 2"))
        #expect(predicate.description == "total > 3 AND ANY items.rank == 2")
    }
}
