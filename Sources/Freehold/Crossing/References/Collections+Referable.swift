import FreeholdStorage

// Unmanaged collections have no portable name: their `referableCore` is nil, which callers check
// first.

extension List: Referable {
    var referableCore: RealmCore? { core }

    var portable: Portable { managed?.portable ?? nested.unsafelyUnwrapped.portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> List? {
        ManagedCollection(portable, in: core).map { List($0) }
            ?? NestedCollection.counterpart(of: portable, in: core).map { List(nested: $0) }
    }
}

extension MutableSet: Referable {
    var referableCore: RealmCore? { managed?.core }

    var portable: Portable { managed.unsafelyUnwrapped.portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> MutableSet? {
        ManagedCollection(portable, in: core).map { MutableSet($0) }
    }
}

extension Map: Referable {
    var referableCore: RealmCore? { core }

    var portable: Portable { managed?.portable ?? nested.unsafelyUnwrapped.portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> Map? {
        ManagedCollection(portable, in: core).map { Map($0) }
            ?? NestedCollection.counterpart(of: portable, in: core).map { Map(nested: $0) }
    }
}

extension ManagedCollection {
    var portable: Portable { .elements(binding.reference, key: key, column, shape) }

    /// Resolves a portable name in a realm; nil if nothing has it there. The caller has checked
    /// that realm's confinement.
    convenience init?(_ portable: Portable, in core: RealmCore) {
        guard case .elements(let reference, let key, let column, let shape) = portable else {
            return nil
        }
        let binding = core.binding(for: reference)
        guard core.locate(key, of: binding) != nil,
            let descriptor = binding.elementDescriptor(of: column)
        else { return nil }
        self.init(core: core, binding: binding, column: column, key: key, descriptor, shape)
    }
}

/// Refers to the wrapped collection.
extension AnyRealmCollection: Referable {
    var referableCore: RealmCore? { wrapped.referableCore }
    var portable: Portable { wrapped.portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> AnyRealmCollection? {
        switch portable {
        case .elements(_, _, _, .list), .nested(_, _, .list):
            List<Element>.counterpart(of: portable, in: core).map { AnyRealmCollection($0) }
        case .elements(_, _, _, .set):
            MutableSet<Element>.counterpart(of: portable, in: core).map { AnyRealmCollection($0) }
        case .linkingObjects:
            BacklinkCollection.counterpart(of: portable, in: core).map {
                AnyRealmCollection(Results(core: core, state: $0.state))
            }
        default: Results<Element>.counterpart(of: portable, in: core).map { AnyRealmCollection($0) }
        }
    }

    private var wrapped: any Referable { referable(collection) }
}
