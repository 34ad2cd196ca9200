package import Foundation
package import Freehold

package enum EncodingModels {
    package static let all: [ObjectBase.Type] = [
        Person.self, Dog.self, Address.self, PlaceRecord.self, Book.self, Author.self, Chapter.self,
        Measured.self, Chain.self, CodableChain.self,
    ]

    package enum Kind: Int, PersistableEnum { case plain = 1, special = 2 }
    package enum Mood: String, PersistableEnum, Codable { case calm, cross }

    package struct Temperature: CustomPersistable, Equatable {
        package var kelvin: Double
        package init(persistedValue: Double) { kelvin = persistedValue }
        package var persistableValue: Double { kelvin }
    }

    package struct Money: CustomPersistable, Hashable, Codable {
        package var amount: Int
        package var currency: String
        package init(persistedValue: String) {
            let parts = persistedValue.split(separator: " ")
            amount = parts.first.flatMap { Int($0) } ?? 0
            currency = parts.last.map(String.init) ?? ""
        }
        package var persistableValue: String { "\(amount) \(currency)" }
    }

    package struct Place: CustomPersistable, Hashable {
        package var latitude: Double
        package init(persistedValue: PlaceRecord) { latitude = persistedValue.latitude }
        package var persistableValue: PlaceRecord { PlaceRecord(value: [latitude]) }
    }

    package final class PlaceRecord: EmbeddedObject {
        @Persisted package var latitude = 0.0
    }

    /// Declares no conformance. Has every kind of property.
    package final class Person: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var name = ""
        @Persisted package var nickname: String?
        @Persisted package var age: Int8 = 0
        @Persisted package var weight: Float = 0
        @Persisted package var height = 0.0
        @Persisted package var isAlive = false
        @Persisted package var born = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted package var photo = Data()
        @Persisted package var token = UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
        @Persisted package var objectId = ObjectId("5f4e1c9f2b3a4d5e6f708192")
        @Persisted package var amount: Decimal128 = 0
        @Persisted package var kind = Kind.plain
        @Persisted package var mood: Mood?
        @Persisted package var temperature = Temperature(persistedValue: 0)
        @Persisted package var money = Money(persistedValue: "0 EUR")
        @Persisted package var place: Place
        @Persisted package var any: AnyRealmValue
        @Persisted package var address: Address?
        @Persisted package var dog: Dog?
        @Persisted package var best: Person?
        @Persisted package var dogs: List<Dog>
        @Persisted package var addresses: List<Address>
        @Persisted package var friends: MutableSet<Person>
        @Persisted package var tags: List<String>
        @Persisted package var numbers: List<Int?>
        @Persisted package var levels: MutableSet<Int>
        @Persisted package var scores: Map<String, Int>
        @Persisted package var pets: Map<String, Dog?>
        @Persisted package var things: List<AnyRealmValue>
        @Persisted package var named: Map<String, AnyRealmValue>
        @Persisted(originProperty: "owner") package var owned: LinkingObjects<Dog>

        package var sortedLevels: Results<Int> { levels.sorted() }
    }

    /// Has no primary key.
    package final class Dog: Object {
        @Persisted package var name = ""
        @Persisted package var owner: Person?
    }

    package final class Address: EmbeddedObject {
        @Persisted package var street = ""
        @Persisted package var tenant: Person?
    }

    /// Synthesised, with keys of its own.
    package final class Book: Object, Codable {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var title = ""
        @Persisted package var isGood = false
        @Persisted package var rating: Int8?
        @Persisted package var published = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted package var mood: Mood?
        @Persisted package var author: Author?
        @Persisted package var tags: List<String>
        @Persisted package var chapters: List<Chapter>

        private enum CodingKeys: String, CodingKey {
            case id, title = "name", isGood, rating, published, mood, author, tags, chapters
        }
    }

    /// Synthesised.
    package final class Author: Object, Codable {
        @Persisted(primaryKey: true) package var name = ""
        @Persisted package var books: List<Book>
        @Persisted package var best: Book?
    }

    /// Synthesised, embedded.
    package final class Chapter: EmbeddedObject, Codable {
        @Persisted package var pages = 0
    }

    /// Writes what the library would, and more. Has state that is not persisted.
    package final class Measured: Object, Encodable {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var next: Measured?
        package var visits = 0

        private enum ExtraKeys: String, CodingKey { case twice }

        package func encode(to encoder: any Encoder) throws {
            visits += 1
            try encodable.encode(to: encoder)
            var container = encoder.container(keyedBy: ExtraKeys.self)
            try container.encode(id * 2, forKey: .twice)
        }
    }

    /// A linked list.
    package final class Chain: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var next: Chain?
    }

    /// A linked list, synthesised.
    package final class CodableChain: Object, Codable {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var next: CodableChain?
    }
}

extension Encodable {
    /// As JSON with sorted keys.
    package func json(linkDepth: Int? = nil, _ change: (JSONEncoder) -> Void = { _ in }) throws
        -> String
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let linkDepth { encoder.userInfo[.linkDepth] = linkDepth }
        change(encoder)
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
