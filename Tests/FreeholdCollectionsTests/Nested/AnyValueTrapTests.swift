import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Misuse of any values and of the collections in them ends the process with Realm's text.
@Suite struct AnyValueTrapTests {
    typealias Thing = AnyValueModels.Thing
    typealias Holder = AnyValueModels.Holder
    typealias Use = @Sendable (Holder, Realm) throws -> Void

    private static func deep(_ count: Int) -> AnyRealmValue {
        (0..<count).reduce(.none) { value, _ in .fromArray([value]) }
    }

    private static let nesting = "Max nesting level reached"
    private static let invalid =
        """
         is no longer valid. Either the parent object was deleted or the containing Realm \
        has been invalidated or closed.
        """

    /// The holder's value is `[1, ["k": 2], [3]]`.
    static let inTransactions: [String: (message: String, use: Use)] = [
        "a class that is not in the schema": (
            "Object type 'AnyValueModels_Stranger' is not managed by the Realm.",
            { holder, _ in
                holder.value = .object(AnyValueModels.Stranger())
            }
        ),
        "a class that is not in the schema, nested": (
            "Object type 'AnyValueModels_Stranger' is not managed by the Realm.",
            { holder, _ in
                holder.value.listValue?.append(
                    .fromDictionary(["k": .object(AnyValueModels.Stranger())]))
            }
        ),
        "a class that is not in the schema, added": (
            "Object type 'AnyValueModels_Stranger' is not managed by the Realm.",
            { _, realm in
                let thing = Thing()
                thing.next = .object(AnyValueModels.Stranger())
                realm.add(thing)
            }
        ),
        "an object of another realm": (
            "Object is already managed by another Realm.",
            { holder, _ in
                try withTemporaryRealm(AnyValueModels.all) { other in
                    let thing = try other.write { other.create(Thing.self) }
                    holder.value = .fromArray([.object(thing)])
                }
            }
        ),
        "a deleted object": (
            "Adding a deleted or invalidated object to a Realm is not permitted",
            { holder, realm in
                let thing = realm.create(Thing.self)
                realm.delete(thing)
                holder.list.append(.object(thing))
            }
        ),
        "an embedded object": (
            "for 'mixed' property 'AnyValueModels_Holder.value'.",
            { holder, _ in holder["value"] = Fixture.Room() }
        ),
        "an embedded object in a list": (
            "Invalid value", { holder, _ in holder["list"] = [Fixture.Room()] }
        ),
        "too deep": (nesting, { holder, _ in holder.value = deep(101) }),
        "too deep, added": (
            nesting,
            { _, realm in
                let thing = Thing()
                thing.next = deep(101)
                realm.add(thing)
            }
        ),
        "too deep, in a list": (nesting, { holder, _ in holder.list.append(deep(101)) }),
        "too deep, in a set": (nesting, { holder, _ in holder.set.insert(deep(101)) }),
        "too deep, in a map": (nesting, { holder, _ in holder.map["k"] = deep(101) }),
        "too deep, in place": (
            nesting, { holder, _ in holder.value.listValue?[2].listValue?.append(deep(99)) }
        ),
        "too deep, in an element": (
            nesting,
            { holder, _ in
                holder.list.append(.fromArray([]))
                holder.list[0].listValue?.append(deep(100))
            }
        ),
        "too deep, by name": (
            nesting,
            { holder, _ in holder["value"] = (0..<101).reduce([] as [Any]) { value, _ in [value] } }
        ),
        "a list that contains itself": (
            nesting,
            { holder, _ in
                let list = List<AnyRealmValue>()
                list.append(.list(list))
                holder.value = .list(list)
            }
        ),
        "removed": (
            "List" + invalid,
            { holder, _ in
                let list = holder.value.listValue?[2].listValue
                holder.value.listValue?.removeLast()
                _ = list?.count
            }
        ),
        "replaced": (
            "Map" + invalid,
            { holder, _ in
                let map = holder.value.listValue?[1].dictionaryValue
                holder.value = .fromArray([.int(1), .fromDictionary(["k": .int(2)])])
                map?["k"] = .int(3)
            }
        ),
        "deleted": (
            "List" + invalid,
            { holder, realm in
                let list = holder.value.listValue
                realm.delete(holder)
                list?.append(.none)
            }
        ),
        "invalidated": (
            "List" + invalid,
            { holder, realm in
                let list = holder.value.listValue
                realm.cancelWrite()
                realm.invalidate()
                _ = list?.first
            }
        ),
        "index": (
            "Index 3 is out of bounds (must be less than 3).",
            { holder, _ in _ = holder.value.listValue?[3] }
        ),
        "index of a change": (
            "Index 3 is out of bounds (must be less than 3).",
            { holder, _ in holder.value.listValue?[3] = .none }
        ),
        "key": (
            "Dictionary::insert: key must not contain '.'",
            { holder, _ in holder.value.listValue?[1].dictionaryValue?["a.b"] = AnyRealmValue.none }
        ),
        "in a set": (
            "Cannot modify a collection that is an element of a set.",
            { holder, _ in
                holder.set.insert(.fromArray([.int(1)]))
                holder.set[0].listValue?.append(.int(2))
            }
        ),
        "freeze in its own transaction": (
            "Cannot freeze an object in the same write transaction as it was created in.",
            { holder, _ in
                holder.other = .fromArray([])
                _ = holder.other.listValue?.freeze()
            }
        ),
        "sorted": (
            "sorted(by:) is not supported for collections of values.",
            { holder, _ in _ = holder.value.listValue?.sorted() }
        ),
        "insert": (
            "Index 4 is out of bounds (must be less than 4).",
            { holder, _ in holder.value.listValue?.insert(.none, at: 4) }
        ),
        "remove": (
            "Index 3 is out of bounds (must be less than 3).",
            { holder, _ in holder.value.listValue?.remove(at: 3) }
        ),
    ]

    @Test(arguments: inTransactions.keys.sorted())
    func trapsInTransactions(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm(AnyValueModels.all) { realm in
                let holder = try realm.makeHolder(
                    0,
                    .fromArray([.int(1), .fromDictionary(["k": .int(2)]), .fromArray([.int(3)])]))
                realm.beginWrite()
                try AnyValueTrapTests.inTransactions[name]?.use(holder, realm)
            }
        }
        expectMessage(result, try #require(Self.inTransactions[name]).message, "\n  Remedy: ")
    }

    static let outsideOfTransactions: [String: (message: String, use: Use)] = [
        "property": (
            "Attempting to modify object outside of a write transaction",
            { holder, _ in holder.value = .none }
        ),
        "append": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.append(.none) }
        ),
        "subscript": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?[0] = .none }
        ),
        "append(objectsIn:)": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.append(objectsIn: [.none]) }
        ),
        "removeAll": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.removeAll() }
        ),
        "move": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.move(from: 0, to: 1) }
        ),
        "swapAt": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.swapAt(0, 1) }
        ),
        "map": (
            "Cannot modify managed RLMDictionary outside of a write transaction.",
            { holder, _ in holder.value.listValue?[1].dictionaryValue?["k"] = AnyRealmValue.none }
        ),
        "removing from a map": (
            "Cannot modify managed RLMDictionary outside of a write transaction.",
            { holder, _ in
                holder.value.listValue?[1].dictionaryValue?.removeObject(for: "x")
            }
        ),
        "emptying a map": (
            "Cannot modify managed RLMDictionary outside of a write transaction.",
            { holder, _ in
                holder.value.listValue?[1].dictionaryValue?.removeAll()
            }
        ),
        "insert": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.insert(.none, at: 0) }
        ),
        "remove": (
            "Cannot modify managed RLMArray outside of a write transaction.",
            { holder, _ in holder.value.listValue?.remove(at: 0) }
        ),
        "frozen": (
            "Attempting to modify a frozen array - call thaw on the List instance first.",
            { holder, _ in holder.value.listValue?.freeze().append(.none) }
        ),
        "frozen map": (
            "Attempting to modify a frozen dictionary - call thaw on the Map instance first.",
            { holder, _ in
                holder.freeze().value.listValue?[1].dictionaryValue?["k"] = .int(1)
            }
        ),
    ]

    @Test(arguments: outsideOfTransactions.keys.sorted())
    func trapsOutsideOfTransactions(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm(AnyValueModels.all) { realm in
                let holder = try realm.makeHolder(
                    0, .fromArray([.int(1), .fromDictionary(["k": .int(2)])]))
                try AnyValueTrapTests.outsideOfTransactions[name]?.use(holder, realm)
            }
        }
        expectMessage(
            result, try #require(Self.outsideOfTransactions[name]).message, "\n  Remedy: ")
    }
}
