import FreeholdStorage

extension LinkingObjects {
    /// The realm that manages the object; nil for an unmanaged one.
    public var realm: Realm? { managed.map { Realm(core: $0.core) } }

    /// Whether the collection is unusable, because its realm was invalidated. The collection of a
    /// deleted object stays usable, and is empty.
    public var isInvalidated: Bool {
        guard case .managed(let core, let collection) = content else { return false }
        core.checkConfinement(
            "isInvalidated of LinkingObjects<\(collection.state.className)>",
            of: collection.state.className)
        return collection.state.isInvalidated
    }

    /// Whether the collection is frozen: it never changes, and any thread may use it.
    public var isFrozen: Bool { managed?.core.isFrozen ?? false }

    /// Returns the collection as it is at this moment, for all threads, never changing. O(1): the
    /// links are read when it is used.
    ///
    /// Inside a write transaction, it shows the state before the transaction. A frozen collection
    /// keeps its version of the file alive. Frozen collections return themselves.
    /// - Note: Traps in an unmanaged object.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> LinkingObjects {
        guard case .managed(let core, let collection) = content else { refuseUnmanaged("freeze()") }
        collection.state.check("freeze()")
        if core.isFrozen { return self }
        let frozen = core.frozenCore()
        return LinkingObjects(.managed(frozen, collection.moved(to: frozen)))
    }

    /// Returns the live collection of the same object, in a realm for the current thread; nil if
    /// the object was deleted. Live collections return themselves.
    ///
    /// - Note: Traps in an unmanaged object.
    public func thaw() -> LinkingObjects? {
        guard case .managed(let core, let collection) = content else { refuseUnmanaged("thaw()") }
        collection.state.check("thaw()")
        if !core.isFrozen { return self }
        return LinkingObjects(collection, in: core.thawedCore())
    }

    /// Makes the collection of the same object in another realm of the file; nil if the object
    /// does not exist there.
    fileprivate init?(_ collection: BacklinkCollection, in core: RealmCore) {
        guard core.locate(collection.key, of: core.binding(for: collection.owner.reference)) != nil
        else { return nil }
        self.init(.managed(core, collection.moved(to: core)))
    }
}

extension LinkingObjects: Referable {
    var referableCore: RealmCore? { managed?.core }

    var portable: Portable {
        guard let collection = managed?.collection else {
            preconditionFailure("LinkingObjects of an unmanaged object have no name.")
        }
        return .linkingObjects(collection.owner.reference, key: collection.key, collection.property)
    }

    static func counterpart(of portable: Portable, in core: RealmCore) -> LinkingObjects? {
        BacklinkCollection.counterpart(of: portable, in: core).map {
            LinkingObjects(.managed(core, $0))
        }
    }
}

extension BacklinkCollection {
    /// Resolves the portable name of a ``LinkingObjects`` in a realm; nil if the object does not
    /// exist there.
    static func counterpart(of portable: Portable, in core: RealmCore) -> BacklinkCollection? {
        guard case .linkingObjects(let reference, let key, let property) = portable else {
            return nil
        }
        let owner = core.binding(for: reference)
        guard core.locate(key, of: owner) != nil else { return nil }
        return owner.backlinks(property, of: key)
    }
}
