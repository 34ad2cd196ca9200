import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Whatever a string is, it parses or throws an error that shows where: it never traps, and
/// what parses prints as what parses to the same.
@Suite struct PredicateFuzzTests {
    private static let rounds = Stress.rounds(1_000)

    private static let seeds = [
        "age > 5 AND name == 'Rex'", "NOT (a == 1 OR b BETWEEN {1, 2}) && c IN {'x', 'y', nil}",
        "ANY dogs.name CONTAINS[cd] \"ab\\u00e9\\n\"",
        "NONE a.@links.Dog.owner.@count >= %d",
        "SUBQUERY(dogs, $d, $d.age > %@ AND SUBQUERY($d.x, $y, $y == $d).@count > 0).@count == $1",
        "any['k'][0][#any] == 0xFF OR map[%@] != -1.5e-3",
        "%K.@sum.x <> $K0 SORT(a ASC, b.c DESC) DISTINCT(d) LIMIT(10)",
        """
        a == uuid(6BA7B810-9DAD-11D1-80B4-00C04FD430C8) OR b == \
        oid(507f1f77bcf86cd799439011) OR c == decimal(1E+3)
        """,
        "d == 2021-02-03@10:20:30:5 OR e == T123:-5 OR f == B64'aGk=' OR g == float(1.5)",
        """
        #in == SELF || TRUEPREDICATE AND !FALSEPREDICATE
        """, "年齢 =< 5 and größe LIKE 'e\u{301}*👨‍👩‍👧'",
    ]

    private static let pieces = [
        "(", ")", "{", "}", "[", "]", "'", "\"", "\\", "%", "%@", "%K", "%d", "$", "$0", "$K1",
        "$x", "#", "@", "@count", ".", ",", "==", "=", "!", "<", ">", "&&", "||", "AND", "OR",
        "NOT", "IN", "BETWEEN", "ANY", "SELF", "nil", "SUBQUERY(", "SORT(", "LIMIT(", "uuid(",
        "oid(", "decimal(", "date(", "B64'", "T1:", "2021-01-01@", "0x", "1e9", "-", "+", "*",
        "\u{0}", "\u{301}", "\u{FEFF}", "👨‍👩‍👧", "\r\n", "\\u", "\\uD83D\\u", "9999999999999999999",
        "[cd]",
    ]

    private static var arguments: [Any?] {
        [
            5, "owner.name", nil, [1, 2], Date(timeIntervalSinceReferenceDate: 0), Float(1.5),
            "\u{0}", "@",
        ]
    }

    @Test func mutatedStrings() {
        var random = Seed.random()
        for _ in 0..<Self.rounds {
            var format = Array(random.pick(Self.seeds).unicodeScalars)
            for _ in 0..<random.int(1...6) { Self.mutate(&format, &random) }
            var view = String.UnicodeScalarView()
            view.append(contentsOf: format)
            Self.expectHarmless(String(view), &random)
        }
    }

    @Test func piecesInAnyOrder() {
        var random = Seed.random()
        for _ in 0..<Self.rounds {
            let format = (0..<random.int(0...12)).map { _ in
                random.pick(Self.pieces + ["a", "b.c", "1", " "])
            }.joined(separator: random.pick(["", " "]))
            Self.expectHarmless(format, &random)
        }
    }

    /// Whether it was a legal byte or not: what Swift makes of any bytes is a string.
    @Test func anyBytes() {
        var random = Seed.random()
        for _ in 0..<Self.rounds {
            let bytes = (0..<random.int(0...40)).map { _ in UInt8(truncatingIfNeeded: random.next())
            }
            Self.expectHarmless(String(decoding: bytes, as: UTF8.self), &random)
        }
    }

    private static func mutate(_ format: inout [Unicode.Scalar], _ random: inout SeededGenerator) {
        let place = random.int(0...format.count)
        switch random.int(0...4) {
        case 0: format.insert(contentsOf: random.pick(pieces).unicodeScalars, at: place)
        case 1: if place < format.count { format.remove(at: place) }
        case 2:
            if place < format.count {
                format[place] = Unicode.Scalar(UInt32(random.int(0...0x2FF))) ?? " "
            }
        case 3: format.removeSubrange(place..<min(place + random.int(0...10), format.count))
        default:
            let end = min(place + random.int(0...20), format.count)
            format.insert(contentsOf: Array(format[place..<end]), at: random.int(0...format.count))
        }
    }

    private static func expectHarmless(_ format: String, _ random: inout SeededGenerator) {
        do throws(RealmPredicateError) {
            let predicate = try RealmPredicate(parsing: format, arguments: arguments)
            let printed = predicate.description
            let again = RealmPredicateError.thrown { () throws(RealmPredicateError) in
                let parsed = try RealmPredicate(parsing: printed)
                random.expect(
                    parsed.description == printed,
                    "\(format.debugDescription) gives \(printed), which gives \(parsed)")
            }
            random.expect(
                again == nil,
                """
                \(format.debugDescription) gives \(printed), which is refused: \
                \(again.map { "\($0)" } ?? "")
                """
            )
        } catch {
            random.expect(
                error.description.contains("\n  Remedy: "), "\(format.debugDescription): \(error)")
            let lines = format.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let isInside = error.line.map { line in
                line <= lines.count && (error.column ?? 0) >= 1
                    && (error.column ?? 0) <= lines[line - 1].count + 1
            }
            random.expect(
                isInside ?? (error.code == .limit), "\(format.debugDescription): \(error)")
        }
    }
}
