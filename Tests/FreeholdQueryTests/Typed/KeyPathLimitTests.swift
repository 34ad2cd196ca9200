import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@testable import Freehold

/// Key paths as text where no predicate is, on a thread with a stack of 512 KiB.
@Suite struct KeyPathLimitTests {
    private static func path(_ steps: Int, to last: String = "id") -> String {
        String(repeating: "next.", count: steps - 1) + last
    }

    private static let uses: [String: @Sendable (Realm, LimitNode, Int) -> Void] = [
        "sorted": { realm, _, steps in
            _ = realm.objects(LimitNode.self).sorted(byKeyPath: path(steps)).first
        },
        "value": { _, node, steps in _ = node.value(forKeyPath: path(steps)) },
        "value of an unmanaged object": { _, _, steps in
            let node = LimitNode()
            node.next = node
            _ = node.value(forKeyPath: path(steps))
            node.next = nil
        },
        "value of operators": { _, node, steps in
            _ = node.nodes.value(
                forKeyPath: String(repeating: "@unionOfObjects.", count: steps - 1) + "id")
        },
        "setValue": { realm, node, steps in
            try? realm.write { node.setValue(1, forKeyPath: path(steps, to: "name")) }
        },
        "observed": { realm, _, steps in
            _ = ObservedPaths([path(steps)], of: realm.core.binding(for: LimitNode.self))
        },
    ]

    private static let names = uses.keys.filter { $0 != "setValue" && $0 != "value of operators" }
        .sorted()

    @Test(arguments: names)
    func asManyAsThereMayBe(_ name: String) throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                let node = try realm.write {
                    let node = realm.create(LimitNode.self, value: ["id": 1])
                    node.next = node
                    node.nodes.append(node)
                    return node
                }
                KeyPathLimitTests.uses[name]?(realm, node, 32)
            }
        }
    }

    @Test(arguments: uses.keys.sorted(), [33, 20_000])
    func more(_ name: String, _ steps: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name, steps] in
            try runOnSmallStack {
                try withTemporaryRealm([LimitNode.self]) { realm in
                    let node = try realm.write {
                        let node = realm.create(LimitNode.self, value: ["id": 1])
                        node.next = node
                        return node
                    }
                    KeyPathLimitTests.uses[name]?(realm, node, steps)
                }
            }
        }
        expectMessage(result, "it has more than 32 steps.")
    }

    /// Each `*` stands for all three links of the class, so the places multiply.
    @Test func starsHaveALimit() async throws {
        try withTemporaryRealm([LimitNode.self]) { realm in
            _ = ObservedPaths(["*.*.*.*.*"], of: realm.core.binding(for: LimitNode.self))
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm([LimitNode.self]) { realm in
                _ = ObservedPaths(
                    [Array(repeating: "*", count: 30).joined(separator: ".")],
                    of: realm.core.binding(for: LimitNode.self))
            }
        }
        expectMessage(result, "Key paths cannot lead to more than 10000 places")
    }
}
