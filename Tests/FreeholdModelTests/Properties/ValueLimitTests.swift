import Foundation
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@testable import Freehold

/// Values as deep as they may be, and deeper, on a thread with a stack of 512 KiB.
@Suite struct ValueLimitTests {
    private static let message = "Max nesting level reached"

    /// So many objects or collections in each other.
    private static let shapes: [String: @Sendable (Int) -> [String: Any]] = [
        "objects": { depth in (0..<depth).reduce(["id": 0]) { ["id": $1 + 1, "next": $0] } },
        "objects in lists": { depth in
            (0..<depth).reduce(["id": 0]) { ["id": $1 + 1, "nodes": [$0]] }
        },
        "objects as arrays": { depth in
            [
                "id": -1,
                "next": (0..<depth - 1).reduce([0, ""] as [Any]) { [$1 + 1, "", $0] as [Any] },
            ]
        },
        "arrays": { depth in
            ["id": 1, "any": (0..<depth).reduce(1 as Any) { value, _ in [value] as [Any] }]
        },
        "dictionaries": { depth in
            [
                "id": 1,
                "any": (0..<depth).reduce(1 as Any) { value, _ in ["k": value] as [String: Any] },
            ]
        },
        "Foundation's arrays": { depth in
            ["id": 1, "any": (0..<depth).reduce(1 as Any) { value, _ in NSArray(array: [value]) }]
        },
    ]

    /// With a stack of 8 MiB: a debug build needs more than 2 MiB for the depth of any values.
    @Test(arguments: shapes.keys.sorted())
    func literals(_ name: String) throws {
        let literal = try #require(Self.shapes[name])
        try runThreads(
            [
                { @Sendable () throws -> Void in
                    try withTemporaryRealm([LimitNode.self]) { realm in
                        _ = try realm.write { realm.create(LimitNode.self, value: literal(100)) }
                        #expect(
                            realm.objects(LimitNode.self).count
                                == (name.hasPrefix("objects") ? 101 : 1))
                        _ = LimitNode(value: literal(50))
                    }
                }
            ], stackSize: 8 << 20)
        try runThreads(
            [
                { @Sendable () throws -> Void in
                    for depth in [102, 2_000] {
                        let error = #expect(throws: InvalidValueError.self) {
                            try LimitNode().assign(from: literal(depth))
                        }
                        #expect(error?.message.hasPrefix(Self.message) == true)
                    }
                }
            ], stackSize: 8 << 20)
    }

    /// Foundation's containers, of which some contain themselves.
    private static func container(_ name: String) -> Any {
        let array = NSMutableArray()
        let dictionary = NSMutableDictionary()
        dictionary.setObject(1, forKey: "id" as NSString)
        switch name {
        case "array": array.add(array)
        case "dictionary": dictionary.setObject(dictionary, forKey: "next" as NSString)
        default:
            dictionary.setObject(array, forKey: "nodes" as NSString)
            array.add(dictionary)
            array.add(dictionary)
        }
        return name == "array" ? array : dictionary
    }

    private static let uses: [String: @Sendable (Realm, LimitNode, Any) throws -> Void] = [
        "create": { realm, _, value in
            try realm.write { _ = realm.create(LimitNode.self, value: value) }
        },
        "create inside": { realm, _, value in
            try realm.write {
                _ = realm.create(LimitNode.self, value: ["id": 1, "nodes": value] as [String: Any])
            }
        },
        "create any": { realm, _, value in
            try realm.write {
                _ = realm.create(LimitNode.self, value: ["id": 1, "any": value] as [String: Any])
            }
        },
        "init": { _, _, value in _ = LimitNode(value: value) },
        "any": { _, node, value in node["any"] = value },
        "link": { _, node, value in node["next"] = value },
        "list": { _, node, value in node["nodes"] = value },
        "number": { _, node, value in node["id"] = value },
    ]

    @Test(arguments: uses.keys.sorted(), ["array", "dictionary", "both"])
    func containersThatContainThemselves(_ use: String, _ name: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use, name] in
            try runOnSmallStack {
                try withTemporaryRealm([LimitNode.self]) { realm in
                    try ValueLimitTests.uses[use]?(
                        realm, LimitNode(), ValueLimitTests.container(name))
                }
            }
        }
        expectMessage(result, use == "number" ? "Invalid value '…'" : Self.message)
    }

    @Test(arguments: ["array", "dictionary", "both"])
    func asArgumentsOfPredicates(_ name: String) throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                for format in ["id == %@", "id IN %@", "name == %d", "%K == 1"] {
                    #expect(throws: RealmPredicateError.self) {
                        try RealmPredicate(format, Self.container(name)).check(
                            LimitNode.self, in: realm)
                    }
                }
            }
        }
    }

    @Test func collectionsThatContainThemselves() async throws {
        try runOnSmallStack {
            let (list, map) = (List<AnyRealmValue>(), Map<String, AnyRealmValue>())
            list.append(.dictionary(map))
            map["list"] = .list(list)
            #expect(!list.description.isEmpty && !map.description.isEmpty)
            #expect(AnyRealmValue.list(list) == .list(list))
            #expect(Set([AnyRealmValue.list(list), .list(list)]).count == 1)
            try withTemporaryRealm([LimitNode.self]) { realm in
                #expect(throws: RealmPredicateError.self) {
                    try RealmPredicate("name == %@", AnyRealmValue.list(list)).check(
                        LimitNode.self, in: realm)
                }
            }
            list.removeAll()
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try runOnSmallStack {
                let list = List<AnyRealmValue>()
                list.append(.list(list))
                let node = LimitNode()
                node.any = .list(list)
                try withTemporaryRealm([LimitNode.self]) { realm in
                    try realm.write { realm.add(node) }
                }
            }
        }
        expectMessage(result, Self.message)
    }

    /// Lists and dictionaries in turn, so many in each other, from the outermost on.
    private static func nested(_ depth: Int, innermost: AnyRealmValue) -> [AnyRealmValue] {
        var values = [innermost]
        for level in 0..<depth {
            let inner = values[level]
            if level.isMultiple(of: 2) {
                let list = List<AnyRealmValue>()
                list.append(.string("before"))
                list.append(inner)
                values.append(.list(list))
            } else {
                let map = Map<String, AnyRealmValue>()
                map["a"] = .string("before")
                map["b"] = inner
                values.append(.dictionary(map))
            }
        }
        return values.reversed()
    }

    /// Compared, hashed and described without recursion, as deep as a program nests them;
    /// refused where they are stored.
    @Test(arguments: [99, 100_000])
    func unmanagedAnyValuesOfAnyDepth(_ depth: Int) throws {
        try runOnSmallStack {
            let one = Self.nested(depth, innermost: .int(1))
            let same = Self.nested(depth, innermost: .double(1))
            let greater = Self.nested(depth, innermost: .int(2))
            // Each is released alone: Swift's release of a chain needs stack for its length.
            defer { for value in one + same + greater { Self.empty(value) } }
            #expect(
                one[0] == same[0] && one[0].hashValue == same[0].hashValue && !(one[0] < same[0]))
            #expect(one[0] != greater[0] && one[0] < greater[0] && !(greater[0] < one[0]))
            // Behind an element that is a collection, the others count, too.
            if case .list(let list) = one[0], case .list(let sameList) = same[0] {
                list.append(.int(1))
                sameList.append(.int(3))
                #expect(one[0] != same[0] && one[0] < same[0])
                sameList.removeLast()
                #expect(same[0] < one[0])
            }
            switch one[0] {
            case .list(let list): #expect(list.description.contains("before"))
            case .dictionary(let map): #expect(map.description.contains("before"))
            default: Issue.record("No collection: \(depth)")
            }
            if depth > 100 {
                #expect(throws: RealmPredicateError.self) {
                    try withTemporaryRealm([LimitNode.self]) { realm in
                        try RealmPredicate("name == %@", one[0]).check(LimitNode.self, in: realm)
                    }
                }
            }
        }
    }

    private static func empty(_ value: AnyRealmValue) {
        switch value {
        case .list(let list): list.removeAll()
        case .dictionary(let map): map.removeAll()
        default: break
        }
    }

    /// Added, followed, described, compared and deleted without recursion.
    @Test func longChainsOfObjects() throws {
        try runOnSmallStack {
            try withTemporaryRealm([LimitNode.self]) { realm in
                var chain = (0..<100_000).map { LimitNode(value: ["id": $0]) }
                for index in 1..<chain.count { chain[index - 1].next = chain[index] }
                let first = chain[0]
                #expect(first.description.contains("<Maximum depth exceeded>"))
                #expect(first == first && first.hashValue == first.hashValue)
                try realm.write { realm.add(first) }
                chain.removeAll()
                #expect(realm.objects(LimitNode.self).count == 100_000)
                #expect(first.description.contains("<Maximum depth exceeded>"))
                try realm.write { realm.deleteAll() }
            }
        }
    }
}
