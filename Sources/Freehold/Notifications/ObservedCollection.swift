import FreeholdStorage

/// A collection as its observers see it.
enum ObservedCollection {
    /// Objects by a query or a source.
    case query(ResultsState)
    /// The elements of a list or set, after some steps.
    case elements(ManagedCollection, [ElementStep])
    /// A list inside of an any value.
    case nested(NestedCollection)

    var core: RealmCore {
        switch self {
        case .query(let state): state.core
        case .elements(let elements, _): elements.core
        case .nested(let elements): elements.core
        }
    }
}

/// A collection of the library's. All conform; nothing else can.
protocol CollectionOfRealm {
    /// What is observed; nil where no realm manages the collection. Passes the gate.
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
    /// What of the elements counts as a change; nil where they are values.
    ///
    /// - Parameter keyPaths: Nil for everything, four links deep. Traps if one names nothing.
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
            refuseKeyPaths(keyPaths, "a list of any values")
            return nil
        }
        return ObservedPaths(keyPaths, of: binding)
    }

    private func refuseKeyPaths(_ keyPaths: [String]?, _ title: String) {
        if keyPaths?.isEmpty ?? true { return }
        violation(
            .misuse(
                text: "Key paths are not supported for collections of values.",
                remedy: "The elements of \(title) have no properties: observe it without key paths."
            ))
    }

    /// The observer of the collection.
    ///
    /// - Parameter first: Called at the beginning, where that is wanted.
    func observer(
        _ keyPaths: [String]?, first: (() -> Void)?, _ call: @escaping (CollectionChanges) -> Void
    ) -> Observer {
        observer(keyPaths, first: first) { changes, _, _ in call(changes) }
    }

    /// - Parameter call: Also told what the subject is now (`QuerySubject.State`, where it is a
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
    /// What key paths of a class name; everything, four links deep, where there are none. Traps
    /// if one names nothing.
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
    /// Traps with what is wrong with the key paths that were to be observed.
    fileprivate func trap(_ keyPaths: [String]) -> Never {
        switch self {
        case .unknownProperty(let property, let className):
            violation(
                .misuse(
                    text:
                        """
                        Invalid property name: property '\(property)' not found in object \
                        of type '\(className)'
                        """,
                    remedy:
                        """
                        Observing the key paths \(keyPaths): a key path consists of names of \
                        persisted properties with points between them, as "owner.name"; * \
                        stands for all of a class.
                        """))
        case .tooLong:
            let longest = keyPaths.max { $0.utf8.count < $1.utf8.count } ?? ""
            violation(
                .misuse(
                    text: "Invalid keypath '\(longest.prefix(80))…': \(KeyPathLimit.reason)",
                    remedy: KeyPathLimit.remedy))
        case .tooMany:
            violation(
                .misuse(
                    text: "Key paths cannot lead to more than \(ObservedPaths.maximumNodes) places",
                    remedy: "Each * stands for all links of a class: name the links to follow."))
        }
    }
}
