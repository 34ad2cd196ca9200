// That an optional `AnyRealmValue?` compiles is so that opening a realm can say what is wrong with it.

extension AnyRealmValue: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType, _QueryNumeric {
    /// Stored as itself.
    public typealias PersistedType = AnyRealmValue
    /// `.any`.
    public static var _rlmType: PropertyType { .any }
    /// `none`.
    public static func _rlmDefaultValue() -> AnyRealmValue { .none }

    /// Notes that a key path goes over the property. Realms do not manage such properties yet, and refuse to open with them.
    public static func _read(_ object: ObjectBase, _ column: Int) -> AnyRealmValue {
        _ = object.columnForReading(column)
        return .none
    }

    /// As ``_read(_:_:)``.
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> AnyRealmValue? { _read(object, column) }

    /// Not reached: realms do not manage such properties yet, and refuse to open with them.
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: AnyRealmValue) { object.writeToRecorder() }

    /// Not reached, as ``_write(_:_:_:)``.
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: AnyRealmValue?) { object.writeToRecorder() }
}

extension AnyRealmValue: DescribedWithDepth {
    func describe(depth: Int) -> String { ObjectBase.describe(element: held, depth: depth + (held is any DescribedWithDepth ? 1 : 0)) }
}
