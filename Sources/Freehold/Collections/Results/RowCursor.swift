import FreeholdStorage

/// Walks over the rows that a collection held at the start, and hands out an accessor for each.
///
/// ## What it walks
/// A snapshot never changes. So over all objects of a class outside of a write transaction, the
/// cursor walks the snapshot's clusters, which it keeps alive. Everywhere else it walks a list of
/// keys made at the start, 8 bytes a row. In a write transaction, rows change during the loop;
/// rows of a query would have to be found again.
///
/// ## Where the accessors point
/// An accessor may point into a cluster only as long as the realm's generation is the one in
/// which that cluster was found.
/// - Over keys: while the generation stays, the next key is nearly always in the next row of the
///   same cluster; one comparison confirms that. The generation moves when a cluster becomes
///   mutable, rows are removed, or a transaction begins. The cursor then looks the key up once
///   and continues from there, so updating every row costs a look-up a cluster, not one a row.
/// - Over clusters: once the generation moves, the realm does not read this snapshot as such. The
///   accessors then get the stale generation of the start, and find their rows by key on first
///   use.
/// - A key without a row gives an accessor that reports `isInvalidated`. If the row was not
///   deleted meanwhile, the file is damaged, and the store records that.
/// - If the realm is invalidated, that generation belongs to a past epoch, which makes all
///   further accessors invalid.
///
/// ## Reuse
/// The accessor handed out last is moved to the next row if nothing else refers to it and the
/// class stores only persisted properties: see ``AccessorReuse``.
@usableFromInline
struct RowCursor {
    private let core: RealmCore
    private let binding: ClassBinding
    /// The collection's name in messages.
    private let name: StaticString
    /// The walk's name in messages, if it is not over results.
    private let operation: String?
    /// Whether accessors may be reused. A caller that hands them to other threads sets it to
    /// false.
    var reusesAccessors: Bool

    /// The table to walk cluster by cluster; nil when walking keys. Owns the clusters.
    private let table: TableView?
    /// The owner of the table's memory.
    private let source: TableSource
    /// Reports that this cursor keeps the version; nil in a frozen realm, which keeps the version
    /// anyway.
    private let pin: ReaderPin?
    /// The keys to walk; empty when walking clusters.
    private let keys: ContiguousArray<Int64>
    /// The next cluster, or the next key.
    private var position = 0

    /// The cluster that contains `row`.
    private var cluster: UnsafeClusterReference?
    private var row = -1
    /// The number of rows of that cluster; only while walking clusters.
    private var rowCount = 0
    /// The realm's generation in which `cluster` and `row` were found.
    private var generation: UInt64
    /// The realm's generation at the start.
    private let birth: UInt64

    /// The accessor handed out last.
    private var accessor: ObjectBase?

    /// Begins a walk over what the collection holds at this moment. O(1) over clusters, else the
    /// cost of making the keys.
    init(_ state: ResultsState) {
        core = state.core
        binding = state.binding
        name = state.name
        operation = nil
        reusesAccessors = state.binding.schema.hasOnlyPersistedState
        source = core.source
        pin = core.iterationPin()
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
    /// - Parameter operation: The walk's name in messages.
    init(_ keys: ContiguousArray<Int64>, of binding: ClassBinding, _ operation: String) {
        core = binding.core
        self.binding = binding
        name = "Results"
        self.operation = operation
        reusesAccessors = binding.schema.hasOnlyPersistedState
        source = core.source
        pin = core.iterationPin()
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
        // If the realm has advanced since the start, the accessor must be stale.
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

    /// Looks up a key, first in the current cluster.
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
    /// Whether a missing row may have been deleted since the start. If not, the file is damaged.
    private func mayBeDeleted(_ key: Int64) -> Bool {
        if core.generation == birth { return false }
        if let changes = source as? WriteSet {
            return changes.mutableTable(binding.table).mayHaveDeleted(RowKey(rawValue: key))
        }
        return source.table(binding.table).contains(RowKey(rawValue: key))
    }

    /// Looks up all rows in a transaction on a class whose program chooses the row keys. Later,
    /// rows created and deleted in the transaction would look like rows that never existed.
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
    /// Returns the accessor of a row, which the caller has found in the given generation of the
    /// realm.
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
