// What the type of a persisted property can be. The names are Realm's, so that generic code
// written against them compiles.
//
//     _RealmSchemaDiscoverable, _HasPersistedType
//       └ _Persistable                       whatever can follow `@Persisted var x:`
//           └ _PersistableInsideOptional     ... and can be followed by a question mark
//
// All requirements are called on the thread, queue or actor of the object's realm.

/// A type that says what it is in a schema.
public protocol _RealmSchemaDiscoverable {
    /// What the type is in a schema; of an optional: what is wrapped.
    static var _rlmType: PropertyType { get }
    /// Whether values can be nil.
    static var _rlmOptional: Bool { get }
}

extension _RealmSchemaDiscoverable {
    /// False but for optionals.
    public static var _rlmOptional: Bool { false }
}

/// A type that is stored as a value of another one, or as itself.
public protocol _HasPersistedType: _RealmSchemaDiscoverable {
    /// What is stored: the raw value of an enum, `Self` for a built-in type. A class of
    /// embedded objects that a type of the program is stored as is itself stored as
    /// `EmbeddedObject`, so it takes two steps until nothing changes any more.
    associatedtype PersistedType: _HasPersistedType
    where PersistedType.PersistedType.PersistedType == PersistedType.PersistedType
}

/// A value that a property of a model class can have.
public protocol _Persistable: _HasPersistedType, SendableMetatype
where PersistedType: _Persistable {
    /// What the property of a new object holds when its declaration gives no value.
    static func _rlmDefaultValue() -> Self
    /// The default if it has to be made together with the object because it differs each time;
    /// nil if it can wait.
    static func _rlmInitialValue() -> Self?
    /// What the property of an unmanaged object holds after an assignment: the value; of a
    /// collection, the one that it had, with the elements of the other.
    static func _rlmAssigned(_ value: Self, over stored: Self?) -> Self
    /// Reads the property of a managed object. O(1), or O(length) for text and bytes.
    static func _read(_ object: ObjectBase, _ column: Int) -> Self
    /// Writes the property of a managed object. Traps outside of a write transaction.
    static func _write(_ object: ObjectBase, _ column: Int, _ value: Self)
}

extension _Persistable {
    /// Nil: constant defaults are made when they are first read.
    @inlinable public static func _rlmInitialValue() -> Self? { nil }
    /// The value.
    @inlinable @inline(__always) public static func _rlmAssigned(_ value: Self, over stored: Self?)
        -> Self
    { value }
}

/// A value that an optional property can wrap.
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
    /// The class of elements that are objects or optionals of objects, else nil.
    static var _rlmObjectType: ObjectBase.Type? { get }
    /// The element that an object of a realm stands for: the object, a projection of it, or
    /// what the program makes of it. Not for use by programs.
    static func _element(_ object: ObjectBase) -> Self
    /// Whether elements are values that a conversion of the program makes of embedded objects.
    /// Not for use by programs.
    static var _convertsObjects: Bool { get }
}

extension RealmCollectionValue {
    /// Nil.
    @inlinable public static var _rlmObjectType: ObjectBase.Type? { nil }
    /// False.
    @inlinable public static var _convertsObjects: Bool { false }
}

/// An element that collections can also hold as an optional.
public protocol _RealmCollectionValueInsideOptional: RealmCollectionValue
where PersistedType: _RealmCollectionValueInsideOptional {
    /// The element that an object of a realm stands for; nil if the program's conversion
    /// refuses it. Not for use by programs.
    static func _optionalElement(_ object: ObjectBase) -> Self?
}

extension _RealmCollectionValueInsideOptional {
    /// The element.
    @inlinable public static func _optionalElement(_ object: ObjectBase) -> Self? {
        _element(object)
    }
}

/// Values of which a collection has a least and a greatest.
public protocol MinMaxType {}

/// Values of which a collection has a sum and an average.
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
    /// What the optional may hold.
    associatedtype Wrapped
    /// The value as an optional of its own type.
    var _rlmOptionalValue: Wrapped? { get }
}

extension Optional: OptionalProtocol {
    /// The value itself.
    public var _rlmOptionalValue: Wrapped? { self }
}
