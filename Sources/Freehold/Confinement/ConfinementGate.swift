import FreeholdStorage

/// The values compared before every property access, in memory of their own.
///
/// Objects hold a pointer to their realm's gate beside the reference that keeps the realm
/// alive. So the check loads two words and retains nothing.
///
/// Protected by confinement, except for `ownerThread`, which never changes. A frozen realm's gate
/// is never written.
struct ConfinementGate {
    /// The token of the thread that owns the realm; 0 for realms on queues, `anyThread` for
    /// frozen ones.
    let ownerThread: UInt
    /// The executor of the actor that owns the realm; nil if none does. Only its identity is
    /// compared: the executor may be gone. For a realm that a task opened, nil until an actor
    /// takes it over.
    var executor: UnownedSerialExecutor?
    /// The realm's generation (``RealmCore/generation``).
    var generation: UInt64
    /// The counters of the open write transaction. Kept alive by its write set.
    var changes: Unmanaged<ChangeCounters>?

    /// A value that is no thread's token.
    static let anyThread = UInt.max

    /// Whether the calling thread may pass. False also if only the current queue can decide.
    @inline(__always)
    var admitsCaller: Bool {
        ownerThread == currentThreadToken() || ownerThread == ConfinementGate.anyThread
    }

    /// Whether the caller runs on the executor of the actor that owns the realm. Asked if no
    /// thread owns the realm; takes some nanoseconds and touches no reference count. False also
    /// if only the executor itself can decide.
    @inline(__always)
    var admitsActor: Bool { executor.map(isIdenticalToCurrentExecutor) ?? false }
}
