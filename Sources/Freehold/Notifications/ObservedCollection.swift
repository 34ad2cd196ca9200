import FreeholdStorage

/// A collection, as its observers see it.
enum ObservedCollection {
    /// Objects of a query or another row source.
    case query(ResultsState)
    /// The elements of a list or set, after some steps.
    case elements(ManagedCollection, [ElementStep])
    /// A list in an ``AnyRealmValue``.
    case nested(NestedCollection)

    var core: RealmCore {
        switch self {
        case .query(let state): state.core
        case .elements(let elements, _): elements.core
        case .nested(let elements): elements.core
        }
    }
}

/// A collection of this library. All of them conform; other types cannot.
protocol CollectionOfRealm {
    /// The observed collection; nil if no realm manages it. Passes the gate.
    func observed(_ operation: String) -> ObservedCollection?
}

extension Results: CollectionOfRealm {
    func observed(_ operation: String) -> ObservedCollection? {
        state.check(operation)
        guard let values = state.values, let positions = state.rows as? ElementPositions else {
            return .query(state)
        }
        return .elements(values, positions.steps)
    }
}

extension LinkingObjects: CollectionOfRealm {
    func observed(_ operation: String) -> ObservedCollection? {
        checkedState(operation).map { .query($0) }
    }
}

extension List: CollectionOfRealm {
    func observed(_ operation: String) -> ObservedCollection? {
        if let managed {
            _ = managed.current(operation)
            return .elements(managed, [])
        }
        guard let nested else { return nil }
        _ = nested.values(operation)
        return .nested(nested)
    }
}

extension MutableSet: CollectionOfRealm {
    func observed(_ operation: String) -> ObservedCollection? {
        guard let managed else { return nil }
        _ = managed.current(operation)
        return .elements(managed, [])
    }
}

extension AnyRealmCollection: CollectionOfRealm {
    func observed(_ operation: String) -> ObservedCollection? {
        (collection as? any CollectionOfRealm)?.observed(operation)
    }
}

// MARK: - Observers

extension ObservedCollection {
    /// The parts of elements whose changes count; nil if elements are values.
    ///
    /// - Parameter keyPaths: Nil for everything, four links deep. Traps if one names no
    ///   property.
    func paths(_ keyPaths: [String]?) -> ObservedPaths? {
        let binding: ClassBinding
        switch self {
        case .query(let state): binding = state.binding
        case .elements(let elements, _):
            guard let reference = elements.descriptor.reference else {
                refuseKeyPaths(keyPaths, elements.title)
                return nil
            }
            binding = elements.core.binding(for: reference)
        case .nested:
            refuseKeyPaths(keyPaths, "a list of AnyRealmValue")
            return nil
        }
        return ObservedPaths(keyPaths, of: binding)
    }

    private func refuseKeyPaths(_ keyPaths: [String]?, _ title: String) {
        if keyPaths?.isEmpty ?? true { return }
        misuse(
            "Key paths are not supported for collections of values.",
            remedy: "The elements of \(title) have no properties: observe it without key paths.")
    }

    /// Creates the observer of the collection.
    ///
    /// - Parameter first: The initial call, if it is wanted.
    func observer(
        _ keyPaths: [String]?, first: (() -> Void)?, _ call: @escaping (CollectionChanges) -> Void
    ) -> Observer { observer(keyPaths, first: first) { changes, _, _ in call(changes) } }

    /// - Parameter call: Also receives the subject's new state (`QuerySubject.State` for a
    ///   query).
    func observer(
        _ keyPaths: [String]?, first: (() -> Void)?,
        following call: @escaping (CollectionChanges, (any Sendable)?, ChangeContext) -> Void
    ) -> Observer {
        let paths = paths(keyPaths)
        switch self {
        case .query(let state):
            return SubjectObserver(
                QuerySubject(state, paths ?? .nothing(state.binding.table)), first: first,
                following: call)
        case .elements(let elements, let steps):
            return SubjectObserver(
                CollectionSubject(elements, paths, steps: steps), first: first, following: call)
        case .nested(let elements):
            return SubjectObserver(NestedSubject(elements), first: first, following: call)
        }
    }
}

extension ObservedPaths {
    /// The paths for key paths of a class; without key paths, everything, four links deep. Traps
    /// if a key path names no property.
    init(_ keyPaths: [String]?, of binding: ClassBinding) {
        let schema = binding.core.schema
        guard let bound = schema[binding.schema.type] else {
            preconditionFailure("A binding's class is in its realm's schema.")
        }
        guard let keyPaths else {
            self = .everything(bound, in: schema)
            return
        }
        do throws(InvalidKeyPath) {
            try self.init(keyPaths, of: bound, in: schema)
        } catch {
            error.trap(keyPaths)
        }
    }
}

extension InvalidKeyPath {
    /// Traps with a description of what is wrong with the key paths.
    fileprivate func trap(_ keyPaths: [String]) -> Never {
        switch self {
        case .unknownProperty(let property, let className):
            misuse(
                """
                Invalid property name: property '\(property)' not found in object \
                of type '\(className)'
                """,
                remedy: """
                    Observing the key paths \(keyPaths): a key path consists of names of \
                    persisted properties with points between them, as "owner.name"; * \
                    stands for all of a class.
                    """)
        case .tooLong:
            let longest = keyPaths.max { $0.utf8.count < $1.utf8.count } ?? ""
            misuse(
                "Invalid keypath '\(longest.prefix(80))…': \(KeyPathLimit.reason)",
                remedy: KeyPathLimit.remedy)
        case .tooMany:
            misuse(
                "Key paths cannot lead to more than \(ObservedPaths.maximumNodes) places",
                remedy: "Each * stands for all links of a class: name the links to follow.")
        }
    }
}
