import FreeholdStorage

// An optional `AnyRealmValue?` compiles, so that opening a realm can report what is wrong with
// it.

extension AnyRealmValue: _PersistableInsideOptional, _RealmCollectionValueInsideOptional,
    _Indexable, MinMaxType, AddableType, SortableType, _QueryNumeric
{
    /// Stored as itself.
    public typealias PersistedType = AnyRealmValue
    /// `.any`.
    public static var _rlmType: PropertyType { .any }
    /// `none`.
    public static func _rlmDefaultValue() -> AnyRealmValue { .none }

    /// Reads the property of a managed object. O(length) for texts and bytes, else O(1); a nested
    /// collection is read on use.
    public static func _read(_ object: ObjectBase, _ column: Int) -> AnyRealmValue {
        let view = object.columnForReading(column)
        guard let core = object.core, let binding = object.binding,
            !view.pointee.isNull(at: object.row)
        else { return .none }
        return object.withBytes(column) { bytes in
            AnyRealmValue(storedBytes: bytes, of: binding.takeUnretainedValue()) {
                identity, shape in
                NestedCollection(
                    .property(core, binding, ColumnID(position: column), key: object.key), identity,
                    shape)
            }
        }
    }

    /// Not used: nil is a case of the type, and realms refuse to open with its optionals.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> AnyRealmValue? {
        _read(object, column)
    }

    /// Writes the property of a managed object. Unmanaged objects of the value are added to the
    /// realm; collections are copied.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: AnyRealmValue) {
        // The gate comes first, so that nothing is added if the write is refused. Adding objects
        // may move rows, so the row is looked up again.
        let row = object.rowForWriting(column)
        guard let core = object.core, let binding = object.binding?.takeUnretainedValue() else {
            object.writeToRecorder()
        }
        binding.store(value, in: row, ColumnID(position: column), onlyIfDifferent: false)
        core.noteLayoutChanges()
    }

    /// Not used, as ``_readOptional(_:_:)``.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: AnyRealmValue?)
    { _write(object, column, value ?? .none) }
}

extension AnyRealmValue: DescribedWithDepth {
    func describe(depth: Int) -> String {
        ObjectBase.describe(element: held, depth: depth + (held is any DescribedWithDepth ? 1 : 0))
    }
}
