/// Makes a property of a model class persistent.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var _id: ObjectId
///     @Persisted(indexed: true) var name = ""
///     @Persisted var age: Int?
///     @Persisted var dog: Dog?
/// }
/// ```
///
/// While the object is unmanaged, the wrapper contains the value. In a managed object it
/// contains the column position, and each access reads or writes the realm: about 3 ns for a
/// number once the row is found.
///
/// Thread rule: that of the object. Reading or writing the property of a managed object off its
/// realm's thread, queue or actor traps, as does writing outside of a write transaction.
@propertyWrapper
public struct Persisted<Value: _Persistable> {
    // The narrow fields come first and together, so that they share the word in front of the value.

    /// The column's position while the object is managed, otherwise 0.
    @usableFromInline var column: UInt16
    /// While the object is unmanaged, its ``PersistedRole``; while it is managed, bits 32 to 47
    /// of the address of its ``owner``.
    @usableFromInline var roleOrOwner: UInt16
    /// While the object is managed, bits 0 to 31 of the address of its ``owner``. Needs no extra
    /// space: the value begins at a multiple of 8.
    @usableFromInline var ownerLow: UInt32
    /// The unmanaged value; nil in managed objects, and while it is still the type's default.
    @usableFromInline var unmanaged: Value?

    @inlinable @inline(__always)
    init(unmanaged: Value?, role: PersistedRole) {
        column = 0
        roleOrOwner = UInt16(role.rawValue)
        ownerLow = 0
        self.unmanaged = unmanaged
    }

    /// Declares a property that starts with its type's default: zero, an empty text, nil, the
    /// current date, a new identifier, an enum's first case.
    @inlinable
    public init() { self.init(unmanaged: Value._rlmInitialValue(), role: .plain) }

    /// Declares a property that starts with the given value.
    @inlinable
    public init(wrappedValue: Value) { self.init(unmanaged: wrappedValue, role: .plain) }

    /// Unavailable: a persisted property is read and written through its object.
    @available(
        *, unavailable, message: "@Persisted can only be used as a property on a Realm object"
    )
    public var wrappedValue: Value {
        get { fatalError() }
        set { fatalError() }
    }

    /// The property's value. O(1), or O(length) for text and bytes.
    ///
    /// Traps for a managed object that was deleted, when accessed off the realm's thread, queue
    /// or actor, and when written outside of a write transaction.
    public static subscript<EnclosingSelf: ObjectBase>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrapped: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storage: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        // The attributes are on the accessors, not on the subscript: only then does the
        // optimiser fold the key path away, which saves some 15 ns per access.
        @inlinable @inline(__always) get {
            if object._isManaged {
                return Value._read(object, Int(object[keyPath: storage].column))
            }
            // Does not even store the default: with reads only, the optimiser can drop the
            // exclusivity check and the key paths of every access, even in loops over several
            // properties.
            return object[keyPath: storage].unmanaged ?? Value._rlmDefaultValue()
        }
        @inlinable @inline(__always) set {
            if object._isManaged {
                Value._write(object, Int(object[keyPath: storage].column), newValue)
            } else {
                object[keyPath: storage].unmanaged = Value._rlmAssigned(
                    newValue, over: object[keyPath: storage].unmanaged)
            }
        }
    }
}

/// The part of a property's declaration besides its type.
@usableFromInline
enum PersistedRole: UInt8 {
    case plain
    case indexed
    case primaryKey
    case autoIncrementedPrimaryKey
    /// Auto-incremented but declared not to be a primary key: a mistake.
    case autoIncremented
    case cascading
    case denying
    case fullTextIndexed
    case preserved
    case indexedAndPreserved
}

/// An index that a property may have instead of the ordered one (`indexed: true`).
public enum PropertyIndex: Sendable {
    /// An index of the words of a text, which ``Query/fullText(_:)`` searches.
    case fullText
}

extension Persisted {
    /// Declares a property whose value the history keeps when its object is deleted:
    /// ``HistoryChange/Kind/deleted(tombstone:)``. Not in Realm.
    ///
    ///     @Persisted(preservedInHistory: true) var remoteID: String
    ///
    /// The primary key is always kept. The file remembers the declaration when a realm with
    /// ``Realm/Configuration/history`` opens it for writing.
    @inlinable
    public init(preservedInHistory: Bool) {
        self.init(
            unmanaged: Value._rlmInitialValue(), role: preservedInHistory ? .preserved : .plain)
    }

    /// Declares a property whose value the history keeps, with an initial value.
    @inlinable
    public init(wrappedValue: Value, preservedInHistory: Bool) {
        self.init(unmanaged: wrappedValue, role: preservedInHistory ? .preserved : .plain)
    }
}

extension Persisted where Value.PersistedType: _QueryString {
    /// Declares a text whose words are indexed, for ``Query/fullText(_:)``.
    ///
    ///     @Persisted(indexed: .fullText) var text: String
    ///
    /// Like an ordered index, it is added and removed when a realm is opened, without a
    /// migration. A property has at most one index of either kind. A commit splits each changed
    /// text into words, and writes an entry for each added or removed word.
    @inlinable
    public init(indexed: PropertyIndex) {
        self.init(unmanaged: Value._rlmInitialValue(), role: .fullTextIndexed)
    }

    /// Declares a text whose words are indexed, with an initial value.
    @inlinable
    public init(wrappedValue: Value, indexed: PropertyIndex) {
        self.init(unmanaged: wrappedValue, role: .fullTextIndexed)
    }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property with an ordered index, which queries use.
    @inlinable
    public init(indexed: Bool) {
        self.init(unmanaged: Value._rlmInitialValue(), role: indexed ? .indexed : .plain)
    }

    /// Declares a property with an ordered index and an initial value.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool) {
        self.init(unmanaged: wrappedValue, role: indexed ? .indexed : .plain)
    }
}

extension Persisted where Value.PersistedType: _Indexable {
    /// Declares a property with an ordered index whose value the history keeps. Not in Realm.
    @inlinable
    public init(indexed: Bool, preservedInHistory: Bool) {
        self.init(
            unmanaged: Value._rlmInitialValue(),
            role: PersistedRole(isIndexed: indexed, isPreserved: preservedInHistory))
    }

    /// Declares a property with an ordered index whose value the history keeps, with an initial
    /// value.
    @inlinable
    public init(wrappedValue: Value, indexed: Bool, preservedInHistory: Bool) {
        self.init(
            unmanaged: wrappedValue,
            role: PersistedRole(isIndexed: indexed, isPreserved: preservedInHistory))
    }
}

extension PersistedRole {
    @usableFromInline
    init(isIndexed: Bool, isPreserved: Bool) {
        self =
            isPreserved
            ? (isIndexed ? .indexedAndPreserved : .preserved) : isIndexed ? .indexed : .plain
    }
}

extension Persisted where Value.PersistedType: _PrimaryKey {
    /// Declares the property that identifies the object: unique in its class, and fixed once the
    /// object is managed.
    @inlinable
    public init(primaryKey: Bool) {
        self.init(unmanaged: Value._rlmInitialValue(), role: primaryKey ? .primaryKey : .plain)
    }

    /// Declares the property that identifies the object, with an initial value.
    @inlinable
    public init(wrappedValue: Value, primaryKey: Bool) {
        self.init(unmanaged: wrappedValue, role: primaryKey ? .primaryKey : .plain)
    }
}
