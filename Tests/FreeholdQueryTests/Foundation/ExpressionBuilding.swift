import Foundation
import Freehold
import FreeholdRealmTestSupport

typealias Standard<Output> = any StandardPredicateExpression<Output>

/// Expressions made of others whose types are only known by what they give, as the macro makes
/// them of a program.
enum ExpressionBuilding {
    static func constant<Value: Codable & Sendable>(_ value: Value) -> Standard<Value> {
        PredicateExpressions.build_Arg(value)
    }

    static func property<Root, Value>(
        _ root: Standard<Root>, _ keyPath: any KeyPath<Root, Value> & Sendable
    ) -> Standard<Value> {
        func open<A: StandardPredicateExpression<Root>>(_ a: A) -> Standard<Value> {
            PredicateExpressions.build_KeyPath(root: a, keyPath: keyPath)
        }
        return open(root)
    }

    static func flatMap<Wrapped, Value>(
        _ wrapped: Standard<Wrapped?>, _ keyPath: any KeyPath<Wrapped, Value> & Sendable
    ) -> Standard<Value?> {
        func open<A: StandardPredicateExpression<Wrapped?>>(_ a: A) -> Standard<Value?> {
            PredicateExpressions.build_flatMap(a) {
                PredicateExpressions.build_KeyPath(root: $0, keyPath: keyPath)
            }
        }
        return open(wrapped)
    }

    static func flatMap<Wrapped, Value>(
        _ wrapped: Standard<Wrapped?>, _ keyPath: any KeyPath<Wrapped, Value?> & Sendable
    ) -> Standard<Value?> {
        func open<A: StandardPredicateExpression<Wrapped?>>(_ a: A) -> Standard<Value?> {
            PredicateExpressions.build_flatMap(a) {
                PredicateExpressions.build_KeyPath(root: $0, keyPath: keyPath)
            }
        }
        return open(wrapped)
    }

    /// `owner.flatMap { $0.name.contains(text) && condition }`
    static func ownerNamed(
        _ owner: Standard<FoundationOwner?>, _ text: Standard<String>, _ condition: Standard<Bool>
    ) -> Standard<Bool?> {
        func open<
            A: StandardPredicateExpression<FoundationOwner?>,
            B: StandardPredicateExpression<String>, C: StandardPredicateExpression<Bool>
        >(
            _ a: A, _ b: B, _ c: C
        ) -> Standard<Bool?> {
            PredicateExpressions.build_flatMap(a) {
                PredicateExpressions.build_Conjunction(
                    lhs: PredicateExpressions.build_contains(
                        PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name), b), rhs: c)
            }
        }
        return open(owner, text, condition)
    }

    static func coalesce<Value>(_ value: Standard<Value?>, _ fallback: Standard<Value>) -> Standard<
        Value
    > {
        func open<A: StandardPredicateExpression<Value?>, B: StandardPredicateExpression<Value>>(
            _ a: A, _ b: B
        ) -> Standard<Value> {
            PredicateExpressions.build_NilCoalesce(lhs: a, rhs: b)
        }
        return open(value, fallback)
    }

    static func conditional<Value>(
        _ test: Standard<Bool>, _ first: Standard<Value>, _ second: Standard<Value>
    ) -> Standard<Value> {
        func open<
            A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Value>,
            C: StandardPredicateExpression<Value>
        >(
            _ a: A, _ b: B, _ c: C
        ) -> Standard<Value> {
            PredicateExpressions.build_Conditional(a, b, c)
        }
        return open(test, first, second)
    }

    // MARK: Conditions

    static func and(_ first: Standard<Bool>, _ second: Standard<Bool>) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_Conjunction(lhs: a, rhs: b)
        }
        return open(first, second)
    }

    static func or(_ first: Standard<Bool>, _ second: Standard<Bool>) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_Disjunction(lhs: a, rhs: b)
        }
        return open(first, second)
    }

    static func not(_ operand: Standard<Bool>) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<Bool>>(_ a: A) -> Standard<Bool> {
            PredicateExpressions.build_Negation(a)
        }
        return open(operand)
    }

    static func equal<Value: Equatable>(_ first: Standard<Value>, _ second: Standard<Value>)
        -> Standard<Bool>
    {
        func open<A: StandardPredicateExpression<Value>, B: StandardPredicateExpression<Value>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_Equal(lhs: a, rhs: b)
        }
        return open(first, second)
    }

    static func unequal<Value: Equatable>(_ first: Standard<Value>, _ second: Standard<Value>)
        -> Standard<Bool>
    {
        func open<A: StandardPredicateExpression<Value>, B: StandardPredicateExpression<Value>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_NotEqual(lhs: a, rhs: b)
        }
        return open(first, second)
    }

    static func ordered<Value: Comparable>(
        _ first: Standard<Value>, _ operation: PredicateExpressions.ComparisonOperator,
        _ second: Standard<Value>
    ) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<Value>, B: StandardPredicateExpression<Value>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_Comparison(lhs: a, rhs: b, op: operation)
        }
        return open(first, second)
    }

    static func contains(_ text: Standard<String>, _ needle: Standard<String>, atStart: Bool)
        -> Standard<Bool>
    {
        func open<A: StandardPredicateExpression<String>, B: StandardPredicateExpression<String>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            if atStart { return PredicateExpressions.build_starts(a, with: b) }
            return PredicateExpressions.build_contains(a, b)
        }
        return open(text, needle)
    }

    static func isIn<Value: Equatable & Codable & Sendable>(
        _ values: [Value], _ element: Standard<Value>
    ) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<Value>>(_ a: A) -> Standard<Bool> {
            PredicateExpressions.build_contains(PredicateExpressions.build_Arg(values), a)
        }
        return open(element)
    }

    /// An integer between a constant and another integer that is not less.
    static func isBetween(_ element: Standard<Int>, _ lower: Int, _ upper: Standard<Int>)
        -> Standard<Bool>
    {
        func open<A: StandardPredicateExpression<Int>, B: StandardPredicateExpression<Int>>(
            _ a: A, _ b: B
        ) -> Standard<Bool> {
            PredicateExpressions.build_contains(
                PredicateExpressions.build_ClosedRange(
                    lower: PredicateExpressions.build_Arg(lower), upper: b), a)
        }
        return open(element, upper)
    }

    // MARK: Collections

    static func containsOwner(
        _ item: PredicateExpressions.Variable<FoundationItem>, age: Int, text: String
    ) -> Standard<Bool> {
        PredicateExpressions.build_contains(
            PredicateExpressions.build_KeyPath(root: item, keyPath: \.owners)
        ) {
            PredicateExpressions.build_Disjunction(
                lhs: PredicateExpressions.build_contains(
                    PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name),
                    PredicateExpressions.build_Arg(text)),
                rhs: PredicateExpressions.build_Comparison(
                    lhs: PredicateExpressions.build_NilCoalesce(
                        lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.age),
                        rhs: PredicateExpressions.build_Arg(age - 1)),
                    rhs: PredicateExpressions.build_Arg(age), op: .greaterThan))
        }
    }

    static func numbers(_ list: Standard<List<Int>>, allAbove number: Int) -> Standard<Bool> {
        func open<A: StandardPredicateExpression<List<Int>>>(_ a: A) -> Standard<Bool> {
            PredicateExpressions.build_allSatisfy(a) {
                PredicateExpressions.build_Comparison(
                    lhs: $0, rhs: PredicateExpressions.build_Arg(number), op: .greaterThan)
            }
        }
        return open(list)
    }

    static func countOfOwners(
        _ item: PredicateExpressions.Variable<FoundationItem>, vaccinated: Bool
    ) -> Standard<Int> {
        PredicateExpressions.build_KeyPath(
            root: PredicateExpressions.build_filter(
                PredicateExpressions.build_KeyPath(root: item, keyPath: \.owners)
            ) {
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.vaccinated),
                    rhs: PredicateExpressions.build_Arg(vaccinated))
            }, keyPath: \.count)
    }

    static func extremum(_ list: Standard<List<Int>>, isGreatest: Bool) -> Standard<Int?> {
        func open<A: StandardPredicateExpression<List<Int>>>(_ a: A) -> Standard<Int?> {
            if isGreatest { return PredicateExpressions.build_max(a) }
            return PredicateExpressions.build_min(a)
        }
        return open(list)
    }

    static func score(_ item: PredicateExpressions.Variable<FoundationItem>, _ key: String)
        -> Standard<Int?>
    {
        PredicateExpressions.build_subscript(
            PredicateExpressions.build_KeyPath(root: item, keyPath: \.scores),
            PredicateExpressions.build_Arg(key))
    }
}
