import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// An address book.
enum Book {
    class Person: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var nickname: String?
        @Persisted var tags: List<String>
        @Persisted var scores: MutableSet<Int>
        @Persisted var numbers: Map<String, String>
        @Persisted var any: AnyRealmValue
        @Persisted var home: Address?
        @Persisted var addresses: List<Address>
        @Persisted var partner: Person?
        @Persisted var notes: List<Note>
    }

    class Address: EmbeddedObject {
        @Persisted var street: String
        @Persisted var city: String
    }

    /// Without a primary key.
    class Note: Object {
        @Persisted(indexed: true) var text: String
        @Persisted var lines: List<String>
        @Persisted var other: Note?
        @Persisted(originProperty: "notes") var people: LinkingObjects<Person>
    }

    /// With keys that the realm gives.
    class Order: Object {
        @Persisted(primaryKey: true, autoIncrement: true) var id: Int
        @Persisted var text: String
    }

    /// With a primary key that is no row key.
    class Country: Object {
        @Persisted(primaryKey: true) var code: String
        @Persisted var name: String
    }

    static let all: [ObjectBase.Type] = [
        Person.self, Address.self, Note.self, Order.self, Country.self,
    ]

    /// Runs `body` with a realm that has a person.
    static func withPerson(_ body: (Realm, Person) throws -> Void) throws {
        try withTemporaryRealm(all) { realm in
            let person = Person()
            person.id = 1
            person.name = "Ada"
            person.age = 36
            person.tags.append(objectsIn: ["a", "b", "c"])
            person.home = Address(value: ["street": "Main Street", "city": "London"])
            try realm.write { realm.add(person) }
            try body(realm, person)
        }
    }

    /// Writes as another part of the program does: on a thread of its own.
    static func elsewhere(
        _ realm: Realm, _ body: @escaping @Sendable (Realm) throws -> Void
    ) throws {
        let configuration = realm.configuration
        try onNewThread {
            let other = try Realm(configuration: configuration)
            try other.write { try body(other) }
        }
    }

    static func person(_ id: Int = 1, in realm: Realm) throws -> Person {
        guard let person = realm.object(ofType: Person.self, forPrimaryKey: id) else {
            throw Realm.Error(.fail)
        }
        return person
    }
}
