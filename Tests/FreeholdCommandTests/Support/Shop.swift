import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Classes with every type, and realms of them.
enum Shop {
    final class Everything: Object {
        @Persisted var int: Int
        @Persisted var intOrNil: Int?
        @Persisted(indexed: true) var text: String
        @Persisted(indexed: .fullText) var notes: String
        @Persisted var textOrNil: String?
        @Persisted var bool: Bool
        @Persisted var boolOrNil: Bool?
        @Persisted var float: Float
        @Persisted var floatOrNil: Float?
        @Persisted var double: Double
        @Persisted var doubleOrNil: Double?
        @Persisted var date: Date
        @Persisted var dateOrNil: Date?
        @Persisted var data: Data
        @Persisted var dataOrNil: Data?
        @Persisted var decimal: Decimal128
        @Persisted var decimalOrNil: Decimal128?
        @Persisted var objectId: ObjectId
        @Persisted var objectIdOrNil: ObjectId?
        @Persisted var uuid: UUID
        @Persisted var uuidOrNil: UUID?
        @Persisted var any: AnyRealmValue
        @Persisted var item: Item?
        @Persisted var other: Everything?
        @Persisted var place: Place?
        @Persisted var ints: List<Int>
        @Persisted var texts: List<String?>
        @Persisted var doubles: List<Double>
        @Persisted var dates: List<Date?>
        @Persisted var anys: List<AnyRealmValue>
        @Persisted var items: List<Item>
        @Persisted var others: List<Everything>
        @Persisted var places: List<Place>
        @Persisted var intSet: MutableSet<Int?>
        @Persisted var textSet: MutableSet<String>
        @Persisted var dataSet: MutableSet<Data>
        @Persisted var decimalSet: MutableSet<Decimal128>
        @Persisted var anySet: MutableSet<AnyRealmValue>
        @Persisted var itemSet: MutableSet<Item>
        @Persisted var floatMap: Map<String, Float?>
        @Persisted var uuidMap: Map<String, UUID>
        @Persisted var anyMap: Map<String, AnyRealmValue>
        @Persisted var itemMap: Map<String, Item?>
        @Persisted var placeMap: Map<String, Place?>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Item: Object {
        @Persisted(primaryKey: true) var name: String?
        @Persisted var price: Double
        @Persisted var maker: Maker?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Maker: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var best: Item?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Ticket: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var next: Ticket?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Place: EmbeddedObject {
        @Persisted var city: String
        @Persisted var inner: Place?
        @Persisted var tags: List<String>
        @Persisted var item: Item?

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    static let all: [ObjectBase.Type] = [
        Everything.self, Item.self, Maker.self, Ticket.self, Place.self,
    ]

    static func configuration(_ url: URL, _ key: Data?) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: url, encryptionKey: EncryptedSuite.isOn ? nil : key, schemaVersion: 4,
            objectTypes: all)
    }

    /// Writes a file with the given objects, and closes it.
    static func make(
        _ desk: Desk, _ name: String, _ fill: @escaping @Sendable (Realm) throws -> Void
    ) throws {
        try onNewThread {
            let realm = try Realm(
                configuration: configuration(desk.directory.file(name), desk.key))
            try realm.write { try fill(realm) }
        }
    }

    /// Ten items by two makers.
    static func fillSimply(_ realm: Realm) {
        for id in 1...2 { realm.create(Maker.self, value: ["id": id, "name": "Maker \(id)"]) }
        for number in 1...10 {
            let item = realm.create(
                Item.self, value: ["name": "item \(number)", "price": Double(number) * 1.5])
            item.maker = realm.object(ofType: Maker.self, forPrimaryKey: number % 2 + 1)
        }
        realm.object(ofType: Maker.self, forPrimaryKey: 1)?.best =
            realm.object(ofType: Item.self, forPrimaryKey: "item 3")
    }
}
