public import Dispatch
import FreeholdStorage

extension Map {
    /// Calls a block soon with the map's current contents, and then with every change: the
    /// deleted, inserted and modified keys.
    ///
    /// ```swift
    /// let token = person.scores.observe { change in
    ///     if case .update(let scores, _, let insertions, let modifications) = change {
    ///         print((insertions + modifications).map { scores[$0] ?? 0 })
    ///     }
    /// }
    /// ```
    ///
    /// Values that are objects count as changed like the elements of other collections. See
    /// ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``, also for when and where the block
    /// is called.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, if the values are objects; nil for all.
    ///   - block: Called with each change.
    /// - Returns: A token. Keep it while the block should be called.
    /// - Precondition: As for ``RealmCollection/observe(keyPaths:_:)-([String]?,_)``.
    public func observe(keyPaths: [String]? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void)
        -> NotificationToken
    { observers.observe(keyPaths, block) }

    /// Observes the map like `observe(keyPaths:_:)`, but calls the block on a serial queue, with
    /// the map of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, if the values are objects; nil for all.
    ///   - queue: The serial queue, or the main queue; nil for the thread, queue or actor of the
    ///     map.
    ///   - block: Called with each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue?,
        _ block: @escaping @Sendable (RealmMapChange<Map>) -> Void
    ) -> NotificationToken { observers.observe(keyPaths, on: queue, block) }

    /// Observes the map like `observe(keyPaths:_:)`, but calls the block on an actor, with the
    /// map of a realm there.
    ///
    /// - Parameters:
    ///   - keyPaths: The properties whose changes count, if the values are objects; nil for all.
    ///   - actor: The actor that the block is called on.
    ///   - _isolation: The caller's actor. Omit it.
    ///   - block: Called with the actor and each change.
    /// - Returns: The token, once the registration is complete. Inert if the task was cancelled,
    ///   or if the owner of the map was deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observers.observe(keyPaths, on: actor, _isolation: _isolation, block)
    }

    private var observers: ObserverFactory<Map, RealmMapChange<Map>> {
        ObserverFactory(self, failed: { .error($0) }) { $0.makeObserver($1, $2, $3) }
    }

    func makeObserver(
        _ keyPaths: [String]?, _ operation: String, _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> (core: RealmCore, observer: Observer) {
        let first = { block(.initial(self)) }
        let call = { (changes: MapChanges, _: ChangeContext) in
            func keys(_ texts: [String]) -> [Key] { texts.map { Key(_rlmMapKey: $0) } }
            block(
                .update(
                    self, deletions: keys(changes.deletions), insertions: keys(changes.insertions),
                    modifications: keys(changes.modifications)))
        }
        if let managed {
            _ = managed.current(operation)
            let paths = ObservedCollection.elements(managed, []).paths(keyPaths)
            return (managed.core, SubjectObserver(MapSubject(managed, paths), first: first, call))
        }
        guard let nested else { refuseUnmanaged(Self.self) }
        _ = nested.entries(operation)
        _ = ObservedCollection.nested(nested).paths(keyPaths)
        return (nested.core, SubjectObserver(MapSubject(nested), first: first, call))
    }
}
