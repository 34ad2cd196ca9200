import FreeholdStorage

/// What all persistent objects have in common: their place in a realm, or none while they are unmanaged.
///
/// The fields below are exempt from the exclusivity checks because the confinement gate is their exclusivity: they are
/// read and written on the realm's thread, queue or actor only (unmanaged objects belong to whoever made them).
open class ObjectBase {
    /// The realm; nil while the object is unmanaged.
    @exclusivity(unchecked) final var core: RealmCore?
    /// The object's class in that realm. Kept alive by `core`.
    @exclusivity(unchecked) final var binding: Unmanaged<ClassBinding>?
    /// The columns of the cluster that holds the row, valid while `generation` is the realm's.
    @exclusivity(unchecked) final var columns: UnsafeMutablePointer<ColumnView>?
    /// That cluster. Kept alive by the realm's current table view.
    @exclusivity(unchecked) final var cluster: Unmanaged<ClusterView>?
    @exclusivity(unchecked) final var row = 0
    @exclusivity(unchecked) final var key: Int64 = 0
    /// The realm's generation for which `columns` and `row` were found; 0 is never a realm's.
    @exclusivity(unchecked) final var generation: UInt64 = 0

    /// Whether `core` is set; what `Persisted` looks at first.
    @exclusivity(unchecked) @usableFromInline final var _managed = false

    public required init() {}
}

@available(*, unavailable, message: "Objects are confined to their realm's thread, queue or actor: freeze() them, or pass a ThreadSafeReference.")
extension ObjectBase: Sendable {}

extension ObjectBase {
    /// The gate and the relocation, in front of every read of a managed object: the view of a column, to be read at `row`.
    ///
    /// Costs a comparison of threads and one of generations while nothing changed.
    @inline(__always)
    final func columnForReading(_ position: Int) -> UnsafeMutablePointer<ColumnView> {
        let core = core.unsafelyUnwrapped
        if core.ownerThread != currentThreadToken() { core.checkConfinementSlowly(.read(object: self, columnPosition: position)) }
        if core.generation != generation { relocate(position) }
        return columns.unsafelyUnwrapped + position
    }

    /// Finds the row again after the realm moved on. Traps if the object was deleted or its realm invalidated.
    @inline(never)
    final func relocate(_ position: Int) {
        let core = core.unsafelyUnwrapped
        guard let place = core.locate(key, of: binding.unsafelyUnwrapped.takeUnretainedValue()) else {
            violation(.deletedObject(self, columnPosition: position))
        }
        columns = place.cluster.columns
        cluster = Unmanaged.passUnretained(place.cluster)
        row = place.row
        generation = core.generation
    }

    /// The gate in front of every write: the realm must be in a write transaction and the object alive. The row, writable.
    @inline(__always)
    final func rowForWriting(_ position: Int) -> MutableRow {
        let core = core.unsafelyUnwrapped
        if core.ownerThread != currentThreadToken() { core.checkConfinementSlowly(.write(object: self, columnPosition: position)) }
        guard let writeSet = core.writeSet else { violation(.writeOutsideTransaction(self, columnPosition: position)) }
        if core.generation != generation { relocate(position) }
        let cluster = cluster.unsafelyUnwrapped.takeUnretainedValue()
        if cluster.isMutable {
            let binding = binding.unsafelyUnwrapped.takeUnretainedValue()
            return MutableRow(table: binding.mutableTable(in: writeSet), cluster: unsafeDowncast(cluster, to: MutableCluster.self), row: row)
        }
        return makeRowMutable(position, writeSet)
    }

    @inline(never)
    private final func makeRowMutable(_ position: Int, _ writeSet: WriteSet) -> MutableRow {
        let core = core.unsafelyUnwrapped
        let table = binding.unsafelyUnwrapped.takeUnretainedValue().mutableTable(in: writeSet)
        guard let found = table.mutableRow(RowKey(rawValue: key)) else { violation(.deletedObject(self, columnPosition: position)) }
        core.noteLayoutChanges()
        relocate(position)
        return found
    }
}

extension ObjectBase {
    /// Whether the object belongs to a realm. Not an API: public because `Persisted` is inlined into its users.
    @inlinable @inline(__always)
    public final var _isManaged: Bool { _managed }
}
