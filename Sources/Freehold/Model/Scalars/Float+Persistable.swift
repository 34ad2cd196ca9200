import FreeholdStorage

extension Float: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
    MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Float
    /// The property type in schemas: `.float`.
    public static var _rlmType: PropertyType { .float }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Float { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Float {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Float? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Float) {
        writeProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Float?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Float: ScalarValue {
    static var columnType: ColumnType { .float }
    static var samples: [Float] { [3.5, -7.25] }

    @inline(__always)
    static func load(_ view: ColumnView, _ row: Int) -> Float { view.float(at: row) }

    @inline(__always)
    static func store(_ value: Float, in row: MutableRow, _ column: ColumnID) {
        row.setFloat(column, value)
    }

    static func isStored(_ value: Float, in row: MutableRow, _ column: ColumnID) -> Bool {
        row.cluster.columns[column.position].float(at: row.row).bitPattern == value.bitPattern
    }

    /// Accepts numbers of any type within the range of `Float`, rounded.
    static func converted(from value: Any) -> Float? {
        if let value = value as? Float { return value }
        guard let double = Double.converted(from: value) else { return nil }
        let float = Float(double)
        return float.isInfinite && !double.isInfinite ? nil : float
    }
}
