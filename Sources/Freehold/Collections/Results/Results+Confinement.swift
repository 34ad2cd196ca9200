import FreeholdStorage

extension Results {
    /// The realm that the collection belongs to.
    public var realm: Realm? { Realm(core: state.core) }

    /// Whether the collection is unusable, because its realm was invalidated, or because the
    /// object that has its values was deleted.
    public var isInvalidated: Bool {
        state.core.checkConfinement(
            "isInvalidated of Results<\(Element.self)>", of: state.className)
        return state.isInvalidated || state.values.map { !$0.isThere } ?? false
    }

    /// Whether the collection is frozen: it never changes, and any thread may use it.
    public var isFrozen: Bool { state.core.isFrozen }

    /// Returns the collection as it is at this moment, for all threads, never changing. O(1): the
    /// query is evaluated once, when the frozen collection is first used.
    ///
    /// Inside a write transaction, it shows the state before the transaction. A frozen collection
    /// keeps its version of the file alive, so release it when you do not need it any more.
    /// Frozen collections return themselves.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func freeze() -> Results {
        state.check("freeze()")
        if isFrozen { return self }
        if let values = state.values {
            let frozen = values.frozen().core
            return Results(core: frozen, state: state.moved(to: frozen))
        }
        let frozen = Realm(core: core).freeze().core
        return Results(core: frozen, state: state.moved(to: frozen))
    }

    /// Returns the live collection of the same query, in a realm for the current thread. Live
    /// collections return themselves. Returns nil if the object that had the values was deleted.
    public func thaw() -> Results? {
        state.check("thaw()")
        if !isFrozen { return self }
        if let values = state.values {
            return values.thawed().map { Results(core: $0.core, state: state.moved(to: $0.core)) }
        }
        let live = Realm(core: core).thaw().core
        return Results(core: live, state: state.moved(to: live))
    }
}
