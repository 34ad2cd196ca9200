@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Testing

extension MisfitCase {
    static let operators: [MisfitCase] = {
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
    static let sides: [MisfitCase] = {
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

    static let values: [MisfitCase] = {
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
