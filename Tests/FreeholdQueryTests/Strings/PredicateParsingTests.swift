import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What strings mean: each in its canonical form, which parses to an equal predicate.
@Suite struct PredicateParsingTests {
    private static func expect(
        _ format: String, _ arguments: [Any?] = [], is canonical: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let predicate = try RealmPredicate(parsing: format, arguments: arguments)
        #expect(predicate.description == canonical, "\(format)", sourceLocation: sourceLocation)
        let again = try RealmPredicate(parsing: canonical)
        #expect(again == predicate, "\(format)", sourceLocation: sourceLocation)
        #expect(again.hashValue == predicate.hashValue, "\(format)", sourceLocation: sourceLocation)
        #expect(again.description == canonical, "\(format)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        ("age = 5", "age == 5"), ("age == 5", "age == 5"), ("age != 5", "age != 5"),
        ("age <> 5", "age != 5"), ("age < 5", "age < 5"),
        ("age <= 5", "age <= 5"), ("age =< 5", "age <= 5"), ("age > 5", "age > 5"),
        ("age >= 5", "age >= 5"), ("age => 5", "age >= 5"),
        ("age BETWEEN {1, 5}", "age BETWEEN {1, 5}"), ("age in {1,5}", "age IN {1, 5}"),
        ("age IN {}", "age IN {}"),
        ("name beginswith 'a'", "name BEGINSWITH \"a\""),
        ("name CONTAINS 'a'", "name CONTAINS \"a\""), ("name EndsWith 'a'", "name ENDSWITH \"a\""),
        ("name LIKE 'a*'", "name LIKE \"a*\""), ("name MATCHES 'a.+'", "name MATCHES \"a.+\""),
        ("name CONTAINS[c] 'a'", "name CONTAINS[c] \"a\""), ("name ==[d]'a'", "name ==[d] \"a\""),
        ("name LIKE[dc] 'a'", "name LIKE[cd] \"a\""),
        ("name IN[c] {'a'}", "name IN[c] {\"a\"}"), ("5 < age", "5 < age"),
        ("age==-5", "age == -5"), ("age < limit", "age < limit"),
        ("'a' IN names", "\"a\" IN names"), (" \t\n age\u{a0}>\u{3000}5 ", "age > 5"),
    ])
    func operators(_ format: String, _ canonical: String) throws {
        try Self.expect(format, is: canonical)
    }

    @Test(arguments: [
        ("a == 1 AND b == 2 OR c == 3", "(a == 1 AND b == 2) OR c == 3"),
        ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"),
        ("a == 1 && b == 2 || c == 3", "(a == 1 AND b == 2) OR c == 3"),
        ("NOT a == 1 AND b == 2", "NOT a == 1 AND b == 2"),
        ("NOT (a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"), ("!(a == 1)", "NOT a == 1"),
        ("not not a == 1", "NOT NOT a == 1"), ("!!a == 1", "NOT NOT a == 1"),
        ("((a == 1))", "a == 1"), ("a == 1 and b == 2 And c == 3", "a == 1 AND b == 2 AND c == 3"),
        ("a == 1 AND (b == 2 AND c == 3)", "a == 1 AND (b == 2 AND c == 3)"),
        ("TRUEPREDICATE", "TRUEPREDICATE"),
        ("falsepredicate OR a == 1", "FALSEPREDICATE OR a == 1"),
        ("(a) == (1)", "a == 1"), ("((a)) == ((1))", "a == 1"),
        ("((a) == 1) OR (b) == 2", "a == 1 OR b == 2"),
        ("(a == 1)AND(b == 2)", "a == 1 AND b == 2"),
    ])
    func logic(_ format: String, _ canonical: String) throws {
        try Self.expect(format, is: canonical)
    }

    @Test(arguments: [
        ("ANY dogs.age > 5", "ANY dogs.age > 5"), ("SOME dogs.age > 5", "ANY dogs.age > 5"),
        ("ALL dogs.age > 5", "ALL dogs.age > 5"),
        ("none dogs.age > 5", "NONE dogs.age > 5"),
        ("NOT ANY dogs.name IN {'a', 'b'}", "NOT ANY dogs.name IN {\"a\", \"b\"}"),
        ("owner.dogs.@count > 5", "owner.dogs.@count > 5"),
        ("dogs.@max.age == 3", "dogs.@max.age == 3"), ("dogs.age.@avg == 3", "dogs.age.@avg == 3"),
        ("numbers.@sum > 1.5", "numbers.@sum > 1.5"),
        ("numbers.@min == numbers.@max", "numbers.@min == numbers.@max"),
        ("numbers.@size == 0", "numbers.@size == 0"),
        ("ANY map.@allKeys == 'a'", "ANY map.@allKeys == \"a\""),
        ("ANY map.@allValues == 1", "ANY map.@allValues == 1"),
        ("map['a'] == 1", "map[\"a\"] == 1"),
        ("map[\"a b\"].age == 1", "map[\"a b\"].age == 1"),
        ("any['k'][0][#any] == 1", "#any[\"k\"][0][#any] == 1"),
        ("value[*][-1] == 1", "value[#any][-1] == 1"),
        ("value[FIRST] == value[last]", "value[0] == value[-1]"),
        ("value[SIZE] == 2", "value.@size == 2"),
        ("@links.Dog.owner.@count > 0", "@links.Dog.owner.@count > 0"),
        (
            "ANY friend.@links.Person.friend.name == 'a'",
            "ANY friend.@links.Person.friend.name == \"a\""
        ), ("@count == 1", "@count == 1"),
        ("SELF == nil", "SELF == nil"), ("self.age == 1", "age == 1"),
        ("SELF['k'] == 1", "SELF[\"k\"] == 1"), ("SELF IN {1, 2}", "SELF IN {1, 2}"),
        (
            "SUBQUERY(dogs, $d, $d.age > 5 AND $d.name == name).@count > 2",
            "SUBQUERY(dogs, $d, $d.age > 5 AND $d.name == name).@count > 2"
        ),
        (
            "subquery(owner.dogs, $d, $d == nil OR $d.age == 1).@size == 0",
            "SUBQUERY(owner.dogs, $d, $d == nil OR $d.age == 1).@count == 0"
        ),
        (
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d).@count > 0).@count == 1",
            "SUBQUERY(a, $x, SUBQUERY($x.b, $y, $y.c == $x.d).@count > 0).@count == 1"
        ),
    ])
    func keyPaths(_ format: String, _ canonical: String) throws {
        try Self.expect(format, is: canonical)
    }

    @Test(arguments: [
        ("#in == 1", "#in == 1"), ("owner.in == 1", "owner.in == 1"),
        ("owner.#in == 1", "owner.in == 1"), ("#name == 1", "name == 1"),
        ("ANY.x == 1", "#ANY.x == 1"),
        ("#\"two words\" == 1", "#\"two words\" == 1"), ("limit == 1", "limit == 1"),
        ("sort == first", "sort == first"), ("uuid == oid", "uuid == oid"),
        ("größe == 1", "größe == 1"), ("年齢 > 5", "年齢 > 5"), ("_a1 == 1", "_a1 == 1"),
        ("T == T1", "T == T1"), ("B64 == date", "B64 == date"),
    ])
    func names(_ format: String, _ canonical: String) throws {
        try Self.expect(format, is: canonical)
    }

    @Test(arguments: [
        ("a == 0xFF", "a == 255"), ("a == -0x10", "a == -16"), ("a == 0b101", "a == 5"),
        ("a == 0o17", "a == 15"), ("a == 1.5", "a == 1.5"), ("a == .5", "a == 0.5"),
        ("a == 1e3", "a == 1000.0"), ("a == -2.5E-2", "a == -0.025"), ("a == +5", "a == 5"),
        ("a == 9223372036854775807", "a == 9223372036854775807"),
        ("a == -9223372036854775808", "a == -9223372036854775808"), ("a == TRUE", "a == true"),
        ("a == yes", "a == true"), ("a == false", "a == false"),
        ("a == NO", "a == false"), ("a == NULL", "a == nil"), ("a == nil", "a == nil"),
        ("a == 'it''s'", ""), ("a == \"\"", "a == \"\""),
        ("a == 'it\\'s \"so\"'", "a == \"it's \\\"so\\\"\""),
        ("a == '\\\\ \\n\\t\\r \\u00e9\\x41'", "a == \"\\\\ \\n\\t\\r éA\""),
        ("a == '\\uD83D\\uDE00'", "a == \"😀\""), ("a == '\\0'", "a == \"\\u0000\""),
        ("a == '%@ $0 %K'", "a == \"%@ $0 %K\""),
        ("a == float(1.5)", "a == float(1.5)"), ("a == decimal(1.50)", "a == decimal(1.50)"),
        ("a == decimal('-1E+3')", "a == decimal(-1E3)"),
        ("a == double(inf)", "a == double(inf)"), ("a == double(2)", "a == 2.0"),
        ("a == B64'aGk='", "a == B64\"aGk=\""),
        (
            "a == uuid(6BA7B810-9DAD-11D1-80B4-00C04FD430C8)",
            "a == uuid(6ba7b810-9dad-11d1-80b4-00c04fd430c8)"
        ),
        ("a == oid(507f1f77bcf86cd799439011)", "a == oid(507f1f77bcf86cd799439011)"),
        ("a == 2021-02-03@10:20:30:0", "a == 2021-02-03@10:20:30:0"),
        ("a == 2021-02-03T10:20:30", "a == 2021-02-03@10:20:30:0"),
        ("a == T0:0", "a == 1970-01-01@00:00:00:0"),
        ("a == T-1:-500000000", "a == 1969-12-31@23:59:58:500000000"),
        ("a == date(0)", "a == 2001-01-01@00:00:00:0"),
        ("a == 2000-02-29@00:00:00:125000000", "a == 2000-02-29@00:00:00:125000000"),
        ("a == date(1e20)", "a == date(1e+20)"), ("a == date(1e-12)", "a == date(1e-12)"),
    ])
    func literals(_ format: String, _ canonical: String) throws {
        // Two texts beside each other are none with a quotation mark in it.
        if canonical.isEmpty {
            #expect(
                RealmPredicateError.thrown { () throws(RealmPredicateError) in
                    _ = try RealmPredicate(format)
                } != nil)
        } else {
            try Self.expect(format, is: canonical)
        }
    }

    @Test(arguments: [
        ("a > 1 SORT(b ASC, c.d DESC)", "a > 1 SORT(b ASC, c.d DESC)"),
        ("a > 1 sort(b) distinct(c, d.e) limit(3)", "a > 1 SORT(b ASC) DISTINCT(c, d.e) LIMIT(3)"),
        ("TRUEPREDICATE LIMIT(0)", "TRUEPREDICATE LIMIT(0)"),
        ("a > 1 SORT(sort descending, #in ascending)", "a > 1 SORT(sort DESC, #in ASC)"),
    ])
    func clauses(_ format: String, _ canonical: String) throws {
        try Self.expect(format, is: canonical)
    }

    private enum Color: String, PersistableEnum { case red, blue }

    private struct Length: CustomPersistable, Equatable {
        var meters: Double
        init(persistedValue: Double) { meters = persistedValue }
        var persistableValue: Double { meters }
    }

    @Test func arguments() throws {
        let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
        let list = List<Int>()
        list.append(objectsIn: [3, 4])
        let set = MutableSet<String>()
        set.insert("x")
        for (value, text) in [
            (5, "5"), (Int8(5), "5"), (UInt64(5), "5"), (true, "true"), (1.0, "1.0"),
            (Float(0.1), "float(0.1)"), ("a'b", "\"a'b\""), ("abc".dropFirst(), "\"bc\""),
            (Data([1, 2]), "B64\"AQI=\""),
            (Date(timeIntervalSinceReferenceDate: 0), "2001-01-01@00:00:00:0"),
            (uuid, "uuid(6ba7b810-9dad-11d1-80b4-00c04fd430c8)"),
            (Decimal128(1), "decimal(1)"), (Decimal(2), "decimal(2)"), (nil, "nil"),
            (NSNull(), "nil"), (Optional(Optional(7)) as Any, "7"), (nil as Int? as Any, "nil"),
            (Color.blue, "\"blue\""), (Length(persistedValue: 2.5), "2.5"),
            (AnyRealmValue.string("s"), "\"s\""), (AnyRealmValue.none, "nil"),
            (NSNumber(value: 5), "5"),
            (NSNumber(value: true), "true"), (NSNumber(value: 1.5), "1.5"),
            (NSString(string: "n"), "\"n\""), (NSDecimalNumber(string: "1.5"), "decimal(1.5)"),
            ([1, 2], "{1, 2}"), ([Color.red, nil], "{\"red\", nil}"), (Set([9]), "{9}"),
            (list, "{3, 4}"), (set, "{\"x\"}"), ([] as [String], "{}"), (1...3, "{1, 2, 3}"),
            (NSArray(array: [1, "a"]), "{1, \"a\"}"), (AnyRealmValue.list(List()), "{}"),
            ([AnyRealmValue.int(1)], "{1}"),
        ] as [(Any?, String)] {
            try Self.expect("a == %@", [value], is: "a == \(text)")
        }
    }

    @Test func placeholders() throws {
        try Self.expect(
            "%K > %d AND %K == %@", ["owner.age", 5, "name", "Rex"],
            is: "owner.age > 5 AND name == \"Rex\"")
        try Self.expect(
            "$1 == a AND b == $0 AND c == $1", [1, 2], is: "2 == a AND b == 1 AND c == 2")
        try Self.expect("$K0 == $1", ["in.x", 2], is: "#in.x == 2")
        try Self.expect("%K.@count > %lu", ["dogs", 2], is: "dogs.@count > 2")
        try Self.expect("%K == 1", ["map['k'].@count"], is: "map[\"k\"].@count == 1")
        try Self.expect(
            "a == %i OR a == %ld OR a == %lld OR a == %u OR a == %hhd", [1, 2, 3, 4, 5],
            is: "a == 1 OR a == 2 OR a == 3 OR a == 4 OR a == 5")
        try Self.expect(
            "a == %f OR a == %lf OR a == %g", [1.5, Float(2), 3],
            is: "a == 1.5 OR a == float(2.0) OR a == 3")
        try Self.expect("a == %s", ["x"], is: "a == \"x\"")
        try Self.expect("a IN {%@, 2, %@}", [1, "x"], is: "a IN {1, 2, \"x\"}")
        try Self.expect(
            "map[%@] == 1 AND list[%d] == 2", ["k", 3], is: "map[\"k\"] == 1 AND list[3] == 2")
        try Self.expect("a BETWEEN %@", [[1, 2]], is: "a BETWEEN {1, 2}")
        try Self.expect("a == 1 LIMIT(%d)", [3], is: "a == 1 LIMIT(3)")
        try Self.expect("a == 1", [3], is: "a == 1")
    }

    @Test func equalityIsThatOfTheTrees() throws {
        #expect(
            try RealmPredicate("age>5 && (name='a')")
                == RealmPredicate("age > %@ AND name == \"a\"", 5))
        #expect(try RealmPredicate("age > 5") != RealmPredicate("age > 5.0"))
        #expect(try RealmPredicate("age > 5") != RealmPredicate("age > 5 LIMIT(1)"))
        #expect(
            try Set([RealmPredicate("a == 1"), RealmPredicate("a = 1"), RealmPredicate("a == 2")])
                .count == 2)
    }

    @Test func combining() throws {
        let (a, b, c) = (
            try RealmPredicate("a == 1"), try RealmPredicate("b == 2"), try RealmPredicate("c == 3")
        )
        #expect((a && b && c).description == "a == 1 AND b == 2 AND c == 3")
        #expect((a && b || !c).description == "(a == 1 AND b == 2) OR NOT c == 3")
        #expect(try (a && b) == RealmPredicate("a == 1 AND b == 2"))
        #expect(RealmPredicate.and([]) == RealmPredicate(value: true))
        #expect(RealmPredicate.or([]) == RealmPredicate(value: false))
        #expect(RealmPredicate.or([a]) == a)
        let either = try RealmPredicate("a == 1 OR b == 2")
        #expect(try (either && c) == RealmPredicate("(a == 1 OR b == 2) AND c == 3"))
    }

    @Test func theObjectsOfPredicatesOfFoundation() throws {
        #expect(try RealmPredicate(NSPredicate(format: "age > %@", 5)) == RealmPredicate("age > 5"))
        #expect(
            try RealmPredicate(
                NSPredicate(format: "age > %d AND name == %@", 5 as Int32, "a" as NSString))
                == RealmPredicate("age > 5 AND name == 'a'"))
        #expect(
            try RealmPredicate(
                NSPredicate(format: "a == %@ OR b == %@", argumentArray: [1, NSNull()]))
                == RealmPredicate("a == 1 OR b == nil"))
        #expect(try RealmPredicate(NSPredicate(value: true)) == RealmPredicate(value: true))
        #expect(try RealmPredicate(NSPredicate(value: false)) == RealmPredicate(value: false))
        let copy = try #require(NSPredicate(format: "a == 1").copy() as? NSPredicate)
        let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [
            copy, NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: true)),
        ])
        #expect(try RealmPredicate(compound) == RealmPredicate("a == 1 OR NOT TRUEPREDICATE"))
        let error = RealmPredicateError.thrown { () throws(RealmPredicateError) in
            _ = try RealmPredicate(NSPredicate { _, _ in true })
        }
        #expect(error?.message == "Only support compound, comparison, and constant predicates")
    }
}
