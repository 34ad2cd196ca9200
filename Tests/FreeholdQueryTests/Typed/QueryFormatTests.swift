import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Expressions as predicate strings, word for word as Realm writes them.
@Suite struct QueryFormatTests {
    typealias Shelf = Shelves.Shelf

    @Test(arguments: FormatCase.all)
    func format(_ item: FormatCase) {
        let (text, arguments) = item.query(Query<Shelf>._constructForTesting())
            ._constructPredicate()
        #expect(text == item.text)
        #expect(arguments.map { "\($0)" } == item.arguments)
    }

    /// One of more than four words is passed in memory, and each copy costs.
    @Test func queriesAreThreeWords() {
        #expect(MemoryLayout<Query<Bool>>.size == 24)
    }

    @Test func objectsAndNull() {
        let item = Shelves.Item()
        let query = Query<Shelf>._constructForTesting()
        #expect((query.best == item)._constructPredicate().1.first as AnyObject === item)
        #expect((query.best == nil)._constructPredicate().1.first is NSNull)
        #expect((query.subtitle == nil)._constructPredicate().1.first is NSNull)
    }
}

struct FormatCase: Sendable, CustomTestStringConvertible {
    let text: String
    let arguments: [String]
    let query: @Sendable (Query<Shelves.Shelf>) -> Query<Bool>

    var testDescription: String { text }

    init(
        _ text: String, _ arguments: [Any],
        _ query: @escaping @Sendable (Query<Shelves.Shelf>) -> Query<Bool>
    ) {
        self.text = text
        self.arguments = arguments.map { "\($0)" }
        self.query = query
    }

    static let all: [FormatCase] = {
        var cases: [FormatCase] = []
        cases += [FormatCase("(total == %@)", [5]) { $0.total == 5 }]
        cases += [FormatCase("(total != %@)", [5]) { $0.total != 5 }]
        cases += [FormatCase("(total >= %@)", [5]) { $0.total >= 5 }]
        cases += [FormatCase("(NOT total == %@)", [5]) { !($0.total == 5) }]
        cases += [
            FormatCase("((total == %@) && (title == %@))", [5, "a"]) {
                $0.total == 5 && $0.title == "a"
            }
        ]
        cases += [
            FormatCase("(((total == %@) && (title == %@)) || (total < %@))", [5, "a", 1]) {
                ($0.total == 5 && $0.title == "a") || $0.total < 1
            }
        ]
        cases += [
            FormatCase("((total < %@) || ((total == %@) && (title == %@)))", [1, 5, "a"]) {
                $0.total < 1 || ($0.total == 5 && $0.title == "a")
            }
        ]
        cases += [
            FormatCase("NOT ((total == %@) && (title == %@))", [5, "a"]) {
                !($0.total == 5 && $0.title == "a")
            }
        ]
        cases += [FormatCase("(total BETWEEN {%@, %@})", [1, 3]) { $0.total.contains(1...3) }]
        cases += [
            FormatCase("((total >= %@) && (total < %@))", [1, 3]) { $0.total.contains(1..<3) }
        ]
        cases += [FormatCase("(NOT total BETWEEN {%@, %@})", [1, 3]) { !$0.total.contains(1...3) }]
        cases += [FormatCase("(total IN %@)", [[1, 3]]) { $0.total.in([1, 3]) }]
        cases += [FormatCase("(title CONTAINS %@)", ["a"]) { $0.title.contains("a") }]
        cases += [
            FormatCase("(title BEGINSWITH[cd] %@)", ["a"]) {
                $0.title.starts(with: "a", options: [.caseInsensitive, .diacriticInsensitive])
            }
        ]
        cases += [
            FormatCase("(title ENDSWITH[d] %@)", ["a"]) {
                $0.title.ends(with: "a", options: .diacriticInsensitive)
            }
        ]
        cases += [
            FormatCase("(title LIKE[c] %@)", ["a*"]) { $0.title.like("a*", caseInsensitive: true) }
        ]
        cases += [
            FormatCase("(title ==[c] %@)", ["a"]) {
                $0.title.equals("a", options: .caseInsensitive)
            }
        ]
        cases += [
            FormatCase("(title !=[c] subtitle)", []) {
                $0.title.notEquals($0.subtitle, options: .caseInsensitive)
            }
        ]
        cases += [FormatCase("(title CONTAINS subtitle)", []) { $0.title.contains($0.subtitle) }]
        cases += [FormatCase("(best.name == %@)", ["a"]) { $0.best.name == "a" }]
        cases += [FormatCase("best.isNew == true", []) { $0.best.isNew }]
        cases += [FormatCase("best.isNew == false", []) { !$0.best.isNew }]
        cases += [
            FormatCase("(best.isNew == true && (total == %@))", [1]) {
                $0.best.isNew && $0.total == 1
            }
        ]
        cases += [FormatCase("(ANY numbers == %@)", [2]) { $0.numbers == 2 }]
        cases += [FormatCase("(ANY items.name == %@)", ["a"]) { $0.items.name == "a" }]
        cases += [FormatCase("(%@ IN numbers)", [2]) { $0.numbers.contains(2) }]
        cases += [FormatCase("(NOT %@ IN numbers)", [2]) { !$0.numbers.contains(2) }]
        cases += [
            FormatCase("(ANY numbers IN %@)", [[2, 3]]) { $0.numbers.containsAny(in: [2, 3]) }
        ]
        cases += [
            FormatCase("((numbers.@min >= %@) && (numbers.@max <= %@))", [1, 3]) {
                $0.numbers.contains(1...3)
            }
        ]
        cases += [
            FormatCase("((numbers.@min >= %@) && (numbers.@max < %@))", [1, 3]) {
                $0.numbers.contains(1..<3)
            }
        ]
        cases += [FormatCase("(numbers.@count == %@)", [2]) { $0.numbers.count == 2 }]
        cases += [FormatCase("(numbers.@avg > %@)", [2]) { $0.numbers.avg > 2 }]
        cases += [FormatCase("(items.@max.weight > %@)", [2.0]) { $0.items.weight.max > 2 }]
        cases += [FormatCase("(next.items.@count > %@)", [2]) { $0.next.items.count > 2 }]
        cases += [FormatCase("(ANY scores.@allKeys == %@)", ["a"]) { $0.scores.keys == "a" }]
        cases += [FormatCase("(ANY scores.@allValues > %@)", [1]) { $0.scores.values > 1 }]
        cases += [FormatCase("(scores[%@] == %@)", ["a", 1]) { $0.scores["a"] == 1 }]
        cases += [
            FormatCase("(any[%@][%@][%K] == %@)", ["k", 0, "#any", 1]) {
                $0.any["k"][0].any == .int(1)
            }
        ]
        cases += [
            FormatCase(
                "(SUBQUERY(items, $col1, (($col1.rank == %@) && $col1.isNew == true)).@count > %@)",
                [1, 2]
            ) { ($0.items.rank == 1 && $0.items.isNew).count > 2 }
        ]
        cases += [
            FormatCase(
                """
                ((SUBQUERY(items, $col1, ($col1.rank == %@)).@count > %@) && \
                (SUBQUERY(places, $col2, ($col2.name == %@)).@count == %@))
                """,
                [1, 2, "a", 0]
            ) {
                ($0.items.rank == 1).count > 2 && ($0.places.name == "a").count == 0
            }
        ]
        cases += [FormatCase("((total > %@) == %@)", [1, false]) { ($0.total > 1) == false }]
        return cases
    }()
}
