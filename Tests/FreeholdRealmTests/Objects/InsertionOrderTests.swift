import Freehold
import FreeholdRealmTestSupport
import Testing

/// In which order the objects of a graph come to be, which unsorted results show: each in front
/// of those that it links to, and these in the order of the properties, as in Realm.
@Suite struct InsertionOrderTests {
    final class Node: Object {
        @Persisted var name = ""
        @Persisted var left: Node?
        @Persisted var rest: List<Node>
        @Persisted var any: AnyRealmValue
        @Persisted var named: Map<String, Node?>
        @Persisted var last: Node?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Keyed: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var name = ""
        @Persisted var next: Keyed?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func literal(
        _ name: String, _ left: [String: Any]? = nil, rest: [[String: Any]] = [],
        last: [String: Any]? = nil
    ) -> [String: Any] {
        ["name": name, "left": left as Any, "rest": rest, "last": last as Any]
    }

    private static var tree: [String: Any] {
        literal(
            "a", literal("b", literal("c"), last: literal("d")),
            rest: [literal("e", literal("f")), literal("g")], last: literal("h"))
    }

    private func names(_ realm: Realm) -> String { realm.objects(Node.self).map(\.name).joined() }

    @Test func create() throws {
        try withTemporaryRealm([Node.self]) { realm in
            try realm.write { realm.create(Node.self, value: Self.tree) }
            #expect(names(realm) == "abcdefgh")
        }
    }

    @Test func createFromAnObject() throws {
        try withTemporaryRealm([Node.self]) { realm in
            try realm.write { realm.create(Node.self, value: Node(value: Self.tree)) }
            #expect(names(realm) == "abcdefgh")
        }
    }

    @Test func add() throws {
        try withTemporaryRealm([Node.self]) { realm in
            let root = Node(value: Self.tree)
            root.any = .fromArray([.object(Node(value: ["x"])), .object(Node(value: ["y"]))])
            root.named["k"] = Node(value: ["z"])
            try realm.write { realm.add(root) }
            #expect(names(realm) == "abcdefgxyzh")
        }
    }

    /// What has a primary key may come again inside of itself: then it is the one that came first.
    @Test func anObjectInsideOfItself() throws {
        try withTemporaryRealm([Keyed.self]) { realm in
            let object = try realm.write {
                realm.create(
                    Keyed.self,
                    value: [
                        "key": "a", "name": "outer",
                        "next": ["key": "b", "next": ["key": "a", "name": "inner"]],
                    ] as [String: Any], update: .modified)
            }
            #expect(realm.objects(Keyed.self).map(\.key) == ["a", "b"])
            #expect(object.name == "outer" && object.next?.next == object)
        }
    }

    @Test func anObjectInsideOfItselfWithoutAPolicy() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm([Keyed.self]) { realm in
                try realm.write {
                    _ = realm.create(
                        Keyed.self, value: ["key": "a", "next": ["key": "a"]] as [String: Any])
                }
            }
        }
        expectMessage(
            result,
            """
            Attempting to create an object of type 'InsertionOrderTests_Keyed' with an \
            existing primary key value 'a'
            """
        )
    }
}
