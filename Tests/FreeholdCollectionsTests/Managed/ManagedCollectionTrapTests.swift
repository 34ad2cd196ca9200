import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Misuse of a realm's collections ends the process with Realm's text.
@Suite struct ManagedCollectionTrapTests {
    typealias Holder = Fixture.Holder

    private static func outside(_ name: String) -> String {
        "Cannot modify managed \(name) outside of a write transaction."
    }

    static let outsideOfTransactions: [String: (message: String, use: @Sendable (Holder) -> Void)] =
        [
            "append": (outside("RLMArray"), { $0.numbers.append(1) }),
            "subscript": (outside("RLMArray"), { $0.numbers[0] = 1 }),
            "assign": (outside("RLMArray"), { $0.numbers = List<Int>() }),
            "removeAll": (outside("RLMArray"), { $0.numbers.removeAll() }),
            "move": (outside("RLMArray"), { $0.numbers.move(from: 0, to: 1) }),
            "insert into a set": (outside("RLMSet"), { $0.tags.insert("b") }),
            "remove from a set": (outside("RLMSet"), { $0.tags.remove("a") }),
            "map": (outside("RLMDictionary"), { $0.scores["a"] = 1 }),
            "remove from a map": (outside("RLMDictionary"), { $0.scores["a"] = nil }),
            "index": ("Index 2 is out of bounds (must be less than 2).", { _ = $0.numbers[2] }),
            "sorting by a collection": (
                """
                Cannot sort on key path 'numbers': property 'Fixture_Holder.numbers' of \
                type 'array' cannot be the final property in the key path.
                """,
                {
                    _ = $0.realm?.objects(Holder.self).sorted(byKeyPath: "numbers").count
                }
            ),
            "frozen": (
                "Attempting to modify a frozen array - call thaw on the List instance first.",
                { $0.numbers.freeze().append(1) }
            ),
        ]

    @Test(arguments: outsideOfTransactions.keys.sorted())
    func trapsOutsideOfTransactions(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm { realm in
                let holder = try realm.write {
                    realm.create(
                        Holder.self, value: ["numbers": [1, 2], "tags": ["a"], "scores": ["a": 1]])
                }
                ManagedCollectionTrapTests.outsideOfTransactions[name]?.use(holder)
            }
        }
        expectMessage(
            result, try #require(Self.outsideOfTransactions[name]).message, "\n  Remedy: ")
    }

    static let inTransactions:
        [String: (message: String, use: @Sendable (Holder, Realm) throws -> Void)] = [
            "deleted": (
                """
                List is no longer valid. Either the parent object was deleted or the \
                containing Realm has been invalidated or closed.
                """,
                { holder, realm in
                    let numbers = holder.numbers
                    realm.delete(holder)
                    #expect(numbers.isInvalidated)
                    _ = numbers.count
                }
            ),
            "deleted, changed": (
                "MutableSet is no longer valid. Either the parent object was deleted",
                { holder, realm in
                    let tags = holder.tags
                    realm.delete(holder)
                    tags.insert("c")
                }
            ),
            "invalidated": (
                "Map is no longer valid. Either the parent object was deleted",
                { holder, realm in
                    let scores = holder.scores
                    realm.cancelWrite()
                    realm.invalidate()
                    _ = scores["a"]
                }
            ),
            "index": (
                "Index 2 is out of bounds (must be less than 2).",
                { holder, _ in holder.numbers[2] = 1 }
            ),
            "remove": (
                "Index 2 is out of bounds (must be less than 2).",
                { holder, _ in holder.numbers.remove(at: 2) }
            ),
            "foreign": (
                """
                Object is already managed by another Realm. Use create instead to copy it \
                into this Realm.
                """,
                { holder, _ in
                    try withTemporaryRealm { other in
                        let dog = try other.write { other.create(Fixture.Dog.self) }
                        holder.dogs.append(dog)
                    }
                }
            ),
            "invalidated element": (
                "Adding a deleted or invalidated object to a Realm is not permitted",
                { holder, realm in
                    let dog = realm.create(Fixture.Dog.self)
                    realm.delete(dog)
                    holder.dogs.append(dog)
                }
            ),
            "freeze in its own transaction": (
                "Cannot freeze an object in the same write transaction as it was created in.",
                { _, realm in
                    _ = realm.create(Holder.self).numbers.freeze()
                }
            ),
            "wrong literal": ("Invalid value", { holder, _ in holder["numbers"] = ["a"] }),
            "key": (
                "Dictionary::insert: key must not contain '.'",
                { holder, _ in holder.scores["a.b"] = 1 }
            ),
        ]

    @Test(arguments: inTransactions.keys.sorted())
    func trapsInTransactions(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm { realm in
                let holder = try realm.write {
                    realm.create(
                        Holder.self, value: ["numbers": [1, 2], "tags": ["a"], "scores": ["a": 1]])
                }
                realm.beginWrite()
                try ManagedCollectionTrapTests.inTransactions[name]?.use(holder, realm)
            }
        }
        expectMessage(result, try #require(Self.inTransactions[name]).message, "\n  Remedy: ")
    }

    /// What adds to a list where the last element was added must not miss that the list is
    /// gone, or that it is another thread that adds.
    static let afterAppending:
        [String: (message: String, use: @Sendable (Holder, Realm) throws -> Void)] = [
            "owner deleted": (
                """
                List is no longer valid. Either the parent object was deleted or the \
                containing Realm has been invalidated or closed.
                """,
                { holder, realm in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    realm.delete(holder)
                    numbers.append(10)
                }
            ),
            "owner deleted, insert": (
                "List is no longer valid. Either the parent object was deleted",
                { holder, realm in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.insert(number, at: number) }
                    realm.delete(holder)
                    numbers.insert(10, at: 10)
                }
            ),
            "all owners deleted": (
                "List is no longer valid. Either the parent object was deleted",
                { holder, realm in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    realm.deleteAll()
                    numbers.append(10)
                }
            ),
            "another thread": (
                "Realm accessed from incorrect thread.",
                { holder, _ in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    let smuggled = Smuggled(value: numbers)
                    try onNewThread { smuggled.value.append(10) }
                }
            ),
            "another thread, insert": (
                "Realm accessed from incorrect thread.",
                { holder, _ in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    let smuggled = Smuggled(value: numbers)
                    try onNewThread { smuggled.value.insert(10, at: 12) }
                }
            ),
            "cancelled": (
                "Cannot modify managed RLMArray outside of a write transaction.",
                { holder, realm in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    realm.cancelWrite()
                    numbers.append(10)
                }
            ),
            "committed": (
                "Cannot modify managed RLMArray outside of a write transaction.",
                { holder, realm in
                    let numbers = holder.numbers
                    for number in 0..<10 { numbers.append(number) }
                    try realm.commitWrite()
                    numbers.append(10)
                }
            ),
        ]

    @Test(arguments: afterAppending.keys.sorted())
    func trapsAfterAppending(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm { realm in
                let holder = try realm.write {
                    realm.create(Holder.self, value: ["numbers": [1, 2]])
                }
                realm.beginWrite()
                try ManagedCollectionTrapTests.afterAppending[name]?.use(holder, realm)
            }
        }
        expectMessage(result, try #require(Self.afterAppending[name]).message, "\n  Remedy: ")
    }
}
