import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Has properties that are not persisted, which frozen values must not share.
final class FrozenStateful: Object {
    @Persisted var number = 0
    @Persisted var next: FrozenStateful?
    var visits = 0
    lazy var doubled: Int = {
        visits += 1
        return number * 2
    }()
    /// Writes whenever it is read.
    var counted: Int {
        visits += 1
        return visits
    }

    override var description: String { "number \(number), visit \(counted)" }
}

extension Fixture.Person {
    /// Computed properties, as classes have them.
    fileprivate var greeting: String { "Hello, \(name)" }
    fileprivate var closest: Fixture.Person { friend ?? self }
    fileprivate var namesakes: Results<Fixture.Person>? { nil }
    fileprivate var everybody: Results<Fixture.Person> { realm!.objects(Fixture.Person.self) }
}

@Suite struct FrozenTests {
    typealias Person = Fixture.Person

    private func addFamily(_ realm: Realm) throws -> Person {
        try realm.write {
            realm.create(
                Person.self,
                value: [
                    "id": 1, "name": "Ada", "age": 36, "dog": ["name": "Rex"],
                    "friend": ["id": 2, "name": "Eve", "age": 30] as [String: Any],
                ] as [String: Any])
        }
    }

    @Test func membersAreReadInTheirVersion() throws {
        try withTemporaryRealm { realm in
            let person = try addFamily(realm)
            let frozen: Frozen<Person> = Frozen(person)
            try realm.write {
                person.name = "Bob"
                person.dog = nil
            }
            let name: String = frozen.name
            #expect(name == "Ada" && frozen.age == 36 && frozen.greeting == "Hello, Ada")
            let dog: Frozen<Fixture.Dog>? = frozen.dog
            #expect(dog?.name == "Rex")
            #expect(frozen.friend?.friend == nil && frozen.friend?.dog?.name == nil)
            let closest: Frozen<Person> = frozen.closest
            #expect(closest.id == 2)
            let everybody: Frozen<Results<Person>> = frozen.everybody
            #expect(everybody.map(\.name) == ["Ada", "Eve"])
            #expect(Frozen(person).name == "Bob" && Frozen(person).dog == nil)
            #expect(Frozen(person.freeze()).name == "Bob")
            #expect(frozen.unsafeValue.isFrozen && frozen.unsafeValue.name == "Ada")
        }
    }

    @Test func everyTypeOfProperty() throws {
        try withItems(50) { fixture in
            for (frozen, plain) in zip(Frozen(fixture.items), fixture.items.freeze()) {
                #expect(
                    frozen.name == plain.name && frozen.small == plain.small
                        && frozen.weight == plain.weight)
                #expect(
                    frozen.active == plain.active && frozen.note == plain.note
                        && frozen.data == plain.data)
                #expect(
                    frozen.joined == plain.joined && frozen.left == plain.left
                        && frozen.token == plain.token)
                #expect(frozen.objectId == plain.objectId && frozen.amount == plain.amount)
                #expect(frozen.kind == plain.kind && frozen.level == plain.level)
                #expect(frozen.owner?.boss?.name == plain.owner?.boss?.name)
            }
        }
    }

    @Test func equalityIsOfObjectsAndVersions() throws {
        try withTemporaryRealm { realm in
            let person = try addFamily(realm)
            let frozen = Frozen(person)
            #expect(frozen == Frozen(person) && frozen.hashValue == Frozen(person).hashValue)
            #expect(frozen != Frozen(try #require(person.friend)))
            #expect(frozen.friend == Frozen(try #require(person.friend)))
            #expect(Set([frozen, Frozen(person)]).count == 1)
            try realm.write { person.age += 1 }
            #expect(frozen != Frozen(person))
            let all = Frozen(realm.objects(Person.self))
            #expect(all == all && all != Frozen(realm.objects(Person.self)))
            #expect(
                frozen.description == frozen.unsafeValue.description
                    && frozen.description.contains("name = Ada;"))
            #expect(all.description.contains("name = Eve;"))
        }
    }

    @Test func inATransactionItIsTheVersionBefore() throws {
        try withTemporaryRealm { realm in
            let person = try addFamily(realm)
            try realm.write {
                person.name = "Bob"
                #expect(Frozen(person).name == "Ada")
            }
        }
    }

    @Test func thawsInTheCallersRealm() throws {
        try withTemporaryRealm { realm in
            let person = try addFamily(realm)
            let frozen = Frozen(person),
                people = Frozen(realm.objects(Person.self).where { $0.age > 30 })
            #expect(frozen.thaw() == person && frozen.thaw(in: realm) == person)
            #expect(people.thaw()?.realm == realm && people.thaw(in: realm)?.count == 1)
            let configuration = realm.configuration
            try onNewThread {
                let own = try Realm(configuration: configuration)
                let live = try #require(frozen.thaw(in: own))
                #expect(live.realm == own && live == frozen.thaw())
                try own.write { live.name = "Bob" }
                #expect(people.thaw(in: own)?.first?.name == "Bob")
            }
            #expect(person.name == "Ada" && frozen.name == "Ada")
            realm.refresh()
            #expect(person.name == "Bob" && frozen.name == "Ada")
            try withTemporaryRealm { other in
                #expect(frozen.thaw(in: other) == nil && people.thaw(in: other) == nil)
            }
            try realm.write { realm.delete(person) }
            #expect(frozen.thaw() == nil && frozen.thaw(in: realm) == nil)
            #expect(frozen.name == "Ada")
        }
    }

    /// The realm that thaws was opened before the object was there.
    @Test func thawingMovesARealmThatIsBehind() throws {
        try withTemporaryRealm { realm in
            let configuration = realm.configuration
            let isOpen = DispatchSemaphore(value: 0), isThere = DispatchSemaphore(value: 0)
            let box = Locker<Frozen<Person>?>(nil)
            try runThreads([
                { @Sendable in
                    let own = try Realm(configuration: configuration)
                    isOpen.signal()
                    isThere.wait()
                    #expect(own.isEmpty)
                    #expect(try #require(box.value).thaw(in: own)?.name == "Ada")
                },
                { @Sendable in
                    isOpen.wait()
                    let own = try Realm(configuration: configuration)
                    box.value = Frozen(
                        try own.write {
                            own.create(Person.self, value: ["id": 1, "name": "Ada"])
                        })
                    isThere.signal()
                },
            ])
        }
    }

    // MARK: Classes with more than persisted properties

    @Test func storedPropertiesAreNotShared() throws {
        try withTemporaryRealm([FrozenStateful.self]) { realm in
            let object = try realm.write {
                realm.create(
                    FrozenStateful.self,
                    value: ["number": 4, "next": ["number": 5]] as [String: Any])
            }
            object.visits = 10
            let frozen = Frozen(object)
            // Each access is to an instance of its own, with the declaration's values.
            #expect((0..<3).map { _ in frozen.counted } == [1, 1, 1])
            #expect(frozen.visits == 0 && frozen.doubled == 8 && frozen.next?.doubled == 10)
            #expect(frozen.description == "number 4, visit 1")
            #expect(frozen.unsafeValue !== frozen.unsafeValue)
            #expect(Frozen(realm.objects(FrozenStateful.self)).map(\.counted) == [1, 1])
            #expect(frozen == Frozen(object))
        }
    }

    // MARK: Many threads

    /// One object and its links, read by many threads at once; for ThreadSanitizer as much as
    /// for the values.
    @Test func manyThreadsReadOneObject() throws {
        try withTemporaryRealm(Fixture.all + [FrozenStateful.self]) { realm in
            let frozen = Frozen(try addFamily(realm))
            let stateful = Frozen(
                try realm.write { realm.create(FrozenStateful.self, value: ["number": 4]) })
            let configuration = realm.configuration
            try runThreads(8) { number in
                if number == 0 {
                    let own = try Realm(configuration: configuration)
                    for age in 0..<30 { try own.write { frozen.thaw(in: own)?.age = age } }
                    return
                }
                for _ in 0..<300 {
                    #expect(
                        frozen.name == "Ada" && frozen.age == 36 && frozen.dog?.name == "Rex"
                            && frozen.friend?.age == 30)
                    #expect(stateful.doubled == 8 && stateful.counted == 1)
                    #expect(frozen.description.contains("Rex") && frozen.friend == frozen.closest)
                }
            }
        }
    }

    /// What a task gets it may use without a word of `unsafe`.
    @Test func tasksTakeThem() async throws {
        let frozen = try frozenPerson()
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { "\(frozen.name) \(frozen.dog?.name ?? "")" } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(names == ["Ada Rex"])
    }

    private func frozenPerson() throws -> Frozen<Person> {
        try withTemporaryRealm { realm in Frozen(try addFamily(realm)) }
    }
}
