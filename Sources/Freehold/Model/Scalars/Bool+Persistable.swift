import FreeholdStorage

extension Bool: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, SortableType
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Bool
    /// The property type in schemas: `.bool`.
    public static var _rlmType: PropertyType { .bool }
    /// Returns the default value, `false`.
    @inlinable public static func _rlmDefaultValue() -> Bool { false }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Bool {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Bool? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Bool) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Bool?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Bool: ScalarValue {
    static var columnType: ColumnType { .boolean }
    static var isOrdered: Bool { false }
    static var samples: [Bool] { [true, false] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Bool { view.boolean(at: row) }

    @inline(__always)
    static func store(_ value: Bool, in row: MutableRow, _ column: ColumnID) {
        row.setBoolean(column, value)
    }

    static func isStored(_ value: Bool, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].boolean(at: row.row) == value
    }

    static func indexKey(for value: Bool) -> IndexKey? { .boolean(value) }

    /// Accepts booleans, and the integers 0 and 1.
    static func converted(from value: Any) -> Bool? {
        if let value = value as? Bool { return value }
        guard let number = Int.converted(from: value), number == 0 || number == 1 else {
            return nil
        }
        return number == 1
    }
}
