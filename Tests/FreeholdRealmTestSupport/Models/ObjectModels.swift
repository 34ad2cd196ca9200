package import Foundation
package import Freehold

// The models of these tests. They are nested, so that their names do not meet those of other
// tests' models.

package enum Mood: String, PersistableEnum, Codable {
    case calm, curious, cross
}

package enum Level: Int, PersistableEnum, Codable {
    case low = 1, high = 10
}

package enum ObjectModels {
    /// Every type that a property can have, plain and optional.
    package class AllTypes: Object {
        @Persisted(primaryKey: true) package var id = 0
        @Persisted package var bool: Bool
        @Persisted package var int: Int
        @Persisted package var int8: Int8
        @Persisted package var int16: Int16
        @Persisted package var int32: Int32
        @Persisted package var int64: Int64
        @Persisted package var float: Float
        @Persisted package var double: Double
        @Persisted package var string: String
        @Persisted package var data: Data
        @Persisted package var date: Date
        @Persisted package var objectId: ObjectId
        @Persisted package var uuid: UUID
        @Persisted package var decimal: Decimal128
        @Persisted package var mood: Mood
        @Persisted package var level: Level
        @Persisted package var link: Dog?

        @Persisted package var optionalBool: Bool?
        @Persisted package var optionalInt: Int?
        @Persisted package var optionalInt8: Int8?
        @Persisted package var optionalInt16: Int16?
        @Persisted package var optionalInt32: Int32?
        @Persisted package var optionalInt64: Int64?
        @Persisted package var optionalFloat: Float?
        @Persisted package var optionalDouble: Double?
        @Persisted package var optionalString: String?
        @Persisted package var optionalData: Data?
        @Persisted package var optionalDate: Date?
        @Persisted package var optionalObjectId: ObjectId?
        @Persisted package var optionalUuid: UUID?
        @Persisted package var optionalDecimal: Decimal128?
        @Persisted package var optionalMood: Mood?
        @Persisted package var optionalLevel: Level?
    }

    package class Dog: Object {
        @Persisted package var name = "Rex"
        @Persisted package var age: Int? = 5
        @Persisted package var owner: Person?
    }

    package class Person: Object {
        @Persisted(primaryKey: true) package var _id: ObjectId
        @Persisted(indexed: true) package var name = ""
        @Persisted package var born = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted package var portrait: Data?
        @Persisted package var dog: Dog?
        @Persisted package var friend: Person?

        /// Not persisted, as everything computed.
        package var shout: String { name.uppercased() }
        package var greeting: String { "\(name) with \(dog?.name ?? "no dog")" }
    }

    package class Employee: Person {
        @Persisted package var salary = 1.5
        package var isSelected = false
    }

    package class Numbered: Object {
        @Persisted(primaryKey: true) package var number = 0
        @Persisted package var text: String?
    }

    package class Note: Object, Codable {
        @Persisted(primaryKey: true) package var _id: ObjectId
        @Persisted package var title = ""
        @Persisted package var mood: Mood
        @Persisted package var stars: Int?
        @Persisted package var written: Date
        @Persisted package var amount: Decimal128
        @Persisted package var reply: Note?
    }
}
