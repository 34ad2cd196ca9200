import Foundation
import Freehold
import FreeholdWorkload

/// Whatever a string is, with whatever arguments: it parses, or the error says where. What
/// parses prints as what parses to the same; what fits a class can be asked of it, with the
/// same answer as its printed form.
enum PredicateTarget: FuzzTarget {
    static let name = "predicate"

    /// Protected by nothing: libFuzzer has one thread.
    nonisolated(unsafe) private static let realm: Realm = {
        do {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "fuzz", objectTypes: EveryType.objectTypes))
            try realm.write { EveryType.fill(realm, 0..<12) }
            return realm
        } catch {
            finding("No realm: \(error)")
        }
    }()

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var input = FuzzInput(bytes)
        let arguments = (0..<input.below(4)).map { _ in argument(&input) }
        let format = String(decoding: input.rest, as: UTF8.self)
        do throws(RealmPredicateError) {
            let predicate = try RealmPredicate(parsing: format, arguments: arguments)
            let printed = predicate.description
            guard let again = reparsed(printed, format) else { return }
            expect(
                again.description == printed,
                "\(format.debugDescription) gives \(printed), which gives \(again).")
            evaluate(predicate, again)
        } catch {
            let lines = format.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard let line = error.line else {
                expect(error.code == .limit, "\(format.debugDescription): \(error)")
                return
            }
            let column = error.column ?? 0
            expect(
                line <= lines.count && column >= 1 && column <= lines[line - 1].count + 1,
                "\(format.debugDescription): \(error)")
        }
    }

    /// Nil if what is printed nests deeper than a string may: it has parentheses that the
    /// string did without.
    private static func reparsed(_ printed: String, _ format: String) -> RealmPredicate? {
        do throws(RealmPredicateError) {
            return try RealmPredicate(parsing: printed)
        } catch {
            if error.code == .limit { return nil }
            finding("\(format.debugDescription) gives \(printed), which is refused: \(error)")
        }
    }

    private static func evaluate(_ predicate: RealmPredicate, _ again: RealmPredicate) {
        do throws(RealmPredicateError) {
            try predicate.check(EveryType.Thing.self, in: realm)
        } catch {
            return
        }
        let found = realm.objects(EveryType.Thing.self).filter(predicate).map(\.id)
        let foundAgain = realm.objects(EveryType.Thing.self).filter(again).map(\.id)
        expect(
            Array(found) == Array(foundAgain),
            "\(predicate) finds \(Array(found)), and as it is printed \(Array(foundAgain)).")
        _ = realm.objects(EveryType.Thing.self).filter(predicate).explain()
    }

    private static func argument(_ input: inout FuzzInput) -> Any? {
        switch input.below(12) {
        case 0: nil
        case 1: Int(truncatingIfNeeded: input.integer(Int64.self))
        case 2: finite(Double(bitPattern: input.integer(UInt64.self)))
        case 3: String(decoding: input.bytes(input.below(16)), as: UTF8.self)
        case 4:
            Date(
                timeIntervalSinceReferenceDate: finite(
                    Double(bitPattern: input.integer(UInt64.self))))
        case 5: Data(input.bytes(input.below(16)))
        case 6: input.below(2) == 1
        case 7: [input.byte(), 2]
        case 8: Float(input.byte())
        case 9: EveryType.uuid(input.byte())
        case 10: Decimal128(value: input.byte())
        default: input.below(2) == 0 ? "int" : "next.text"
        }
    }

    /// A NaN equals nothing, so nothing could be compared.
    private static func finite(_ value: Double) -> Double { value.isFinite ? value : 0 }

    static var seeds: [[UInt8]] {
        [
            "int > 5 AND text == 'Rex'",
            "NOT (int == 1 OR small BETWEEN {1, 2}) && text IN {'x', 'y', nil}",
            "ANY things.text CONTAINS[cd] \"ab\\u00e9\\n\"",
            "NONE before.@count >= 1",
            """
            SUBQUERY(things, $d, $d.int > 1 AND SUBQUERY($d.things, $y, $y.int == \
            $d.int).@count > 0).@count == 1
            """,
            "any['k'][0][#any] == 0xFF OR scores['a'] != -1",
            "ints.@sum > 3 SORT(int ASC, text DESC) DISTINCT(bool) LIMIT(10)",
            """
            uuid == uuid(6BA7B810-9DAD-11D1-80B4-00C04FD430C8) OR objectId == \
            oid(507f1f77bcf86cd799439011) OR decimal == decimal(1E+3)
            """,
            """
            date == 2021-02-03@10:20:30:5 OR date == T123:-5 OR data == B64'aGk=' OR float \
            == float(1.5)
            """,
            "next == nil || TRUEPREDICATE AND !FALSEPREDICATE",
            "note.text TEXT 'note -the' OR text LIKE[c] '*a?'",
            "@links.Note.thing.number > 3 AND place.inner.name BEGINSWITH 'i'",
            "ALL numbers > 1 AND words CONTAINS 'x'",
            "scores.@allKeys == 'a' AND notes.@allValues.number > 2",
            "things.@min.int < things.@avg.double", "tags.@size == 1 AND optionalInt == nil",
        ].map { [0] + Array($0.utf8) } + [
            [2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 11, 0] + Array("%K == %@".utf8),
            [1, 7, 3] + Array("int IN %@ AND int BETWEEN $0".utf8),
            [2, 3, 2, 65, 66, 9, 3] + Array("text CONTAINS %@ OR uuid == %@".utf8),
        ]
    }
}
