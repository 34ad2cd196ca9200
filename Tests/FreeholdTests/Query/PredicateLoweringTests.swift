import FreeholdStorage
import FreeholdTestSupport
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// What the tree of conditions says that queries written in code do not: quantifiers, operators
/// on both sides, and everything that does not fit the classes.
@Suite struct PredicateLoweringTests {
    typealias Shelf = Shelves.Shelf

    @Test(arguments: MisfitCase.all)
    func misfits(_ item: MisfitCase) throws {
        try withTemporaryRealm(Shelves.all) { realm in
            let lowering = PredicateLowering(binding: realm.core.binding(for: Shelf.self))
            let error = #expect(throws: QueryError.self) { try lowering.condition(item.node) }
            #expect(error?.message == item.message)
            #expect(error?.remedy.isEmpty == false)
        }
    }

    @Test func theNearestNameIsSuggested() throws {
        try withTemporaryRealm(Shelves.all) { realm in
            let lowering = PredicateLowering(binding: realm.core.binding(for: Shelf.self))
            func remedy(_ steps: [PredicateStep]) -> String {
                let error = #expect(throws: QueryError.self) {
                    try lowering.condition(.compared(steps, .equal, .constant(.int(1))))
                }
                return error?.remedy ?? ""
            }
            #expect(remedy([.property("totl")]).hasPrefix("Did you mean 'total'?"))
            #expect(remedy([.property("Total")]).hasPrefix("Did you mean 'total'?"))
            #expect(
                remedy([.property("items"), .property("nmae")]).hasPrefix("Did you mean 'name'?"))
            #expect(remedy([.property("previus")]).hasPrefix("Did you mean 'previous'?"))
            #expect(!remedy([.property("zzzzzz")]).contains("Did you mean"))
        }
    }

    @Test func objectsHaveToBeTheRealms() throws {
        try withTemporaryRealm(Shelves.all) { realm in
            let shelf = try realm.write {
                realm.create(Shelf.self, value: ["id": 1, "best": ["id": 1]] as [String: Any])
            }
            let lowering = PredicateLowering(binding: realm.core.binding(for: Shelf.self))
            #expect(throws: Never.self) {
                try lowering.condition(
                    .compared(
                        [.property("best")], .equal,
                        .constant(PredicateConstant(argument: Shelves.Item()))))
            }
            func message(_ object: ObjectBase?, _ steps: PredicateStep...) -> String? {
                let constant = PredicateConstant(argument: object)
                return #expect(throws: QueryError.self) {
                    try lowering.condition(.compared(steps, .equal, .constant(constant)))
                }?.message
            }
            #expect(
                message(Shelf(), .property("best"))?.hasPrefix(
                    """
                    Cannot compare value 'Shelves_Shelf' of type 'Shelves_Shelf' to \
                    property 'best'
                    """
                ) == true)
            #expect(
                message(shelf, .property("best"))?.hasPrefix(
                    """
                    Cannot compare value 'Shelves_Shelf' of type 'Shelves_Shelf' to \
                    property 'best'
                    """
                ) == true)
            #expect(
                message(shelf.best, .property("total"))?.hasPrefix(
                    "Cannot compare value 'Shelves_Item' of type 'Shelves_Item' to property 'total'"
                ) == true)
        }
    }

    @Test(arguments: TreeCase.all)
    func trees(_ item: TreeCase) throws {
        var random = SeededGenerator(test: "trees")
        let shelves = Shelves.random(60, using: &random)
        try withTemporaryRealm(Shelves.all) { realm in
            try realm.write { realm.add(shelves) }
            let all = realm.objects(Shelf.self)
            let predicate = try PredicateLowering(binding: realm.core.binding(for: Shelf.self))
                .condition(item.node)
            let found = Results<Shelf>(core: realm.core, state: all.state.filtered(by: predicate))
            #expect(found.map(\.id) == all.filter(item.holds).map(\.id))
            #expect(found.count == all.filter(item.holds).count)
            let evaluation = PredicateEvaluation()
            if !item.isRealmOnly {
                #expect(
                    try all.filter { try evaluation.holds(item.node, for: $0) }.map(\.id)
                        == found.map(\.id))
            }
        }
    }
}

extension PredicateNode {
    static func compared(
        _ steps: [PredicateStep], _ operation: PredicateComparison.Operation,
        _ right: Freehold.PredicateExpression,
        _ quantifier: PredicateComparison.Quantifier = .direct,
        _ options: StringOptions = []
    ) -> PredicateNode {
        .comparison(
            PredicateComparison(
                quantifier: quantifier, left: .keyPath(steps), operation: operation, right: right,
                options: options))
    }

    /// A path of names: "items.@max.weight".
    static func compared(
        _ path: String, _ operation: PredicateComparison.Operation,
        _ right: Freehold.PredicateExpression,
        _ quantifier: PredicateComparison.Quantifier = .direct,
        _ options: StringOptions = []
    ) -> PredicateNode {
        compared(steps(path), operation, right, quantifier, options)
    }

    static func steps(_ path: String) -> [PredicateStep] {
        path.split(separator: ".").map { name in
            if name.hasPrefix("@") {
                return .operation(PredicateOperator(rawValue: String(name.dropFirst()))!)
            }
            return name.hasPrefix("$")
                ? .variable(String(name.dropFirst())) : .property(String(name))
        }
    }
}

struct MisfitCase: Sendable, CustomTestStringConvertible {
    let message: String
    let node: PredicateNode
    var testDescription: String { message }

    init(_ message: String, _ node: PredicateNode) {
        self.message = message
        self.node = node
    }

    private static let one = Freehold.PredicateExpression.constant(.int(1))
    private static let text = Freehold.PredicateExpression.constant(.string("a"))

    static let all: [MisfitCase] =
        paths + subscripts + backlinks + quantifiers + operators + sides + values

    private static let paths: [MisfitCase] = {
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                """
                Invalid keypath 'nothing': Property 'nothing' not found in object of type \
                'Shelves_Shelf'
                """,
                .compared("nothing", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'best.nothing': Property 'nothing' not found in object of \
                type 'Shelves_Item'
                """,
                .compared("best.nothing", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'total.nothing': Property 'Shelves_Shelf.total' is not a \
                link or collection and can only appear at the end of a keypath.
                """,
                .compared("total.nothing", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'total.@count': Property 'Shelves_Shelf.total' is not a \
                link or collection and can only appear at the end of a keypath.
                """,
                .compared("total.@count", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'best.@count': collection operation '@count' must be \
                applied to a collection
                """,
                .compared("best.@count", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'best.rank.@max': Property 'Shelves_Item.rank' is not a \
                link or collection and can only appear at the end of a keypath.
                """,
                .compared("best.rank.@max", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'numbers.@max.total': @max on a collection of values must \
                appear at the end of a keypath.
                """,
                .compared("numbers.@max.total", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'numbers.@count.total': @count must appear at the end of a \
                keypath.
                """,
                .compared("numbers.@count.total", .equal, one))
        ]
        cases += [
            MisfitCase(
                "Invalid keypath 'numbers.@allKeys': @allKeys must follow a dictionary property.",
                .compared("numbers.@allKeys", .equal, text, .any))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'words.@sum': @sum can only be applied to a collection of \
                numeric values.
                """,
                .compared("words.@sum", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'items.@max': @max on a collection of objects cannot \
                appear at the end of a keypath.
                """,
                .compared("items.@max", .equal, one))
        ]
        cases += [
            MisfitCase(
                "Invalid keypath 'items.@max.name': @max must be followed by a numeric property.",
                .compared("items.@max.name", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'items.@max.sizes.@max': at most one collection operation \
                per keypath is supported.
                """,
                .compared("items.@max.sizes.@max", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'total.@allKeys': Property 'Shelves_Shelf.total' is not a \
                link or collection and can only appear at the end of a keypath.
                """,
                .compared("total.@allKeys", .equal, text, .any))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'numbers.@allValues': @allValues must follow a dictionary \
                property.
                """,
                .compared("numbers.@allValues", .equal, one, .any))
        ]
        cases += [
            MisfitCase(
                "Invalid keypath 'items.@max.sizes': @max must be followed by a numeric property.",
                .compared("items.@max.sizes", .equal, one))
        ]
        let long = [PredicateStep](repeating: .property("next"), count: 200)
        cases += [
            MisfitCase(
                """
                Invalid keypath '\(String(repeating: "next.", count: 16))…': \
                \(KeyPathLimit.reason)
                """,
                .compared(long, .equal, .constant(.null)))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'best.$x.rank': A variable can only appear at the start of \
                a keypath.
                """,
                .compared("best.$x.rank", .equal, one))
        ]
        cases += [
            MisfitCase(
                "Cannot sum or average date properties", .compared("dates.@avg", .equal, one))
        ]
        return cases
    }()

    private static let subscripts: [MisfitCase] = {
        var cases: [MisfitCase] = []
        let total = PredicateStep.property("total")
        cases += [
            MisfitCase(
                "Invalid keypath 'total[0]': Property 'total' has no values by keys or indexes.",
                .compared([total, .index(0)], .equal, one))
        ]
        cases += [
            MisfitCase(
                "Invalid keypath 'total['a']': Property 'total' has no values by keys or indexes.",
                .compared([total, .key("a")], .equal, one))
        ]
        cases += [
            MisfitCase(
                "Invalid keypath 'total[#any]': Property 'total' has no values by keys or indexes.",
                .compared([total, .anyElement], .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'numbers['a']': Property 'numbers' has no values by keys \
                or indexes.
                """,
                .compared([.property("numbers"), .key("a")], .equal, one))
        ]
        return cases
    }()

    private static let backlinks: [MisfitCase] = {
        func compared(_ steps: PredicateStep...) -> PredicateNode {
            .compared(steps, .equal, .constant(.null), .any)
        }
        func step(_ className: String, _ property: String) -> PredicateStep {
            .backlinks(className: className, property: property)
        }
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                """
                Invalid keypath 'total.@links.Shelves_Shelf.next': Property \
                'Shelves_Shelf.total' is not a link or collection and can only appear at \
                the end of a keypath.
                """,
                compared(.property("total"), step("Shelves_Shelf", "next")))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath '@links.Nowhere.next': Object type 'Nowhere' is not \
                managed by the Realm.
                """,
                compared(step("Nowhere", "next")))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath '@links.Shelves_Shelf.nothing': Property 'nothing' not \
                found in object of type 'Shelves_Shelf'
                """,
                compared(step("Shelves_Shelf", "nothing")))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath '@links.Shelves_Shelf.best': Property 'Shelves_Shelf.best' \
                does not link to objects of type 'Shelves_Shelf'
                """,
                compared(step("Shelves_Shelf", "best")))
        ]
        return cases
    }()

    private static let quantifiers: [MisfitCase] = {
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                "Key paths that include a collection property must use aggregate operations",
                .compared("numbers", .equal, one))
        ]
        cases += [
            MisfitCase(
                "Key paths that include a collection property must use aggregate operations",
                .compared("items.name", .equal, text))
        ]
        cases += [
            MisfitCase(
                "Key paths that include a collection property must use aggregate operations",
                .compared("items.sizes.@count", .equal, one))
        ]
        cases += [
            MisfitCase(
                """
                Aggregate operations can only be used on key paths that include an \
                collection property
                """,
                .compared("total", .equal, one, .any))
        ]
        cases += [
            MisfitCase(
                "Comparing two collection columns is not permitted.",
                .compared(
                    "numbers", .equal, .keyPath([.property("items"), .property("rank")]), .any))
        ]
        cases += [
            MisfitCase(
                "Key paths that include a collection property can only be compared with constants",
                .compared("numbers", .text(.beginsWith), .keyPath([.property("total")]), .any))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'rank': Property 'rank' not found in object of type \
                'Shelves_Shelf'
                """,
                .comparison(
                    PredicateComparison(
                        quantifier: .direct,
                        left: .subqueryCount(
                            collection: [.property("items")], variable: "x",
                            condition: .compared("rank", .equal, one)), operation: .greater,
                        right: one, options: [])))
        ]
        let limit = Freehold.PredicateExpression.keyPath([.property("limit")])
        cases += [
            MisfitCase(
                "Key paths that include a collection property must use aggregate operations",
                .compared("numbers", .equal, limit))
        ]
        cases += [
            MisfitCase(
                """
                Aggregate operations can only be used on key paths that include an \
                collection property
                """,
                .compared("total", .equal, limit, .any))
        ]
        cases += [
            MisfitCase(
                "Property type mismatch between string and int",
                .compared("words", .equal, limit, .any))
        ]
        cases += [
            MisfitCase(
                """
                Invalid keypath 'best': collection operation 'SUBQUERY' must be applied to \
                a collection
                """,
                .comparison(
                    PredicateComparison(
                        quantifier: .direct,
                        left: .subqueryCount(
                            collection: [.property("best")], variable: "x",
                            condition: .compared("$x.rank", .equal, one)), operation: .greater,
                        right: one, options: [])))
        ]
        return cases
    }()

    private static let operators: [MisfitCase] = {
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                "Operator '<' not supported for type 'bool'",
                .compared("best.isNew", .less, .constant(.bool(true))))
        ]
        cases += [
            MisfitCase(
                "Operator '<' not supported for type 'object'",
                .compared("best", .less, .constant(.null)))
        ]
        cases += [
            MisfitCase(
                "Operator 'CONTAINS' not supported for type 'int'",
                .compared("total", .text(.contains), one))
        ]
        cases += [
            MisfitCase(
                "Operator 'MATCHES' not supported for type 'data'",
                .compared("mark", .matches, text))
        ]
        cases += [
            MisfitCase(
                "Operator 'LIKE' not supported with diacritic-insensitive modifier.",
                .compared("title", .text(.like), text, .direct, .diacriticInsensitive))
        ]
        cases += [
            MisfitCase(
                "Lexicographical comparisons must be case-sensitive",
                .compared("title", .less, text, .direct, .caseInsensitive))
        ]
        cases += [
            MisfitCase("IN clause requires an array of items", .compared("total", .isIn, one))
        ]
        cases += [
            MisfitCase(
                """
                Predicate with BETWEEN operator must compare a KeyPath with an aggregate \
                with two values
                """,
                .compared("total", .between, one))
        ]
        cases += [
            MisfitCase(
                "NSArray object must contain exactly two objects for BETWEEN operations",
                .compared("total", .between, .list([.int(1)])))
        ]
        cases += [
            MisfitCase(
                """
                Predicate expressions must compare a keypath and another keypath or a \
                constant value
                """,
                .compared("total", .equal, .list([.int(1)])))
        ]
        cases += [
            MisfitCase(
                """
                Predicate expressions must compare a keypath and another keypath or a \
                constant value
                """,
                .comparison(
                    PredicateComparison(
                        quantifier: .direct, left: one, operation: .equal, right: one, options: []))
            )
        ]
        cases += [
            MisfitCase(
                "Can't open pattern '('", .compared("title", .matches, .constant(.string("("))))
        ]
        return cases
    }()

    /// What cannot stand on the left, or on the right.
    private static let sides: [MisfitCase] = {
        func compared(
            _ left: Freehold.PredicateExpression, _ operation: PredicateComparison.Operation,
            _ right: String
        ) -> PredicateNode {
            .comparison(
                PredicateComparison(
                    quantifier: .direct, left: left, operation: operation,
                    right: .keyPath(PredicateNode.steps(right)), options: []))
        }
        let total = Freehold.PredicateExpression.keyPath([.property("total")])
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                "Predicate with IN operator must compare a KeyPath with an aggregate",
                compared(.list([.int(1)]), .isIn, "total"))
        ]
        cases += [
            MisfitCase(
                """
                Predicate with BETWEEN operator must compare a KeyPath with an aggregate \
                with two values
                """,
                compared(.list([.int(1), .int(2)]), .between, "total"))
        ]
        cases += [
            MisfitCase(
                """
                Predicate with BETWEEN operator must compare a KeyPath with an aggregate \
                with two values
                """,
                compared(one, .between, "total"))
        ]
        cases += [MisfitCase("IN clause requires an array of items", compared(one, .isIn, "total"))]
        cases += [
            MisfitCase(
                "Operator 'MATCHES' not supported for type 'string'",
                compared(text, .matches, "title"))
        ]
        cases += [
            MisfitCase("IN clause requires an array of items", compared(total, .isIn, "limit"))
        ]
        cases += [
            MisfitCase(
                """
                Predicate with BETWEEN operator must compare a KeyPath with an aggregate \
                with two values
                """,
                compared(total, .between, "limit"))
        ]
        cases += [
            MisfitCase(
                """
                Predicate expressions must compare a keypath and another keypath or a \
                constant value
                """,
                compared(.keyPath([.property("title")]), .matches, "subtitle"))
        ]
        cases += [
            MisfitCase(
                "Operator 'TEXT' not supported with case or diacritic modifiers.",
                .compared("title", .fullText, text, .direct, .caseInsensitive))
        ]
        cases += [
            MisfitCase(
                "Operator 'MATCHES' not supported for type 'string'",
                .compared([.property("labels"), .key("a")], .matches, text))
        ]
        cases += [
            MisfitCase(
                "Operator 'TEXT' not supported for type 'string'",
                .compared([.property("labels"), .key("a")], .fullText, text))
        ]
        return cases
    }()

    private static let values: [MisfitCase] = {
        var cases: [MisfitCase] = []
        cases += [
            MisfitCase(
                "Cannot compare value 'a' of type 'string' to property 'total' of type 'int'",
                .compared("total", .equal, text))
        ]
        cases += [
            MisfitCase(
                "Cannot compare value '1' of type 'int' to property 'title' of type 'string'",
                .compared("title", .equal, one))
        ]
        cases += [
            MisfitCase(
                "Cannot compare value 'a' of type 'string' to property 'numbers' of type 'int'",
                .compared("numbers", .isIn, .list([.int(1), .string("a")]), .any))
        ]
        cases += [
            MisfitCase(
                "Property type mismatch between int and string",
                .compared("total", .equal, .keyPath([.property("title")])))
        ]
        cases += [
            MisfitCase(
                "@count can only be compared with a numeric value.",
                .compared("numbers.@count", .equal, text))
        ]
        cases += [
            MisfitCase(
                "@avg on a property of type int cannot be compared with 'a'",
                .compared("numbers.@avg", .equal, text))
        ]
        cases += [
            MisfitCase(
                "@max on a property of type int cannot be compared with property of type 'string'",
                .compared("numbers.@max", .equal, .keyPath([.property("title")])))
        ]
        cases += [
            MisfitCase(
                "@max on a property of type int cannot be compared with property of type 'string'",
                .compared("title", .equal, .keyPath(PredicateNode.steps("numbers.@max"))))
        ]
        cases += [
            MisfitCase(
                "@allKeys can only be compared with a string value.",
                .compared("scores.@allKeys", .equal, one, .any))
        ]
        return cases
    }()
}

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
            TreeCase("abc BEGINSWITH title", mirrored(.string("abc"), .text(.beginsWith), "title"))
            {
                ["a", "ab"].contains($0.title)
            }
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
