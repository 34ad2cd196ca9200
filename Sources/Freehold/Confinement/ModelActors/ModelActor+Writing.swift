extension ModelActor {
    /// Runs a block in a write transaction of its own, and returns once its changes are durable.
    ///
    /// The blocks of several callers never overlap; blocks that wait one behind another share a
    /// sync. In the actor's own methods, `asyncWrite` of ``realm`` does the same with a block
    /// that may use the actor's state.
    ///
    /// ```swift
    /// try await library.transaction { realm in
    ///     for book in realm.objects(Book.self).where({ $0.reader == nil }) { book.shelf = "free" }
    /// }
    /// ```
    ///
    /// - Parameter block: Runs on the actor, with the newest version.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws, after undoing its changes; `CancellationError` if the
    ///   task was cancelled before the block began; ``Realm/Error`` if the file cannot be
    ///   opened or written.
    @discardableResult
    public func transaction<Value: Sendable>(_ block: @Sendable (Realm) throws -> Value)
        async throws -> Value
    {
        let realm = try realm
        return try await realm.asyncWrite { try block(realm) }
    }

    /// Adds an object, in a transaction of its own. The object belongs to the actor afterwards.
    ///
    /// - Parameters:
    ///   - object: A new object, which the caller does not use again.
    ///   - update: What to do when an object with the same primary key exists.
    /// - Throws: As ``transaction(_:)``.
    /// - Precondition: As for ``Realm/add(_:update:)-(Object,_)``.
    public func insert<Element: Object>(
        _ object: sending Element, update: Realm.UpdatePolicy = .error
    ) async throws {
        let realm = try realm
        try await realm.asyncWrite { realm.add(object, update: update) }
    }

    /// Adds objects, all in one transaction. They belong to the actor afterwards.
    ///
    /// - Throws: As ``transaction(_:)``.
    /// - Precondition: As for ``Realm/add(_:update:)-(Object,_)``.
    public func insert<Element: Object>(
        contentsOf objects: sending [Element], update: Realm.UpdatePolicy = .error
    ) async throws {
        let realm = try realm
        try await realm.asyncWrite { realm.add(objects, update: update) }
    }

    /// Adds an object unless one exists that satisfies a query. Both steps are one transaction:
    /// of any number of callers, in any process, only one adds its object.
    ///
    /// ```swift
    /// try await library.insertIfAbsent(Book(value: ["isbn": isbn])) { $0.isbn == isbn }
    /// ```
    ///
    /// - Parameters:
    ///   - object: A new object, which the caller does not use again.
    ///   - isPresent: The query that no object of the class may satisfy.
    /// - Returns: Whether the object was added.
    /// - Throws: As ``transaction(_:)``.
    @discardableResult
    public func insertIfAbsent<Element: Object>(
        _ object: sending Element, where isPresent: @Sendable (Query<Element>) -> Query<Bool>
    ) async throws -> Bool {
        let realm = try realm
        return try await realm.asyncWrite {
            if !realm.objects(Element.self).where(isPresent).isEmpty {
                realm.cancelWrite()
                return false
            }
            realm.add(object)
            return true
        }
    }

    /// Deletes the objects that satisfy a query, in a transaction of its own. Links to them
    /// become nil.
    ///
    /// - Returns: The number of deleted objects.
    /// - Throws: As ``transaction(_:)``, and as ``Realm/deleteChecked(_:)-(ObjectBase)`` if a
    ///   relationship denies the deletion; nothing is deleted then.
    @discardableResult
    public func remove<Element: Object>(
        _ type: Element.Type, where isIncluded: @Sendable (Query<Element>) -> Query<Bool>
    ) async throws -> Int {
        let realm = try realm
        return try await realm.asyncWrite {
            let removed = realm.objects(type).where(isIncluded)
            let count = removed.count
            try realm.deleteChecked(removed)
            return count
        }
    }
}
