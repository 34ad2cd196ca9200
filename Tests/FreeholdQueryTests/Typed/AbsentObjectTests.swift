import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Objects in conditions that no realm manages: nothing equals them. Realm's tests ask the same
/// of links and collections.
@Suite struct AbsentObjectTests {
    typealias Shelf = Shelves.Shelf
    typealias Item = Shelves.Item

    /// Shelf 0 has items everywhere, shelf 1 nothing.
    private func withShelves(_ body: (Realm, Results<Shelf>, _ known: Item) throws -> Void) throws {
        try withTemporaryRealm(Shelves.all) { realm throws in
            try realm.write {
                let items = (0..<2).map { Item(value: ["id": $0]) }
                let full = Shelf(value: ["id": 0]), empty = Shelf(value: ["id": 1])
                full.best = items[0]
                full.items.append(objectsIn: items)
                full.rare.insert(objectsIn: items)
                full.named["a"] = .some(items[0])
                full.named["b"] = .some(nil)
                full.any = .fromArray([.object(items[0]), .int(1)])
                full.anys.append(objectsIn: [.object(items[0]), .none])
                full.keyed["a"] = .object(items[0])
                full.place = Shelves.Place()
                full.places.append(Shelves.Place())
                full.next = empty
                realm.add([full, empty])
            }
            try body(realm, realm.objects(Shelf.self), try #require(realm.objects(Item.self).first))
        }
    }

    /// What can be in the place of the object: one that was never added, and one that was deleted.
    private func absent(_ realm: Realm) throws -> [Item] {
        let deleted = Item(value: ["id": 7])
        try realm.write {
            realm.add(deleted)
            realm.delete(deleted)
        }
        return [Item(), Item(value: ["id": 0]), deleted]
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let format: String
        /// The shelves for which the condition holds.
        let ids: [Int]
        var testDescription: String { format }
        init(_ format: String, _ ids: [Int]) { (self.format, self.ids) = (format, ids) }
    }

    static let cases = [
        Case("best == %@", []), Case("best != %@", [0, 1]), Case("%@ == best", []),
        Case("%@ != best", [0, 1]),
        Case("NOT best == %@", [0, 1]), Case("NOT best != %@", []),
        Case("best IN {%@}", []), Case("NOT best IN {%@}", [0, 1]), Case("best IN {nil, %@}", [1]),
        Case("next.best == %@", []), Case("next.best != %@", [0, 1]),
        Case("best.twin == %@", []), Case("best.twin != %@", [0, 1]),
        Case("ANY items == %@", []), Case("ANY items != %@", [0]),
        Case("NONE items == %@", [0, 1]), Case("NONE items != %@", [1]),
        Case("ALL items == %@", [1]), Case("ALL items != %@", [0, 1]),
        Case("ANY items IN {%@}", []),
        Case("%@ IN items", []), Case("NOT %@ IN items", [0, 1]), Case("ANY items.twin == %@", []),
        Case("ANY items.twin != %@", [0]),
        Case("ANY rare == %@", []), Case("ANY rare != %@", [0]), Case("%@ IN rare", []),
        Case("ANY named == %@", []), Case("ANY named != %@", [0]), Case("named['a'] == %@", []),
        Case("named['a'] != %@", [0, 1]),
        Case("named['b'] == %@", []), Case("%@ IN named", []), Case("named.@allValues == %@", []),
        Case("#any == %@", []), Case("#any != %@", [0, 1]), Case("any[0] == %@", []),
        Case("any[0] != %@", [0, 1]),
        Case("any[#any] == %@", []), Case("ANY anys == %@", []), Case("ANY anys != %@", [0]),
        Case("%@ IN anys", []),
        Case("keyed['a'] == %@", []), Case("#any < %@", []), Case("#any IN {1, %@}", []),
        Case("SUBQUERY(items, $i, $i == %@).@count > 0", []),
        Case("SUBQUERY(items, $i, $i.twin != %@).@count == 2", [0]),
        Case("id == 0 AND best == %@ OR id == 1", [1]), Case("ANY previous.best == %@", []),
        Case("ANY previous.best != %@", [1]),
    ]

    @Test(arguments: cases)
    func strings(_ item: Case) throws {
        try withShelves { realm, shelves, _ throws in
            for object in try absent(realm) {
                let format = item.format.replacingOccurrences(
                    of: "named.@allValues", with: "ANY named.@allValues")
                #expect(shelves.filter(format, object).map(\.id) == item.ids)
                #expect(shelves.filter(NSPredicate(format: format, object)).map(\.id) == item.ids)
                #expect(shelves.index(matching: format, object) == item.ids.first)
                #expect(shelves.freeze().filter(format, object).map(\.id) == item.ids)
                #expect(throws: Never.self) {
                    try RealmPredicate(format, object).check(Shelf.self, in: realm)
                }
            }
        }
    }

    @Test func amongOthers() throws {
        try withShelves { realm, shelves, known throws in
            for object in try absent(realm) {
                #expect(shelves.filter("best IN %@", [object, known]).map(\.id) == [0])
                #expect(shelves.filter("ANY items IN %@", [object, known]).map(\.id) == [0])
                #expect(shelves.filter("best == %@ OR best == %@", object, known).map(\.id) == [0])
                #expect(shelves.where { $0.best.in([object, known]) }.map(\.id) == [0])
                #expect(shelves.where { $0.best.in([object]) }.isEmpty)
            }
        }
    }

    @Test func embedded() throws {
        try withShelves { realm, shelves, _ throws in
            let place = Shelves.Place()
            #expect(
                shelves.filter("place == %@", place).isEmpty
                    && shelves.filter("place != %@", place).count == 2)
            #expect(shelves.filter("ANY places == %@", place).isEmpty)
            #expect(shelves.where { $0.place == place }.isEmpty)
            #expect(shelves.where { $0.places.contains(place) }.isEmpty)
        }
    }

    @Test func typed() throws {
        try withShelves { realm, shelves, _ throws in
            for object in try absent(realm) {
                func ids(_ isIncluded: (Query<Shelf>) -> Query<Bool>) -> [Int] {
                    shelves.where(isIncluded).map(\.id)
                }
                #expect(ids { $0.best == object } == [] && ids { $0.best != object } == [0, 1])
                #expect(
                    ids { !($0.best == object) } == [0, 1] && ids { $0.next.best == object } == [])
                #expect(
                    ids { $0.items.contains(object) } == []
                        && ids { !$0.items.contains(object) } == [0, 1])
                #expect(ids { $0.items == object } == [] && ids { $0.items != object } == [0])
                #expect(
                    ids { $0.items.containsAny(in: [object]) } == []
                        && ids { $0.rare.contains(object) } == [])
                #expect(
                    ids { $0.named.contains(object) } == [] && ids { $0.named["a"] == object } == []
                        && ids { $0.named["a"] != object } == [0, 1])
                #expect(
                    ids { $0.items.twin == object } == []
                        && ids { ($0.items.twin == object).count == 0 } == [0, 1])
                #expect(
                    ids { $0.any == .object(object) } == []
                        && ids { $0.any != .object(object) } == [0, 1])
                #expect(
                    ids { $0.anys.contains(.object(object)) } == []
                        && ids { $0.any.any == .object(object) } == [])
                #expect(shelves.index(matching: { $0.best == object }) == nil)
                #expect(shelves[0].items.index(matching: { $0.twin != object }) == 0)
            }
        }
    }

    @Test func unmanagedLists() throws {
        let twins = [Item(value: ["id": 1]), Item(value: ["id": 2])]
        twins[1].twin = twins[0]
        let shelf = Shelf()
        shelf.items.append(objectsIn: twins)
        let other = Item(value: ["id": 1])
        #expect(shelf.items.index(matching: { $0.twin == other }) == nil)
        #expect(shelf.items.index(matching: { $0.twin == twins[0] }) == 1)
        #expect(shelf.items.index(matching: "twin != %@", other) == 0)
        #expect(shelf.items.index(matching: "twin IN %@", [other, twins[0]]) == 1)
    }

    // MARK: What stays refused

    @Test(arguments: [
        ("best < %@", "Operator '<' not supported for type 'object'"),
        ("best CONTAINS %@", "Operator 'CONTAINS' not supported for type 'object'"),
        ("best BEGINSWITH %@", "Operator 'BEGINSWITH' not supported for type 'object'"),
        ("best LIKE %@", "Operator 'LIKE' not supported for type 'object'"),
        ("best MATCHES %@", "Operator 'MATCHES' not supported for type 'object'"),
        (
            "total == %@",
            """
            Cannot compare value 'Shelves_Item' of type 'Shelves_Item' to property 'total' \
            of type 'int'
            """
        ),
        (
            "next == %@",
            """
            Cannot compare value 'Shelves_Item' of type 'Shelves_Item' to property 'next' \
            of type 'object'
            """
        ),
        (
            "items == %@",
            "Key paths that include a collection property must use aggregate operations"
        ),
        (
            "ANY best == %@",
            "Aggregate operations can only be used on key paths that include an collection property"
        ),
        ("items.@count == %@", "@count can only be compared with a numeric value."),
    ])
    func misfits(_ format: String, _ message: String) throws {
        try withShelves { realm, _, _ throws in
            for object in try absent(realm) {
                let error = #expect(throws: RealmPredicateError.self) {
                    try RealmPredicate(format, object).check(Shelf.self, in: realm)
                }
                #expect(error?.message == message)
            }
        }
    }

    @Test(arguments: [
        "best == %@", "best != %@", "ANY items == %@", "best IN {%@}", "%@ IN rare", "#any == %@",
        "named['a'] == %@",
    ])
    func objectsOfAnotherRealm(_ format: String) throws {
        try withShelves { realm, _, _ throws in
            try withShelves { other, _, stranger throws in
                let error = #expect(throws: RealmPredicateError.self) {
                    try RealmPredicate(format, stranger).check(Shelf.self, in: realm)
                }
                #expect(error?.message == "Object must be from the Realm being queried")
                #expect(error?.remedy.contains("find its counterpart in this one") == true)
            }
        }
    }
}
