import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Misuse of results of values ends the process with Realm's text.
@Suite struct ValueResultsTrapTests {
    typealias Holder = Fixture.Holder

    private static func querying(_ name: String) -> String {
        "Querying is currently only implemented for \(name) of Realm Objects"
    }

    static let uses: [String: (message: String, use: @Sendable (Holder, Realm) throws -> Void)] = [
        "index": (
            "Index 2 is out of bounds (must be less than 2).",
            { holder, _ in _ = holder.numbers.sorted()[2] }
        ),
        "negative index": (
            "Cannot pass a negative value for 'index'.",
            { holder, _ in _ = holder.numbers.distinct()[-1] }
        ),
        "index set": (
            "Indexes for collection are out of bounds.",
            { holder, _ in _ = holder.numbers.sorted().objects(at: [0, 2]) }
        ),
        "key path": (
            "Cannot sort on key path 'name': arrays of 'int' can only be sorted on 'self'.",
            { holder, _ in _ = holder.numbers.sorted(byKeyPath: "name") }
        ),
        "key path of results": (
            "Cannot sort on key path 'a.b': arrays of 'string' can only be sorted on 'self'.",
            { holder, _ in
                _ = holder.tags.sorted().sorted(byKeyPath: "a.b")
            }
        ),
        "aggregate": (
            "sumOfProperty: is not supported for string set",
            { holder, _ in _ = holder.tags.sorted().sum(ofProperty: "self") as Int }
        ),
        "property": (
            "Invalid property name 'age'",
            { holder, _ in _ = holder.numbers.sorted().value(forKey: "age") }
        ),
        "setting": (
            "Invalid property name 'self' for elements of type 'Int'.",
            { holder, realm in
                try realm.write { holder.numbers.sorted().setValue(1, forKey: "self") }
            }
        ),
        "where of a list": (
            querying("arrays"), { holder, _ in _ = holder.numbers.where { $0 == 1 } }
        ),
        "where of a set": (querying("sets"), { holder, _ in _ = holder.tags.where { $0 == "a" } }),
        "where of a map": (
            querying("dictionaries"), { holder, _ in _ = holder.scores.where { $0 == 1 } }
        ),
        "where of results": (
            querying("arrays"), { holder, _ in _ = holder.numbers.sorted().where { $0 == 1 } }
        ),
        "index(matching:)": (
            querying("arrays"),
            { holder, _ in _ = holder.numbers.sorted().index(matching: { $0 == 1 }) }
        ),
        "filter of a list": (
            querying("arrays"), { holder, _ in _ = holder.numbers.filter("SELF == 1") }
        ),
        "filter of a set": (
            querying("sets"), { holder, _ in _ = holder.tags.filter("SELF == 'a'") }
        ),
        "filter of a map": (
            querying("dictionaries"), { holder, _ in _ = holder.scores.filter("SELF == 1") }
        ),
        "filter of results": (
            querying("arrays"), { holder, _ in _ = holder.numbers.sorted().filter("SELF == 1") }
        ),
        "index(matching:) of a string": (
            querying("arrays"),
            { holder, _ in _ = holder.numbers.sorted().index(matching: "SELF == 1") }
        ),
        "where of a nested list": (
            querying("arrays"),
            { holder, realm in
                try realm.write { holder.any = .fromArray([.int(1)]) }
                _ = holder.any.listValue?.where { $0 == .int(1) }
            }
        ),
        "filter of a nested map": (
            querying("dictionaries"),
            { holder, realm in
                try realm.write { holder.any = .fromDictionary(["a": .int(1)]) }
                _ = holder.any.dictionaryValue?.filter("SELF == 1")
            }
        ),
        "sorted of a nested list": (
            "sorted(by:) is not supported for collections of values.",
            { holder, realm in
                try realm.write { holder.any = .fromArray([.int(1)]) }
                _ = holder.any.listValue?.sorted()
            }
        ),
        "distinct of a nested list": (
            "distinct() is not supported for collections of values.",
            { holder, realm in
                try realm.write { holder.any = .fromArray([.int(1)]) }
                _ = holder.any.listValue?.distinct()
            }
        ),
        "deleted": (
            "Access to invalidated Results objects",
            { holder, realm in
                let sorted = holder.numbers.sorted()
                try realm.write { realm.delete(holder) }
                _ = sorted.count
            }
        ),
        "invalidated realm": (
            "Access to invalidated Results objects",
            { holder, realm in
                let sorted = holder.numbers.sorted()
                realm.invalidate()
                _ = sorted.first
            }
        ),
        "frozen in its own transaction": (
            "Cannot freeze an object in the same write transaction as it was created in.",
            { _, realm in
                realm.beginWrite()
                _ = realm.create(Holder.self).numbers.sorted().freeze()
            }
        ),
        "distinct of an unmanaged list": (
            "This method may only be called on RLMArray instances retrieved from an RLMRealm",
            { _, _ in _ = List<Int>().distinct() }
        ),
        "distinct of an unmanaged set": (
            "This method may only be called on RLMSet instances retrieved from an RLMRealm",
            { _, _ in _ = MutableSet<Int>().distinct() }
        ),
        "distinct of an unmanaged map": (
            "This method may only be called on RLMDictionary instances retrieved from an RLMRealm",
            { _, _ in
                _ = Map<String, Int>().distinct()
            }
        ),
        "reference to deleted": (
            "Cannot construct reference to invalidated object",
            { holder, realm in
                let sorted = holder.numbers.sorted()
                try realm.write { realm.delete(holder) }
                _ = ThreadSafeReference(to: sorted)
            }
        ),
    ]

    @Test(arguments: uses.keys.sorted())
    func traps(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name = name as String] in
            try withTemporaryRealm { realm in
                let holder = try realm.write {
                    realm.create(
                        Holder.self, value: ["numbers": [1, 2], "tags": ["a"], "scores": ["a": 1]])
                }
                try ValueResultsTrapTests.uses[name]?.use(holder, realm)
            }
        }
        expectMessage(result, try #require(Self.uses[name]).message, "\n  Remedy: ")
    }
}
