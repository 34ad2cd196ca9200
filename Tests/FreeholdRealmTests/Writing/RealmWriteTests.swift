import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct RealmWriteTests {
    private struct Interruption: Error {}

    @Test func writeReturnsTheBlocksValue() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write {
                let dog = Fixture.Dog(name: "Rex")
                realm.add(dog)
                return dog
            }
            #expect(dog.name == "Rex")
            #expect(dog.realm == realm)
            #expect(!realm.isInWriteTransaction)
        }
    }

    @Test func thrownErrorCancels() throws {
        try withTemporaryRealm { realm in
            let dog = Fixture.Dog(name: "Rex")
            #expect(throws: Interruption.self) {
                try realm.write {
                    realm.add(dog)
                    throw Interruption()
                }
            }
            #expect(realm.isEmpty)
            #expect(dog.isInvalidated)
            #expect(!realm.isInWriteTransaction)
        }
    }

    @Test func blockMayCommitOrCancelItself() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                realm.add(Fixture.Dog(name: "Rex"))
                try realm.commitWrite()
            }
            #expect(!realm.isEmpty)
            try realm.write {
                realm.deleteAll()
                realm.cancelWrite()
            }
            #expect(!realm.isEmpty)
            try realm.write {
                realm.cancelWrite()
                realm.beginWrite()
                realm.deleteAll()
            }
            #expect(realm.isEmpty)
            #expect(throws: Interruption.self) {
                try realm.write {
                    realm.add(Fixture.Dog(name: "Rex"))
                    try realm.commitWrite()
                    throw Interruption()
                }
            }
            #expect(!realm.isEmpty)
        }
    }

    @Test func cancelRestores() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Fixture.Person.self, value: ["id": 1, "name": "Ada", "age": 36])
            }
            realm.beginWrite()
            #expect(realm.isInWriteTransaction)
            person.name = "Bob"
            let added = Fixture.Person(id: 2, name: "Eve")
            realm.add(added)
            #expect(person.name == "Bob")
            realm.cancelWrite()
            #expect(person.name == "Ada")
            #expect(!person.isInvalidated)
            #expect(added.isInvalidated)
            realm.beginWrite()
            realm.delete(person)
            #expect(person.isInvalidated)
            realm.cancelWrite()
            #expect(!person.isInvalidated)
            #expect(person.age == 36)
        }
    }

    @Test func cancelledObjectsStayInvalid() throws {
        try withTemporaryRealm { realm in
            let cancelled = Fixture.Dog(name: "Rex")
            realm.beginWrite()
            realm.add(cancelled)
            realm.cancelWrite()
            try realm.write { realm.add(Fixture.Dog(name: "Max")) }
            #expect(cancelled.isInvalidated)
        }
    }

    @Test func otherThreadsSeeCommits() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let person = try realm.write {
                realm.create(Fixture.Person.self, value: ["id": 1, "age": 1])
            }
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                let person = try #require(
                    realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1))
                try realm.write { person.age = 2 }
            }
            #expect(person.age == 1)
            #expect(realm.refresh())
            #expect(person.age == 2)
            #expect(!realm.refresh())
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.age = 3
                }
            }
            realm.beginWrite()
            #expect(person.age == 3)
            #expect(!realm.refresh())
            realm.cancelWrite()
            #expect(person.age == 3)
        }
    }

    @Test func transactionOfALostRealmIsCancelled() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                realm.beginWrite()
                realm.add(Fixture.Dog(name: "Rex"))
            }
            // Would wait for ever if the lock were still held.
            try realm.write { #expect(realm.isEmpty) }
        }
    }

    @Test func invalidateIsForGood() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write { realm.create(Fixture.Person.self, value: ["id": 1]) }
            realm.invalidate()
            #expect(person.isInvalidated)
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.id == 1)
            #expect(person.isInvalidated)
            realm.beginWrite()
            realm.deleteAll()
            realm.invalidate()
            #expect(!realm.isInWriteTransaction)
            #expect(!realm.isEmpty)
        }
    }

    @Test func autorefreshIsKept() throws {
        try withTemporaryRealm { realm in
            #expect(realm.autorefresh)
            realm.autorefresh = false
            #expect(!realm.autorefresh)
            #expect(!realm.freeze().autorefresh)
        }
    }

    @Test func emptyTransactionsChangeNothing() throws {
        try withTemporaryRealm { realm in
            try realm.write {}
            #expect(realm.isEmpty)
            #expect(!realm.refresh())
        }
    }
}
