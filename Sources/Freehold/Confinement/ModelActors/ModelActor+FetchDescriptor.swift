extension ModelActor {
    /// Returns the live objects that a descriptor describes, for use in the actor's methods.
    ///
    /// Reads the version that the realm is at. ``Realm/fetch(_:)`` is the lazy form.
    /// - Throws: As ``realm``, and ``FoundationPredicateError`` if the database cannot evaluate
    ///   the predicate or the order.
    public func fetch<Element: Object>(_ descriptor: FetchDescriptor<Element>) throws -> [Element] {
        Array(try realm.fetch(descriptor))
    }

    /// Returns values made from the objects that a descriptor describes, in the newest version,
    /// for use anywhere.
    ///
    /// - Throws: As ``fetch(_:)``, and what `transform` throws.
    public func fetch<Element: Object, Value: Sendable>(
        _ descriptor: FetchDescriptor<Element>, transform: @Sendable (Element) throws -> Value
    ) throws -> [Value] { try refreshedRealm().fetch(descriptor).map(transform) }

    /// Returns how many objects of the newest version a descriptor describes, with its limit and
    /// offset applied.
    ///
    /// - Throws: As ``fetch(_:)``.
    public func count<Element: Object>(_ descriptor: FetchDescriptor<Element>) throws -> Int {
        try refreshedRealm().fetchCount(descriptor)
    }

    /// Deletes the objects that a descriptor describes, in a transaction of its own. Links to
    /// them become nil.
    ///
    /// - Returns: The number of deleted objects.
    /// - Throws: As ``fetch(_:)`` and ``transaction(_:)``, and as
    ///   ``Realm/deleteChecked(_:)-(ObjectBase)`` if a relationship denies the deletion; nothing
    ///   is deleted then.
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
