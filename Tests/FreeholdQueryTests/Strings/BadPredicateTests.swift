import Foundation
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Whatever a predicate's string and its arguments are: an answer, or an error that says what
/// to do. One table of strings with each of one of arguments.
@Suite struct BadPredicateTests {
    typealias Shelf = Shelves.Shelf
    typealias Item = Shelves.Item

    private static let formats = [
        "total == %@", "total > %@", "limit <= %@", "total IN %@", "total BETWEEN %@",
        "total BETWEEN {%@, 5}", "total IN {%@}", "title == %@", "title CONTAINS[cd] %@",
        "title LIKE %@", "title MATCHES %@", "title TEXT %@", "title BEGINSWITH %@", "title < %@",
        "subtitle != %@", "mark == %@", "mark CONTAINS %@", "heat == %@",
        "best == %@", "best != %@", "best IN %@", "best.rank == %@", "next.best.twin == %@",
        "place == %@", "place IN %@", "ANY items == %@", "ALL items.name == %@",
        "NONE items.rank IN %@", "%@ IN items", "%@ IN numbers", "%@ == total", "%@ < %@",
        "items.@count == %@", "items.@max.rank > %@", "numbers.@sum >= %@",
        "scores[%@] == 1", "scores['a'] == %@", "scores.@allKeys == %@", "named['a'] == %@",
        "ANY named == %@", "#any == %@", "any[%@] == %@", "any[%K] == 1",
        "any[#any] == %@", "ANY anys == %@", "ANY anys IN %@", "dates.@min < %@", "ANY dates > %@",
        "ANY amounts == %@", "%K == 1", "%K.@count > 0", "SELF == %@", "SELF IN %@",
        "SUBQUERY(items, $i, $i.rank == %@).@count > %@",
        "SUBQUERY(items, $i, $i == %@).@count == 0", "NOT total == %@", "title == %s",
        "total == %d", "total == %f",
        "total == $0", "total == $7", "$K0 == $0", "TRUEPREDICATE LIMIT(%@)",
        "TRUEPREDICATE SORT(%K ASC)", "previous.@count == %@", "ANY previous.total == %@",
        "@links.Shelves_Item.twin.@count == %@", "any.@count == %@", "moods == %@",
        "ANY moods == %@", "ANY heats == %@", "isNew == %@", "%@", "", "%", "%@ IN %@",
        "{%@} == #any", "#any == {'a': %@}", "total == {%@}",
    ]

    private enum Plain { case one }
    private struct Unknown {}

    private final class Endless: Sequence, IteratorProtocol {
        func next() -> Int? { 1 }
    }

    /// Arguments of every kind: right and wrong types, nil in each form, containers, objects of
    /// every state, and what is none of the database's business.
    private func arguments(_ realm: Realm, _ other: Realm) throws -> [(String, Any?)] {
        let item = try #require(realm.objects(Item.self).first),
            shelf = try #require(realm.objects(Shelf.self).first)
        let deleted = try realm.write {
            let item = Item(value: ["id": 999])
            realm.add(item)
            realm.delete(item)
            return item
        }
        let container = NSMutableArray()
        container.add(container)
        let dictionary = NSMutableDictionary()
        dictionary["a"] = dictionary
        var deep: Any = 1
        for _ in 0..<300 { deep = [deep] }
        let unmanaged = Item()
        let loop = Item()
        loop.twin = loop
        let any: Int?? = .some(nil)
        return [
            ("nil", nil), ("nested nil", any as Any), ("NSNull", NSNull()),
            ("NSObject", NSObject()), ("int", 1), ("negative", -1), ("Int.min", Int.min),
            ("UInt64.max", UInt64.max), ("Int128", Int128.max), ("Int8", Int8(1)), ("bool", true),
            ("float", Float(1.5)), ("NaN", Double.nan), ("infinity", -Double.infinity),
            ("Float NaN", Float.nan), ("decimal", Decimal128(1)), ("decimal NaN", Decimal128.nan),
            ("Foundation's decimal", Decimal.nan),
            ("NSNumber", NSNumber(value: 1)), ("NSNumber bool", NSNumber(value: true)),
            ("NSDecimalNumber", NSDecimalNumber.notANumber), ("NSString", NSString("a")),
            ("empty", ""), ("text", "items"), ("zero byte", "a\0b"), ("key path", "total"),
            ("path over links", "best.rank"), ("path over a collection", "items.rank"),
            ("bad path", ".."), ("predicate", "total == 1 OR 1 == 1"), ("at", "@count"),
            ("long", String(repeating: "next.", count: 400) + "total"),
            ("brackets", "(((((((((("), ("substring", "abc".dropFirst()),
            ("character", Character("a")), ("pattern", "[a-"), ("repetition", "a{1000}{1000}"),
            ("data", Data([1])), ("NSData", NSData()), ("slice", Data([1, 2, 3])[1...]),
            ("date", Date()), ("distant", Date.distantPast),
            ("no date", Date(timeIntervalSinceReferenceDate: .nan)),
            ("far date", Date(timeIntervalSinceReferenceDate: 1e300)), ("NSDate", NSDate()),
            ("uuid", UUID()),
            ("NSUUID", NSUUID()), ("object id", ObjectId.generate()), ("array", [1, 2]),
            ("empty array", [Int]()), ("arrays", [[1], [2]]), ("array of nil", [nil, 1] as [Int?]),
            ("array of NSNull", [NSNull(), 1] as [Any]),
            ("mixed array", [1, "a", Item(), Date()] as [Any]), ("set", Set([1])),
            ("NSSet", NSSet(array: [1])), ("NSArray", NSArray(array: [1, "a"])),
            ("in itself", container), ("dictionary in itself", dictionary), ("deep", deep),
            ("dictionary", ["a": 1]), ("other keys", [1: "a"]),
            ("NSDictionary", NSDictionary(dictionary: ["a": 1])), ("range", 1..<5),
            ("closed range", 1...5), ("all integers", 0...Int.max), ("texts", "a"..."z"),
            ("from", 5...),
            ("endless", Endless()), ("repeated", repeatElement(1, count: .max)),
            ("lazy", (0..<3).lazy.map { $0 }), ("stride", stride(from: 0.0, to: .infinity, by: 1)),
            ("enum", Mood.allCases.first), ("plain enum", Plain.one), ("struct", Unknown()),
            ("custom", Temperature(1)), ("tuple", (1, 2)), ("type", Int.self), ("closure", { 1 }),
            ("any key path", \Shelf.total), ("URL", URL(fileURLWithPath: "/")),
            ("error", CancellationError()), ("index set", IndexSet([1])),
            ("any none", AnyRealmValue.none), ("any int", AnyRealmValue.int(1)),
            ("any object", AnyRealmValue.object(unmanaged)),
            ("any list", AnyRealmValue.fromArray([.int(1)])),
            ("any dictionary", AnyRealmValue.fromDictionary(["a": .none])), ("item", item),
            ("shelf", shelf), ("unmanaged", unmanaged), ("links itself", loop),
            ("deleted", deleted),
            ("frozen", item.freeze()), ("foreign", other.objects(Item.self).first),
            ("other class", Fixture.Dog()), ("embedded", Shelves.Place()), ("owned", shelf.place),
            ("base", Object()), ("dynamic", realm.dynamicObjects("Shelves_Item").first),
            ("results", realm.objects(Item.self)),
            ("values", shelf.numbers.sorted()), ("list", shelf.items),
            ("unmanaged list", Shelf().items), ("values list", shelf.numbers),
            ("set of objects", shelf.rare),
            ("map", shelf.named), ("unmanaged map", Shelf().scores), ("links back", shelf.previous),
            ("any collection", AnyRealmCollection(shelf.items)),
            ("frozen list", shelf.items.freeze()),
            ("realm", realm), ("query", Query<Shelf>._constructForTesting()),
            ("predicate value", RealmPredicate(value: true)),
            ("NSPredicate", NSPredicate(value: true)),
            ("box", GeoBox(bottomLeft: (0, 0), topRight: (1, 1))),
            ("point", GeoPoint(latitude: 0, longitude: 0)), ("schema", realm.schema),
        ]
    }

    /// Sequences whose elements are collected until there are too many, whatever the string is:
    /// with all strings a minute of a debug build.
    private static let long: Set = [
        "all integers", "from", "endless", "repeated", "stride",
    ]

    private static func formats(for argument: String) -> [String] {
        guard Stress.factor < 4 else { return formats }
        let step = long.contains(argument) ? 16 : 4
        // Each argument begins with another string.
        let start = argument.utf8.count % step
        return stride(from: start, to: formats.count, by: step).map { formats[$0] }
    }

    private func withRealms(
        function: String = #function, _ body: (Realm, Realm) throws -> Void
    ) throws {
        try withTemporaryRealm(Shelves.all) { realm in
            try withTemporaryRealm(Shelves.all) { other in
                for realm in [realm, other] {
                    var random = Seed.random(function: function)
                    let shelves = Shelves.random(6, using: &random)
                    shelves[0].place = Shelves.Place()
                    try realm.write { realm.add(shelves) }
                }
                try body(realm, other)
            }
        }
    }

    @Test func everyStringWithEveryArgument() throws {
        try withRealms { realm, other in
            let shelves = realm.objects(Shelf.self)
            let unmanaged = List<Shelf>()
            unmanaged.append(Shelf())
            var answers = 0, errors = 0
            for (name, argument) in try arguments(realm, other) {
                for format in Self.formats(for: name) {
                    for arguments in [[], [argument], [argument, argument]] {
                        do throws(RealmPredicateError) {
                            let predicate = try RealmPredicate(
                                parsing: format, arguments: arguments)
                            try predicate.check(Shelf.self, in: realm)
                            #expect(shelves.filter(predicate).count <= shelves.count)
                            _ = predicate.description
                            // Once more, as what is known.
                            let again = try RealmPredicate(parsing: format, arguments: arguments)
                            #expect(again.description == predicate.description)
                            answers += 1
                        } catch {
                            #expect(
                                !error.message.isEmpty && !error.remedy.isEmpty,
                                "\(format) with \(name)")
                            errors += 1
                        }
                    }
                }
            }
            #expect(
                min(answers, errors) > (Stress.factor < 4 ? 500 : 2000),
                "\(answers) answers, \(errors) errors")
        }
    }

    /// The same without a realm, where elements are asked one by one.
    @Test func everyTypedValue() throws {
        try withRealms { realm, other in
            let shelves = realm.objects(Shelf.self)
            for (name, argument) in try arguments(realm, other) {
                if let item = argument as? Item, item.realm != other {
                    #expect(
                        shelves.where {
                            $0.best == item || $0.items.contains(item) || $0.named["a"] == item
                                || $0.any == .object(item)
                        }.count <= 6, "\(name)")
                }
                if let value = argument as? AnyRealmValue {
                    #expect(
                        shelves.where { $0.any == value || $0.any != value && $0.any.any == value }
                            .count <= 6, "\(name)")
                }
                if let text = argument as? String {
                    #expect(
                        shelves.where {
                            $0.title.contains(text) || $0.title.like(text)
                                || $0.title.fullText(text) || $0.any[text] == .int(1)
                                || $0.scores[text] == 1
                        }.count <= 6)
                }
                if let number = argument as? Double {
                    #expect(
                        shelves.where {
                            $0.items.weight > number || $0.doubles == number
                                || $0.items.weight.max < number
                        }.count <= 6)
                }
                if let number = argument as? Int {
                    #expect(
                        shelves.where {
                            $0.total > number || $0.any[number] == .int(number)
                                || $0.items.count > number
                        }.count <= 6)
                }
                if let date = argument as? Date {
                    #expect(
                        shelves.where {
                            $0.dates.contains(date) || $0.dates.max > date || $0.any == .date(date)
                        }.count <= 6)
                }
            }
        }
    }

    // MARK: Misuse ends the process with a text

    @Test func anInvalidatedCollectionAsAnArgument() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Shelves.all) { realm in
                let shelf = try realm.write { realm.create(Shelf.self, value: ["id": 1]) }
                let items = shelf.items
                try realm.write { realm.delete(shelf) }
                _ = realm.objects(Shelf.self).filter("best IN %@", items)
            }
        }
        expectMessage(result, "invalidated")
    }

    @Test func aWrongStringInFilter() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Shelves.all) { realm in
                _ = realm.objects(Shelf.self).filter("total == %@ AND title == %@", 1)
            }
        }
        expectMessage(
            result, "there is no argument for %@: 1 argument was given.",
            "Give each placeholder an argument.")
    }
}
