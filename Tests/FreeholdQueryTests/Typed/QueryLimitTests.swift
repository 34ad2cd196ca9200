import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Typed queries as deep as they may be, and one step more, on a thread with a stack of 512 KiB.
@Suite struct QueryLimitTests {
    typealias Grow = @Sendable (Query<LimitNode>, Int) -> Query<Bool>

    /// Each makes a condition so deep.
    private static let shapes: [String: (limit: Int, text: String, grow: Grow)] = [
        "!": (
            48, "nested more than 48 deep",
            { node, count in (0..<count).reduce(node.id == 1) { query, _ in !query } }
        ),
        "&& to the right": (
            48, "nested more than 48 deep",
            { node, count in (0..<count).reduce(node.id == 1) { query, _ in node.id == 1 && query }
            }
        ),
        "|| to the right": (
            48, "nested more than 48 deep",
            { node, count in (0..<count).reduce(node.id == 1) { query, _ in node.id == 2 || query }
            }
        ),
        "&& and ||": (
            48, "nested more than 48 deep",
            { node, count in
                (0..<count).reduce(node.id == 1) { query, step in
                    step.isMultiple(of: 2) ? query && node.id == 1 : query || node.id == 2
                }
            }
        ),
        "== true": (
            48, "nested more than 48 deep",
            { node, count in (0..<count).reduce(node.id == 1) { query, _ in query == true } }
        ),
        "members": (
            31, "more than 32 steps",
            { node, count in
                var next: Query<LimitNode?> = node.next
                for _ in 1..<count { next = next.next }
                return next.id == 1
            }
        ),
        "members of collections": (
            31, "more than 32 steps",
            { node, count in
                var nodes: Query<List<LimitNode>> = node.nodes
                for _ in 1..<count { nodes = nodes.nodes }
                return nodes.id == 1
            }
        ),
        "subscripts": (
            31, "more than 32 steps",
            { node, count in
                var any: Query<AnyRealmValue> = node.any
                for _ in 0..<count { any = any[0] }
                return any == .int(1)
            }
        ),
    ]

    @Test(arguments: shapes.keys.sorted())
    func asDeepAsTheyMayBe(_ name: String) throws {
        let shape = try #require(Self.shapes[name])
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write {
                    let node = realm.create(LimitNode.self, value: ["id": 1])
                    node.next = node
                    node.nodes.append(node)
                }
                let all = realm.objects(LimitNode.self)
                #expect(all.where { shape.grow($0, shape.limit) }.count >= 0)
                #expect(
                    !shape.grow(Query<LimitNode>._constructForTesting(), shape.limit)
                        ._constructPredicate().0.isEmpty)
                let predicate = RealmPredicate(LimitNode.self) { shape.grow($0, shape.limit) }
                #expect(
                    all.filter(predicate).count == all.where { shape.grow($0, shape.limit) }.count)
                #expect(!predicate.description.isEmpty)
                let unmanaged = List<LimitNode>()
                unmanaged.append(LimitNode())
                _ = unmanaged.index { shape.grow($0, shape.limit) }
            }
        }
    }

    @Test(arguments: shapes.keys.sorted())
    func oneStepMore(_ name: String) async throws {
        let text = try #require(Self.shapes[name]?.text)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name] in
            try runOnSmallStack {
                try withTemporaryRealm([LimitNode.self]) { realm in
                    guard let shape = QueryLimitTests.shapes[name] else { return }
                    _ =
                        realm.objects(LimitNode.self).where { shape.grow($0, shape.limit + 1) }
                        .count
                }
            }
        }
        expectMessage(result, text)
    }

    @Test(arguments: shapes.keys.sorted())
    func farTooDeep(_ name: String) async throws {
        let text = try #require(Self.shapes[name]?.text)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name] in
            try runOnSmallStack {
                _ = QueryLimitTests.shapes[name]?.grow(
                    Query<LimitNode>._constructForTesting(), 50_000)
            }
        }
        expectMessage(result, text)
    }

    /// `a || b || c` is one level, whatever the length.
    @Test func chainsToTheLeft() throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write {
                    for id in 0..<10 { _ = realm.create(LimitNode.self, value: ["id": id]) }
                }
                let all = realm.objects(LimitNode.self)
                #expect(
                    all.where { node in (1..<300_000).reduce(node.id == 0) { $0 || node.id == $1 } }
                        .count == 10)
                #expect(
                    all.where { node in
                        (1..<50_000).reduce(node.id == 1) { query, _ in query && node.id == 1 }
                    }.count == 1)
            }
        }
    }

    /// Each comparison of two conditions doubles them.
    @Test func conditionsComparedWithEachOther() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm([LimitNode.self]) { realm in
                let all = realm.objects(LimitNode.self)
                _ =
                    all.where { node in
                        (0..<5).reduce(node.id == 1) { query, _ in query == (node.id == 2) }
                    }.count
                FileHandle.standardError.write(Data("five work\n".utf8))
                _ =
                    all.where { node in
                        (0..<40).reduce(node.id == 1) { query, _ in query == (node.id == 2) }
                    }.count
            }
        }
        expectMessage(result, "five work")
        expectMessage(result, "cannot have more than 10000 parts")
    }
}
