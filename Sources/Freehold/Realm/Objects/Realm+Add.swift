import FreeholdStorage

extension Realm {
    /// What to do when an object with the same primary key exists.
    @frozen
    public enum UpdatePolicy: Int, Sendable {
        /// It is a programmer's error, and ends the process.
        case error = 1
        /// Write those properties that differ; embedded objects are changed in their places.
        /// What a dictionary or an array leaves out stays; an object has a value for each
        /// property.
        case modified = 3
        /// Write all properties that the value has; embedded objects are replaced.
        case all = 2
    }

    /// Adds an object, which becomes managed in place, and everything that it links to.
    ///
    /// Adding an object that this realm manages already does nothing. With a policy other than
    /// `.error`, an object with the same primary key is changed instead, and `object` then
    /// stands for it; linked objects whose class has a primary key are treated in the same way.
    ///
    /// O(1) for each object, plus the lookup of a primary key.
    ///
    /// - Precondition: The realm is in a write transaction; the object is not managed by
    ///   another realm, and its class is part of the schema. The class has a primary key if the
    ///   policy is not `.error`, and no object has the same one if it is.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        core.add(object, update: update)
    }

    /// Adds all objects of a sequence; see ``add(_:update:)-(Object,_)``.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error)
    where S.Iterator.Element: Object {
        _ = core.requireWrite("Realm.add")
        for object in objects { core.add(object, update: update) }
    }

    /// Not supported: use a policy.
    @available(
        *, unavailable,
        message: """
            Pass .error, .modified or .all rather than a boolean. .error is equivalent to \
            false and .all is equivalent to true.
            """
    )
    public func add(_ object: Object, update: Bool) { fatalError("unavailable") }

    /// Not supported: use a policy.
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
