import Foundation
import Freehold

/// A value that properties, their optionals and all collections can have.
protocol ShapeValue: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, Sendable {
    /// Two different values.
    static var samples: (Self, Self) { get }
}

/// Every shape that a type of values has as a property.
final class Shapes<Value: ShapeValue>: Object
where Value.PersistedType: _RealmCollectionValueInsideOptional {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var one: Value
    @Persisted var optional: Value?
    @Persisted var list: List<Value>
    @Persisted var optionalList: List<Value?>
    @Persisted var set: MutableSet<Value>
    @Persisted var optionalSet: MutableSet<Value?>
    @Persisted var map: Map<String, Value>
    @Persisted var optionalMap: Map<String, Value?>

    override class func className() -> String { "Shapes" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An index of a type of values.
final class IndexShapes<Value: ShapeValue>: Object where Value.PersistedType: _Indexable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var one: Value
    @Persisted(indexed: true) var optional: Value?

    override class func className() -> String { "IndexShapes" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A primary key of a type of values.
final class KeyShapes<Value: ShapeValue>: Object where Value.PersistedType: _PrimaryKey {
    @Persisted(primaryKey: true) var id: Value

    override class func className() -> String { "KeyShapes" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A primary key that can be nil.
final class OptionalKeyShapes<Value: ShapeValue>: Object where Value.PersistedType: _PrimaryKey {
    @Persisted(primaryKey: true) var id: Value?

    override class func className() -> String { "OptionalKeyShapes" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Every shape of objects, embedded objects, values that are stored as these, and any values.
final class ObjectShapes: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var link: ShapeTarget?
    @Persisted var links: List<ShapeTarget>
    @Persisted var linkSet: MutableSet<ShapeTarget>
    @Persisted var linkMap: Map<String, ShapeTarget?>
    @Persisted var owned: PlaceRecord?
    @Persisted var ownedList: List<PlaceRecord>
    @Persisted var ownedMap: Map<String, PlaceRecord?>
    @Persisted var place: Place
    @Persisted var optionalPlace: Place?
    @Persisted var places: List<Place>
    @Persisted var placeMap: Map<String, Place>
    @Persisted var optionalPlaceMap: Map<String, Place?>
    @Persisted var spanMap: Map<String, Span>
    @Persisted var any: AnyRealmValue
    @Persisted(indexed: true) var indexedAny: AnyRealmValue
    @Persisted var anyList: List<AnyRealmValue>
    @Persisted var anySet: MutableSet<AnyRealmValue>
    @Persisted var anyMap: Map<String, AnyRealmValue>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class ShapeTarget: Object {
    @Persisted var name = ""
    @Persisted(originProperty: "link") var origins: LinkingObjects<ObjectShapes>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Bool: ShapeValue { static var samples: (Bool, Bool) { (true, false) } }
extension Int: ShapeValue { static var samples: (Int, Int) { (.min, .max) } }
extension Int8: ShapeValue { static var samples: (Int8, Int8) { (.min, .max) } }
extension Int16: ShapeValue { static var samples: (Int16, Int16) { (.min, .max) } }
extension Int32: ShapeValue { static var samples: (Int32, Int32) { (.min, .max) } }
extension Int64: ShapeValue { static var samples: (Int64, Int64) { (.min, .max) } }
extension Float: ShapeValue { static var samples: (Float, Float) { (-1.5, .infinity) } }
extension Double: ShapeValue {
    static var samples: (Double, Double) { (-1.5, .greatestFiniteMagnitude) }
}
extension String: ShapeValue { static var samples: (String, String) { ("", "é\u{0}🐕") } }
extension Data: ShapeValue { static var samples: (Data, Data) { (Data(), Data([0, 255])) } }
extension Date: ShapeValue {
    static var samples: (Date, Date) {
        (Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1e9))
    }
}
extension Decimal128: ShapeValue { static var samples: (Decimal128, Decimal128) { (-1.5, 12345) } }
extension ObjectId: ShapeValue {
    static var samples: (ObjectId, ObjectId) {
        (ObjectId("000000000000000000000000"), ObjectId("ffffffffffffffffffffffff"))
    }
}
extension UUID: ShapeValue {
    static var samples: (UUID, UUID) {
        (
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
            UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        )
    }
}

enum ShapeEnum8: Int8, PersistableEnum, ShapeValue {
    case a = 1, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnum16: Int16, PersistableEnum, ShapeValue {
    case a = 1, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnum32: Int32, PersistableEnum, ShapeValue {
    case a = 1, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnum64: Int64, PersistableEnum, ShapeValue {
    case a = 1, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnumInt: Int, PersistableEnum, ShapeValue {
    case a = 1, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnumFloat: Float, PersistableEnum, ShapeValue {
    case a = 1.5, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnumDouble: Double, PersistableEnum, ShapeValue {
    case a = 1.5, b = -2; static var samples: (Self, Self) { (.a, .b) }
}
enum ShapeEnumText: String, PersistableEnum, ShapeValue {
    case a, b; static var samples: (Self, Self) { (.a, .b) }
}

/// A value of the program that is stored as a built-in one.
struct Wrapped<Value: ShapeValue>: CustomPersistable, ShapeValue
where Value.PersistedType == Value {
    let value: Value
    typealias PersistedType = Value
    init(persistedValue: Value) { value = persistedValue }
    var persistableValue: Value { value }
    static var samples: (Self, Self) {
        (Self(persistedValue: Value.samples.0), Self(persistedValue: Value.samples.1))
    }
}

/// The same, that not all stored values convert to.
struct PartlyWrapped<Value: ShapeValue>: FailableCustomPersistable, ShapeValue
where Value.PersistedType == Value {
    let value: Value
    typealias PersistedType = Value
    init?(persistedValue: Value) { value = persistedValue }
    var persistableValue: Value { value }
    static var samples: (Self, Self) {
        (Self(persistedValue: Value.samples.0)!, Self(persistedValue: Value.samples.1)!)
    }
}
