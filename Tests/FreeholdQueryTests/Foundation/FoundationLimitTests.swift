import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Foundation's predicates, whose expressions are types inside of types.
@Suite struct FoundationLimitTests {
    private typealias Condition = any StandardPredicateExpression<Bool>

    private static func predicate(
        _ depth: Int, _ grow: @escaping (Condition, Condition) -> Condition
    ) -> Foundation.Predicate<LimitNode> {
        Foundation.Predicate<LimitNode> { node in
            let first = PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(
                    root: PredicateExpressions.build_Arg(node), keyPath: \.id),
                rhs: PredicateExpressions.build_Arg(1))
            return (0..<depth).reduce(first as Condition) { expression, _ in grow(expression, first)
            }
        }
    }

    private static func negation<Operand: StandardPredicateExpression<Bool>>(_ operand: Operand)
        -> Condition
    { PredicateExpressions.build_Negation(operand) }

    private static func conjunction<
        A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>
    >(_ a: A, _ b: B) -> Condition {
        PredicateExpressions.build_Conjunction(lhs: a, rhs: b)
    }

    private static func disjunction<
        A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>
    >(_ a: A, _ b: B) -> Condition {
        PredicateExpressions.build_Disjunction(lhs: a, rhs: b)
    }

    private static let shapes: [String: @Sendable (Int) -> Foundation.Predicate<LimitNode>] = [
        "negations": { predicate($0) { operand, _ in negation(operand) } },
        "conjunctions": { predicate($0) { conjunction($0, $1) } },
        "conjunctions to the right": { predicate($0) { conjunction($1, $0) } },
        "disjunctions": { predicate($0) { disjunction($0, $1) } },
    ]

    @Test(arguments: shapes.keys.sorted())
    func depth(_ name: String) throws {
        let shape = try #require(Self.shapes[name])
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write { _ = realm.create(LimitNode.self, value: ["id": 1]) }
                let all = realm.objects(LimitNode.self)
                // A comparison is two deep by itself: its key path, and the object.
                #expect(try all.filter(shape(28)).count == 1)
                for depth in [33, 60] {
                    let error = #expect(throws: FoundationPredicateError.self) {
                        _ = try all.filter(shape(depth))
                    }
                    #expect(error?.code == .limit)
                    #expect(error?.message.contains("nested more than 32 deep") == true)
                }
            }
        }
    }
}
