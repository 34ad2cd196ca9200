extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
    /// The property type of the wrapped type.
    public static var _rlmType: PropertyType { Wrapped._rlmType }
    /// Whether values can be nil: `true`.
    public static var _rlmOptional: Bool { true }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    /// The optional of the wrapped type's stored type.
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
    /// Returns the default value, nil.
    @inlinable public static func _rlmDefaultValue() -> Self { nil }

    /// Reads the optional property of a managed object.
    @inlinable @inline(__always)
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        Wrapped._readOptional(object, column)
    }

    /// Writes the optional property of a managed object. Traps outside of a write transaction.
    @inlinable @inline(__always)
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Self) {
        Wrapped._writeOptional(object, column, value)
    }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
    /// The class of the wrapped type's objects, or nil.
    @inlinable public static var _rlmObjectType: ObjectBase.Type? { Wrapped._rlmObjectType }
    /// Returns the element for an object of a realm, or nil if the wrapped type does not convert
    /// it.
    @inlinable public static func _element(_ object: ObjectBase) -> Self {
        Wrapped._optionalElement(object)
    }
    /// Whether the wrapped type is converted from embedded objects.
    @inlinable public static var _convertsObjects: Bool { Wrapped._convertsObjects }
}

extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Optional: _QueryOrdered where Wrapped: _QueryOrdered {}
extension Optional: _QueryNumeric where Wrapped: _QueryNumeric {}
extension Optional: _QueryBinary where Wrapped: _QueryBinary {}
extension Optional: _QueryString where Wrapped: _QueryString {}
