import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

private typealias Person = Relationships.Person
private typealias Address = Relationships.Address
private typealias Room = Relationships.Room
private typealias Country = Relationships.Country

@Suite struct EmbeddedObjectTests {
    private func withRealm(_ body: (Realm) throws -> Void) throws {
        try withTemporaryRealm(Relationships.embedded, body)
    }

    /// How many embedded objects there are, as the owners see it; that no others exist is what
    /// `check()` says.
    private func rooms(_ address: Address?) -> Int {
        var (count, room) = (0, address?.room)
        while let current = room {
            count += 1
            room = current.inner
        }
        return count
    }

    // MARK: Coming in

    @Test func addingTheOwnerAddsThem() throws {
        try withRealm { realm in
            let address = Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2)))
            let person = Person(id: 1, home: address)
            try realm.write { realm.add(person) }
            #expect(address.realm == realm)
            #expect(person.home?.city == "Rome")
            #expect(person.home?.room?.inner?.number == 2)
            #expect(person.office == nil)
        }
    }

    @Test func assigningAddsInPlaceAndDeletesTheOldOne() throws {
        try withRealm { realm in
            let person = Person(
                id: 1, home: Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2))))
            try realm.write { realm.add(person) }
            let old = try #require(person.home), inner = try #require(old.room?.inner)
            let new = Address(city: "Oslo")
            try realm.write {
                person.home = new
                #expect(old.isInvalidated)
                #expect(inner.isInvalidated)
            }
            #expect(new.realm == realm)
            #expect(person.home?.city == "Oslo")
            try realm.write { person.home = nil }
            #expect(new.isInvalidated)
            #expect(person.home == nil)
        }
    }

    @Test func assigningWhatIsThereChangesNothing() throws {
        try withRealm { realm in
            let person = Person(id: 1, home: Address(city: "Rome"))
            try realm.write {
                realm.add(person)
                person.home = person.home
                #expect(person.home?.city == "Rome")
            }
            let address = try #require(person.home)
            try realm.write { person.home = address }
            #expect(!address.isInvalidated)
        }
    }

    @Test func copiesHaveOwnersOfTheirOwn() throws {
        try withRealm { realm in
            let country = Country(value: ["IT", "Italy"])
            let (a, b) = (
                Person(
                    id: 1,
                    home: Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2)))),
                Person(id: 2)
            )
            try realm.write {
                a.home?.country = country
                realm.add([a, b])
                let home = try #require(a.home)
                b.home = Address(value: home)
                let whole = Person(value: a)
                whole.id = 3
                realm.add(whole)
            }
            for person in realm.objects(Person.self) {
                #expect(person.home?.room?.inner?.number == 2)
                #expect(person.home?.country?.name == "Italy")
            }
            #expect(realm.objects(Country.self).count == 1)
            try realm.write { realm.delete(a) }
            #expect(b.home?.city == "Rome")
        }
    }

    @Test func literals() throws {
        try withRealm { realm in
            try realm.write {
                realm.add(Country(value: ["IT", "Italy"]))
                let person = realm.create(
                    Person.self,
                    value: [
                        "id": 1,
                        "home": [
                            "city": "Rome", "room": [7, [8]],
                            "country": ["code": "IT", "name": "Italia"],
                        ] as [String: Any],
                    ], update: .modified)
                #expect(person.home?.room?.inner?.number == 8)
                #expect(person.home?.country?.name == "Italia")
                person["office"] = ["city": "Oslo"]
                #expect(person.office?.city == "Oslo")
            }
            let unmanaged = Person(value: ["id": 9, "home": ["city": "Bern"]] as [String: Any])
            #expect(unmanaged.home?.city == "Bern")
            #expect(realm.objects(Country.self).count == 1)
        }
    }

    /// ``EmbeddedUpdateTests`` has what `.modified` does.
    @Test func updatesReplace() throws {
        let policy = Realm.UpdatePolicy.all
        try withRealm { realm in
            try realm.write {
                realm.add(Person(id: 1, home: Address(city: "Rome", room: Room(number: 1))))
            }
            let person = try #require(realm.objects(Person.self).first),
                old = try #require(person.home)
            try realm.write {
                realm.create(
                    Person.self, value: ["id": 1, "home": ["city": "Oslo"]] as [String: Any],
                    update: policy)
            }
            #expect(old.isInvalidated)
            #expect(person.home?.city == "Oslo")
            #expect(person.home?.room == nil)
            let second = try #require(person.home)
            try realm.write {
                realm.create(
                    Person.self, value: ["id": 1, "name": "Ada"] as [String: Any], update: policy)
            }
            #expect(!second.isInvalidated)
            try realm.write {
                realm.add(Person(id: 1, home: Address(city: "Bern")), update: policy)
            }
            #expect(second.isInvalidated)
            #expect(person.home?.city == "Bern")
            // A draft that has the very object that is there.
            let draft = Person(id: 1)
            draft.name = "Eva"
            draft.home = person.home
            try realm.write { realm.add(draft, update: policy) }
            #expect(person.home?.city == "Bern")
            try realm.write { realm.add(Person(id: 1), update: policy) }
            #expect(person.home == nil)
        }
    }

    @Test func createCopiesThemFromOtherRealms() throws {
        try withRealm { source in
            let person = Person(id: 1, home: Address(city: "Rome", room: Room(number: 1)))
            try source.write { source.add(person) }
            try withRealm { realm in
                try realm.write { realm.create(Person.self, value: person) }
                #expect(realm.objects(Person.self).first?.home?.room?.number == 1)
            }
            try source.write {
                let copy = source.create(Person.self, value: ["id": 2, "home": person.home as Any])
                #expect(copy.home?.city == "Rome")
                #expect(person.home?.city == "Rome")
            }
        }
    }

    // MARK: Going

    @Test func theyGoWithTheOwner() throws {
        try withRealm { realm in
            try realm.write {
                for id in 0..<40 {
                    realm.add(
                        Person(
                            id: id,
                            home: Address(
                                city: "\(id)", room: Room(number: id, inner: Room(number: id)))))
                }
            }
            let people = realm.objects(Person.self)
            let addresses = Array(people.map { $0.home })
            try realm.write { realm.delete(people.where { $0.id < 10 }) }
            try realm.write { realm.delete(people.where { $0.home.city == "20" }) }
            try realm.write { realm.delete([people[0], people[1], people[0]]) }
            try realm.write { realm.delete(people[0]) }
            #expect(people.map(\.id) == Array(13..<20) + Array(21..<40))
            for (id, address) in addresses.enumerated() {
                #expect(address?.isInvalidated == (id < 13 || id == 20))
            }
            try realm.write { realm.deleteAll() }
            #expect(addresses.allSatisfy { $0?.isInvalidated == true })
            #expect(realm.isEmpty)
        }
    }

    @Test func deletingOneEmptiesItsPlace() throws {
        try withRealm { realm in
            let person = Person(
                id: 1, home: Address(city: "Rome", room: Room(number: 1, inner: Room(number: 2))))
            try realm.write { realm.add(person) }
            let room = try #require(person.home?.room)
            try realm.write { realm.delete(room) }
            #expect(person.home?.room == nil)
            try realm.write { realm.delete([person.home].compactMap { $0 }) }
            #expect(person.home == nil)
        }
    }

    @Test func cancelledTransactionsKeepThem() throws {
        try withRealm { realm in
            let person = Person(id: 1, home: Address(city: "Rome"))
            try realm.write { realm.add(person) }
            let home = try #require(person.home)
            realm.beginWrite()
            person.home = Address(city: "Oslo")
            realm.cancelWrite()
            #expect(person.home?.city == "Rome")
            #expect(home.city == "Rome")
            realm.beginWrite()
            realm.delete(person)
            realm.cancelWrite()
            #expect(home.city == "Rome")
        }
    }

    @Test func deepOnesNeedNoStack() throws {
        try withRealm { realm in
            let count = 100_000
            var room = Room(number: 0)
            for number in 1..<count { room = Room(number: number, inner: room) }
            let person = Person(id: 1, home: Address(city: "Rome", room: room))
            try realm.write { realm.add(person) }
            #expect(rooms(person.home) == count)
            // Unmanaged chains end on the stack, link by link, as all chains of Swift
            // references do: take this one apart.
            let copy = Person(value: person)
            var links: [Room] = []
            var next = copy.home?.room
            while let current = next {
                links.append(current)
                next = current.inner
            }
            #expect(links.count == count)
            for link in links { link.inner = nil }
            try realm.write { person.home = nil }
        }
    }

    @Test func replacingManyInOneTransaction() throws {
        try withRealm { realm in
            try realm.write {
                for id in 0..<2_000 {
                    realm.add(Person(id: id, home: Address(city: "a", room: Room(number: id))))
                }
            }
            try realm.write {
                for person in realm.objects(Person.self) {
                    person.home = Address(city: "b", room: Room(number: -person.id))
                }
                for person in realm.objects(Person.self) where person.id % 3 == 0 {
                    person.home = nil
                }
            }
            let rest = realm.objects(Person.self).where { $0.home != nil }
            #expect(rest.count == 1_333)
            #expect(rest.allSatisfy { $0.home?.room?.number == -$0.id })
        }
    }

    // MARK: What they are

    @Test func queriesGoThroughThem() throws {
        try withRealm { realm in
            try realm.write {
                for id in 0..<10 {
                    realm.add(
                        Person(
                            id: id,
                            home: id == 3
                                ? nil
                                : Address(
                                    city: id % 2 == 0 ? "Rome" : "Oslo", room: Room(number: id))))
                }
            }
            let people = realm.objects(Person.self)
            #expect(people.where { $0.home.city == "Rome" }.map(\.id) == [0, 2, 4, 6, 8])
            #expect(people.where { $0.home.room.number > 7 }.map(\.id) == [8, 9])
            #expect(people.where { $0.home == nil }.map(\.id) == [3])
            let home = people[5].home
            #expect(people.where { $0.home == home }.map(\.id) == [5])
            #expect(people.sorted(byKeyPath: "home.city").last?.id == 3, "A nil link comes last.")
        }
    }

    @Test func equalityAndDescription() throws {
        try withRealm { realm in
            let address = Address(city: "Rome", room: Room(number: 1))
            #expect(address == address)
            #expect(address != Address(city: "Rome", room: Room(number: 1)))
            let person = Person(id: 1, home: address)
            #expect(
                person.description.contains("home = Address {\n\t\tcity = Rome;")
                    || person.description.contains("city = Rome;"))
            try realm.write { realm.add(person) }
            #expect(person.home != address)
            #expect(address.isSameObject(as: person.home))
            #expect(person.freeze().home == person.home?.freeze())
            #expect(person.description.contains("city = Rome;"))
        }
    }

    @Test func freezingAndThawing() throws {
        try withRealm { realm in
            let person = Person(id: 1, home: Address(city: "Rome"))
            try realm.write { realm.add(person) }
            let home = try #require(person.home)
            let frozen = home.freeze(), wrapped = Frozen(person), value = Frozen(home)
            try realm.write {
                home.city = "Oslo"
                person.office = Address(city: "Bern")
            }
            #expect(frozen.city == "Rome" && frozen.isFrozen)
            #expect(frozen.thaw()?.city == "Oslo")
            #expect(wrapped.home?.city == "Rome")
            #expect(value.city == "Rome")
            #expect(value.description.contains("Rome"))
            try realm.write { person.home = nil }
            #expect(frozen.thaw() == nil)
        }
    }

    @Test func referencesCrossThreads() throws {
        try withRealm { realm in
            let person = Person(id: 1, home: Address(city: "Rome"))
            try realm.write { realm.add(person) }
            let configuration = realm.configuration
            let (kept, lost) = (
                ThreadSafeReference(to: try #require(person.home)),
                ThreadSafeReference(to: try #require(person.home))
            )
            #expect(
                try onNewThread { try Realm(configuration: configuration).resolve(kept)?.city }
                    == "Rome")
            try realm.write { person.home = nil }
            try onNewThread {
                let own = try Realm(configuration: configuration)
                own.refresh()
                #expect(own.resolve(lost) == nil)
            }
        }
    }

    @Test func schemas() throws {
        try withRealm { realm in
            #expect(realm.schema["Relationships_Address"]?.isEmbedded == true)
            #expect(realm.schema["Relationships_Person"]?.isEmbedded == false)
            let home = realm.schema["Relationships_Person"]?["home"]
            #expect(
                home?.type == .object && home?.isOptional == true
                    && home?.objectClassName == "Relationships_Address")
        }
    }

    @Test func codable() throws {
        final class Owner: Object, Codable {
            @Persisted var part: Part?
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        final class Part: EmbeddedObject, Codable {
            @Persisted var name = ""
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        let owner = try JSONDecoder().decode(
            Owner.self, from: Data(#"{"part": {"name": "wheel"}}"#.utf8))
        #expect(owner.part?.name == "wheel")
        #expect(
            String(decoding: try JSONEncoder().encode(owner), as: UTF8.self)
                == #"{"part":{"name":"wheel"}}"#)
    }

    // MARK: Declarations

    class Keyed: EmbeddedObject {
        @Persisted(primaryKey: true) var id = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Required: Object {
        @Persisted var address: Relationships.Address
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class InSet: Object {
        @Persisted var rooms: MutableSet<Relationships.Room>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func wrongDeclarations() throws {
        func message(_ types: [ObjectBase.Type]) -> String {
            do {
                _ = try Realm(
                    configuration: Realm.Configuration(
                        inMemoryIdentifier: UUID().uuidString, objectTypes: types))
                return ""
            } catch { return "\(error)" }
        }
        #expect(
            message([Keyed.self]).contains(
                "Embedded object type 'EmbeddedObjectTests_Keyed' cannot have a primary key."))
        #expect(
            message([InSet.self, Room.self]).contains(
                """
                Set property 'EmbeddedObjectTests_InSet.rooms' cannot contain embedded object \
                type 'Relationships_Room'. Set semantics are not applicable to embedded \
                objects.
                """))
        #expect(
            message([Required.self] + Relationships.embedded).contains(
                "Object property 'address' must be marked as optional."))
        #expect(
            message([Person.self, Country.self]).contains(
                """
                Property 'Relationships_Person.home' of type 'object' has unknown object \
                type 'Relationships_Address'
                """
            ))
    }

    /// Two classes of one name, of which a file may have either.
    private enum Shape {
        class TopLevel: Object {
            @Persisted var value = 0
            override class func className() -> String { "Shape" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }

        class Embedded: EmbeddedObject {
            @Persisted var value = 0
            override class func className() -> String { "Shape" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
    }

    @Test func becomingEmbeddedNeedsAMigration() throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        func open(_ type: ObjectBase.Type) throws {
            _ = try Realm(
                configuration: Realm.Configuration(fileURL: directory.file(), objectTypes: [type]))
        }
        try open(Shape.TopLevel.self)
        do {
            try open(Shape.Embedded.self)
            Issue.record("The class changed its kind.")
        } catch let error as Realm.Error {
            #expect(error.code == .schemaMismatch)
            #expect(
                error.message.contains("Class 'Shape' has been changed from top-level to embedded.")
            )
        }
        try expectSound(
            Realm.Configuration(fileURL: directory.file(), objectTypes: [Shape.TopLevel.self]))
    }
}
