import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@testable import Freehold

/// Steps that follow each other, on a thread with a stack of 512 KiB.
@Suite struct ResultLimitTests {
    private static let steps: [String: @Sendable (Results<LimitNode>) -> Results<LimitNode>] = [
        "limit": { $0.limit(2) },
        "offset": { $0.offset(0) },
        "distinct": { $0.distinct(by: ["id"]) },
        "limit and where": { $0.limit(2).where { $0.id >= 0 } },
        "distinct and order": { $0.distinct(by: ["id"]).sorted(byKeyPath: "name") },
    ]

    private static func chain(_ name: String, _ count: Int, in realm: Realm) throws -> Results<
        LimitNode
    > {
        let step = try #require(steps[name])
        return (0..<count).reduce(realm.objects(LimitNode.self)) { results, _ in step(results) }
    }

    @Test(arguments: steps.keys.sorted())
    func asManyAsThereMayBe(_ name: String) throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write {
                    for id in 0..<3 { realm.create(LimitNode.self, value: ["id": id]) }
                }
                let results = try Self.chain(name, DerivedRows.maximumDepth, in: realm)
                #expect(results.count == (name.hasPrefix("limit") ? 2 : 3))
                #expect(results.first?.id == 0)
                #expect(!results.explain().description.isEmpty)
                #expect(Frozen(results).count == results.count)
            }
        }
    }

    @Test(arguments: steps.keys.sorted())
    func oneMore(_ name: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try runOnSmallStack {
                try withTemporaryRealm([LimitNode.self]) { realm in
                    _ = try ResultLimitTests.chain(name, DerivedRows.maximumDepth + 1, in: realm)
                }
            }
        }
        expectMessage(result, "Too many steps")
    }
}
