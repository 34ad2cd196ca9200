public import Dispatch

extension ProjectedCollection {
    /// Calls a block soon with the current values, and then with every change of the
    /// collection's objects or of their projected property.
    ///
    /// The block is called like that of ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    ///
    /// ```swift
    /// let token = person.friends.projectTo.name.observe { change in
    ///     if case .update(let names, _, let insertions, _) = change {
    ///         print(insertions.map { names[$0] })
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, by their names in the object's class;
    ///     nil for the projected property.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    public func observe(
        keyPaths: [String]? = nil,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
    ) -> NotificationToken { register(makeObserver(keyPaths, "observe(_:)", block)) }

    /// Observes the collection like `observe(keyPaths:_:)`, but calls the block on a serial
    /// queue, with the collection of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, by their names in the object's class;
    ///     nil for the projected property.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     collection.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmCollectionChange<ProjectedCollection>) -> Void
    ) -> NotificationToken {
        guard let queue else { return observe(keyPaths: keyPaths, block) }
        let (core, _) = makeObserver(keyPaths, "observe(on:)", block)
        return observe(base, core, keyPaths, on: queue, block)
    }

    /// Observes the collection like `observe(keyPaths:_:)`, but calls the block on an actor,
    /// with the collection of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, by their names in the object's class;
    ///     nil for the projected property.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete. Inert if the task was cancelled,
    ///   or if the owner of the collection was deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block:
            @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
    ) async -> NotificationToken {
        let (core, _) = makeObserver(keyPaths, "observe(on:)") { _ in }
        return await observe(base, core, keyPaths, on: actor, _isolation, block)
    }

    /// The collection's changes, for `for await`, starting with its initial state. See
    /// `observe(keyPaths:_:)`.
    public var changes: AsyncChanges<RealmCollectionChange<ProjectedCollection>> {
        changes(keyPaths: nil)
    }

    /// The changes of the properties at key paths. See ``changes``.
    ///
    /// - Parameter keyPaths: The properties whose changes count, by their names in the object's
    ///   class; nil for the projected property.
    public func changes(keyPaths: [String]?) -> AsyncChanges<
        RealmCollectionChange<ProjectedCollection>
    > { AsyncChanges { block in self.makeObserver(keyPaths, "changes", block) } }

    // MARK: -

    /// The key path and the function that applies it. They are the same on every scheduler.
    private struct Projection: @unchecked Sendable {
        // @unchecked: neither contains a realm's state.
        let keyPath: AnyKeyPath
        let read: (ObjectBase) -> Element

        func collection(over base: any ProjectableCollection) -> ProjectedCollection {
            ProjectedCollection(base: base, keyPath: keyPath, read: read)
        }
    }

    private func makeObserver(
        _ keyPaths: [String]?, _ operation: String,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        guard let observed = (base as? any CollectionOfRealm)?.observed(operation) else {
            refuseUnmanaged(Self.self)
        }
        let observer = observed.observer(
            keyPaths ?? projectedKeyPaths, first: { block(.initial(self)) }
        ) { block(RealmCollectionChange(self, $0)) }
        return (observed.core, observer)
    }

    /// The key path of the projected property; nil, which means everything, for computed values.
    private var projectedKeyPaths: [String]? {
        let names = elementNames
        return names.isEmpty ? nil : [names.joined(separator: ".")]
    }

    private func observe<Base: ProjectableCollection>(
        _ base: Base, _ core: RealmCore, _ keyPaths: [String]?, on queue: DispatchQueue,
        _ block: @escaping @Sendable (RealmCollectionChange<ProjectedCollection>) -> Void
    ) -> NotificationToken {
        let projection = Projection(keyPath: keyPath, read: read)
        return Relocation(base, core).observe(on: queue, block, failed: { .error($0) }) {
            projection.collection(over: $0).makeObserver(keyPaths, "observe(on:)", $1)
        }
    }

    private func observe<Base: ProjectableCollection, A: Actor>(
        _ base: Base, _ core: RealmCore, _ keyPaths: [String]?, on actor: A,
        _ isolation: isolated (any Actor)?,
        _ block:
            @Sendable @escaping (isolated A, RealmCollectionChange<ProjectedCollection>) -> Void
    ) async -> NotificationToken {
        let projection = Projection(keyPath: keyPath, read: read)
        let relocation = Relocation(base, core)
        return await relocation.observe(on: actor, block, failed: { .error($0) }) {
            projection.collection(over: $0).makeObserver(keyPaths, "observe(on:)", $1)
        }
    }
}
