import FreeholdStorage

// As with ``Object``, the property must be optional, and that `EmbeddedObject` itself is
// `_Persistable` lets opening a realm say so.

extension EmbeddedObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// A property of this type holds an embedded object.
    public typealias PersistedType = EmbeddedObject

    /// The class itself.
    public static var _rlmObjectType: ObjectBase.Type? { self }
    /// `.object`.
    public static var _rlmType: PropertyType { .object }

    /// A new object.
    public static func _rlmDefaultValue() -> Self { self.init() }

    /// Reads the embedded object that a value of the program is stored as: a new one where
    /// there is none. Otherwise not used: a property of an embedded object must be optional.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        _readOptional(object, column) ?? self.init()
    }

    /// Writes the embedded object that a value of the program is stored as. Otherwise not used:
    /// a property of an embedded object must be optional.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: EmbeddedObject) {
        _writeOptional(object, column, value)
    }

    /// The embedded object that a managed object has in a property. O(log clusters), and one
    /// allocation.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        unsafeBitCast(readLink(of: object, column), to: Self?.self)
    }

    /// Makes an unmanaged embedded object part of a managed object. What was in its place is
    /// deleted.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: EmbeddedObject?)
    {
        writeOwned(value, of: object, column)
    }
}

extension ObjectBase {
    /// Writes the property of a managed object that holds an embedded object of this class.
    static func writeOwned(_ value: ObjectBase?, of object: ObjectBase, _ column: Int) {
        let id = ColumnID(position: column)
        var row = object.rowForWriting(column)
        let core = object.core.unsafelyUnwrapped
        let view = row.cluster.columns[column]
        let old = view.isNull(at: row.row) ? nil : view.integer(at: row.row)
        if let value {
            verifyIsExactClass(value, of: object)
            if value._isManaged {
                core.verifyIsOwned(value, asRow: old)
                return
            }
            // Adding may move rows.
            let key = core.addOwned(value)
            row = object.rowForWriting(column)
            row.setInteger(id, key)
        } else {
            row.setNull(id)
        }
        if let old { core.releaseOwned([old], of: core.bindingOfTable(for: self)) }
    }
}
