import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ReferenceTrapTests {
    @Test func resolvingTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let reference = ThreadSafeReference(
                    to: try realm.write { realm.create(Fixture.Dog.self) })
                let copy = reference
                _ = realm.resolve(reference)
                _ = realm.resolve(copy)
            }
        }
        expectMessage(result, "Can only resolve a thread safe reference once.\n", "Remedy: ")
    }

    @Test func unmanagedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ThreadSafeReference(to: Fixture.Dog())
        }
        expectMessage(
            result,
            """
            Cannot construct reference to unmanaged object, which can be passed across \
            threads directly\n
            """,
            "Remedy: ")
    }

    @Test func deletedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                try realm.write { realm.delete(dog) }
                _ = ThreadSafeReference(to: dog)
            }
        }
        expectMessage(result, "Cannot construct reference to invalidated object\n", "Remedy: ")
    }

    @Test func invalidatedResults() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dogs = realm.objects(Fixture.Dog.self)
                realm.invalidate()
                _ = ThreadSafeReference(to: dogs)
            }
        }
        expectMessage(result, "Cannot construct reference to invalidated object\n")
    }

    @Test func frozenObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                _ = ThreadSafeReference(
                    to: try realm.write { realm.create(Fixture.Dog.self) }.freeze())
            }
        }
        expectMessage(
            result,
            """
            Cannot construct reference to frozen object, which can be passed across \
            threads directly\n
            """,
            "Frozen(value)")
    }

    @Test func otherThreadsResults() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                nonisolated(unsafe) let dogs = realm.objects(Fixture.Dog.self)
                try onNewThread { _ = ThreadSafeReference(to: dogs) }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.\n")
    }

    @Test func resolvingOnTheWrongThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let reference = ThreadSafeReference(to: realm.objects(Fixture.Dog.self))
                nonisolated(unsafe) let target = realm
                try onNewThread { _ = target.resolve(reference) }
            }
        }
        expectMessage(result, "Realm accessed from incorrect thread.\n", "What: Realm.resolve(_:)")
    }

    private struct Impostor: ThreadConfined {
        var realm: Realm? { nil }
        var isInvalidated: Bool { false }
        var isFrozen: Bool { false }
        func freeze() -> Impostor { self }
        func thaw() -> Impostor? { self }
    }

    @Test func conformancesOfOthers() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = ThreadSafeReference(to: Impostor())
        }
        expectMessage(result, "Illegal custom conformance to `RLMThreadConfined` by `Impostor`\n")
        // What is not known to be immutable when it is frozen must not become Sendable.
        let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Frozen(Impostor()) }
        expectMessage(frozen, "Illegal custom conformance to `RLMThreadConfined` by `Impostor`\n")
    }

    // MARK: @ThreadSafe

    private final class Holder {
        @ThreadSafe var dog: Fixture.Dog?
        init(_ dog: Fixture.Dog?) { self.dog = dog }
    }

    @Test func wrappingAnUnmanagedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Holder(Fixture.Dog()) }
        expectMessage(result, "Only managed objects may be wrapped as thread safe.\n", "Remedy: ")
    }

    @Test func wrappingADeletedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                try realm.write { realm.delete(dog) }
                _ = Holder(dog)
            }
        }
        expectMessage(result, "Cannot construct reference to invalidated object\n")
    }

    @Test func wrappingAFrozenObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                _ = Holder(try realm.write { realm.create(Fixture.Dog.self) }.freeze())
            }
        }
        expectMessage(
            result,
            """
            Cannot construct reference to frozen object, which can be passed across \
            threads directly\n
            """,
            "Keep it as Frozen(value)")
    }

    @Test func freezingAnUnmanagedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Frozen(Fixture.Dog()) }
        expectMessage(result, "Unmanaged objects cannot be frozen.\n")
    }
}
