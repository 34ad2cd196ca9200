import Foundation
import FreeholdStorage

extension Decimal128: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
    MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Decimal128
    /// The property type in schemas: `.decimal128`.
    public static var _rlmType: PropertyType { .decimal128 }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Decimal128 { Decimal128() }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Decimal128 {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Decimal128? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Decimal128) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Decimal128?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Decimal128: ScalarValue {
    static var columnType: ColumnType { .decimal }
    static var samples: [Decimal128] { [3, Decimal128(stringLiteral: "-7.25")] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Decimal128 {
        Decimal128(storedWords: view.fixed16(at: row))
    }

    @inline(__always)
    static func store(_ value: Decimal128, in row: MutableRow, _ column: ColumnID) {
        row.setFixed16(column, value.storedWords)
    }

    static func isStored(_ value: Decimal128, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].fixed16(at: row.row) == value.storedWords
    }

    /// Accepts numbers of any type, and texts of numbers.
    static func converted(from value: Any) -> Decimal128? {
        switch value {
        case let value as Decimal128: value
        case let value as any BinaryInteger: Decimal128(value)
        case is any BinaryFloatingPoint, is Decimal, is NSNumber: Decimal128(value: value)
        case let value as String: try? Decimal128(string: value)
        default: nil
        }
    }
}

extension Decimal128 {
    /// The bits as stored, low word first. Equal numbers with different notations, such as 1.0
    /// and 1.00, differ here.
    @inline(__always)
    var storedWords: (UInt64, UInt64) { (lowBits, highBits) }

    /// The inverse of ``storedWords``.
    @inline(__always)
    init(storedWords words: (UInt64, UInt64)) { self.init(highBits: words.1, lowBits: words.0) }
}
