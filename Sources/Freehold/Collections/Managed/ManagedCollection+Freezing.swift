import FreeholdStorage

extension ManagedCollection {
    /// Returns the collection in the version that its realm reads; in a write transaction, in the
    /// version before it.
    ///
    /// Traps as every use does, and if the object that has the collection was created in the open
    /// transaction.
    func frozen() -> ManagedCollection {
        _ = current("freeze()")
        let frozen = core.frozenCore()
        guard let found = counterpart(in: frozen, evenIfMissing: core.store.isDamaged) else {
            shape.refuseFreezing(title)
        }
        return found
    }

    /// Returns the live collection in the caller's realm; nil if its object was deleted.
    func thawed() -> ManagedCollection? { counterpart(in: core.thawedCore()) }
}
