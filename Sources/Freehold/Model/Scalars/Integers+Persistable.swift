// Integers of every width share the column type and its 64-bit values. The four accessors are
// declared for each type, because property access compiles to them; a shared generic accessor
// would run unspecialised in other modules. Their bodies are inlined.

extension Int: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Int
    /// The property type in schemas: `.int`.
    public static var _rlmType: PropertyType { .int }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Int { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Int? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int) {
        writeIntegerProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Int?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Int8: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Int8
    /// The property type in schemas: `.int`.
    public static var _rlmType: PropertyType { .int }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Int8 { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int8 {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Int8? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int8) {
        writeIntegerProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Int8?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Int16: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Int16
    /// The property type in schemas: `.int`.
    public static var _rlmType: PropertyType { .int }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Int16 { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int16 {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Int16? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int16) {
        writeIntegerProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Int16?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Int32: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Int32
    /// The property type in schemas: `.int`.
    public static var _rlmType: PropertyType { .int }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Int32 { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int32 {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Int32? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int32) {
        writeIntegerProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Int32?) {
        writeOptionalProperty(object, column, value)
    }
}

extension Int64: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, _Indexable,
    _PrimaryKey, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// The stored type: values are stored unchanged.
    public typealias PersistedType = Int64
    /// The property type in schemas: `.int`.
    public static var _rlmType: PropertyType { .int }
    /// Returns the default value, zero.
    @inlinable public static func _rlmDefaultValue() -> Int64 { 0 }

    /// Reads the property of a managed object. O(1).
    public static func _read(_ object: ObjectBase, _ column: Int) -> Int64 {
        readProperty(object, column)
    }

    /// Reads the optional property of a managed object. O(1).
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Int64? {
        readOptionalProperty(object, column)
    }

    /// Writes the property of a managed object.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Int64) {
        writeIntegerProperty(object, column, value)
    }

    /// Writes the optional property of a managed object.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Int64?) {
        writeOptionalProperty(object, column, value)
    }
}
