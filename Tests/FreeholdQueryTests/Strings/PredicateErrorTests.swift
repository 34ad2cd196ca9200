import Freehold
import FreeholdRealmTestSupport
import Testing

extension RealmPredicateError {
    /// The error that `body` throws.
    static func thrown(_ body: () throws(RealmPredicateError) -> Void) -> RealmPredicateError? {
        do throws(RealmPredicateError) {
            try body()
            return nil
        } catch {
            return error
        }
    }
}

/// Wrong strings, and where their errors point.
@Suite struct PredicateErrorTests {
    /// A string, its arguments, and what the error shows under its message: the string, the
    /// caret, and what was expected.
    struct Case: Sendable, CustomTestStringConvertible {
        let format: String
        let arguments: [Int]
        let shown: String
        var testDescription: String { format }

        init(_ format: String, _ arguments: [Int] = [], shows shown: String) {
            self.format = format
            self.arguments = arguments
            self.shown = shown
        }
    }

    static let cases = [
        Case("", shows: "  \n  ^\n  Column 1: expected a value or a key path, not the end."),
        Case(
            "age >> 5",
            shows: "  age >> 5\n       ^\n  Column 6: expected a value or a key path, not '>'."),
        Case(
            "age",
            shows: """
                  age\n     ^\n  Column 4: expected a comparison operator, not the end.
                """),
        Case(
            "age > 5 ADN b == 1",
            shows:
                """
                  age > 5 ADN b == 1\n          ^\n  Column 9: expected AND, OR, SORT, \
                DISTINCT, LIMIT or the end, not 'ADN'. Did you mean 'AND'?
                """
        ),
        Case(
            "name CONTAIN 'x'",
            shows:
                """
                  name CONTAIN 'x'\n       ^\n  Column 6: expected a comparison operator, \
                not 'CONTAIN'. Did you mean 'CONTAINS'?
                """
        ),
        Case(
            "name begins 'x'",
            shows:
                """
                  name begins 'x'\n       ^\n  Column 6: expected a comparison operator, \
                not 'begins'.
                """
        ),
        Case(
            "(a == 1",
            shows: "  (a == 1\n         ^\n  Column 8: expected AND, OR or ')', not the end."),
        Case(
            "a == 1)",
            shows:
                """
                  a == 1)\n        ^\n  Column 7: expected AND, OR, SORT, DISTINCT, LIMIT \
                or the end, not ')'.
                """
        ),
        Case(
            "a == 'x",
            shows:
                """
                  a == 'x\n       ^\n  Column 6: the text that begins here does not end: \
                expected '.
                """
        ),
        Case("a == “x”", shows: "  a == “x”\n       ^\n  Column 6: unexpected character '“'."),
        Case(
            "年齢 == 'ß' & b == 1",
            shows: "  年齢 == 'ß' & b == 1\n              ^\n  Column 11: unexpected character '&'."),
        Case(
            "n == '👨‍👩‍👧e\u{301}' ; b",
            shows: """
                  n == '👨‍👩‍👧e\u{301}' ; b\n             ^\n  Column 11: unexpected character \
                ';'.
                """),
        Case(
            "a == 1 AND\nb ~ 2",
            shows: "  b ~ 2\n    ^\n  Line 2, column 3: unexpected character '~'."),
        Case("a\t== ~", shows: "  a == ~\n       ^\n  Column 6: unexpected character '~'."),
        Case("a == 5x", shows: "  a == 5x\n       ^\n  Column 6: '5x' is no number."),
        Case(
            "a == 9223372036854775808",
            shows:
                """
                  a == 9223372036854775808\n       ^\n  Column 6: '9223372036854775808' \
                does not fit into 64 bits.
                """
        ),
        Case(
            "a == 1e999",
            shows:
                """
                  a == 1e999\n       ^\n  Column 6: '1e999' is too great for a number of \
                64 bits.
                """),
        Case(
            "a == 0x",
            shows: """
                  a == 0x\n         ^\n  Column 8: expected the digits of a number.
                """),
        Case(
            "a == 2021-02-30@10:00:00",
            shows:
                """
                  a == 2021-02-30@10:00:00\n       ^\n  Column 6: '2021-02-30@10:00:00' is \
                no date.
                """
        ),
        Case(
            "a == uuid(123)",
            shows: "  a == uuid(123)\n            ^\n  Column 11: '123' is no value for uuid(…)."),
        Case("a == '\\q'", shows: "  a == '\\q'\n        ^\n  Column 7: unknown escape '\\q'."),
        Case(
            "a == '\\uD800x'",
            shows:
                "  a == '\\uD800x'\n        ^\n  Column 7: half a surrogate pair is no character."),
        Case(
            "in == 1",
            shows: "  in == 1\n  ^\n  Column 1: expected a value or a key path, not 'in'."),
        Case("a.", shows: "  a.\n    ^\n  Column 3: expected a property's name, not the end."),
        Case(
            "dogs.@cont > 1",
            shows:
                """
                  dogs.@cont > 1\n       ^\n  Column 6: Unsupported collection operation \
                '@cont'. Did you mean '@count'?
                """
        ),
        Case(
            "@links.Dog > 1",
            shows:
                """
                  @links.Dog > 1\n             ^\n  Column 12: expected '.' and the \
                property that links, as in @links.Dog.owner, not '>'.
                """
        ),
        Case(
            "map[k] == 1",
            shows:
                """
                  map[k] == 1\n      ^\n  Column 5: expected a key, an index, #any, FIRST, \
                LAST or SIZE, not 'k'.
                """
        ),
        Case(
            "name CONTAINS[x] 'a'",
            shows:
                """
                  name CONTAINS[x] 'a'\n                ^\n  Column 15: expected c, d or \
                cd, not 'x'.
                """
        ),
        Case(
            "a IN {1, b}",
            shows: "  a IN {1, b}\n           ^\n  Column 10: a list has constants only."),
        Case(
            "a IN {1 2}",
            shows: "  a IN {1 2}\n          ^\n  Column 9: expected ',' or '}', not '2'."),
        Case("a + 1 > 2", shows: "  a + 1 > 2\n    ^\n  Column 3: arithmetic is not supported."),
        Case(
            "lower(a) == 'x'",
            shows: "  lower(a) == 'x'\n  ^\n  Column 1: The 'lower' function is not supported."),
        Case(
            "a NOT IN {1}",
            shows: "  a NOT IN {1}\n    ^\n  Column 3: expected a comparison operator, not 'NOT'."),
        Case(
            "SUBQUERY(dogs, $d, $d.age > 1) > 1",
            shows:
                """
                  SUBQUERY(dogs, $d, $d.age > 1) > 1\n  ^\n  Column 1: SUBQUERY is only \
                supported when immediately followed by .@count that is compared with a \
                constant number.
                """
        ),
        Case(
            "SUBQUERY(dogs, d, d.age > 1).@count > 1",
            shows:
                """
                  SUBQUERY(dogs, d, d.age > 1).@count > 1\n                 ^\n  Column \
                16: expected a variable, as in SUBQUERY(dogs, $dog, $dog.age > 5), not 'd'.
                """
        ),
        Case("$d.age > 1", shows: "  $d.age > 1\n  ^\n  Column 1: there is no variable '$d' here."),
        Case(
            "a == %@ AND b == %@", [1],
            shows:
                """
                  a == %@ AND b == %@\n                   ^\n  Column 18: there is no \
                argument for %@: 1 argument was given.
                """
        ),
        Case(
            "a == $3", [1, 2],
            shows:
                """
                  a == $3\n       ^\n  Column 6: there is no argument for $3: 2 arguments \
                were given.
                """
        ),
        Case("a == %q", shows: "  a == %q\n       ^\n  Column 6: expected %@, %K, %d, %f or %s."),
        Case(
            "%K == 1", [1],
            shows: "  %K == 1\n  ^\n  Column 1: the argument for %K is 1, of type 'Int'."),
        Case(
            "a == 1 SORT(b UP)",
            shows:
                """
                  a == 1 SORT(b UP)\n                ^\n  Column 15: expected ',' or ')', \
                not 'UP'.
                """
        ),
        Case(
            "a == 1 SORT(b DSEC)",
            shows:
                """
                  a == 1 SORT(b DSEC)\n                ^\n  Column 15: expected ',' or \
                ')', not 'DSEC'. Did you mean 'DESC'?
                """
        ),
        Case(
            "a == 1 LIMIT(-1)",
            shows:
                """
                  a == 1 LIMIT(-1)\n               ^\n  Column 14: expected how many \
                objects, as in LIMIT(10).
                """
        ),
        Case(
            "a == 1 LIMT(1)",
            shows:
                """
                  a == 1 LIMT(1)\n         ^\n  Column 8: expected AND, OR, SORT, \
                DISTINCT, LIMIT or the end, not 'LIMT'. Did you mean 'LIMIT'?
                """
        ),
        Case(
            "a == 1 SORT(b.@count)",
            shows:
                """
                  a == 1 SORT(b.@count)\n              ^\n  Column 13: only properties, \
                and paths over to-one links, have an order.
                """
        ),
        Case(
            "a == 1 SORT(SELF)",
            shows: """
                  a == 1 SORT(SELF)\n              ^\n  Column 13: expected a property's name.
                """),
        Case(
            "a == 1 SORT(b) AND c == 1",
            shows:
                """
                  a == 1 SORT(b) AND c == 1\n                 ^\n  Column 16: expected \
                SORT, DISTINCT, LIMIT or the end, not 'AND'.
                """
        ),
    ]

    @Test(arguments: cases) func showsWhere(_ item: Case) throws {
        let error = try #require(
            RealmPredicateError.thrown { () throws(RealmPredicateError) in
                _ = try RealmPredicate(parsing: item.format, arguments: item.arguments)
            })
        let report =
            """
            Unable to parse the format string "\(item.format)"\n\(item.shown)\n  Remedy: \
            \(error.remedy)
            """
        #expect(error.description == report)
        #expect(!error.remedy.isEmpty && error.format == item.format)
    }

    @Test func kindsOfErrors() throws {
        func code(_ format: String, _ arguments: Any?...) -> RealmPredicateError.Code? {
            RealmPredicateError.thrown { () throws(RealmPredicateError) in
                _ = try RealmPredicate(parsing: format, arguments: arguments)
            }?.code
        }
        #expect(code("a ==") == .syntax)
        #expect(code("a == %@") == .argument)
        #expect(code("a == %d", "x") == .argument)
        #expect(code("a == %d", 1.5) == .argument)
        #expect(code("a == %s", 1) == .argument)
        #expect(code("%K == 1", "a..b") == .argument)
        #expect(code("%K == 1", "") == .argument)
        #expect(code("%K == 1", "a b") == .argument)
        #expect(code("a[%@] == 1", 1.5) == .argument)
        #expect(code("a[%K] == 1", "b") == .argument)
        #expect(code("a == %@", [1]) == nil)
    }

    @Test func longLinesAreCut() throws {
        let format =
            String(repeating: "a == 1 AND ", count: 100) + "b ~ 1"
            + String(repeating: " ", count: 100)
        let error = try #require(
            RealmPredicateError.thrown { () throws(RealmPredicateError) in
                _ = try RealmPredicate(format)
            })
        let lines = error.description.split(separator: "\n")
        #expect(lines[1].count < 110 && lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
        let caret = try #require(lines[2].firstIndex(of: "^"))
        #expect(
            lines[1][
                lines[1].index(
                    lines[1].startIndex,
                    offsetBy: lines[2].distance(from: lines[2].startIndex, to: caret))] == "~")
        #expect(error.column == 1103)
    }

    @Test func nestingHasALimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        }
        #expect(try RealmPredicate(nested(32)).description == "a == 1")
        let hostile = [
            nested(33), nested(100_000), String(repeating: "(", count: 500_000),
            String(repeating: "!", count: 500_000) + "a == 1",
            String(repeating: "NOT ", count: 100_000),
            "a == " + String(repeating: "(", count: 100_000),
            "a IN " + String(repeating: "{", count: 100_000),
            String(repeating: "SUBQUERY(a, $x, ", count: 10_000),
            String(repeating: "(NOT ", count: 10_000),
        ]
        for format in hostile {
            let error = try #require(
                RealmPredicateError.thrown { () throws(RealmPredicateError) in
                    _ = try RealmPredicate(format)
                })
            #expect(error.code == .limit)
        }
        let error = try #require(
            RealmPredicateError.thrown { () throws(RealmPredicateError) in
                _ = try RealmPredicate(String(repeating: " ", count: 1_048_577))
            })
        #expect(error.code == .limit)
    }

    @Test func longConditionsAreNotDeep() throws {
        let terms = (0..<50_000).map { "a == \($0)" }
        let predicate = try RealmPredicate(terms.joined(separator: " OR "))
        #expect(predicate.description.hasSuffix("OR a == 49999"))
    }

    @Test func combiningNestsToALimit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            var predicate = try RealmPredicate("a == 1")
            for _ in 0..<1000 { predicate = !predicate }
        }
        expectMessage(result, "Predicates cannot be nested more than 48 deep", "RealmPredicate.and")
    }

    @Test func predicatesWithClausesAreNotCombined() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try RealmPredicate("a == 1 LIMIT(1)") && RealmPredicate("b == 1")
        }
        expectMessage(
            result, "Predicates with SORT, DISTINCT or LIMIT cannot be combined", "a == 1 LIMIT(1)")
    }
}
