import FreeholdStorage

extension Realm {
    /// The behavior of ``Realm/add(_:update:)-(Object,_)`` and similar functions when an object
    /// with the same primary key exists.
    @frozen
    public enum UpdatePolicy: Int, Sendable {
        /// Traps: the program must not add the object twice.
        case error = 1
        /// Writes only the properties that differ; embedded objects are changed in place.
        /// Properties that a dictionary or an array omits keep their values; an object has a
        /// value for each property.
        case modified = 3
        /// Writes all properties that the value has; embedded objects are replaced.
        case all = 2
    }

    /// Adds an object, which becomes managed in place, and everything that it links to.
    ///
    /// Does nothing if this realm already manages the object. With a policy other than `.error`,
    /// an existing object with the same primary key is changed instead, and `object` then refers
    /// to it. The policy also applies to linked objects whose class has a primary key.
    ///
    /// O(1) for each object, plus the lookup of a primary key.
    ///
    /// - Precondition: The realm is in a write transaction; the object is not managed by another
    ///   realm, and its class is part of the schema. With `.error`, no object has the same
    ///   primary key. With another policy, the class has a primary key.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        core.add(object, update: update)
    }

    /// Adds all objects of a sequence; see ``add(_:update:)-(Object,_)``.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - update: What to do if an object has the same primary key.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
    where S.Iterator.Element: Object {
        _ = core.requireWrite("Realm.add")
        for object in objects { core.add(object, update: update) }
    }

    /// Unavailable: pass an ``UpdatePolicy``.
    @available(
        *, unavailable,
        message: """
            Pass .error, .modified or .all rather than a boolean. .error is equivalent to \
            false and .all is equivalent to true.
            """
    )
    public func add(_ object: Object, update: Bool) { fatalError("unavailable") }

    /// Unavailable: pass an ``UpdatePolicy``.
    @available(
        *, unavailable,
        message: """
            Pass .error, .modified or .all rather than a boolean. .error is equivalent to \
            false and .all is equivalent to true.
            """
    )
    public func add<S: Sequence>(_ objects: S, update: Bool) where S.Iterator.Element: Object {
        fatalError("unavailable")
    }
}
