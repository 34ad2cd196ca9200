import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Queries over collections, links back, maps and any values give what plain Swift gives on the
/// same objects.
@Suite struct ShelfQueryTests {
    typealias Shelf = Shelves.Shelf

    @Test func unmanagedObjects() {
        var random = Seed.random()
        let shelves = Shelves.random(60, using: &random)
        let list = List<Shelf>()
        list.append(objectsIn: shelves)
        for item in cases(ShelfCase.anywhere, 60, &random) {
            // Each on its own as well, so that all of them are asked.
            #expect(
                list.index(matching: item.query) == shelves.firstIndex(where: item.holds),
                "\(item.name)")
            for shelf in shelves {
                let one = List<Shelf>()
                one.append(shelf)
                random.expect(
                    (one.index(matching: item.query) == 0) == item.holds(shelf),
                    "\(item.name) of shelf \(shelf.id)")
            }
        }
    }

    @Test func unmanagedObjectsAsValues() {
        let items = (0..<3).map { Shelves.Item(value: ["id": $0]) }
        let list = List<Shelf>()
        list.append(
            objectsIn: [0, 1, 2].map {
                Shelf(value: ["id": $0, "best": items[$0], "items": [items[($0 + 1) % 3]]])
            })
        #expect(list.index(matching: { $0.best == items[2] }) == 2)
        #expect(list.index(matching: { $0.items.contains(items[2]) }) == 1)
        #expect(list.index(matching: { $0.best != items[0] }) == 1)
        #expect(list.index(matching: { $0.best == Shelves.Item() }) == nil)
    }

    @Test func listsOfValues() throws {
        let numbers = List<Int?>()
        numbers.append(objectsIn: [3, nil, 7, 1])
        #expect(
            numbers.index(matching: { $0 == nil }) == 1 && numbers.index(matching: { $0 > 3 }) == 2
                && numbers.index(matching: { $0 > 8 }) == nil)
        let words = List<String>()
        words.append(objectsIn: ["a", "Émile"])
        #expect(words.index(matching: { $0.contains("MIL", options: .caseInsensitive) }) == 1)
        try withTemporaryRealm(Shelves.all) { realm in
            let shelf = try realm.write {
                realm.create(
                    Shelf.self,
                    value: ["id": 1, "numbers": [5, 6], "anys": [1, ["k": 2]]] as [String: Any])
            }
            #expect(shelf.numbers.index(matching: { $0 == 6 }) == 1)
            #expect(shelf.anys.index(matching: { $0["k"] == .int(2) }) == 1)
        }
    }

    @Test func managedObjects() throws {
        try withShelves(150) { realm, random in
            for item in cases(ShelfCase.all, 150, &random) { expect(item, realm, &random) }
        }
    }

    @Test func insideOfTransactions() throws {
        try withShelves(80) { realm, random in
            realm.beginWrite()
            try change(realm, &random)
            for item in cases(ShelfCase.all, 60, &random) { expect(item, realm, &random) }
            realm.cancelWrite()
            for item in cases(ShelfCase.all, 20, &random) { expect(item, realm, &random) }
        }
    }

    @Test func afterChangesAndDeletions() throws {
        try withShelves(80) { realm, random in
            for _ in 0..<3 {
                try realm.write { try change(realm, &random) }
                for item in cases(ShelfCase.all, 30, &random) { expect(item, realm, &random) }
            }
        }
    }

    @Test func frozenRealms() throws {
        try withShelves(60) { realm, random in
            let frozen = realm.freeze()
            try realm.write { realm.delete(realm.objects(Shelves.Item.self)) }
            for item in cases(ShelfCase.all, 30, &random) {
                expect(item, frozen, &random)
                expect(item, realm, &random)
            }
        }
    }

    @Test func objects() throws {
        try withShelves(60) { realm, random in
            let shelves = Array(realm.objects(Shelf.self))
            for item in realm.objects(Shelves.Item.self).prefix(12) {
                expect(
                    ShelfCase(
                        "best == item", { [id = item.id] in $0.best.id == id },
                        { [id = item.id] in $0.best?.id == id }), realm, &random)
                func ids(_ query: (Query<Shelf>) -> Query<Bool>) -> [Int] {
                    realm.objects(Shelf.self).where(query).map(\.id)
                }
                #expect(
                    ids { $0.best == item } == shelves.filter { $0.best?.id == item.id }.map(\.id))
                #expect(
                    ids { $0.items.contains(item) }
                        == shelves.filter { $0.items.contains { $0.id == item.id } }.map(\.id))
                #expect(
                    ids { $0.items == item }
                        == shelves.filter { $0.items.contains { $0.id == item.id } }.map(\.id))
                #expect(
                    ids { $0.items != item }
                        == shelves.filter { $0.items.contains { $0.id != item.id } }.map(\.id))
                #expect(
                    ids { $0.rare.containsAny(in: [item]) }
                        == shelves.filter { $0.rare.contains { $0.id == item.id } }.map(\.id))
                #expect(
                    ids { $0.named["a"] == item }
                        == shelves.filter { ($0.named["a"] ?? nil)?.id == item.id }.map(\.id))
                #expect(
                    ids { $0.items.twin == item }
                        == shelves.filter { $0.items.contains { $0.twin?.id == item.id } }.map(\.id)
                )
                #expect(
                    ids { $0.any == .object(item) }
                        == shelves.filter { $0.any.object(Shelves.Item.self)?.id == item.id }.map(
                            \.id))
                #expect(
                    ids { $0.anys == .object(item) }
                        == shelves.filter {
                            $0.anys.contains { $0.object(Shelves.Item.self)?.id == item.id }
                        }.map(\.id))
            }
        }
    }

    @Test func collectionsOfObjects() throws {
        try withShelves(60) { realm, _ in
            for shelf in realm.objects(Shelf.self).prefix(20) {
                #expect(
                    shelf.items.where { $0.sizes.contains(1) }.map(\.id)
                        == shelf.items.filter { $0.sizes.contains(1) }.map(\.id))
                #expect(
                    shelf.items.index(matching: { $0.sizes.count > 1 })
                        == shelf.items.firstIndex { $0.sizes.count > 1 })
                #expect(
                    Set(shelf.rare.where { $0.twin.sizes.sum > 0 }.map(\.id))
                        == Set(
                            shelf.rare.filter { ($0.twin?.sizes.reduce(0, +) ?? 0) > 0 }.map(\.id)))
                #expect(
                    shelf.previous.where { $0.items.count > 1 }.map(\.id)
                        == shelf.previous.filter { $0.items.count > 1 }.map(\.id))
                #expect(
                    shelf.previous.index(matching: { $0.numbers.count > 1 })
                        == shelf.previous.firstIndex { $0.numbers.count > 1 })
                let any = AnyRealmCollection(shelf.items)
                #expect(
                    any.where { $0.shelves.count > 1 }.map(\.id)
                        == shelf.items.filter { $0.shelves.count > 1 }.map(\.id))
                #expect(
                    any.index(matching: { $0.shelves.count > 1 })
                        == shelf.items.firstIndex { $0.shelves.count > 1 })
                let named = shelf.named.values.compactMap { $0 }.filter { $0.sizes.count > 1 }.map(
                    \.id)
                #expect(shelf.named.where { $0.sizes.count > 1 }.map { $0?.id } == named)
            }
        }
    }

    // MARK: -

    /// All cases, and random combinations of them.
    private func cases(_ all: [ShelfCase], _ combinations: Int, _ random: inout SeededGenerator)
        -> [ShelfCase]
    {
        all + (0..<combinations).map { _ in ShelfCase.random(all, depth: 4, using: &random) }
    }

    private func expect(
        _ item: ShelfCase, _ realm: Realm, _ random: inout SeededGenerator,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let results = realm.objects(Shelf.self).where(item.query)
        let expected = realm.objects(Shelf.self).filter(item.holds).map(\.id)
        let comment = { "\(item.name): \(Array(results.map(\.id))) instead of \(Array(expected))" }
        // The count first, as it does not use the keys.
        random.expect(results.count == expected.count, comment(), sourceLocation: sourceLocation)
        random.expect(
            Array(results.map(\.id)) == Array(expected), comment(), sourceLocation: sourceLocation)
        random.expect(
            results.first?.id == expected.first, comment(), sourceLocation: sourceLocation)
        // Its string says the same, unless objects are in it, which have no literal.
        let predicate = RealmPredicate(Shelf.self, where: item.query)
        if let parsed = try? RealmPredicate(parsing: predicate.description) {
            // A NaN equals nothing.
            random.expect(
                parsed == predicate || predicate.description.contains("nan"),
                "\(item.name): \(predicate) became \(parsed)", sourceLocation: sourceLocation)
            let filtered = realm.objects(Shelf.self).filter(parsed)
            random.expect(
                filtered.count == expected.count, "\(item.name) as \(predicate)",
                sourceLocation: sourceLocation)
            random.expect(
                Array(filtered.map(\.id)) == Array(expected), "\(item.name) as \(predicate)",
                sourceLocation: sourceLocation)
        } else {
            random.expect(
                item.name.contains("item"), "\(item.name) as \(predicate) does not parse",
                sourceLocation: sourceLocation)
        }
        // What no realm evaluates says the same of the realm's objects.
        for shelf in realm.objects(Shelf.self).prefix(5) {
            let one = List<Shelf>()
            one.append(shelf)
            random.expect(
                (one.index(matching: item.query) == 0) == item.holds(shelf),
                "\(item.name) of shelf \(shelf.id), by itself", sourceLocation: sourceLocation)
        }
    }

    private func withShelves(
        _ count: Int, function: String = #function,
        _ body: (Realm, inout SeededGenerator) throws -> Void
    ) throws {
        var random = Seed.random(function: function)
        let shelves = Shelves.random(count, using: &random)
        try withTemporaryRealm(Shelves.all) { realm in
            try realm.write { realm.add(shelves) }
            try body(realm, &random)
        }
    }

    /// Changes some objects and deletes others, so that links lead nowhere.
    private func change(_ realm: Realm, _ random: inout SeededGenerator) throws {
        for item in realm.objects(Shelves.Item.self) where random.once(in: 12) {
            realm.delete(item)
        }
        let items = Array(realm.objects(Shelves.Item.self))
        for item in items where random.once(in: 4) {
            item.name = random.pick(Shelves.texts)
            item.rank = random.int(-3...3)
            item.sizes.append(2)
        }
        for shelf in realm.objects(Shelf.self) where random.once(in: 10) { realm.delete(shelf) }
        let shelves = Array(realm.objects(Shelf.self))
        for shelf in shelves where random.once(in: 4) {
            Shelves.fill(shelf, items, shelves, using: &random)
        }
        for id in 0..<3 {
            let shelf = realm.create(Shelf.self, value: ["id": 1000 + id], update: .modified)
            Shelves.fill(shelf, items, shelves, using: &random)
        }
    }
}
