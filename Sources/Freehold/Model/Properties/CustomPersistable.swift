/// A type of the program for properties and collections, stored as a value of a built-in type or
/// as an embedded object.
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
/// The property is stored, indexed, sorted and queried as its `PersistedType`. A query compares
/// stored values, and in the file the property is identical to one of the stored type. The
/// default is created from the stored type's default: a `Temperature` of 0, the current `Date`.
/// Each read and each write converts.
///
/// ## Embedded objects
/// `PersistedType` may be a class of embedded objects, for values with several parts. Sets
/// cannot contain such values.
///
/// ```swift
/// struct Place: CustomPersistable {
///     var latitude: Double, longitude: Double
///     typealias PersistedType = PlaceRecord
///     init(persistedValue: PlaceRecord) {
///         (latitude, longitude) = (persistedValue.latitude, persistedValue.longitude)
///     }
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
/// Assigning such a property replaces its embedded object and deletes the old one. Reading it
/// converts the live embedded object: one allocation and the conversion. If there is none,
/// because it was deleted or the property is newer than the object, a new one is converted.
/// Access by name and dynamic access return the embedded object, for an unmanaged object a copy.
/// `persistableValue` must return a new object each time, or one that is used only once: an
/// object that already has an owner traps. A class must not contain a non-optional value of
/// itself, directly or through other classes, because its default would never end: opening a
/// realm with such a class throws.
///
/// Both conversions run on the realm's thread, queue or actor, and must not use the realm.
public protocol CustomPersistable: FailableCustomPersistable {
    /// Creates the value from the stored one.
    init(persistedValue: PersistedType)
}

/// A type like ``CustomPersistable`` whose conversion from a stored value may fail.
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
/// A stored value that does not convert reads as nil from an optional property, and traps in any
/// other. If the stored type's default does not convert, a non-optional property needs its own
/// default: `@Persisted var code = Code(persistedValue: "0000")!`.
public protocol FailableCustomPersistable: _MappedPersistable {
    /// The stored type: a built-in type that is not optional, or a class of embedded objects.
    /// Declared again so that it can be inferred.
    associatedtype PersistedType
    /// Creates the value from the stored one; nil if it does not convert.
    init?(persistedValue: PersistedType)
    /// The value to store.
    var persistableValue: PersistedType { get }
}

extension FailableCustomPersistable {
    /// Returns the value for a stored one; nil if it does not convert.
    @inlinable public static func _rlmFromPersisted(_ persisted: PersistedType) -> Self? {
        Self(persistedValue: persisted)
    }
    /// The value to store.
    @inlinable public var _rlmPersisted: PersistedType { persistableValue }

    /// Returns the default, created from the default of the stored type. Traps if that does not
    /// convert.
    public static func _rlmDefaultValue() -> Self {
        if let value = Self(persistedValue: PersistedType._rlmDefaultValue()) { return value }
        misuse(
            """
            Failed to default construct a \(Self.self) using the default value for \
            persisted type \(PersistedType.self). This conversion must either succeed, \
            the property must be optional, or you must explicitly specify a default \
            value for the property.
            """,
            remedy: """
                Declare it as @Persisted var x: \(Self.self)?, or give it a value: \
                @Persisted var x = …
                """)
    }

    /// Returns the stored type's default, if it must be created together with the object.
    public static func _rlmInitialValue() -> Self? {
        PersistedType._rlmInitialValue().flatMap(Self.init(persistedValue:))
    }

    /// Reports a stored value that does not convert.
    public static func _rlmRefuse(_ persisted: PersistedType, of object: ObjectBase) -> Never {
        misuse(
            """
            Failed to convert persisted value '\(persisted)' to type \
            '\(Self.self)' in a non-optional context.
            """,
            remedy: """
                An object of class '\(type(of: object).className())' holds a value that \
                '\(Self.self)' does not accept: make the property optional, or the \
                conversion accept it.
                """)
    }
}
