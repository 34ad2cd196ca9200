import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// What the database cannot evaluate is thrown, with the name of the sub-expression.
@Suite struct FoundationRefusalTests {
    @Test func eachExpression() throws {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            let items = realm.objects(FoundationItem.self)
            func expectRefusal(
                _ predicate: Foundation.Predicate<FoundationItem>, _ expression: String,
                _ why: String = "", sourceLocation: SourceLocation = #_sourceLocation
            ) {
                for filter in [{ _ = try items.filter($0) }, { _ = try items.index(matching: $0) }]
                    as [(Foundation.Predicate<FoundationItem>) throws -> Void]
                {
                    let error = #expect(
                        throws: FoundationPredicateError.self, sourceLocation: sourceLocation
                    ) { try filter(predicate) }
                    #expect(
                        error?.code == .unsupportedExpression, "\(String(describing: error))",
                        sourceLocation: sourceLocation)
                    #expect(
                        error?.expression?.hasPrefix(expression) == true,
                        "\(String(describing: error))", sourceLocation: sourceLocation)
                    #expect(
                        error?.description.contains("'\(expression)") == true
                            && (why.isEmpty || error?.message.contains(why) == true),
                        "\(String(describing: error))", sourceLocation: sourceLocation)
                }
            }
            let three = 3
            expectRefusal(#Predicate { $0.number + 1 > three }, "Arithmetic")
            expectRefusal(#Predicate { $0.active && $0.number % 2 == 0 }, "IntRemainder")
            expectRefusal(#Predicate { $0.number / 2 == 0 }, "IntDivision")
            expectRefusal(#Predicate { $0.ratio / 2 == 0 }, "FloatDivision")
            expectRefusal(#Predicate { -$0.number < 3 }, "UnaryMinus")
            expectRefusal(#Predicate { $0.name.count > 3 }, "KeyPath String.count")
            expectRefusal(
                #Predicate { $0.description == "" }, "KeyPath",
                "which does not lead to a persisted property")
            expectRefusal(
                #Predicate { $0.double == 6 }, "KeyPath",
                "which does not lead to a persisted property")
            expectRefusal(#Predicate { $0.number.magnitude == 6 }, "KeyPath from Int to UInt")
            expectRefusal(#Predicate { $0.numbers[0] == 6 }, "CollectionIndexSubscript")
            expectRefusal(
                #Predicate { $0.keepers["a"] == nil }, "MapSubscript",
                "of a map whose values may be nil")
            expectRefusal(
                #Predicate { $0.keepers.values.contains { $0 == nil } }, "SequenceContainsWhere",
                "of objects that may be nil")
            expectRefusal(
                #Predicate { item in item.owners.contains { ($0.age ?? 0) == item.number } },
                "Variable", "not the element that the closure is about")
            expectRefusal(
                #Predicate { $0.numbers.contains($0.number) }, "SequenceContains",
                "of a value that is not constant")
            expectRefusal(
                #Predicate { $0.numbers.filter { $0 > three }.max() == three }, "SequenceMaximum",
                "of some of a collection's elements")
        }
    }

    /// What fits no class of the realm, or has no such operator in the database.
    @Test func mismatches() throws {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            let token = UUID()
            let error = #expect(throws: FoundationPredicateError.self) {
                try realm.objects(FoundationItem.self).filter(#Predicate { $0.token < token })
            }
            #expect(error?.code == .mismatch && error?.expression == nil)
            #expect(
                error?.message == "Operator '<' not supported for type 'uuid'",
                "\(String(describing: error))")
        }
    }

    /// A computed property that only gives what a persisted one has is as good as that.
    @Test func forwardingProperties() throws {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            try realm.write {
                realm.create(FoundationItem.self, value: ["id": 1, "title": "x"] as [String: Any])
            }
            #expect(
                try realm.objects(FoundationItem.self).filter(#Predicate { $0.label == "x" }).count
                    == 1)
        }
    }

    /// Choices inside of choices multiply, which ends somewhere.
    @Test func tooManyCases() throws {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            let first = #Predicate<FoundationItem> {
                ($0.active ? $0.number : $0.place) == ($0.active ? $0.place : $0.number)
            }
            let found = try realm.objects(FoundationItem.self).filter(first)
            #expect(found.isEmpty)
            let large = Self.nested(12)
            let error = #expect(throws: FoundationPredicateError.self) {
                try realm.objects(FoundationItem.self).filter(large)
            }
            #expect(
                error?.expression == "Equal"
                    && error?.message.contains("with too many cases") == true)
        }
    }

    /// In a function of its own: the compiler (6.3) takes its closure for that of a macro in
    /// the same function.
    private static func nested(_ depth: Int) -> Foundation.Predicate<FoundationItem> {
        Foundation.Predicate<FoundationItem>({ item in
            var expression = ExpressionBuilding.equal(
                ExpressionBuilding.property(item, \.number), ExpressionBuilding.constant(1))
            for _ in 0..<depth { expression = ExpressionBuilding.equal(expression, expression) }
            return expression
        })
    }

    @Test func collectionsThatNoRealmManages() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = try Fixture.Holder().dogs.filter(#Predicate<Fixture.Dog> { $0.age > 3 })
        }
        expectMessage(
            result,
            "This method may only be called on RLMArray instances retrieved from an RLMRealm")
    }
}
