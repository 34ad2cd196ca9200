import FreeholdStorage

// As with ``Object``, the property must be optional. `EmbeddedObject` itself is `_Persistable`
// only so that opening a realm can report an error.

extension EmbeddedObject: _PersistableInsideOptional, _RealmCollectionValueInsideOptional {
    /// The stored type of an embedded object.
    public typealias PersistedType = EmbeddedObject

    /// The class of the elements: this class.
    public static var _rlmObjectType: ObjectBase.Type? { self }
    /// `.object`.
    public static var _rlmType: PropertyType { .object }

    /// Returns a new object.
    public static func _rlmDefaultValue() -> Self { self.init() }

    /// Reads the embedded object behind a value of the program; a new one if there is none.
    /// Otherwise not used: a property of an embedded object must be optional.
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        _readOptional(object, column) ?? self.init()
    }

    /// Writes the embedded object behind a value of the program. Otherwise not used: a property
    /// of an embedded object must be optional.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: EmbeddedObject) {
        _writeOptional(object, column, value)
    }

    /// Returns the embedded object in a property of a managed object. O(log clusters), and one
    /// allocation.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        unsafeBitCast(readLink(of: object, column), to: Self?.self)
    }

    /// Makes an unmanaged embedded object part of a managed object. The object that it replaces
    /// is deleted.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: EmbeddedObject?)
    { writeOwned(value, of: object, column) }
}

extension ObjectBase {
    /// Writes a managed object's property of this embedded class.
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
