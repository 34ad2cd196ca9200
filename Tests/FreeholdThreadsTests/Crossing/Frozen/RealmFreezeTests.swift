import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Carries a frozen value to other threads.
private struct Crossing<Value>: @unchecked Sendable {
    // Sendable: frozen values may be used on any thread.
    let value: Value
}

@Suite struct RealmFreezeTests {
    @Test func frozenObjectsKeepTheirVersion() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Ada", "dog": ["name": "Rex"]] as [String: Any])
            }
            let frozen = person.freeze()
            #expect(frozen.isFrozen && !person.isFrozen)
            #expect(frozen.freeze() === frozen)
            #expect(person.thaw() === person)
            try realm.write {
                person.name = "Bob"
                #expect(person.freeze().name == "Ada")
                realm.delete(try #require(person.dog))
            }
            #expect(frozen.name == "Ada")
            #expect(frozen.dog?.name == "Rex")
            #expect(frozen.thaw()?.name == "Bob")
            #expect(frozen.dog?.thaw() == nil)
            try realm.write { realm.delete(person) }
            #expect(frozen.thaw() == nil)
            #expect(!frozen.isInvalidated)
            #expect(frozen.name == "Ada")
        }
    }

    @Test func frozenRealmsAreShared() throws {
        try withTemporaryRealm { realm in
            let frozen = realm.freeze()
            #expect(frozen.isFrozen)
            #expect(frozen == realm.freeze())
            #expect(frozen.freeze() == frozen)
            #expect(frozen.thaw() == realm)
            #expect(!frozen.refresh())
            frozen.invalidate()
            try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            #expect(frozen != realm.freeze())
            #expect(frozen.isEmpty)
            #expect(!realm.freeze().isEmpty)
        }
    }

    @Test func thawsInTheCallersThread() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Fixture.Person.self, value: ["id": 1, "name": "Ada"])
            }
            let frozen = Crossing(value: person.freeze())
            let name = try onNewThread {
                let live = try #require(frozen.value.thaw())
                try #require(live.realm).write { live.name = "Bob" }
                return live.name
            }
            #expect(name == "Bob")
            realm.refresh()
            #expect(person.name == "Bob")
            #expect(frozen.value.name == "Ada")
        }
    }

    /// As in Realm: thawing shows what the thread's realm reads, also where that is behind.
    /// `Frozen` goes on to where it was made.
    @Test func thawingMovesNoRealm() throws {
        try withTemporaryRealm { realm in
            let first = try realm.write {
                realm.create(Fixture.Person.self, value: ["id": 1, "name": "Ada"])
            }
            let configuration = realm.configuration
            let key = first.id
            let (frozen, added, carried) = try onNewThread {
                let other = try Realm(configuration: configuration)
                let person = try #require(
                    other.object(ofType: Fixture.Person.self, forPrimaryKey: key))
                try other.write {
                    person.name = "Bob"
                    other.create(Fixture.Person.self, value: ["id": 2])
                }
                let added = try #require(
                    other.object(ofType: Fixture.Person.self, forPrimaryKey: 2))
                return (
                    Crossing(value: person.freeze()), Crossing(value: added.freeze()), Frozen(added)
                )
            }
            #expect(frozen.value.thaw()?.name == "Ada")
            #expect(added.value.thaw() == nil)
            #expect(added.value.realm?.objects(Fixture.Person.self).thaw()?.count == 1)
            #expect(first.name == "Ada")
            #expect(carried.thaw()?.id == 2)
            #expect(first.name == "Bob")
        }
    }

    @Test func manyThreadsReadOneFrozenObject() throws {
        try withTemporaryRealm { realm in
            let root = try realm.write {
                realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Ada", "age": 36, "friend": ["id": 2, "name": "Eve"]]
                        as [String: Any])
            }
            let frozen = Crossing(value: root.freeze())
            try runThreads(8) { _ in
                for _ in 0..<500 {
                    #expect(frozen.value.age == 36)
                    #expect(frozen.value.friend?.name == "Eve")
                    #expect(
                        frozen.value.realm?.object(ofType: Fixture.Person.self, forPrimaryKey: 2)?
                            .name == "Eve")
                }
            }
        }
    }
}
