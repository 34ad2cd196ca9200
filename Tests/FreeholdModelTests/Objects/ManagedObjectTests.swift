import Foundation
import Testing

import FreeholdStorage
@testable import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

@Suite struct ManagedObjectTests {
    typealias Person = ObjectModels.Person
    typealias Dog = ObjectModels.Dog
    typealias Numbered = ObjectModels.Numbered

    private static let types: [ObjectBase.Type] = [
        Person.self, Dog.self, Numbered.self, ObjectModels.Employee.self,
    ]

    @Test func linksGoBothWays() throws {
        try withTemporaryRealm(Self.types) { realm in
            let person = Person(value: ["name": "Ann", "dog": ["Bo", 3]])
            person.dog?.owner = person
            try realm.write { realm.add(person) }
            #expect(person.dog?.name == "Bo")
            #expect(person.dog?.owner == person)
            #expect(person.dog?.owner?.dog?.age == 3)
            try realm.write { person.dog = nil }
            #expect(person.dog == nil)
        }
    }

    @Test func assigningALinkAddsTheObject() throws {
        try withTemporaryRealm(Self.types) { realm in
            let person = Person(value: ["name": "Ann"])
            let dog = Dog(value: ["Bo", 3])
            try realm.write {
                realm.add(person)
                person.dog = dog
                person.friend = Person(value: ["name": "Ben", "dog": dog])
            }
            #expect(dog.realm == realm)
            #expect(person.friend?.dog?.isSameObject(as: dog) == true)
        }
    }

    /// Adding link targets of the same class while the linking object is being stored moves
    /// rows; no value may get lost.
    @Test func selfLinksWhileRowsMove() throws {
        try withTemporaryRealm(Self.types) { realm in
            let people = (0..<2000).map { Person(value: ["name": "\($0)"]) }
            for (person, next) in zip(people, people.dropFirst()) { person.friend = next }
            try realm.write { realm.add(people[0]) }
            var names: [String] = []
            var current: Person? = people[0]
            while let person = current {
                names.append(person.name)
                current = person.friend
            }
            #expect(names == (0..<2000).map(String.init))
        }
    }

    @Test func equalityIsThatOfRows() throws {
        try withTemporaryRealm(Self.types) { realm in
            let numbered = Numbered(value: [1, "x"])
            let hash = numbered.hashValue
            let dog = Dog()
            try realm.write {
                realm.add(numbered)
                realm.add(dog)
                realm.add(Numbered(value: [2]))
            }
            let found = try #require(realm.object(ofType: Numbered.self, forPrimaryKey: 1))
            let other = try #require(realm.object(ofType: Numbered.self, forPrimaryKey: 2))
            #expect(found == numbered && found !== numbered && found != other)
            #expect(found.hashValue == hash)
            #expect(Set<Object>([found, numbered, other]).count == 2)
            // Without a primary key live objects are equal to themselves only, frozen ones by row.
            let person = Person(value: ["dog": dog])
            try realm.write { realm.add(person) }
            let again = try #require(person.dog)
            #expect(again != dog && again.isSameObject(as: dog))
            #expect(again.freeze() == dog.freeze())
            #expect(Set<Object>([again.freeze(), dog.freeze()]).count == 1)
            #expect(found.freeze() != found)
        }
    }

    @Test func descriptionsOfManagedObjects() throws {
        try withTemporaryRealm(Self.types) { realm in
            let person = Person(value: [
                "name": "Ann", "portrait": Data(repeating: 1, count: 30), "dog": ["Bo"],
            ])
            let text = person.description
            try realm.write { realm.add(person) }
            #expect(person.description == text)
            #expect(person.freeze().description == text)
            try realm.write { realm.delete(person) }
            #expect(person.description == "[invalid object]")
        }
    }

    @Test func otherStoredStateSurvives() throws {
        try withTemporaryRealm(Self.types) { realm in
            let employee = ObjectModels.Employee(value: ["name": "Eve", "salary": 7])
            employee.isSelected = true
            try realm.write { realm.add(employee) }
            #expect(employee.isSelected && employee.salary == 7 && employee.name == "Eve")
            let found = try #require(
                realm.object(ofType: ObjectModels.Employee.self, forPrimaryKey: employee._id))
            #expect(!found.isSelected && found.salary == 7 && found.name == "Eve")
        }
    }

    /// An accessor made from the template must be a whole object: it can be kept, released and
    /// made many times over.
    @Test func accessorsAreWholeObjects() throws {
        try withTemporaryRealm(Self.types) { realm in
            try realm.write {
                for number in 0..<100 { realm.add(Numbered(value: [number, "text \(number)"])) }
            }
            var kept: [Numbered] = []
            for round in 0..<10 {
                for number in 0..<100 {
                    let found = try #require(
                        realm.object(ofType: Numbered.self, forPrimaryKey: number))
                    #expect(found.text == "text \(number)")
                    if number % 10 == round { kept.append(found) }
                }
            }
            #expect(kept.map(\.number).sorted() == Array(0..<100))
        }
    }

    @Test func managedObjectsEncodeAsUnmanagedOnes() throws {
        try withTemporaryRealm([ObjectModels.Note.self]) { realm in
            let note = ObjectModels.Note()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            let unmanaged = try encoder.encode(note)
            try realm.write { realm.add(note) }
            #expect(try encoder.encode(note) == unmanaged)
        }
    }

    @Test func primaryKeysAreFixed() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm([ObjectModels.Numbered.self]) { realm in
                let object = ObjectModels.Numbered(value: [1])
                try realm.write {
                    realm.add(object)
                    object.text = "may change"
                    object.number = 2
                }
            }
        }.mentions("Primary key can't be changed after an object is inserted.\n")
    }

    @Test func linksOfOtherClassesAreRefused() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm([
                ObjectModels.Person.self, ObjectModels.Employee.self, ObjectModels.Dog.self,
            ]) { realm in
                let person = ObjectModels.Person()
                try realm.write {
                    realm.add(person)
                    person.friend = ObjectModels.Employee()
                }
            }
        }.mentions(
            """
            A link points to objects of exactly the class that its property declares, not \
            of a subclass.
            """
        )
    }

    @Test func linksOfOtherClassesAreRefusedWhenAdding() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm([
                ObjectModels.Person.self, ObjectModels.Employee.self, ObjectModels.Dog.self,
            ]) { realm in
                let person = ObjectModels.Person()
                person.friend = ObjectModels.Employee()
                try realm.write { realm.add(person) }
            }
        }.mentions("for 'ObjectModels_Person?' property 'ObjectModels_Person.friend'.")
    }
}

/// What reads of an enum do when the stored raw value is that of no case.
@Suite struct UnknownRawValueTests {
    enum Wide: Int, PersistableEnum { case one = 1, two, three }
    enum Narrow: Int, PersistableEnum { case one = 1, two }

    class Written: Object {
        @Persisted var wide = Wide.one
        @Persisted var optionalWide: Wide?
        override class func className() -> String { "UnknownRawValue" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class Read: Object {
        @Persisted var wide = Narrow.one
        @Persisted var optionalWide: Narrow?
        override class func className() -> String { "UnknownRawValue" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func reopened(_ directory: TemporaryDirectory) throws -> Read {
        let url = directory.file()
        try onNewThread {
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: url, objectTypes: [Written.self]))
            try realm.write { realm.add(Written(value: [Wide.three, Wide.three])) }
        }
        let realm = try Realm(
            configuration: Realm.Configuration(fileURL: url, objectTypes: [Read.self]))
        let binding = realm.core.binding(for: Read.self)
        let place = try #require(realm.core.source.table(binding.table).locate(position: 0))
        let found = binding.makeAccessor(
            key: place.cluster.key(at: place.row).rawValue, cluster: place.cluster, row: place.row)
        return try #require(found as? Read)
    }

    @Test func optionalsAreNil() throws {
        try withTemporaryDirectory { directory in
            let object = try Self.reopened(directory)
            #expect(object.optionalWide == nil)
        }
    }

    @Test func othersTrap() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryDirectory { directory in
                _ = try Self.reopened(directory).wide
            }
        }.mentions("Could not convert value '3' to type 'Narrow'.")
    }
}
