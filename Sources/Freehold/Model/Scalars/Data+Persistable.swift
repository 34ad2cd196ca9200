public import Foundation
import FreeholdStorage

extension Data: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, SortableType,
    _QueryBinary
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Data
    /// The property type in schemas: `.data`.
    public static var _rlmType: PropertyType { .data }
    /// Returns the default value, which is empty.
    @inlinable public static func _rlmDefaultValue() -> Data { Data() }

    /// Reads the property of a managed object. O(length).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Data {
        object.withBytes(column) { Data($0) }
    }

    /// Reads the optional property of a managed object. O(length).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Data? {
        object.withOptionalBytes(column) { Data($0) }
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Data) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Data?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Data: ScalarValue {
    static var columnType: ColumnType { .bytes }
    static var samples: [Data] { [Data([1]), Data([3, 2, 1])] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Data { Data(view.heapBytes(at: row)) }

    @inline(__always)
    static func store(_ value: Data, in row: MutableRow, _ column: ColumnID) {
        value.withUnsafeBytes { row.setBytes(column, $0) }
    }

    static func isStored(_ value: Data, in row: MutableRow, _ column: ColumnID) -> Bool {
        value.withUnsafeBytes { row.holds($0, column) }
    }

    /// Accepts data, and arrays of bytes.
    static func converted(from value: Any) -> Data? {
        (value as? Data) ?? (value as? [UInt8]).map { Data($0) }
    }
}
