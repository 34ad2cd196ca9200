import FreeholdStorage

extension Results {
    /// The realm that the collection belongs to.
    public var realm: Realm? { Realm(core: state.core) }

    /// Whether the collection can no longer be used, because its realm was invalidated, or the
    /// object deleted that has its values.
    public var isInvalidated: Bool {
        state.core.checkConfinement(
            "isInvalidated of Results<\(Element.self)>", of: state.className)
        return state.isInvalidated || state.values.map { !$0.isThere } ?? false
    }

    /// Whether the collection is frozen: it never changes, and any thread may use it.
    public var isFrozen: Bool { state.core.isFrozen }

    /// The collection as it is now, for all threads and for ever. O(1): the query is evaluated
    /// when it is used, then once.
    ///
    /// Inside a write transaction: as it was before the transaction. A frozen collection keeps
    /// its version of the file alive, so do not keep it longer than it is needed. Frozen
    /// collections return themselves.
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

    /// The live collection of the same query, in a realm for the current thread. Live
    /// collections return themselves. Nil if the object was deleted that had the values of
    /// which it is.
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
