import Foundation
import Freehold

enum EncodingModels {
    static let all: [ObjectBase.Type] = [
        Person.self, Dog.self, Address.self, PlaceRecord.self, Book.self, Author.self, Chapter.self,
        Measured.self, Chain.self, CodableChain.self,
    ]

    enum Kind: Int, PersistableEnum { case plain = 1, special = 2 }
    enum Mood: String, PersistableEnum, Codable { case calm, cross }

    struct Temperature: CustomPersistable, Equatable {
        var kelvin: Double
        init(persistedValue: Double) { kelvin = persistedValue }
        var persistableValue: Double { kelvin }
    }

    struct Money: CustomPersistable, Hashable, Codable {
        var amount: Int
        var currency: String
        init(persistedValue: String) {
            let parts = persistedValue.split(separator: " ")
            amount = parts.first.flatMap { Int($0) } ?? 0
            currency = parts.last.map(String.init) ?? ""
        }
        var persistableValue: String { "\(amount) \(currency)" }
    }

    struct Place: CustomPersistable, Hashable {
        var latitude: Double
        init(persistedValue: PlaceRecord) { latitude = persistedValue.latitude }
        var persistableValue: PlaceRecord { PlaceRecord(value: [latitude]) }
    }

    final class PlaceRecord: EmbeddedObject {
        @Persisted var latitude = 0.0
    }

    /// Declares no conformance. Has every kind of property.
    final class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var nickname: String?
        @Persisted var age: Int8 = 0
        @Persisted var weight: Float = 0
        @Persisted var height = 0.0
        @Persisted var isAlive = false
        @Persisted var born = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted var photo = Data()
        @Persisted var token = UUID(uuidString: "00000000-0000-0000-0000-000000000001")!
        @Persisted var objectId = ObjectId("5f4e1c9f2b3a4d5e6f708192")
        @Persisted var amount: Decimal128 = 0
        @Persisted var kind = Kind.plain
        @Persisted var mood: Mood?
        @Persisted var temperature = Temperature(persistedValue: 0)
        @Persisted var money = Money(persistedValue: "0 EUR")
        @Persisted var place: Place
        @Persisted var any: AnyRealmValue
        @Persisted var address: Address?
        @Persisted var dog: Dog?
        @Persisted var best: Person?
        @Persisted var dogs: List<Dog>
        @Persisted var addresses: List<Address>
        @Persisted var friends: MutableSet<Person>
        @Persisted var tags: List<String>
        @Persisted var numbers: List<Int?>
        @Persisted var levels: MutableSet<Int>
        @Persisted var scores: Map<String, Int>
        @Persisted var pets: Map<String, Dog?>
        @Persisted var things: List<AnyRealmValue>
        @Persisted var named: Map<String, AnyRealmValue>
        @Persisted(originProperty: "owner") var owned: LinkingObjects<Dog>

        var sortedLevels: Results<Int> { levels.sorted() }
    }

    /// Has no primary key.
    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var owner: Person?
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var tenant: Person?
    }

    /// Synthesised, with keys of its own.
    final class Book: Object, Codable {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var isGood = false
        @Persisted var rating: Int8?
        @Persisted var published = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted var mood: Mood?
        @Persisted var author: Author?
        @Persisted var tags: List<String>
        @Persisted var chapters: List<Chapter>

        private enum CodingKeys: String, CodingKey {
            case id, title = "name", isGood, rating, published, mood, author, tags, chapters
        }
    }

    /// Synthesised.
    final class Author: Object, Codable {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var books: List<Book>
        @Persisted var best: Book?
    }

    /// Synthesised, embedded.
    final class Chapter: EmbeddedObject, Codable {
        @Persisted var pages = 0
    }

    /// Writes what the library would, and more. Has state that is not persisted.
    final class Measured: Object, Encodable {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var next: Measured?
        var visits = 0

        private enum ExtraKeys: String, CodingKey { case twice }

        func encode(to encoder: any Encoder) throws {
            visits += 1
            try encodable.encode(to: encoder)
            var container = encoder.container(keyedBy: ExtraKeys.self)
            try container.encode(id * 2, forKey: .twice)
        }
    }

    /// A linked list.
    final class Chain: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var next: Chain?
    }

    /// A linked list, synthesised.
    final class CodableChain: Object, Codable {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var next: CodableChain?
    }
}

extension Encodable {
    /// As JSON with sorted keys.
    func json(linkDepth: Int? = nil, _ change: (JSONEncoder) -> Void = { _ in }) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let linkDepth { encoder.userInfo[.linkDepth] = linkDepth }
        change(encoder)
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
