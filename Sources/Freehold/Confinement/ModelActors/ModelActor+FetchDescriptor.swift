extension ModelActor {
    /// Live objects, for use in the actor's methods: those that a descriptor describes.
    ///
    /// Reads the version that the realm is at. ``Realm/fetch(_:)`` is the lazy form.
    /// - Throws: As ``realm``, and ``FoundationPredicateError`` if the database cannot evaluate
    ///   the predicate or the order.
    public func fetch<Element: Object>(_ descriptor: FetchDescriptor<Element>) throws -> [Element] {
        Array(try realm.fetch(descriptor))
    }

    /// Values made from the newest version's objects that a descriptor describes, for use anywhere.
    ///
    /// - Throws: As ``fetch(_:)``, and what `transform` throws.
    public func fetch<Element: Object, Value: Sendable>(
        _ descriptor: FetchDescriptor<Element>, transform: @Sendable (Element) throws -> Value
    ) throws -> [Value] {
        try refreshedRealm().fetch(descriptor).map(transform)
    }

    /// How many objects of the newest version a descriptor describes, its limit and offset
    /// included.
    ///
    /// - Throws: As ``fetch(_:)``.
    public func count<Element: Object>(_ descriptor: FetchDescriptor<Element>) throws -> Int {
        try refreshedRealm().fetchCount(descriptor)
    }

    /// Deletes the objects that a descriptor describes, in a transaction of its own. Links to
    /// them become nil.
    ///
    /// - Returns: How many there were.
    /// - Throws: As ``fetch(_:)`` and ``transaction(_:)``, and as
    ///   ``Realm/deleteChecked(_:)-(ObjectBase)`` if a relationship denies it: then none was
    ///   deleted.
    @discardableResult
    public func remove<Element: Object>(_ descriptor: FetchDescriptor<Element>) async throws -> Int
    {
        let realm = try realm
        return try await realm.asyncWrite {
            let removed = try realm.fetch(descriptor)
            let count = removed.count
            try realm.deleteChecked(removed)
            return count
        }
    }
}
