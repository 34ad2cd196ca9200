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
        var random = Seed.random()
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
