import Foundation
import Freehold
import FreeholdRealmTestSupport

// The models of these tests. They are nested, so that their names do not meet those of other
// tests' models.

enum Mood: String, PersistableEnum, Codable {
    case calm, curious, cross
}

enum Level: Int, PersistableEnum, Codable {
    case low = 1, high = 10
}

enum ObjectModels {
    /// Every type that a property can have, plain and optional.
    class AllTypes: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool: Bool
        @Persisted var int: Int
        @Persisted var int8: Int8
        @Persisted var int16: Int16
        @Persisted var int32: Int32
        @Persisted var int64: Int64
        @Persisted var float: Float
        @Persisted var double: Double
        @Persisted var string: String
        @Persisted var data: Data
        @Persisted var date: Date
        @Persisted var objectId: ObjectId
        @Persisted var uuid: UUID
        @Persisted var decimal: Decimal128
        @Persisted var mood: Mood
        @Persisted var level: Level
        @Persisted var link: Dog?

        @Persisted var optionalBool: Bool?
        @Persisted var optionalInt: Int?
        @Persisted var optionalInt8: Int8?
        @Persisted var optionalInt16: Int16?
        @Persisted var optionalInt32: Int32?
        @Persisted var optionalInt64: Int64?
        @Persisted var optionalFloat: Float?
        @Persisted var optionalDouble: Double?
        @Persisted var optionalString: String?
        @Persisted var optionalData: Data?
        @Persisted var optionalDate: Date?
        @Persisted var optionalObjectId: ObjectId?
        @Persisted var optionalUuid: UUID?
        @Persisted var optionalDecimal: Decimal128?
        @Persisted var optionalMood: Mood?
        @Persisted var optionalLevel: Level?
    }

    class Dog: Object {
        @Persisted var name = "Rex"
        @Persisted var age: Int? = 5
        @Persisted var owner: Person?
    }

    class Person: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted(indexed: true) var name = ""
        @Persisted var born = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted var portrait: Data?
        @Persisted var dog: Dog?
        @Persisted var friend: Person?

        /// Not persisted, as everything computed.
        var shout: String { name.uppercased() }
        var greeting: String { "\(name) with \(dog?.name ?? "no dog")" }
    }

    class Employee: Person {
        @Persisted var salary = 1.5
        var isSelected = false
    }

    class Numbered: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var text: String?
    }

    class Note: Object, Codable {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var title = ""
        @Persisted var mood: Mood
        @Persisted var stars: Int?
        @Persisted var written: Date
        @Persisted var amount: Decimal128
        @Persisted var reply: Note?
    }
}
