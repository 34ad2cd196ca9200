@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

struct MisfitCase: Sendable, CustomTestStringConvertible {
    let message: String
    let node: PredicateNode
    var testDescription: String { message }

    init(_ message: String, _ node: PredicateNode) {
        self.message = message
        self.node = node
    }

    static let one = Freehold.PredicateExpression.constant(.int(1))
    static let text = Freehold.PredicateExpression.constant(.string("a"))

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

}
