import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct ThreadSafeReferenceTests {
    typealias Person = Fixture.Person

    @Test func objectsAreFoundOnAnotherThread() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let reference = ThreadSafeReference(to: person)
            let configuration = realm.configuration
            try onNewThread {
                let own = try Realm(configuration: configuration)
                #expect(!reference.isInvalidated)
                let found = try #require(own.resolve(reference))
                #expect(reference.isInvalidated)
                #expect(found.realm == own && !found.isFrozen && found.name == "Ada")
                try own.write { found.name = "Eve" }
            }
            #expect(person.name == "Ada")
            realm.refresh()
            #expect(person.name == "Eve")
        }
    }

    @Test func objectsWithoutPrimaryKeysAndOfBaseClasses() throws {
        try withTemporaryRealm { realm in
            let dogs = try realm.write {
                ["Rex", "Ace"].map { realm.create(Fixture.Dog.self, value: ["name": $0]) }
            }
            let reference = ThreadSafeReference(to: dogs[1])
            let base = ThreadSafeReference<Object>(to: dogs[0])
            let configuration = realm.configuration
            let names = try onNewThread { () -> [String?] in
                let own = try Realm(configuration: configuration)
                return [own.resolve(reference)?.name, (own.resolve(base) as? Fixture.Dog)?.name]
            }
            #expect(names == ["Ace", "Rex"])
        }
    }

    @Test func resultsKeepTheirQueryAndOrder() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                for id in 0..<20 { realm.add(Person(id: id, name: "n\(id)", age: id % 4)) }
            }
            let reference = ThreadSafeReference(
                to: realm.objects(Person.self).where { $0.age == 2 }.sorted(
                    by: \.id, ascending: false))
            let configuration = realm.configuration
            let ids = try onNewThread { () -> [[Int]] in
                let own = try Realm(configuration: configuration)
                let found = try #require(own.resolve(reference))
                let before = Array(found.map(\.id))
                try own.write { own.add(Person(id: 30, age: 2)) }
                return [before, Array(found.map(\.id))]
            }
            #expect(ids == [[18, 14, 10, 6, 2], [30, 18, 14, 10, 6, 2]])
        }
    }

    /// One with a realm that was opened before the object was added, and so reads a version
    /// without it.
    @Test func theTargetMovesOnIfItIsBehind() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let queue = DispatchQueue(label: "test.references")
            nonisolated(unsafe) var target: Realm?
            try queue.sync {
                target = try Realm(configuration: configuration, queue: queue)
                // Else it would move on by itself.
                target?.autorefresh = false
                #expect(target?.isEmpty == true)
            }
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let reference = ThreadSafeReference(to: person)
            queue.sync {
                #expect(target?.isEmpty == true)
                #expect(target?.resolve(reference)?.name == "Ada")
                target = nil
            }
        }
    }

    /// And not if it is at the reference's version or a later one: what it reads stays what it is.
    @Test func theTargetStaysIfItIsNotBehind() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let reference = ThreadSafeReference(to: person)
            let configuration = realm.configuration
            let isOpen = DispatchSemaphore(value: 0), isWritten = DispatchSemaphore(value: 0)
            try runThreads([
                { @Sendable in
                    let own = try Realm(configuration: configuration)
                    isOpen.signal()
                    isWritten.wait()
                    #expect(own.resolve(reference)?.name == "Ada")
                    #expect(own.refresh())
                },
                { @Sendable in
                    isOpen.wait()
                    let own = try Realm(configuration: configuration)
                    try own.write {
                        own.object(ofType: Person.self, forPrimaryKey: 1)?.name = "Eve"
                    }
                    isWritten.signal()
                },
            ])
        }
    }

    /// A reference pins the version in which it was made.
    @Test func aRealmThatReadsNothingBeginsAtTheReferencesVersion() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let reference = ThreadSafeReference(to: person)
            try realm.write { realm.delete(person) }
            try onNewThread {
                let own = try Realm(configuration: configuration)
                own.invalidate()
                let found = try #require(own.resolve(reference))
                #expect(found.name == "Ada")
                own.refresh()
                #expect(found.isInvalidated)
            }
        }
    }

    /// One that was opened before or after the newer version, as long as nothing was read of it.
    @Test func aRealmOfWhichNothingWasReadBeginsAtTheReferencesVersion() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let references = (0..<5).map { _ in ThreadSafeReference(to: person) }
            let all = ThreadSafeReference(to: realm.objects(Person.self))
            try realm.write { realm.delete(person) }
            try onNewThread {
                let own = try Realm(configuration: configuration)
                let found = try #require(own.resolve(references[0]))
                #expect(found.name == "Ada" && own.resolve(all)?.count == 1)
                own.refresh()
                #expect(found.isInvalidated && own.resolve(references[1]) == nil)
            }
            try onNewThread {
                // What was asked for stays, as in Realm.
                let own = try Realm(configuration: configuration)
                let persons = own.objects(Person.self)
                #expect(own.resolve(references[2]) == nil && persons.isEmpty)
            }
            try onNewThread {
                // Who asked for the newest version reads it.
                let own = try Realm(configuration: configuration)
                own.refresh()
                #expect(own.resolve(references[3]) == nil)
            }
            try onNewThread {
                let own = try Realm(configuration: configuration)
                try own.write { #expect(own.resolve(references[4]) == nil) }
            }
        }
    }

    /// What begins after a commit was acknowledged sees it: opening without blocking reads the
    /// newest version.
    @Test func aRealmThatWasOpenedAsynchronouslyStays() async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        let reference = try onNewThread {
            let realm = try Realm(configuration: configuration)
            let person = try realm.write { realm.create(Person.self, value: ["id": 1]) }
            let reference = ThreadSafeReference(to: person)
            try realm.write { realm.delete(person) }
            return reference
        }
        try await Resolver().expectGone(reference, configuration)
    }

    private actor Resolver {
        func expectGone(
            _ reference: ThreadSafeReference<Person>, _ configuration: Realm.Configuration
        ) async throws {
            let realm = try await Realm.open(configuration: configuration)
            #expect(realm.resolve(reference) == nil)
            #expect(try realm.check().isEmpty)
        }
    }

    /// Unless that version lacks a class that the realm has.
    @Test func aRealmWithANewerClassDoesNotBeginThere() throws {
        try withTemporaryRealm([Fixture.Dog.self]) { realm in
            var configuration = realm.configuration
            let dog = try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) }
            let reference = ThreadSafeReference(to: dog)
            configuration.objectTypes = [Fixture.Dog.self, Fixture.Tagged.self]
            try onNewThread { [configuration] in
                let own = try Realm(configuration: configuration)
                own.invalidate()
                #expect(own.resolve(reference)?.name == "Rex")
                #expect(own.objects(Fixture.Tagged.self).isEmpty)
            }
        }
    }

    @Test func nilForWhatIsGone() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self) }
            let reference = ThreadSafeReference(to: dog)
            try realm.write { realm.delete(dog) }
            #expect(realm.resolve(reference) == nil)
            #expect(reference.isInvalidated)
        }
    }

    @Test func nilInARealmOfAnotherFile() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self) }
            let references = (
                ThreadSafeReference(to: dog),
                ThreadSafeReference(to: realm.objects(Fixture.Dog.self))
            )
            try withTemporaryRealm { other in
                try other.write { _ = other.create(Fixture.Dog.self) }
                #expect(other.resolve(references.0) == nil)
                #expect(other.resolve(references.1) == nil)
            }
        }
    }

    @Test func anObjectOfAnOpenTransactionIsFoundAfterItsCommit() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let isOpen = DispatchSemaphore(value: 0), isReferred = DispatchSemaphore(value: 0),
                isTried = DispatchSemaphore(value: 0)
            let isCommitted = DispatchSemaphore(value: 0)
            let box = Locker<[ThreadSafeReference<Fixture.Dog>]>([])
            try runThreads([
                { @Sendable in
                    let own = try Realm(configuration: configuration)
                    isOpen.wait()
                    try own.write {
                        let dog = own.create(Fixture.Dog.self, value: ["name": "Rex"])
                        box.value = [ThreadSafeReference(to: dog), ThreadSafeReference(to: dog)]
                        isReferred.signal()
                        isTried.wait()
                    }
                    isCommitted.signal()
                },
                { @Sendable in
                    let own = try Realm(configuration: configuration)
                    isOpen.signal()
                    isReferred.wait()
                    let references = box.value
                    #expect(own.resolve(references[0]) == nil)
                    isTried.signal()
                    isCommitted.wait()
                    #expect(own.objects(Fixture.Dog.self).isEmpty)
                    #expect(own.resolve(references[1])?.name == "Rex")
                },
            ])
        }
    }

    @Test func resolvesInsideATransaction() throws {
        try withTemporaryRealm { realm in
            let person = try realm.write {
                realm.create(Person.self, value: ["id": 1, "name": "Ada"])
            }
            let reference = ThreadSafeReference(to: person)
            let configuration = realm.configuration
            try onNewThread {
                let own = try Realm(configuration: configuration)
                try own.write { own.resolve(reference)?.name = "Eve" }
            }
            realm.refresh()
            #expect(person.name == "Eve")
        }
    }

    @Test func copiesAreOneReference() throws {
        try withTemporaryRealm { realm in
            let dog = try realm.write { realm.create(Fixture.Dog.self) }
            let reference = ThreadSafeReference(to: dog)
            let copy = reference
            #expect(realm.resolve(copy)?.isSameObject(as: dog) == true)
            #expect(reference.isInvalidated && copy.isInvalidated)
        }
    }

    @Test func anUnresolvedReferenceKeepsTheFileOpen() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: "references-\(UUID())", objectTypes: Fixture.all)
        let reference = try onNewThread {
            let realm = try Realm(configuration: configuration)
            return ThreadSafeReference(
                to: try realm.write { realm.create(Fixture.Dog.self, value: ["name": "Rex"]) })
        }
        #expect(try Realm(configuration: configuration).resolve(reference)?.name == "Rex")
    }
}
