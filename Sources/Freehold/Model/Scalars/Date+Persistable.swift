public import Foundation
import FreeholdStorage

extension Date: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    MinMaxType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Date
    /// The property type in schemas: `.date`.
    public static var _rlmType: PropertyType { .date }
    /// Returns the default value, the current time.
    @inlinable public static func _rlmDefaultValue() -> Date { Date() }
    /// Returns the current time for a new object. Created together with the object, so that
    /// every read returns the same time.
    @inlinable public static func _rlmInitialValue() -> Date? { Date() }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Date {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Date? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Date) {
        if let view = object.columnForWritingInPlace(column) {
            return view.pointee.unsafeStore(value.timeIntervalSinceReferenceDate, at: object.row)
        }
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Date?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Date: ScalarValue {
    static var columnType: ColumnType { .timestamp }
    static var samples: [Date] {
        [
            Date(timeIntervalSinceReferenceDate: 1_000.5),
            Date(timeIntervalSinceReferenceDate: -70_000),
        ]
    }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: view.double(at: row))
    }

    @inline(__always)
    static func store(_ value: Date, in row: MutableRow, _ column: ColumnID) {
        row.setDouble(column, value.timeIntervalSinceReferenceDate)
    }

    static func isStored(_ value: Date, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].double(at: row.row).bitPattern
            == value.timeIntervalSinceReferenceDate.bitPattern
    }

    static func indexKey(for value: Date) -> IndexKey? {
        .double(value.timeIntervalSinceReferenceDate)
    }

    /// Accepts dates.
    static func converted(from value: Any) -> Date? { value as? Date }
}
