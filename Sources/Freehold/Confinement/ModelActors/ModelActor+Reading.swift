extension ModelActor {
    /// Returns all live objects that satisfy a query, in order, for use in the actor's methods.
    ///
    /// ```swift
    /// actor Archive: ModelActor {
    ///     let modelExecutor = ModelExecutor()
    ///
    ///     func oldestTitles() throws -> [String] {
    ///         try fetch(
    ///             Book.self, where: { $0.year < 1900 },
    ///             sortedBy: [SortDescriptor(keyPath: \Book.year)], limit: 10
    ///         ).map(\.title)
    ///     }
    /// }
    /// ```
    ///
    /// Reads the version that the realm is at. The lazy form is `realm.objects(Book.self)` with
    /// ``realm``. A trailing closure without the label `where` is the transform of
    /// ``fetch(_:where:sortedBy:offset:limit:transform:)``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - isIncluded: The query; nil for all objects.
    ///   - sortDescriptors: The order; that of ``Results`` if empty.
    ///   - offset: How many objects to skip at the beginning.
    ///   - limit: How many objects to return at most; nil for all.
    /// - Throws: As ``realm``.
    /// - Precondition: `offset` and `limit` are not negative.
    @_disfavoredOverload
    public func fetch<Element: Object>(
        _ type: Element.Type, where isIncluded: ((Query<Element>) -> Query<Bool>)? = nil,
        sortedBy sortDescriptors: [SortDescriptor] = [], offset: Int = 0, limit: Int? = nil
    ) throws -> [Element] {
        // Disfavoured: otherwise the compiler takes a transform to Bool for a query in some
        // calls.
        Array(Self.selection(try realm, isIncluded, sortDescriptors, offset, limit))
    }

    /// Returns values made from all objects of the newest version that satisfy a query, in order,
    /// for use anywhere.
    ///
    /// ```swift
    /// let titles = try await library.fetch(Book.self, where: { $0.year < 1900 }, limit: 10) {
    ///     $0.title
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - isIncluded: The query; nil for all objects.
    ///   - sortDescriptors: The order; that of ``Results`` if empty.
    ///   - offset: How many objects to skip at the beginning.
    ///   - limit: How many values to return at most; nil for all.
    ///   - transform: Makes a value from a live object, on the actor.
    /// - Throws: As ``realm``, and what `transform` throws.
    /// - Precondition: `offset` and `limit` are not negative.
    public func fetch<Element: Object, Value: Sendable>(
        _ type: Element.Type, where isIncluded: (@Sendable (Query<Element>) -> Query<Bool>)? = nil,
        sortedBy sortDescriptors: [SortDescriptor] = [],
        offset: Int = 0, limit: Int? = nil, transform: @Sendable (Element) throws -> Value
    ) throws -> [Value] {
        try Self.selection(refreshedRealm(), isIncluded, sortDescriptors, offset, limit).map(
            transform)
    }

    /// Returns how many objects of the newest version satisfy a query.
    ///
    /// - Throws: As ``realm``.
    public func count<Element: Object>(
        _ type: Element.Type, where isIncluded: (@Sendable (Query<Element>) -> Query<Bool>)? = nil
    ) throws -> Int {
        let objects = try refreshedRealm().objects(type)
        return isIncluded.map { objects.where($0).count } ?? objects.count
    }

    /// Runs a closure with the realm at the newest version. Everything that the closure reads is
    /// of one version.
    ///
    /// ```swift
    /// let mean = try await library.withRealm { $0.objects(Book.self).average(of: \.pages) ?? 0 }
    /// ```
    ///
    /// - Parameter body: Runs on the actor.
    /// - Returns: What the closure returns.
    /// - Throws: As ``realm``, and what the closure throws.
    public func withRealm<Value: Sendable>(_ body: @Sendable (Realm) throws -> Value) throws
        -> Value
    { try body(refreshedRealm()) }

    func refreshedRealm() throws -> Realm {
        let realm = try realm
        if !realm.configuration.readOnly { realm.refresh() }
        return realm
    }

    private static func selection<Element: Object>(
        _ realm: Realm, _ isIncluded: ((Query<Element>) -> Query<Bool>)?,
        _ sortDescriptors: [SortDescriptor], _ offset: Int, _ limit: Int?
    ) -> Results<Element> {
        var objects = realm.objects(Element.self)
        if let isIncluded { objects = objects.where(isIncluded) }
        if !sortDescriptors.isEmpty { objects = objects.sorted(by: sortDescriptors) }
        if offset != 0 { objects = objects.offset(offset) }
        return limit.map { objects.limit($0) } ?? objects
    }
}
