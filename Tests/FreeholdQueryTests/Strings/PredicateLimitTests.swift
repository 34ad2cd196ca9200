import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Strings and arguments as deep and as long as they may be, and one step more, on a thread
/// with a stack of 512 KiB.
@Suite struct PredicateLimitTests {
    /// What strings may be: the number is the limit's.
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let limit: Int
        let format: @Sendable (Int) -> String
        let text: String

        static let all = [
            Shape(
                testDescription: "steps", limit: 32,
                format: { String(repeating: "next.", count: $0 - 1) + "id == 1" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "steps over collections", limit: 32,
                format: { "ANY " + String(repeating: "nodes.", count: $0 - 1) + "id == 1" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "steps of both sides", limit: 32,
                format: {
                    let path = String(repeating: "next.", count: $0 - 1) + "id"
                    return "\(path) == \(path)"
                }, text: "more than 32 steps"),
            Shape(
                testDescription: "subscripts", limit: 31,
                format: { "any" + String(repeating: "[0]", count: $0) + " == 1" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "any subscripts", limit: 31,
                format: { "any" + String(repeating: "[*]", count: $0) + " == 1" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "sort", limit: 32,
                format: { "id == 1 SORT(" + String(repeating: "next.", count: $0 - 1) + "id ASC)" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "distinct", limit: 32,
                format: { "id == 1 DISTINCT(" + String(repeating: "next.", count: $0 - 1) + "id)" },
                text: "more than 32 steps"),
            Shape(
                testDescription: "parentheses", limit: 32,
                format: {
                    String(repeating: "(", count: $0) + "id == 1"
                        + String(repeating: ")", count: $0)
                },
                text: "nested more than 32 deep"),
            Shape(
                testDescription: "parentheses around a value", limit: 32,
                format: {
                    "id == " + String(repeating: "(", count: $0) + "1"
                        + String(repeating: ")", count: $0)
                }, text: "nested more than 32 deep"),
            Shape(
                testDescription: "NOT", limit: 32,
                format: { String(repeating: "NOT ", count: $0) + "id == 1" },
                text: "nested more than 32 deep"),
            Shape(
                testDescription: "AND inside of OR", limit: 32,
                format: {
                    (0..<$0).map { $0.isMultiple(of: 2) ? "id == 1 AND (" : "id == 2 OR (" }
                        .joined() + "id == 1" + String(repeating: ")", count: $0)
                }, text: "nested more than 32 deep"),
            Shape(
                testDescription: "subqueries", limit: 32,
                format: { count in
                    (0..<count).map { "SUBQUERY(\($0 == 0 ? "" : "$v\($0 - 1).")nodes, $v\($0), " }
                        .joined()
                        + "$v\(count - 1).id == 1" + String(repeating: ").@count > 0", count: count)
                }, text: "nested more than"),
        ]
    }

    @Test(arguments: Shape.all)
    func strings(_ shape: Shape) throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write {
                    let node = realm.create(
                        LimitNode.self, value: ["id": 1, "name": "a"] as [String: Any])
                    node.next = node
                    node.nodes.append(node)
                }
                var limit = shape.limit
                // Each counts as three levels of the string.
                if shape.testDescription == "subqueries" { limit = 10 }
                try Self.use(try RealmPredicate(parsing: shape.format(limit)), realm)
                for count in [shape.limit + 1, shape.limit + 2, 20_000] {
                    let error = #expect(throws: RealmPredicateError.self) {
                        try RealmPredicate(parsing: shape.format(count))
                    }
                    #expect(error?.code == .limit)
                    #expect(
                        error?.description.contains(shape.text) == true,
                        "\(error?.description.prefix(300) ?? "")")
                    #expect(error?.remedy.isEmpty == false)
                }
            }
        }
    }

    /// Everything that is done with a predicate.
    private static func use(_ predicate: RealmPredicate, _ realm: Realm, isString: Bool = true)
        throws
    {
        let all = realm.objects(LimitNode.self)
        try predicate.check(LimitNode.self, in: realm)
        let found = all.filter(predicate)
        #expect(found.count >= 0)
        #expect(!found.explain().description.isEmpty)
        // What was combined may be deeper than strings may be.
        if isString { #expect(try RealmPredicate(parsing: predicate.description) == predicate) }
        #expect(Set([predicate, predicate]).count == 1)
        #expect(found.filter("id == 1").count <= 1)
        let unmanaged = LimitNode()
        unmanaged.id = 1
        unmanaged.nodes.append(unmanaged)
        let list = List<LimitNode>()
        list.append(unmanaged)
        if !predicate.description.contains("SORT("), !predicate.description.contains("DISTINCT(") {
            _ = list.index(matching: predicate)
        }
        unmanaged.nodes.removeAll()
    }

    /// Long but flat: works, whatever the length.
    @Test func longChains() throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                try realm.write {
                    for id in 0..<10 { _ = realm.create(LimitNode.self, value: ["id": id]) }
                }
                let all = realm.objects(LimitNode.self)
                for operation in ["OR", "AND", "||", "&&"] {
                    let format = (0..<20_000).map { "id == \($0)" }.joined(
                        separator: " \(operation) ")
                    #expect(
                        all.filter(format).count
                            == (operation == "OR" || operation == "||" ? 10 : 0))
                }
                #expect(
                    all.filter(
                        "id IN {" + (0..<100_000).map(String.init).joined(separator: ",") + "}"
                    ).count == 10)
                #expect(all.filter("id IN %@", Array(5..<1_000_005)).count == 5)
            }
        }
    }

    @Test func aStringIsAtMostAMebibyte() throws {
        let padding = "id == 1"
        let longest = padding + String(repeating: " ", count: (1 << 20) - padding.utf8.count)
        _ = try RealmPredicate(longest)
        let error = #expect(throws: RealmPredicateError.self) { try RealmPredicate(longest + " ") }
        #expect(error?.code == .limit)
    }

    @Test func keyPathsInArguments() throws {
        let path = String(repeating: "next.", count: 31) + "id"
        _ = try RealmPredicate("%K == 1", path)
        let error = #expect(throws: RealmPredicateError.self) {
            try RealmPredicate("%K == 1", "next." + path)
        }
        #expect(error?.description.contains("more than 32 steps") == true)
    }

    /// The bound of strings that are combined holds for what strings are made of, too.
    @Test func combinedPredicates() async throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                var predicate = try RealmPredicate("id == 1")
                for step in 0..<48 {
                    predicate =
                        step.isMultiple(of: 2)
                        ? !predicate : predicate && RealmPredicate(value: true)
                }
                try Self.use(predicate, realm, isString: false)
            }
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try runOnSmallStack {
                var predicate = try RealmPredicate("id == 1")
                for _ in 0..<49 { predicate = !predicate }
            }
        }
        expectMessage(result, "Predicates cannot be nested more than 48 deep")
    }
}
