import Foundation
import Freehold

/// The models of the imports. Nested, so the classes have names of their own in the file.
enum Model {
    static let all: [ObjectBase.Type] = [
        Person.self, Dog.self, Address.self, Everything.self, City.self,
    ]

    /// With a primary key, links in a circle, embedded objects and values of any type.
    final class Person: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var nickname: String?
        @Persisted var dog: Dog?
        @Persisted var friends: List<Person>
        @Persisted var pets: MutableSet<Dog>
        @Persisted var byName: Map<String, Person?>
        @Persisted var address: Address?
        @Persisted var others: List<Address>
        @Persisted var rooms: Map<String, Address?>
        @Persisted var any: AnyRealmValue
        @Persisted var anys: List<AnyRealmValue>
        @Persisted(originProperty: "friends") var admirers: LinkingObjects<Person>

        override class func className() -> String { "Person" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func propertiesMapping() -> [String: String] { ["nickname": "nick_name"] }
    }

    /// Without a primary key.
    final class Dog: Object {
        @Persisted var name = ""
        @Persisted var age = 3
        @Persisted var owner: Person?
        @Persisted var friend: Dog?

        override class func className() -> String { "Dog" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Address: EmbeddedObject {
        @Persisted var street = ""
        @Persisted var city: City?
        @Persisted var dog: Dog?
        @Persisted var annex: Address?

        override class func className() -> String { "Address" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// With a primary key that is an object id.
    final class City: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var name = ""

        override class func className() -> String { "City" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    enum Colour: String, PersistableEnum { case red, green }
    enum Grade: Int8, PersistableEnum { case good = 1, bad = 2 }

    struct Code: FailableCustomPersistable {
        let text: String
        typealias PersistedType = String
        init?(persistedValue: String) {
            guard persistedValue.count == 4 else { return nil }
            text = persistedValue
        }
        var persistableValue: String { text }
    }

    /// Each type.
    final class Everything: Object {
        @Persisted(primaryKey: true) var key = ""
        @Persisted var int = 7
        @Persisted var int8: Int8
        @Persisted var bool: Bool
        @Persisted var string = "default"
        @Persisted var data: Data
        @Persisted var date = Date(timeIntervalSince1970: 0)
        @Persisted var float: Float
        @Persisted var double: Double
        @Persisted var objectId: ObjectId
        @Persisted var decimal: Decimal128
        @Persisted var uuid: UUID
        @Persisted var colour: Colour
        @Persisted var grade: Grade?
        @Persisted var code: Code?
        @Persisted var optionalInt: Int?
        @Persisted var optionalBool: Bool?
        @Persisted var optionalString: String?
        @Persisted var optionalData: Data?
        @Persisted var optionalDate: Date?
        @Persisted var optionalDouble: Double?
        @Persisted var optionalUUID: UUID?
        @Persisted var optionalDecimal: Decimal128?
        @Persisted var ints: List<Int>
        @Persisted var optionalStrings: List<String?>
        @Persisted var dates: List<Date>
        @Persisted var texts: MutableSet<String>
        @Persisted var small: MutableSet<Int8>
        @Persisted var scores: Map<String, Double>
        @Persisted var blobs: Map<String, Data?>
        @Persisted var any: AnyRealmValue
        @Persisted var city: City?
        @Persisted var cities: List<City>

        override class func className() -> String { "Everything" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
