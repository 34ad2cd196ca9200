@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// A tree twice: as a condition, and as plain Swift.
struct TreeCase: Sendable, CustomTestStringConvertible {
    let name: String
    let node: PredicateNode
    let isRealmOnly: Bool
    let holds: @Sendable (Shelves.Shelf) -> Bool
    var testDescription: String { name }

    init(
        _ name: String, _ node: PredicateNode, isRealmOnly: Bool = false,
        _ holds: @escaping @Sendable (Shelves.Shelf) -> Bool
    ) {
        self.name = name
        self.node = node
        self.isRealmOnly = isRealmOnly
        self.holds = holds
    }

    private static func mirrored(
        _ constant: PredicateConstant, _ operation: PredicateComparison.Operation, _ path: String,
        _ quantifier: PredicateComparison.Quantifier = .direct
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(
                quantifier: quantifier, left: .constant(constant), operation: operation,
                right: .keyPath(PredicateNode.steps(path)), options: []))
    }

    static let all: [TreeCase] = {
        var cases: [TreeCase] = []
        let one = Freehold.PredicateExpression.constant(.int(1))
        cases += [TreeCase("true", .constant(true)) { _ in true }]
        cases += [TreeCase("false", .not(.constant(true))) { _ in false }]
        cases += [
            TreeCase("ALL numbers > 0", .compared("numbers", .greater, .constant(.int(0)), .all)) {
                $0.numbers.allSatisfy { $0 > 0 }
            }
        ]
        cases += [
            TreeCase("NONE numbers == 1", .compared("numbers", .equal, one, .none)) {
                !$0.numbers.contains(1)
            }
        ]
        cases += [
            TreeCase(
                "ALL items.sizes > -2",
                .compared("items.sizes", .greater, .constant(.int(-2)), .all)
            ) { $0.items.allSatisfy { $0.sizes.allSatisfy { $0 > -2 } } }
        ]
        cases += [
            TreeCase("ALL numbers IN {}", .compared("numbers", .isIn, .list([]), .all)) {
                $0.numbers.isEmpty
            }
        ]
        cases += [
            TreeCase(
                "NONE items.twin == nil", .compared("items.twin", .equal, .constant(.null), .none)
            ) { !$0.items.contains { $0.twin == nil } }
        ]
        cases += [
            TreeCase(
                "ALL scores.@allKeys != a",
                .compared("scores.@allKeys", .notEqual, .constant(.string("a")), .all)
            ) { !$0.scores.keys.contains("a") }
        ]
        cases += [TreeCase("1 < total", mirrored(.int(1), .less, "total")) { $0.total > 1 }]
        cases += [
            TreeCase("1 >= total", mirrored(.int(1), .greaterOrEqual, "total")) { $0.total <= 1 }
        ]
        cases += [
            TreeCase("1 IN numbers", mirrored(.int(1), .isIn, "numbers")) { $0.numbers.contains(1) }
        ]
        cases += [
            TreeCase("1 == ANY numbers", mirrored(.int(1), .equal, "numbers", .any)) {
                $0.numbers.contains(1)
            }
        ]
        cases += [
            TreeCase(
                "abc BEGINSWITH title", mirrored(.string("abc"), .text(.beginsWith), "title"),
                { ["a", "ab"].contains($0.title) })
        ]
        cases += [
            TreeCase(
                "total BETWEEN 0.5 and 2.5",
                .compared("total", .between, .list([.double(0.5), .decimal(2.5)]))
            ) { (1...2).contains($0.total) }
        ]
        cases += [
            TreeCase("total == 1.0", .compared("total", .equal, .constant(.double(1)))) {
                $0.total == 1
            }
        ]
        cases += [
            TreeCase("heat > 2", .compared("heat", .greater, .constant(.int(2)))) {
                $0.heat.kelvin > 2
            }
        ]
        cases += [
            TreeCase("best.isNew == 1", .compared("best.isNew", .equal, one), isRealmOnly: true) {
                $0.best?.isNew ?? false
            }
        ]
        cases += [
            TreeCase(
                "ANY numbers BETWEEN 1, 2",
                .compared("numbers", .between, .list([.int(1), .int(2)]), .any)
            ) { $0.numbers.contains { (1...2).contains($0) } }
        ]
        cases += [
            TreeCase(
                "title IN[c]",
                .compared(
                    "title", .isIn, .list([.string("AB"), .null]), .direct, .caseInsensitive),
                isRealmOnly: true
            ) { ["ab", "Ab"].contains($0.title) }
        ]
        cases += [
            TreeCase(
                "subtitle MATCHES", .compared("subtitle", .matches, .constant(.string("a|A.")))
            ) { ["a", "Ab"].contains($0.subtitle) }
        ]
        cases += [
            TreeCase(
                "ANY words MATCHES[cd]",
                .compared(
                    "words", .matches, .constant(.string("ÉMI.*")), .any,
                    [.caseInsensitive, .diacriticInsensitive])
            ) {
                $0.words.contains { ["Émile", "emile", "e\u{301}mile"].contains($0) }
            }
        ]
        cases += [
            TreeCase(
                "@links",
                .compared(
                    [.backlinks(className: "Shelves_Shelf", property: "next"), .operation(.count)],
                    .greater, one), isRealmOnly: true
            ) { $0.previous.count > 1 }
        ]
        cases += [
            TreeCase(
                "ANY best.@links.items.total",
                .compared(
                    [
                        .property("best"),
                        .backlinks(className: "Shelves_Shelf", property: "items"),
                        .property("total"),
                    ], .greater, one, .any), isRealmOnly: true
            ) {
                $0.best?.shelves.contains { $0.total > 1 } ?? false
            }
        ]
        cases += [
            TreeCase(
                "named[a].name == ab",
                .compared(
                    [.property("named"), .key("a"), .property("name")], .equal,
                    .constant(.string("ab")))
            ) { ($0.named["a"] ?? nil)?.name == "ab" }
        ]
        cases += [
            TreeCase(
                "named[a].name != ab",
                .compared(
                    [.property("named"), .key("a"), .property("name")], .notEqual,
                    .constant(.string("ab")))
            ) { ($0.named["a"] ?? nil)?.name != "ab" }
        ]
        cases += [
            TreeCase(
                "named[a].twin.weight == nil",
                .compared(
                    [.property("named"), .key("a"), .property("twin"), .property("weight")], .equal,
                    .constant(.null))
            ) {
                ($0.named["a"] ?? nil)?.twin?.weight == nil
            }
        ]
        cases += [
            TreeCase(
                "keyed[a][b] == nil",
                .compared([.property("keyed"), .key("a"), .key("b")], .equal, .constant(.null))
            ) {
                ($0.keyed["a"]?.dictionaryValue?["b"] ?? .none) == .none
            }
        ]
        cases += [
            TreeCase(
                "numbers.@count == words.@count",
                .compared("numbers.@count", .equal, .keyPath(PredicateNode.steps("words.@count")))
            ) { $0.numbers.count == $0.words.count }
        ]
        cases += [
            TreeCase(
                "nested subqueries",
                .comparison(
                    PredicateComparison(
                        quantifier: .direct,
                        left: .subqueryCount(
                            collection: [.property("items")], variable: "x",
                            condition: .comparison(
                                PredicateComparison(
                                    quantifier: .direct,
                                    left: .subqueryCount(
                                        collection: [.variable("x"), .property("sizes")],
                                        variable: "y",
                                        condition: .compared("$y", .greater, .constant(.int(0)))),
                                    operation: .greater, right: one, options: []))),
                        operation: .greater, right: .constant(.int(0)), options: []))
            ) {
                $0.items.contains { $0.sizes.filter { $0 > 0 }.count > 1 }
            }
        ]
        return cases
    }()
}
