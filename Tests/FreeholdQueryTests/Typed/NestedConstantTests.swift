import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Any values that are lists and dictionaries, compared with lists and dictionaries.
@Suite struct NestedConstantTests {
    typealias Shelf = Shelves.Shelf
    typealias Item = Shelves.Item

    private func withShelves(_ body: (Realm, Results<Shelf>) throws -> Void) throws {
        try withTemporaryRealm(Shelves.all) { realm throws in
            try realm.write {
                let item = Item(value: ["id": 7])
                realm.add(item)
                let values: [AnyRealmValue] = [
                    .fromArray([.int(1), .string("a")]),
                    .fromDictionary(["a": .int(1), "b": .fromArray([.double(2)])]), .fromArray([]),
                    .fromDictionary([:]),
                    .int(1), .none, .fromArray([.fromArray([.object(item)])]), .string("a"),
                ]
                for (id, value) in values.enumerated() {
                    let shelf = Shelf(value: ["id": id])
                    shelf.any = value
                    shelf.anys.append(objectsIn: [value, .int(id)])
                    shelf.keyed["k"] = value
                    realm.add(shelf)
                }
            }
            try body(realm, realm.objects(Shelf.self))
        }
    }

    private static func list(_ elements: AnyRealmValue...) -> List<AnyRealmValue> {
        let list = List<AnyRealmValue>()
        list.append(objectsIn: elements)
        return list
    }

    private static func map(_ entries: [String: AnyRealmValue]) -> Map<String, AnyRealmValue> {
        let map = Map<String, AnyRealmValue>()
        for (key, value) in entries { map[key] = value }
        return map
    }

    @Test func typed() throws {
        try withShelves { realm, shelves throws in
            func ids(_ isIncluded: (Query<Shelf>) -> Query<Bool>) -> [Int] {
                Array(shelves.where(isIncluded).map(\.id))
            }
            let list = AnyRealmValue.list(Self.list(.int(1), .string("a")))
            #expect(ids { $0.any == list } == [0])
            #expect(ids { $0.any != list } == [1, 2, 3, 4, 5, 6, 7])
            #expect(ids { !($0.any == list) } == [1, 2, 3, 4, 5, 6, 7])
            // Numbers of all types by their values, the order of elements counts.
            #expect(ids { $0.any == .list(Self.list(.double(1), .string("a"))) } == [0])
            #expect(ids { $0.any == .list(Self.list(.string("a"), .int(1))) } == [])
            #expect(
                ids { $0.any == .list(Self.list()) } == [2]
                    && ids { $0.any == .dictionary(Self.map([:])) } == [3])
            let map = AnyRealmValue.dictionary(
                Self.map(["b": .list(Self.list(.int(2))), "a": .int(1)]))
            #expect(ids { $0.any == map } == [1])
            #expect(ids { $0.any["b"] == .list(Self.list(.int(2))) } == [1])
            #expect(ids { $0.any.any == .list(Self.list(.int(2))) } == [1])
            #expect(ids { $0.any.in([list, .int(1), map]) } == [0, 1, 4])
            #expect(
                ids { $0.anys.contains(list) } == [0] && ids { $0.anys == map } == [1]
                    && ids { $0.anys.containsAny(in: [list, map]) } == [0, 1])
            #expect(
                ids { $0.keyed["k"] == list } == [0] && ids { $0.keyed.contains(map) } == [1]
                    && ids { $0.keyed.values == map } == [1])
            #expect(ids { ($0.anys == list).count == 1 } == [0])
            #expect(
                ids { $0.next.any == list } == [] && ids { $0.next.any != list } == Array(0..<8))
            let item = try #require(realm.objects(Item.self).first)
            #expect(ids { $0.any == .list(Self.list(.list(Self.list(.object(item))))) } == [6])
            // No object of a realm is one that is in none.
            #expect(ids { $0.any == .list(Self.list(.list(Self.list(.object(Item()))))) } == [])
            // What a realm manages is a list of its elements as well.
            let stored = try #require(shelves[0].any.listValue)
            #expect(ids { $0.any == .list(stored) } == [0])
            #expect(shelves.freeze().where { $0.any == list }.map(\.id) == [0])
            try realm.write {
                shelves[4].any = list
                #expect(ids { $0.any == list } == [0, 4])
            }
        }
    }

    @Test func asStrings() throws {
        try withShelves { _, shelves throws in
            func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
                shelves.filter(try RealmPredicate(parsing: format, arguments: arguments)).map(\.id)
            }
            let array: [Any] = [1, "a"]
            #expect(
                try ids("#any == %@", array) == [0]
                    && ids("#any != %@", array) == [1, 2, 3, 4, 5, 6, 7]
                    && ids("%@ == #any", array) == [0])
            #expect(
                try ids("#any == %@", NSArray(array: [1, "a"])) == [0]
                    && ids("#any == %@", Self.list(.int(1), .string("a"))) == [0])
            #expect(
                try ids("#any == %@", AnyRealmValue.list(Self.list(.int(1), .string("a")))) == [0])
            #expect(try ids("#any == %@", ["a": 1, "b": [2]] as [String: Any]) == [1])
            #expect(
                try ids("#any == %@", NSDictionary(dictionary: ["a": 1, "b": NSArray(array: [2])]))
                    == [1])
            #expect(
                try ids("#any == %@", Self.map(["a": .int(1), "b": .list(Self.list(.int(2)))])) == [
                    1
                ])
            #expect(
                try ids("#any == %@", AnyRealmValue.dictionary(Self.map([:]))) == [3]
                    && ids("#any == %@", [String: Int]()) == [3])
            #expect(try ids("#any == %@", [Int]()) == [2])
            #expect(
                try ids(
                    "#any IN %@", [[1, "a"] as [Any], 1, ["a": 1, "b": [2]] as [String: Any]]) == [
                        0, 1, 4,
                    ])
            #expect(
                try ids("%@ IN anys", array) == [0] && ids("ANY anys == %@", array) == [0]
                    && ids("NONE anys == %@", array) == Array(1..<8))
            // Literals.
            #expect(
                try ids("#any == {1, 'a'}") == [0] && ids("{1, 'a'} == #any") == [0]
                    && ids("#any == {}") == [2] && ids("#any == {:}") == [3])
            #expect(
                try ids("#any == {\"a\": 1, 'b': {2.0}}") == [1] && ids("any['b'] == {2}") == [1]
                    && ids("#any IN {{1, 'a'}, {}, 1}") == [0, 2, 4])
            #expect(try ids("any[#any] == {2}") == [1])
            // IN asks for the elements.
            #expect(try ids("#any IN {1, 'a'}") == [4, 7])
        }
    }

    @Test func names() throws {
        try withShelves { _, shelves throws in
            func ids(_ format: String, _ arguments: Any?...) throws -> [Int] {
                shelves.filter(try RealmPredicate(parsing: format, arguments: arguments)).map(\.id)
            }
            #expect(
                try ids("any[%K] == %@", "#any", 1) == [0, 1]
                    && ids("any[$K0] == $1", "#any", 1) == [0, 1]
                    && ids("any[#any] == 1") == [0, 1])
            #expect(
                try ids("any[%K] == 1", "#first") == [0] && ids("any[#first] == 1") == [0]
                    && ids("any[FIRST] == 1") == [0])
            #expect(
                try ids("any[%K] == 'a'", "#last") == [0] && ids("any[#last] == 'a'") == [0]
                    && ids("any[LAST] == 'a'") == [0] && ids("any[-2] == 1") == [0])
            #expect(
                try ids("any[SIZE] == 2") == [0, 1] && ids("any.@count == 1") == [6]
                    && ids("any.@size == 0") == [2, 3, 4, 5, 7])
            #expect(
                try ids("any[%@][%K] == 2", "b", "#first") == [1]
                    && ids("any['b'][SIZE] == 1") == [1] && ids("keyed['k'][SIZE] == 2") == [0, 1])
            let error = #expect(throws: RealmPredicateError.self) {
                try RealmPredicate("any[%K] == 1", "key")
            }
            #expect(
                error?.code == .argument
                    && error?.detail?.hasPrefix("the argument for %K in a subscript is ") == true)
            #expect(throws: RealmPredicateError.self) { try RealmPredicate("any[%K] == 1", nil) }
            #expect(throws: RealmPredicateError.self) { try RealmPredicate("any[%K] == 1") }
        }
    }

    @Test func whatIsPrinted() throws {
        try withShelves { _, shelves throws in
            let queries: [(Query<Shelf>) -> Query<Bool>] = [
                { $0.any == .list(Self.list(.int(1), .string("a"))) },
                {
                    $0.any == .dictionary(Self.map(["b": .list(Self.list(.int(2))), "a": .int(1)]))
                },
                { $0.any == .dictionary(Self.map([:])) },
                { $0.any.in([.list(Self.list()), .int(1)]) },
                { $0.anys.contains(.list(Self.list())) },
                { $0.any.any == .int(1) }, { $0.any["b"][0] == .int(2) },
                { $0.any.any.any == .double(2) }, { $0.keyed["k"]["a"] == .int(1) },
            ]
            for query in queries {
                let expected: [Int] = Array(shelves.where(query).map(\.id))
                let predicate = RealmPredicate(Shelf.self, where: query)
                #expect(
                    try RealmPredicate(parsing: predicate.description) == predicate, "\(predicate)")
                let (text, arguments) = query(Query<Shelf>._constructForTesting())
                    ._constructPredicate()
                #expect(
                    try shelves.filter(RealmPredicate(parsing: text, arguments: arguments)).map(
                        \.id) == expected, "\(text)")
                #expect(!expected.isEmpty)
            }
            #expect(
                RealmPredicate(Shelf.self, where: queries[1]).description
                    == "#any == {\"a\": 1, \"b\": {2}}")
            #expect(
                queries[5](Query<Shelf>._constructForTesting())._constructPredicate().0
                    == "(any[%K] == %@)")
        }
    }

    private static func isSame(_ a: AnyRealmValue, _ b: AnyRealmValue) -> Bool {
        switch (a, b) {
        case (.list(let x), .list(let y)):
            return x.count == y.count && zip(x, y).allSatisfy { isSame($0, $1) }
        case (.dictionary(let x), .dictionary(let y)):
            let keys = Set(x.keys)
            return keys == Set(y.keys)
                && keys.allSatisfy { key in isSame(x[key] ?? .none, y[key] ?? .none) }
        default:
            if let x = a.number, let y = b.number, x.isNaN || y.isNaN { return x.isNaN && y.isNaN }
            return a == b
        }
    }

    /// Values of some shelves against those of all, in a realm and without one.
    @Test func randomValues() throws {
        var random = Seed.random()
        let shelves = Shelves.random(120, using: &random)
        try withTemporaryRealm(Shelves.all) { realm throws in
            try realm.write { realm.add(shelves) }
            let all = realm.objects(Shelf.self)
            let unmanaged = List<Shelf>()
            var other = SeededGenerator(seed: random.seed)
            unmanaged.append(objectsIn: Shelves.random(120, using: &other))
            var found = 0
            for shelf in all {
                let value = shelf.any
                switch value {
                case .list, .dictionary: break
                default: continue
                }
                let expected: [Int] = Array(all).filter { Self.isSame($0.any, value) }.map(\.id)
                found += expected.count - 1
                random.expect(all.where { $0.any == value }.map(\.id) == expected, "\(value)")
                random.expect(
                    all.where { $0.any != value }.count == all.count - expected.count, "\(value)")
                let plain = unmanaged[shelf.id].any
                random.expect(
                    unmanaged.index(matching: { $0.any == plain })
                        == unmanaged.firstIndex { Self.isSame($0.any, plain) }, "\(plain)")
                random.expect(
                    unmanaged.index(matching: { $0.any != plain })
                        == unmanaged.firstIndex { !Self.isSame($0.any, plain) }, "\(plain)")
                let predicate = RealmPredicate(Shelf.self) { $0.any == value }
                if !predicate.description.contains("<") {
                    random.expect(
                        try RealmPredicate(parsing: predicate.description) == predicate
                            || predicate.description.contains("nan"), "\(predicate)")
                }
            }
            #expect(found > 0)
        }
    }

    @Test(arguments: [
        (
            "total == {1}",
            "Predicate expressions must compare a keypath and another keypath or a constant value"
        ),
        (
            "total IN {{1}}",
            "Cannot compare value '{1}' of type 'list' to property 'total' of type 'int'"
        ),
        (
            "total == {'a': 1}",
            """
            Cannot compare value '{"a": 1}' of type 'dictionary' to property 'total' of \
            type 'int'
            """
        ),
        (
            "#any < {1}",
            "Predicate expressions must compare a keypath and another keypath or a constant value"
        ),
        (
            "#any CONTAINS {1}",
            "Predicate expressions must compare a keypath and another keypath or a constant value"
        ),
        ("{1} IN total", "Predicate with IN operator must compare a KeyPath with an aggregate"),
        (
            "any[SIZE].x == 1",
            "Invalid keypath 'any.@size.x': @count must appear at the end of a keypath."
        ),
    ])
    func misfits(_ format: String, _ message: String) throws {
        try withTemporaryRealm(Shelves.all) { realm throws in
            let error = #expect(throws: RealmPredicateError.self) {
                try RealmPredicate(format).check(Shelf.self, in: realm)
            }
            #expect(error?.message == message)
        }
    }

    @Test(arguments: [
        ("#any == {'a': 1, 'a': 2}", "the dictionary has the key 'a' already."),
        ("#any == {'a': 1, 2}", "expected a key between quotation marks, not '2'."),
        ("#any == {1: 2}", "expected ',' or '}', not ':'."),
        ("#any == {'a':}", "expected a value or a key path, not '}'."),
        ("#any == {:1}", "expected '}', not '1'."),
        ("#any == {'a': name}", "a list has constants only."),
        ("#any == {%@}", "a list has constants only."),
    ])
    func mistakes(_ format: String, _ detail: String) {
        let error = #expect(throws: RealmPredicateError.self) { try RealmPredicate(format, [1]) }
        #expect(error?.detail == detail)
    }

    @Test func tooDeep() throws {
        var value: Any = 1
        for _ in 0..<150 { value = [value] }
        try withTemporaryRealm(Shelves.all) { realm throws in
            #expect(throws: RealmPredicateError.self) {
                try RealmPredicate("#any == %@", value).check(Shelf.self, in: realm)
            }
            let container = NSMutableArray()
            container.add(container)
            #expect(throws: RealmPredicateError.self) {
                try RealmPredicate("#any == %@", container).check(Shelf.self, in: realm)
            }
        }
    }
}
