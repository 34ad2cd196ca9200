// The possible types of a persisted property. The names are Realm's, so that generic code
// written against them compiles.
//
//     _RealmSchemaDiscoverable, _HasPersistedType
//       └ _Persistable                       whatever can follow `@Persisted var x:`
//           └ _PersistableInsideOptional     ... and can be followed by a question mark
//
// All requirements are called on the thread, queue or actor of the object's realm.

/// A type with a property type in schemas.
public protocol _RealmSchemaDiscoverable {
    /// The property type in schemas; for an optional, that of the wrapped type.
    static var _rlmType: PropertyType { get }
    /// Whether values can be nil.
    static var _rlmOptional: Bool { get }
}

extension _RealmSchemaDiscoverable {
    /// Whether values can be nil: `false` except for optionals.
    public static var _rlmOptional: Bool { false }
}

/// A type that is stored as another type, or as itself.
public protocol _HasPersistedType: _RealmSchemaDiscoverable {
    /// The stored type: the raw value of an enum, `Self` for a built-in type. If a type of the
    /// program is stored as a class of embedded objects, that class is itself stored as
    /// `EmbeddedObject`. So it takes two steps to reach a fixed point.
    associatedtype PersistedType: _HasPersistedType
    where PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
}

/// A possible value of a model class's property.
public protocol _Persistable: _HasPersistedType, SendableMetatype
where PersistedType: _Persistable {
    /// Returns the initial value of a property without a declared value.
    static func _rlmDefaultValue() -> Self
    /// Returns the default if it must be created together with the object because it differs
    /// each time; nil if it can be created later.
    static func _rlmInitialValue() -> Self?
    /// Returns the value of an unmanaged object's property after an assignment: the new value.
    /// For a collection, the existing one with the elements of the new one.
    static func _rlmAssigned(_ value: Self, over stored: Self?) -> Self
    /// Reads the property of a managed object. O(1), or O(length) for text and bytes.
    static func _read(_ object: ObjectBase, _ column: Int) -> Self
    /// Writes the property of a managed object. Traps outside of a write transaction.
    static func _write(_ object: ObjectBase, _ column: Int, _ value: Self)
}

extension _Persistable {
    /// Returns nil: constant defaults are created when they are first read.
    @inlinable public static func _rlmInitialValue() -> Self? { nil }
    /// Returns the assigned value.
    @inlinable @inline(__always) public static func _rlmAssigned(_ value: Self, over stored: Self?)
        -> Self
    { value }
}

/// A possible wrapped value of an optional property.
public protocol _PersistableInsideOptional: _Persistable
where PersistedType: _PersistableInsideOptional {
    /// Reads the optional property of a managed object.
    static func _readOptional(_ object: ObjectBase, _ column: Int) -> Self?
    /// Writes the optional property of a managed object. Traps outside of a write transaction.
    static func _writeOptional(_ object: ObjectBase, _ column: Int, _ value: Self?)
}

/// A type that `@Persisted(indexed: true)` accepts.
public protocol _Indexable {}

/// A type that `@Persisted(primaryKey: true)` accepts.
public protocol _PrimaryKey {}

/// An element of a collection or of a query's results.
public protocol RealmCollectionValue: Hashable, SendableMetatype, _HasPersistedType
where PersistedType: RealmCollectionValue {
    /// The class of elements that are objects or optionals of objects; otherwise nil.
    static var _rlmObjectType: ObjectBase.Type? { get }
    /// Returns the element for an object of a realm: the object, a projection of it, or the
    /// program's converted value. Not for use by programs.
    static func _element(_ object: ObjectBase) -> Self
    /// Whether elements are values that the program converts from embedded objects. Not for use
    /// by programs.
    static var _convertsObjects: Bool { get }
}

extension RealmCollectionValue {
    /// The class of object elements: nil.
    @inlinable public static var _rlmObjectType: ObjectBase.Type? { nil }
    /// Whether elements are converted from embedded objects: `false`.
    @inlinable public static var _convertsObjects: Bool { false }
}

/// An element that collections can also contain as an optional.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {
    /// Returns the element for an object of a realm; nil if the program's conversion fails. Not
    /// for use by programs.
    static func _optionalElement(_ object: ObjectBase) -> Self?
}

extension _RealmCollectionValueInsideOptional {
    /// Returns the element for an object of a realm.
    @inlinable public static func _optionalElement(_ object: ObjectBase) -> Self? {
        _element(object)
    }
}

/// Values that have a minimum and a maximum in a collection.
public protocol MinMaxType {}

/// Values that have a sum and an average in a collection.
public protocol AddableType {}

/// Values that collections can be sorted by.
public protocol SortableType {}

/// Values that queries compare by an order.
public protocol _QueryOrdered {}

/// Values that queries compare as numbers.
public protocol _QueryNumeric: _RealmSchemaDiscoverable, _QueryOrdered {}

/// Values that queries search for substrings.
public protocol _QueryBinary: _QueryOrdered {}

/// Values that queries search for patterns.
public protocol _QueryString: _QueryBinary {}

/// `Optional`, for constraints on its wrapped type.
public protocol OptionalProtocol {
    /// The wrapped type.
    associatedtype Wrapped
    /// The value as an optional of its own type.
    var _rlmOptionalValue: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// The optional itself.
    public var _rlmOptionalValue: Wrapped? { self }
}
