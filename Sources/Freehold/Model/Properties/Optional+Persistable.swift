extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmSchemaDiscoverable {
    /// What is wrapped.
    public static var _rlmType: PropertyType { Wrapped._rlmType }
    /// True.
    public static var _rlmOptional: Bool { true }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    /// The optional of what the wrapped type is stored as.
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
    /// Nil.
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
    /// That of what is wrapped.
    @inlinable public static var _rlmObjectType: ObjectBase.Type? { Wrapped._rlmObjectType }
    /// That of what is wrapped.
    @inlinable public static func _element(_ object: ObjectBase) -> Self {
        Wrapped._optionalElement(object)
    }
    /// That of what is wrapped.
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
