import FreeholdStorage

/// An object or collection as it was in one version, which may go anywhere: `Sendable`, for any
/// number of threads at once.
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
/// `freeze()` gives the same version in the type that live values have, which is not
/// `Sendable`. This type is, because nothing comes out of it but values that are `Sendable`,
/// other frozen ones among them:
/// - of an object, its properties, by their names: values, and links as ``Frozen`` objects.
///   Also the class's computed properties;
/// - of a collection, its elements as ``Frozen`` objects; `where`, `sorted`, positions and
///   aggregates; of one of values: these (`elements`);
/// - ``thaw()``, which finds the live object or collection in the caller's own realm.
///
/// Nothing is copied, and properties are read from the file when they are asked for. The file
/// keeps the version while anything refers to it, so it grows while others write: let go of
/// frozen values.
///
/// Two frozen objects are equal if they are the same object in the same version.
///
/// Stored properties that are not `@Persisted` have their declaration's default. Objects of a
/// class that has some are made anew for each access, so that no two threads ever share such a
/// property.
///
/// Thread rule: made where the value may be used, used anywhere.
@dynamicMemberLookup
public struct Frozen<Value: ThreadConfined>: @unchecked Sendable {
    // @unchecked: `value` is a frozen object or collection of the library's, all of whose state
    // is immutable or behind a lock. What a program adds, the stored properties of model
    // classes, is never reached through a shared instance: see `unshared`.
    let value: Value

    /// What was frozen already.
    init(frozen value: Value) { self.value = value }

    /// The version of an object or a collection that its realm reads now; in a write
    /// transaction, the one before it. As `value.freeze()`: O(log objects) for objects, O(1)
    /// for collections.
    ///
    /// - Parameters:
    ///   - value: A live or frozen object or collection. Traps if it is unmanaged, deleted or
    ///     invalidated, was created in the transaction that is open, or belongs to another
    ///     thread, queue or actor.
    ///   - fileID: Where the value is frozen, for ``Realm/versionReport()``. Leave it out.
    ///   - line: As `fileID`.
    public init(_ value: Value, fileID: StaticString = #fileID, line: UInt = #line) {
        _ = referable(value)
        self.init(frozen: value.freeze(fileID: fileID, line: line))
    }
}

// MARK: - What is inside

extension Frozen where Value: ObjectBase {
    /// The object, as an instance that may be affected: another one for each call if its class
    /// stores more than persisted properties, which nothing protects.
    var unshared: Value {
        guard let binding = value.binding?.takeUnretainedValue(),
            let cluster = value.cluster?.unmanaged.takeUnretainedValue()
        else {
            preconditionFailure("A frozen object is bound.")
        }
        if binding.schema.hasOnlyPersistedState { return value }
        let copy = binding.makeAccessor(key: value.key, cluster: cluster, row: value.row)
        copy.generation = value.generation
        return unsafeDowncast(copy, to: Value.self)
    }

    /// The frozen object in its own type, for code that takes one.
    ///
    /// Unsafe: it is not `Sendable`, and the compiler believes that it belongs to the caller.
    /// Its persisted properties may be read on any thread all the same. Others, if its class
    /// has some, may not.
    public var unsafeValue: Value { unshared }
}

extension Frozen where Value: RealmCollection {
    /// The frozen collection in its own type, for code that takes one.
    ///
    /// Unsafe: it is not `Sendable`, and the compiler believes that it belongs to the caller.
    /// It may be used on any thread all the same.
    public var unsafeValue: Value { value }
}

// MARK: - Back

extension Frozen {
    /// The live object or collection for the caller: in the live realm of the calling queue,
    /// actor or scheduler, if one of the file is open there, else in the calling thread's,
    /// which is opened if need be. That realm moves to the newest version if it is behind this
    /// one.
    ///
    /// O(log objects). Nil if the object was deleted since. What is returned is confined: it
    /// stays here.
    public func thaw() -> Value? {
        guard let core = referable(value).referableCore, let version = core.snapshot?.version else {
            preconditionFailure("A frozen value is managed.")
        }
        core.thawedCore().catchUp(with: version)
        return value.thaw()
    }

    /// The live object or collection in a realm, which moves to the newest version if it is
    /// behind this one.
    ///
    /// O(log objects). Nil if the object was deleted since, or if that is a realm of another
    /// file. Traps off that realm's thread, queue or actor.
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
    /// Whether two objects are the same one in the same version, or two collections copies of one.
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
