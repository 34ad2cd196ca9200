/// A type of the program that properties and collections can have, stored as a value of a
/// built-in type or as an embedded object.
///
/// ```swift
/// struct Temperature: CustomPersistable {
///     var kelvin: Double
///     typealias PersistedType = Double
///     init(persistedValue: Double) { kelvin = persistedValue }
///     var persistableValue: Double { kelvin }
/// }
///
/// class Reading: Object {
///     @Persisted var inside: Temperature
///     @Persisted var outside: Temperature?
/// }
/// ```
///
/// The property is stored, indexed, sorted by and queried as its `PersistedType`: a query
/// compares stored values, and the file cannot tell the property from one of the stored type.
/// The default is made from the stored type's default: a `Temperature` of 0, a `Date` of now.
/// Each read and each write converts.
///
/// ## Embedded objects
/// `PersistedType` may be a class of embedded objects, for values with several parts. In sets
/// there are no such values.
///
/// ```swift
/// struct Place: CustomPersistable {
///     var latitude: Double, longitude: Double
///     typealias PersistedType = PlaceRecord
///     init(persistedValue: PlaceRecord) { (latitude, longitude) = (persistedValue.latitude, persistedValue.longitude) }
///     var persistableValue: PlaceRecord { PlaceRecord(value: [latitude, longitude]) }
/// }
///
/// class PlaceRecord: EmbeddedObject {
///     @Persisted var latitude: Double
///     @Persisted var longitude: Double
/// }
///
/// class Trip: Object {
///     @Persisted var start: Place
///     @Persisted var stops: List<Place>
/// }
/// ```
///
/// Assigning such a property replaces its embedded object, and the old one is deleted. Reading
/// it converts the live embedded object: one allocation and the conversion. Where there is
/// none, because it was deleted or the property is newer than the object, a new one is
/// converted. By name and dynamically the property is the embedded object; that of an unmanaged
/// object is a copy. `persistableValue` returns a new object each time, or one that is used in
/// a single place: an object that has an owner already traps. A class must not contain,
/// directly or over others, a value of itself that is not optional, whose default would never
/// end: opening a realm with one throws.
///
/// Both conversions run on the realm's thread, queue or actor, and must not use the realm.
public protocol CustomPersistable: FailableCustomPersistable {
    /// Makes the value from what is stored.
    init(persistedValue: PersistedType)
}

/// A type as ``CustomPersistable``, of which not every stored value is one.
///
/// ```swift
/// struct Code: FailableCustomPersistable {
///     let text: String
///     typealias PersistedType = String
///     init?(persistedValue: String) {
///         guard persistedValue.count == 4 else { return nil }
///         text = persistedValue
///     }
///     var persistableValue: String { text }
/// }
/// ```
///
/// A stored value that does not convert reads as nil from an optional property, and traps in
/// any other. If the stored type's default does not convert, a property that is not optional
/// needs a default of its own: `@Persisted var code = Code(persistedValue: "0000")!`.
public protocol FailableCustomPersistable: _MappedPersistable {
    /// What is stored: a built-in type that is not optional, or a class of embedded objects.
    /// Declared again so that it can be inferred.
    associatedtype PersistedType
    /// Makes the value from what is stored; nil if that is no such value.
    init?(persistedValue: PersistedType)
    /// What to store.
    var persistableValue: PersistedType { get }
}

extension FailableCustomPersistable {
    /// The value that is stored as this one; nil if there is none.
    @inlinable public static func _rlmFromPersisted(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }
    /// What is stored.
    @inlinable public var _rlmPersisted: PersistedType { persistableValue }

    /// Made from the default of the stored type. Traps if that does not convert.
    public static func _rlmDefaultValue() -> Self {
        if let value = Self(persistedValue: PersistedType._rlmDefaultValue()) { return value }
        violation(
            .misuse(
                text:
                    """
                    Failed to default construct a \(Self.self) using the default value for \
                    persisted type \(PersistedType.self). This conversion must either succeed, \
                    the property must be optional, or you must explicitly specify a default \
                    value for the property.
                    """,
                remedy:
                    """
                    Declare it as @Persisted var x: \(Self.self)?, or give it a value: \
                    @Persisted var x = …
                    """
            ))
    }

    /// The stored type's default, if that has to be made together with the object.
    public static func _rlmInitialValue() -> Self? {
        PersistedType._rlmInitialValue().flatMap(Self.init(persistedValue:))
    }

    /// Reports a stored value that does not convert.
    public static func _rlmRefuse(_ persisted: PersistedType, of object: ObjectBase) -> Never {
        violation(
            .misuse(
                text:
                    """
                    Failed to convert persisted value '\(persisted)' to type \
                    '\(Self.self)' in a non-optional context.
                    """,
                remedy:
                    """
                    An object of class '\(type(of: object).className())' holds a value that \
                    '\(Self.self)' does not accept: make the property optional, or the \
                    conversion accept it.
                    """))
    }
}
