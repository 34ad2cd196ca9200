import FreeholdStorage

/// A value that can be found again in another realm of its file. Every thread-confined type of
/// the library conforms. Other types cannot cross as a ``ThreadSafeReference``, in ``ThreadSafe``
/// or in ``Frozen``.
protocol Referable: ThreadConfined {
    /// The realm; nil if the value is not managed. Any thread may read it.
    var referableCore: RealmCore? { get }
    /// The value's name in every realm of its file. The value is managed, and the caller has
    /// checked confinement.
    var portable: Portable { get }
    /// Resolves a portable name in a realm; nil if nothing has it there. The caller has checked
    /// that realm's confinement.
    static func counterpart(of portable: Portable, in core: RealmCore) -> Self?
}

extension Referable {
    /// Traps if no reference can be made: of what is gone, and of what is frozen.
    func checkReferable(in core: RealmCore) {
        if isInvalidated, !core.store.isDamaged {
            misuse(
                "Cannot construct reference to invalidated object",
                remedy: "Test isInvalidated first.")
        }
        if core.isFrozen {
            misuse(
                """
                Cannot construct reference to frozen object, which can be passed \
                across threads directly
                """,
                remedy: """
                    Keep it as Frozen(value), which is Sendable, or thaw() it first to \
                    refer to the live one.
                    """)
        }
    }
}

/// The name of an object or a collection in all realms of its file.
indirect enum Portable: Sendable {
    /// A collection in a property of an object.
    case elements(ClassReference, key: Int64, ColumnID, CollectionKind)
    /// A collection inside of an ``AnyRealmValue``.
    case nested(MixedPlace.Name, ContiguousArray<UInt64>, CollectionKind)
    case object(ClassReference, key: Int64)
    case query(ClassReference, from: (any RowSource)?, ScanPredicate, [ScanSort])
    case linkingObjects(ClassReference, key: Int64, ComputedPosition)
    /// The sections of a query, by a ``SectionKey`` for its element type.
    case sections(Portable, by: any AnyObject & Sendable)
    /// One of these sections, by its key.
    case section(Portable, key: PredicateConstant)
}

extension Portable {
    /// The name of the same object or collection in a draft that has given rows other keys.
    func following(_ moves: ArraySlice<RowMove>, in core: RealmCore) -> Portable {
        func key(_ old: Int64, of reference: ClassReference) -> Int64 {
            moves.key(old, in: core.binding(for: reference).table)
        }
        return switch self {
        case .object(let reference, let old): .object(reference, key: key(old, of: reference))
        case .elements(let reference, let old, let column, let shape):
            .elements(reference, key: key(old, of: reference), column, shape)
        case .linkingObjects(let reference, let old, let property):
            .linkingObjects(reference, key: key(old, of: reference), property)
        case .nested(.property(let reference, let column, let old), let path, let shape):
            .nested(
                .property(reference, column, key: key(old, of: reference)), path, shape)
        case .nested(.element(let portable), let path, let shape):
            .nested(.element(portable.following(moves, in: core)), path, shape)
        case .query(let reference, let rows, let predicate, let sorts):
            .query(
                reference, from: rows?.following(moves.key, in: core),
                predicate.mappingRows(moves.key), sorts)
        case .sections(let portable, let key):
            .sections(portable.following(moves, in: core), by: key)
        case .section(let portable, let key):
            .section(portable.following(moves, in: core), key: key)
        }
    }
}

extension Object: Referable {}
extension EmbeddedObject: Referable {}

extension Referable where Self: ObjectBase {
    var referableCore: RealmCore? { _isManaged ? core : nil }

    var portable: Portable {
        guard let binding = binding?.takeUnretainedValue() else {
            preconditionFailure("A managed object has a binding.")
        }
        return .object(binding.reference, key: key)
    }

    static func counterpart(of portable: Portable, in core: RealmCore) -> Self? {
        guard case .object(let reference, let key) = portable else { return nil }
        return core.accessor(key, of: core.binding(for: reference)) as? Self
    }
}

extension Results: Referable {
    var referableCore: RealmCore? { state.core }

    var portable: Portable {
        .query(state.binding.reference, from: state.rows, state.predicate, state.sorts)
    }

    static func counterpart(of portable: Portable, in core: RealmCore) -> Results? {
        guard case .query(let reference, let rows, let predicate, let sorts) = portable else {
            return nil
        }
        let state = ResultsState(
            core: core, binding: core.binding(for: reference), from: rows, predicate: predicate,
            sorts: sorts)
        // The object that had the values is gone.
        if let values = state.values, !values.isThere { return nil }
        return Results(core: core, state: state)
    }
}

// MARK: - From one realm to another

/// An object or collection on its way from one realm to another one of the same file.
struct Handover: Sendable {
    let portable: Portable
    /// Keeps the file open.
    let coordinator: RealmCoordinator
    /// The oldest version that shows the state of the source.
    let version: UInt64

    /// - Parameter core: The realm of the named value. The caller has checked its confinement.
    init(_ portable: Portable, from core: RealmCore) {
        // Asynchronous commits become a version first.
        if core.writeSet == nil { core.asyncWrites?.settle() }
        self.portable = portable
        coordinator = core.coordinator
        if core.draft != nil {
            core.checkSaved(portable)
            version = core.currentSnapshot.version
        } else {
            // The state of an open transaction is in the version that its commit will make.
            version = core.currentSnapshot.version + (core.writeSet == nil ? 0 : 1)
        }
    }

    /// Returns the counterpart in a realm, which moves to the newest version if it is behind. Nil
    /// if it does not exist there, or if the realm is one of another file. The caller has checked
    /// the realm's confinement.
    func arrive<Confined: ThreadConfined>(in core: RealmCore, as type: Confined.Type) -> Confined? {
        guard core.coordinator === coordinator, let referable = type as? any Referable.Type else {
            return nil
        }
        core.catchUp(with: version)
        return referable.counterpart(of: portable, in: core) as? Confined
    }
}

/// Returns the value as one of the library's types. Traps for other conforming types.
func referable(_ value: some ThreadConfined) -> any Referable {
    guard let referable = value as? any Referable else {
        misuse(
            "Illegal custom conformance to `RLMThreadConfined` by `\(type(of: value))`",
            remedy: """
                Only the library's objects and collections cross threads: pass those \
                that the value is made of.
                """)
    }
    return referable
}
