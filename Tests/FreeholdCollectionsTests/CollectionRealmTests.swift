import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Unmanaged collections and collections behind `AnyRealmCollection`, where realms meet them.
@Suite struct CollectionRealmTests {
    typealias Dog = Fixture.Dog

    @Test func addingAndDeletingWhatCollectionsHold() throws {
        try withTemporaryRealm { realm in
            let list = makeList([Dog(name: "a"), Dog(name: "b"), Dog(name: "c"), Dog(name: "d")])
            try realm.write { realm.add(list) }
            #expect(realm.objects(Dog.self).count == 4 && list[2].realm == realm)
            let map = makeMap(["x": list[0], "y": nil, "z": list[1]])
            try realm.write { realm.delete(map) }
            #expect(realm.objects(Dog.self).map(\.name) == ["c", "d"])
            try realm.write { realm.delete(makeSet([list[2]])) }
            try realm.write { realm.delete(AnyRealmCollection(realm.objects(Dog.self))) }
            #expect(realm.objects(Dog.self).isEmpty && list.allSatisfy(\.isInvalidated))
        }
    }

    @Test func anyRealmCollectionsCross() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add([Dog(name: "a"), Dog(name: "b")]) }
            let dogs = AnyRealmCollection(realm.objects(Dog.self).where { $0.name > "a" })
            let reference = ThreadSafeReference(to: dogs)
            let frozen = Frozen(dogs)
            let configuration = realm.configuration
            let names = try onNewThread {
                let realm = try Realm(configuration: configuration)
                return (realm.resolve(reference)?.map(\.name) ?? [])
                    + frozen.unsafeValue.map(\.name) + (frozen.thaw(in: realm)?.map(\.name) ?? [])
            }
            #expect(names == ["b", "b", "b"])
        }
    }

    @Test(arguments: ["list", "set", "map", "any"])
    func unmanagedCollectionsAreNotReferredTo(_ kind: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [kind] in
            switch kind {
            case "list": _ = ThreadSafeReference(to: makeList([1]))
            case "set": _ = ThreadSafeReference(to: makeSet([1]))
            case "map": _ = ThreadSafeReference(to: makeMap(["a": 1]))
            default: _ = ThreadSafeReference(to: AnyRealmCollection(makeList([1])))
            }
        }
        expectMessage(
            result,
            """
            Cannot construct reference to unmanaged object, which can be passed across \
            threads directly
            """
        )
    }

    @Test(arguments: ["list", "set", "map"])
    func unmanagedCollectionsAreNotFrozen(_ kind: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [kind] in
            switch kind {
            case "list": _ = Frozen(makeList([1]))
            case "set": _ = Frozen(makeSet([1]))
            default: _ = Frozen(makeMap(["a": 1]))
            }
        }
        expectMessage(
            result, "This method may only be called on RLM", " instances retrieved from an RLMRealm"
        )
    }

    @Test func unmanagedCollectionsAreNotThreadSafe() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ThreadSafe(wrappedValue: makeList([1]))
        }
        expectMessage(result, "Only managed objects may be wrapped as thread safe.")
    }
}
