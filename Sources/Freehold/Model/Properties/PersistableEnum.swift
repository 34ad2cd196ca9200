/// An enum for properties, stored as its raw value.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, done }
/// ```
///
/// A stored raw value without a case, for example after a case was removed, reads as nil from an
/// optional property and traps in any other.
public protocol PersistableEnum: _MappedPersistable, RawRepresentable, CaseIterable, Comparable,
    MinMaxType
where PersistedType == RawValue, RawValue: Comparable {}

extension PersistableEnum {
    /// Creates the first case. Traps if the enum has none.
    public init() { self = Self._rlmDefaultValue() }

    /// Returns the case with a raw value; nil if there is none.
    @inlinable public static func _rlmFromPersisted(_ persisted: RawValue) -> Self? {
        Self(rawValue: persisted)
    }
    /// The raw value.
    @inlinable public var _rlmPersisted: RawValue { rawValue }

    /// Returns the default value, the first case. Traps if there is none.
    public static func _rlmDefaultValue() -> Self {
        guard let first = allCases.first else {
            misuse(
                "Enum '\(Self.self)' has no cases.",
                remedy:
                    "Declare a case, or do not use the enum as the type of a persisted property.")
        }
        return first
    }

    /// The default value, the first case; nil if there is none.
    public static var _rlmPossibleDefault: Self? { allCases.first }

    /// Reports a raw value without a case.
    public static func _rlmRefuse(_ persisted: RawValue, of object: ObjectBase) -> Never {
        misuse(
            "Could not convert value '\(persisted)' to type '\(Self.self)'.",
            remedy: """
                An object of class '\(type(of: object).className())' holds a raw value \
                that no case has: make the property optional, or keep a case for it.
                """)
    }

    /// Compares the raw values.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
