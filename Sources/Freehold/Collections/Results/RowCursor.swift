import FreeholdStorage

/// Walks over the rows that a collection held at the start, and hands out an accessor for each.
///
/// ## What it walks
/// A snapshot never changes, so over all objects of a class outside of a write transaction the
/// cursor walks the snapshot's clusters, which it keeps alive. Everywhere else it walks a list
/// of keys taken at the start, 8 bytes a row: the rows of a write transaction change under the
/// loop, and those of a query would have to be found again.
///
/// ## Where the accessors point
/// An accessor may point into a cluster only as long as the realm's generation is the one in
/// which that cluster was found.
/// - Over keys: while the generation stands, the next key is nearly always in the next row of
///   the same cluster, which one comparison confirms. When it moves (a cluster became mutable,
///   rows went, a transaction began), the key is looked up once and the walk goes on from
///   there; so updating every row costs a look-up a cluster, not one a row.
/// - Over clusters: when the generation moves, the realm no longer reads this snapshot as such.
///   The accessors then get the generation of the start, which is stale: they find their rows
///   by key when they are first used.
/// - A key without a row gives an accessor that reports `isInvalidated`. Where the row was not
///   deleted meanwhile, the file is damaged, which is remembered.
/// - When the realm is invalidated, that generation belongs to a past epoch, which makes all
///   further accessors invalid.
///
/// ## Reuse
/// The accessor handed out last is moved to the next row if nobody else holds it and the class
/// stores nothing but persisted properties: see ``AccessorReuse``.
@usableFromInline
struct RowCursor {
    private let core: RealmCore
    private let binding: ClassBinding
    /// What messages call the collection.
    private let name: StaticString
    /// What the walk is, where it is not over results.
    private let operation: String?
    /// Set to false by whoever hands the accessors to other threads.
    var reusesAccessors: Bool

    /// The table to walk cluster by cluster; nil when walking keys. Kept for the clusters,
    /// which it owns.
    private let table: TableView?
    /// What owns the table's memory.
    private let source: TableSource
    /// Says in reports that `source` is kept; nil in a frozen realm, which keeps it anyway.
    private let hold: ReaderPin?
    /// The keys to walk; empty when walking clusters.
    private let keys: ContiguousArray<Int64>
    /// The next cluster, or the next key.
    private var position = 0

    /// The cluster that `row` counts in.
    private var cluster: UnsafeClusterReference?
    private var row = -1
    /// How many rows that cluster has; only while walking clusters.
    private var rowCount = 0
    /// The realm's generation for which `cluster` and `row` were found.
    private var generation: UInt64
    /// The realm's generation at the start.
    private let birth: UInt64

    /// The accessor handed out last.
    private var accessor: ObjectBase?

    /// Begins a walk over what the collection holds now. O(1) over clusters, else what making
    /// the keys costs.
    init(_ state: ResultsState) {
        core = state.core
        binding = state.binding
        name = state.name
        operation = nil
        reusesAccessors = state.binding.schema.hasOnlyPersistedState
        source = core.source
        hold = core.iterationPin()
        if state.isWholeTable && core.uncommitted == nil {
            table = core.table(of: binding)
            keys = []
        } else {
            table = nil
            keys = state.keys()
        }
        generation = core.generation
        birth = generation
        findMissing()
    }

    /// Begins a walk over given rows.
    ///
    /// - Parameter operation: What it is, for diagnoses.
    init(_ keys: ContiguousArray<Int64>, of binding: ClassBinding, _ operation: String) {
        core = binding.core
        self.binding = binding
        name = "Results"
        self.operation = operation
        reusesAccessors = binding.schema.hasOnlyPersistedState
        source = core.source
        hold = core.iterationPin()
        table = nil
        self.keys = keys
        generation = core.generation
        birth = generation
        findMissing()
    }

    @usableFromInline
    mutating func next() -> ObjectBase? {
        core.checkConfinement(
            operation ?? "iteration over \(name)<\(binding.schema.className)>",
            of: binding.schema.className)
        return table == nil ? nextKey() : nextRow()
    }
}

// MARK: - Walking clusters

extension RowCursor {
    @inline(__always)
    private mutating func nextRow() -> ObjectBase? {
        row &+= 1
        if row >= rowCount && !enterNextCluster() { return nil }
        // Stale if the realm moved on since the start, which is as it should be.
        return place(at: row, cluster.unsafelyUnwrapped, generation: birth)
    }

    /// Goes to the first row of the next cluster that has one.
    @inline(never)
    private mutating func enterNextCluster() -> Bool {
        let table = table.unsafelyUnwrapped
        while position < table.clusterCount {
            let next = table.cluster(at: position)
            position += 1
            if next.count == 0 { continue }
            cluster = UnsafeClusterReference(next)
            row = 0
            rowCount = next.count
            return true
        }
        row = 0
        rowCount = 0
        return false
    }
}

// MARK: - Walking keys

extension RowCursor {
    @inline(__always)
    private mutating func nextKey() -> ObjectBase? {
        guard position < keys.count else { return nil }
        let key = keys[position]
        position &+= 1
        if core.generation == generation, let cluster {
            let next = row &+ 1
            let isNext = cluster.unmanaged._withUnsafeGuaranteedRef {
                $0.count > next && $0.unsafeColumns.pointee.integer(at: next) == key
            }
            if isNext {
                row = next
                return place(at: next, cluster, generation: generation)
            }
        }
        return find(key)
    }

    /// Looks a key up, first in the cluster at hand.
    @inline(never)
    private mutating func find(_ key: Int64) -> ObjectBase {
        if core.generation == generation, let cluster,
            let found = cluster.unmanaged.takeUnretainedValue().row(of: key)
        {
            row = found
            return place(at: found, cluster, generation: generation)
        }
        guard !core.isInvalidated(since: birth), let found = core.locate(key, of: binding) else {
            cluster = nil
            if !core.isInvalidated(since: birth), !mayBeDeleted(key) {
                core.noteMissingRow(key, of: binding)
            }
            let object = binding.makeDanglingAccessor(key: key, since: birth)
            accessor = object
            return object
        }
        let cluster = UnsafeClusterReference(found.cluster)
        self.cluster = cluster
        row = found.row
        generation = core.generation
        return place(at: found.row, cluster, generation: generation)
    }
}

// MARK: - Rows that are missing

extension RowCursor {
    /// Whether a row that is not there may have been deleted since the start. Where not, the
    /// file is damaged.
    private func mayBeDeleted(_ key: Int64) -> Bool {
        if core.generation == birth { return false }
        if let changes = source as? WriteSet {
            return changes.mutableTable(binding.table).mayHaveDeleted(RowKey(rawValue: key))
        }
        return source.table(binding.table).contains(RowKey(rawValue: key))
    }

    /// Looks all rows up in a transaction on a class whose program chooses the row keys: later,
    /// those that the transaction created and deleted could not be told from those that never
    /// were.
    private func findMissing() {
        guard core.uncommitted != nil, binding.usesPrimaryKeyAsRowKey else { return }
        let table = core.table(of: binding)
        var place: (cluster: ClusterView, row: Int)?
        for key in keys {
            if let known = place, known.row + 1 < known.cluster.count,
                known.cluster.key(at: known.row + 1).rawValue == key
            {
                place = (known.cluster, known.row + 1)
            } else {
                place = table.locate(RowKey(rawValue: key))
                if place == nil { return core.noteMissingRow(key, of: binding) }
            }
        }
    }
}

// MARK: - Accessors

extension RowCursor {
    /// The accessor of a row, which it takes to be there in the given generation of the realm.
    @inline(__always)
    private mutating func place(at row: Int, _ cluster: UnsafeClusterReference, generation: UInt64)
        -> ObjectBase
    {
        cluster.unmanaged._withUnsafeGuaranteedRef { view in
            let key = view.unsafeColumns.pointee.integer(at: row)
            if reusesAccessors, AccessorReuse.isUnshared(&accessor),
                !accessor.unsafelyUnwrapped.keepsCollections
            {
                let object = accessor.unsafelyUnwrapped
                object.columns = view.readyColumns
                object.cluster = cluster
                object.row = row
                object.key = key
                object.generation = generation
                return object
            }
            let object = binding.makeAccessor(key: key, cluster: view, row: row)
            object.generation = generation
            accessor = object
            return object
        }
    }
}
