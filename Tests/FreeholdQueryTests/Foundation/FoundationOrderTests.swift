import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Foundation's orders against those that Swift makes of the same objects.
@Suite struct FoundationOrderTests {
    @Test func sameAsSwift() throws {
        try withFoundationWorld(rounds: 3) { world, generator in
            let twins = world.twins()
            let orders: [[Foundation.SortDescriptor<FoundationItem>]] = [
                [SortDescriptor(\.number), SortDescriptor(\.id, order: .reverse)],
                [SortDescriptor(\.place, order: .reverse), SortDescriptor(\.id)],
                [SortDescriptor(\.joined, order: .reverse), SortDescriptor(\.id)],
                [
                    SortDescriptor(\.small), SortDescriptor(\.number, order: .reverse),
                    SortDescriptor(\.id),
                ],
                [SortDescriptor(\.small, order: .reverse), SortDescriptor(\.id)],
                [SortDescriptor(\.amount), SortDescriptor(\.id)],
                [SortDescriptor(\.name), SortDescriptor(\.id)],
                [
                    SortDescriptor(\.name, comparator: .lexical, order: .reverse),
                    SortDescriptor(\.id),
                ],
                [SortDescriptor(\.note), SortDescriptor(\.id)],
                [SortDescriptor(\.kind), SortDescriptor(\.id)],
                [SortDescriptor(\.owner?.age), SortDescriptor(\.id)],
                [SortDescriptor(\.owner?.boss?.name, order: .reverse), SortDescriptor(\.id)],
                [SortDescriptor(\.id)],
                [],
            ]
            for (position, order) in orders.enumerated() {
                let expected =
                    order.isEmpty ? twins.map(\.id) : twins.sorted(using: order).map(\.id)
                #expect(
                    try world.items.sorted(using: order).map(\.id) == expected,
                    "order \(position), FREEHOLD_SEED=\(generator.seed)")
                #expect(
                    try world.items.freeze().sorted(using: order).map(\.id) == expected,
                    "order \(position), FREEHOLD_SEED=\(generator.seed)")
            }
            let oldest = try world.items.sorted(using: SortDescriptor(\.number, order: .reverse))
            #expect(oldest.first?.number == twins.map(\.number).max())
            let owners = try #require(
                try world.items.filter(#Predicate { !$0.owners.isEmpty }).first
            ).owners
            let ages = owners.map(\.age).sorted { ($0 ?? .min) < ($1 ?? .min) }
            #expect(try owners.sorted(using: [SortDescriptor(\.age)]).map(\.age) == ages)
        }
    }

    @Test func whatCannotBeSortedBy() throws {
        try withTemporaryRealm(FoundationWorld.classes) { realm in
            func expectRefusal(
                _ order: Foundation.SortDescriptor<FoundationItem>, _ text: String,
                sourceLocation: SourceLocation = #_sourceLocation
            ) {
                let error = #expect(
                    throws: FoundationPredicateError.self, sourceLocation: sourceLocation
                ) {
                    try realm.objects(FoundationItem.self).sorted(using: order)
                }
                #expect(
                    error?.code == .unsupportedExpression && error?.expression == "SortDescriptor",
                    sourceLocation: sourceLocation)
                #expect(
                    error?.message.contains(text) == true, "\(String(describing: error))",
                    sourceLocation: sourceLocation)
            }
            expectRefusal(
                SortDescriptor(\.description), "which does not lead to a persisted property")
            expectRefusal(SortDescriptor(\.double), "which does not lead to a persisted property")
            expectRefusal(
                SortDescriptor(\.number.magnitude), "which does not lead to a persisted property")
            // Its cases are not in the order of their raw values.
            expectRefusal(
                SortDescriptor(\.level), "an enum with an order other than its raw values'")
        }
    }
}
