// Collections that no realm manages have no name in another one: `referableCore` is nil, which is asked first.

extension List: Referable {
    var referableCore: RealmCore? { nil }
    var portable: Portable { preconditionFailure("The list is not managed.") }
    static func counterpart(of portable: Portable, in core: RealmCore) -> List? { nil }
}

extension MutableSet: Referable {
    var referableCore: RealmCore? { nil }
    var portable: Portable { preconditionFailure("The set is not managed.") }
    static func counterpart(of portable: Portable, in core: RealmCore) -> MutableSet? { nil }
}

extension Map: Referable {
    var referableCore: RealmCore? { nil }
    var portable: Portable { preconditionFailure("The map is not managed.") }
    static func counterpart(of portable: Portable, in core: RealmCore) -> Map? { nil }
}

/// By what it wraps.
extension AnyRealmCollection: Referable {
    var referableCore: RealmCore? { wrapped.referableCore }
    var portable: Portable { wrapped.portable }

    static func counterpart(of portable: Portable, in core: RealmCore) -> AnyRealmCollection? {
        if let results = Results<Element>.counterpart(of: portable, in: core) { return AnyRealmCollection(results) }
        return BacklinkCollection.counterpart(of: portable, in: core).map { AnyRealmCollection(Results(core: core, state: $0.state)) }
    }

    private var wrapped: any Referable { referable(collection) }
}
