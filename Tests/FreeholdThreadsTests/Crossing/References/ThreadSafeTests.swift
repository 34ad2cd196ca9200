import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ThreadSafeTests {
    typealias Person = Fixture.Person

    /// A structure: the wrapper's own storage is a variable, which a `Sendable` class may not have.
    private struct Session: Sendable {
        @ThreadSafe var person: Person?
        @ThreadSafe var people: Results<Person>?
    }

    @Test func eachThreadReadsItsOwnLiveObject() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let session = Session(
                person: person, people: realm.objects(Person.self).where { $0.age == 0 })
            #expect(session.person == person)
            for name in ["Eve", "Kim"] {
                try onNewThread {
                    let own = try #require(session.person)
                    #expect(!own.isFrozen)
                    try #require(own.realm).write { own.name = name }
                }
                realm.refresh()
                #expect(person.name == name)
            }
            #expect(try onNewThread { session.people?.map(\.name) ?? [] } == ["Kim"])
        }
    }

    @Test func queuesAndSchedulersReadInTheirOwnRealm() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let session = Session(person: person)
            let configuration = realm.configuration
            let queue = DispatchQueue(label: "test.threadsafe")
            try queue.sync {
                let own = try Realm(configuration: configuration, queue: queue)
                #expect(session.person?.realm == own)
            }
            try onNewThread {
                let own = try Realm(configuration: configuration, scheduler: ManualScheduler())
                #expect(session.person?.realm == own)
            }
        }
    }

    @Test func nilWhenItIsDeletedOrSetToNil() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Person.self, value: ["id": 1]) }
            let session = Session(person: dog)
            try realm.write { realm.delete(dog) }
            #expect(session.person == nil)
            session.person = try realm.write { realm.create(Person.self, value: ["id": 2]) }
            #expect(session.person?.id == 2)
            session.person = nil
            #expect(session.person == nil)
            #expect(Session(person: nil).person == nil)
        }
    }

    @Test func theReadersRealmMovesOnIfItIsBehind() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let session = Session(person: nil)
            let isOpen = DispatchSemaphore(value: 0), isSet = DispatchSemaphore(value: 0)
            try runThreads([
                { @Sendable in
                    let own = try Realm(configuration: configuration)
                    #expect(own.isEmpty)
                    isOpen.signal()
                    isSet.wait()
                    #expect(own.isEmpty)
                    #expect(session.person?.name == "Ada")
                },
                { @Sendable in
                    isOpen.wait()
                    let own = try Realm(configuration: configuration)
                    // Set inside of the transaction that adds the object.
                    try own.write {
                        session.person = own.create(Person.self, value: ["id": 1, "name": "Ada"])
                    }
                    isSet.signal()
                },
            ])
        }
    }

    @Test func manyThreadsReadAndSet() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let session = Session(person: person)
            let configuration = realm.configuration
            try runThreads(8) { number in
                let own = try Realm(configuration: configuration)
                for _ in 0..<200 {
                    #expect(session.person?.name == "Ada")
                    if number % 2 == 0 {
                        session.person = own.object(ofType: Person.self, forPrimaryKey: 1)
                    }
                }
            }
        }
    }
}
