import Foundation
import Freehold

// Classes with everything that Studio has to show: long texts, deep embedded objects, nested any
// values, emoji, links in both directions, data, and a class without objects. They are outside of
// the default schema, because tests have classes of the same names.

final class Country: Object {
    @Persisted(primaryKey: true) var code: String
    @Persisted(indexed: true) var name: String
    @Persisted var continent: String
    @Persisted(originProperty: "country") var people: LinkingObjects<Person>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Note: EmbeddedObject {
    @Persisted var text: String
    @Persisted var writtenAt: Date

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Place: EmbeddedObject {
    @Persisted var latitude: Double
    @Persisted var longitude: Double
    @Persisted var notes: List<Note>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Address: EmbeddedObject {
    @Persisted var street: String
    @Persisted var city: String
    @Persisted var place: Place?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var email: String?
    @Persisted(indexed: true) var age: Int
    @Persisted var joined: Date
    @Persisted var isActive: Bool
    @Persisted var balance: Decimal128
    @Persisted var rating: Double?
    @Persisted var country: Country?
    @Persisted var address: Address?
    @Persisted var friends: List<Person>
    @Persisted var tags: MutableSet<String>
    @Persisted var scores: Map<String, Double>
    @Persisted var biography: String
    @Persisted var photo: Data?
    @Persisted var extra: AnyRealmValue
    @Persisted var token: UUID

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class OrderLine: EmbeddedObject {
    @Persisted var product: Product?
    @Persisted var quantity: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Product: Object {
    @Persisted(primaryKey: true) var sku: String
    @Persisted var title: String
    @Persisted var price: Decimal128
    @Persisted var labels: MutableSet<String>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class Order: Object {
    @Persisted(primaryKey: true) var number: ObjectId
    @Persisted(indexed: true) var status: String
    @Persisted var customer: Person?
    @Persisted var lines: List<OrderLine>
    @Persisted var placed: Date

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Many small objects.
final class Event: Object {
    @Persisted(indexed: true) var kind: String
    @Persisted var number: Int
    @Persisted var at: Date
    @Persisted var value: Double
    @Persisted var person: Person?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class without objects.
final class Draft2: Object {
    @Persisted var text: String

    override class func _realmObjectName() -> String? { "Letter" }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum Sample {
    static let types: [ObjectBase.Type] = [
        Country.self, Note.self, Place.self, Address.self, Person.self, OrderLine.self,
        Product.self, Order.self, Event.self, Draft2.self,
    ]
}
