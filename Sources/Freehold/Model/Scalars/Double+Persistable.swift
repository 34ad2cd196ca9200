import Foundation
import FreeholdStorage

extension Double: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
    MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Double
    /// The property type in schemas: `.double`.
    public static var _rlmType: PropertyType { .double }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Double { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Double {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Double? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Double) {
        if let view = object.columnForWritingInPlace(column) {
            return view.pointee.unsafeStore(value, at: object.row)
        }
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Double?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Double: ScalarValue {
    static var columnType: ColumnType { .double }
    static var samples: [Double] { [3.5, -7.25] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Double { view.double(at: row) }

    @inline(__always)
    static func store(_ value: Double, in row: MutableRow, _ column: ColumnID) {
        row.setDouble(column, value)
    }

    static func isStored(_ value: Double, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].double(at: row.row).bitPattern == value.bitPattern
    }

    /// Accepts numbers of any type, rounded. Rejects Swift's booleans; Foundation's numbers may
    /// represent either.
    static func converted(from value: Any) -> Double? {
        if type(of: value) == Bool.self { return nil }
        if let value = value as? Double { return value }
        if let value = value as? Float { return Double(value) }
        if let value = value as? any BinaryInteger { return Double(value) }
        if let value = value as? any BinaryFloatingPoint { return Double(value) }
        return (value as? NSNumber)?.doubleValue
    }
}
