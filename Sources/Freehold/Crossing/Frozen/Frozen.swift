import FreeholdStorage

/// An object or collection as it was in one version. `Sendable`: any number of threads may use it
/// at once.
///
/// ```swift
/// let ada = Frozen(person)                                        // Frozen<Person>
/// let adults = Frozen(realm.objects(Person.self).where { $0.age >= 18 })
/// Task.detached {
///     print(ada.name, ada.dog?.name ?? "no dog", adults.count)    // Frozen<Dog>? in between
///     for adult in adults { print(adult.name) }
/// }
/// ```
///
/// `freeze()` returns the same version in the type of live values, which is not `Sendable`. This
/// type is, because it gives out only `Sendable` values, among them other frozen ones:
/// - An object gives its properties by their names: values, and links as ``Frozen`` objects. That
///   includes the computed properties of its class.
/// - A collection gives its elements as ``Frozen`` objects, `where`, `sorted`, positions and
///   aggregates. A collection of values gives them as `elements`.
/// - ``thaw()`` finds the live object or collection in the caller's own realm.
///
/// Nothing is copied, and properties are read from the file on use. The file keeps the version
/// while anything refers to it, and grows while others write. So release frozen values early.
///
/// Two frozen objects are equal if they are the same object in the same version.
///
/// Stored properties that are not `@Persisted` have the default of their declaration. Objects of
/// a class with such properties are made anew for each access, so threads never share one.
///
/// Thread rule: make it where the value may be used, use it anywhere.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
    // @unchecked: `value` is a frozen object or collection of the library, whose state is
    // immutable or behind a lock. The program's additions, the stored properties of model
    // classes, are never reached through a shared instance: see `unshared`.
    let value: Value

    /// Wraps a value that is frozen already.
    init(frozen value: Value) { self.value = value }

    /// Freezes an object or a collection in the version that its realm reads; in a write
    /// transaction, in the one before it. As `value.freeze()`: O(log objects) for objects, O(1)
    /// for collections.
    ///
    /// - Parameters:
    ///   - value: A live or frozen object or collection. Traps if it is unmanaged, deleted or
    ///     invalidated, was created in the open transaction, or belongs to another thread, queue
    ///     or actor.
    ///   - fileID: Where the value is frozen, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    public init(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        _ = referable(value)
        self.init(frozen: value.freeze(fileID: fileID, line: line))
    }
}

// MARK: - What is inside

extension Frozen where Value: ObjectBase {
    /// The object, as an instance that belongs to the caller. If its class stores more than
    /// persisted properties, which nothing protects, each call makes another instance.
    var unshared: Value {
        guard let binding = value.binding?.takeUnretainedValue(),
            let cluster = value.cluster?.unmanaged.takeUnretainedValue()
        else { preconditionFailure("A frozen object is bound.") }
        if binding.schema.hasOnlyPersistedState { return value }
        let copy = binding.makeAccessor(key: value.key, cluster: cluster, row: value.row)
        copy.generation = value.generation
        return unsafeDowncast(copy, to: Value.self)
    }

    /// The frozen object in its own type, for code that needs that type.
    ///
    /// Unsafe: it is not `Sendable`, and the compiler assumes that it belongs to the caller. Any
    /// thread may still read its persisted properties, but not other stored properties of its
    /// class.
    public var unsafeValue: Value { unshared }
}

extension Frozen where Value: RealmCollection {
    /// The frozen collection in its own type, for code that needs that type.
    ///
    /// Unsafe: it is not `Sendable`, and the compiler assumes that it belongs to the caller. Any
    /// thread may still use it.
    public var unsafeValue: Value { value }
}

// MARK: - Back

extension Frozen {
    /// Returns the live object or collection for the caller. It is in the live realm of the
    /// calling queue, actor or scheduler, if one of the file is open there. Otherwise it is in
    /// the calling thread's realm, which is opened if necessary. The realm moves to the newest
    /// version if it is behind this one.
    ///
    /// O(log objects). Nil if the object was deleted. The returned value is confined to the
    /// caller.
    public func thaw() -> Value? {
        guard let core = referable(value).referableCore, let version = core.snapshot?.version else {
            preconditionFailure("A frozen value is managed.")
        }
        core.thawedCore().catchUp(with: version)
        return value.thaw()
    }

    /// Returns the live object or collection in a realm, which moves to the newest version if it
    /// is behind this one.
    ///
    /// O(log objects). Nil if the object was deleted, or if the realm is one of another file.
    /// Traps off that realm's thread, queue or actor.
    public func thaw(in realm: Realm) -> Value? {
        realm.core.checkConfinement("Frozen.thaw(in:)")
        let source = referable(value)
        guard let core = source.referableCore else {
            preconditionFailure("A frozen value is managed.")
        }
        return Handover(source.portable, from: core).arrive(in: realm.core, as: Value.self)
    }
}

// MARK: - Comparison and text

extension Frozen: Equatable where Value: Equatable {
    /// Whether two objects are the same one in the same version, or two collections are copies of
    /// one.
    public static func == (a: Frozen, b: Frozen) -> Bool { a.value == b.value }
}

extension Frozen: Hashable where Value: Hashable {
    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Frozen: CustomStringConvertible {
    /// The object's or collection's own description.
    public var description: String {
        switch value {
        case let object as Object: Frozen<Object>(frozen: object).unshared.description
        case let object as EmbeddedObject:
            Frozen<EmbeddedObject>(frozen: object).unshared.description
        default: String(describing: value)
        }
    }
}
