/// An enum that properties can have. It is stored as its raw value.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, done }
/// ```
///
/// A stored raw value that no case has, as after a case was removed, reads as nil from an optional property and traps in
/// any other.
public protocol PersistableEnum: _PersistableInsideOptional, _RealmCollectionValueInsideOptional, RawRepresentable, CaseIterable,
    Comparable, MinMaxType
where PersistedType == RawValue, RawValue: Comparable {}

extension PersistableEnum {
    /// That of the raw value.
    public static var _rlmType: PropertyType { RawValue._rlmType }

    /// The first case.
    public static func _rlmDefaultValue() -> Self {
        guard let first = allCases.first else {
            violation(.misuse(
                text: "Enum '\(Self.self)' has no cases.",
                remedy: "Declare a case, or do not use the enum as the type of a persisted property."))
        }
        return first
    }

    /// Reads the property of a managed object. Traps if no case has the stored raw value.
    @inlinable
    public static func _read(_ object: ObjectBase, _ column: Int) -> Self {
        let raw = RawValue._read(object, column)
        return Self(rawValue: raw) ?? _unknownRawValue(raw, object)
    }

    /// Reads the optional property of a managed object; nil if no case has the stored raw value.
    @inlinable
    public static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self? {
        RawValue._readOptional(object, column).flatMap(Self.init(rawValue:))
    }

    /// Writes the property of a managed object.
    @inlinable
    public static func _write(_ object: ObjectBase, _ column: Int, _ value: Self) { RawValue._write(object, column, value.rawValue) }

    /// Writes the optional property of a managed object.
    @inlinable
    public static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Self?) {
        RawValue._writeOptional(object, column, value?.rawValue)
    }

    @inline(never) @usableFromInline
    static func _unknownRawValue(_ raw: RawValue, _ object: ObjectBase) -> Self {
        if object.isRecorder { return _rlmDefaultValue() }
        violation(.misuse(
            text: "Could not convert value '\(raw)' to type '\(Self.self)'.",
            remedy: "An object of class '\(type(of: object).className())' holds a raw value that no case has: "
                + "make the property optional, or keep a case for it."))
    }

    /// The order of the raw values.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
