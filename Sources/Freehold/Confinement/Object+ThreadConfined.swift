import FreeholdStorage

extension Object: ThreadConfined {}

extension ObjectBase {
    /// The realm that manages the object; nil while it is unmanaged. Any thread may read it.
    public final var realm: Realm? {
        guard _isManaged, let core else { return nil }
        return Realm(core: core)
    }

    /// Whether the object was deleted, or its realm invalidated. False for unmanaged objects.
    /// O(1) while the realm did not change, else one look-up.
    public final var isInvalidated: Bool {
        guard _isManaged, let core else { return false }
        core.checkConfinement(of: self, "Object.isInvalidated")
        if gate != core.gate { core.noteTrackedRead(of: self, .existence) }
        return core.isGone(self)
    }

    /// Whether this is an immutable version of the object, usable on any thread. Any thread may
    /// ask.
    public final var isFrozen: Bool { _isManaged && core?.isFrozen == true }

    /// Returns the object as it is in the version that its realm reads, immutable and usable on
    /// any thread. A frozen object returns itself.
    ///
    /// In a write transaction, returns the version before the transaction. O(log n), one look-up;
    /// copies nothing.
    ///
    /// - Precondition: The object is managed, not deleted, and was not created in the open
    ///   transaction.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public final func freeze() -> Self {
        guard _isManaged, let core, let binding = binding?.takeUnretainedValue() else {
            violation(.frozeUnmanagedObject(self))
        }
        if core.isFrozen { return self }
        return unsafeDowncast(core.frozenAccessor(of: self, binding), to: Self.self)
    }

    /// Returns the live object in the realm of the calling thread (or of the calling queue, where
    /// one is open); nil if the object was deleted. A live object returns itself.
    ///
    /// - Precondition: The object is managed.
    public final func thaw() -> Self? {
        guard _isManaged, let core, let binding = binding?.takeUnretainedValue() else {
            violation(.thawedUnmanagedObject(self))
        }
        if !core.isFrozen {
            core.checkConfinement(of: self, "Object.thaw()")
            return self
        }
        return core.thawedAccessor(of: self, binding).map { unsafeDowncast($0, to: Self.self) }
    }
}
