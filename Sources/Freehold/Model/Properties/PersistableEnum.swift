/// An enum that properties can have. It is stored as its raw value.
///
/// ```swift
/// enum Status: String, PersistableEnum { case open, done }
/// ```
///
/// A stored raw value that no case has, as after a case was removed, reads as nil from an
/// optional property and traps in any other.
public protocol PersistableEnum: _MappedPersistable, RawRepresentable, CaseIterable, Comparable,
    MinMaxType
where PersistedType == RawValue, RawValue: Comparable {}

extension PersistableEnum {
    /// The first case. Traps if the enum has none.
    public init() { self = Self._rlmDefaultValue() }

    /// The case with a raw value; nil if none has it.
    @inlinable public static func _rlmFromPersisted(_ persisted: RawValue) -> Self? {
        Self(rawValue: persisted)
    }
    /// The raw value.
    @inlinable public var _rlmPersisted: RawValue { rawValue }

    /// The first case.
    public static func _rlmDefaultValue() -> Self {
        guard let first = allCases.first else {
            violation(
                .misuse(
                    text: "Enum '\(Self.self)' has no cases.",
                    remedy:
                        """
                        Declare a case, or do not use the enum as the type of a persisted \
                        property.
                        """
                ))
        }
        return first
    }

    /// The first case.
    public static var _rlmPossibleDefault: Self? { allCases.first }

    /// Reports a raw value that no case has.
    public static func _rlmRefuse(_ persisted: RawValue, of object: ObjectBase) -> Never {
        violation(
            .misuse(
                text: "Could not convert value '\(persisted)' to type '\(Self.self)'.",
                remedy:
                    """
                    An object of class '\(type(of: object).className())' holds a raw value \
                    that no case has: make the property optional, or keep a case for it.
                    """))
    }

    /// The order of the raw values.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
