/// Finds values of one indexed column in the clusters that a write transaction dirty, which
/// the stored index does not describe.
///
/// Made with the first lookup of the transaction. Of each dirty cluster it knows one of three
/// things:
///
/// - the column is *as stored*: no row was added or removed and no value set, so the stored
///   index still describes it;
/// - it is *changed*: whoever looks a value up has to scan it;
/// - it is *hashed*: a table says which values it has, or had when it was hashed last.
///
/// To hash a cluster costs as much as some dozen scans of its column, and its next change makes
/// that void. So a changed cluster is scanned by the next ``scansBeforeHashing`` lookups and
/// hashed by the one after: however changes and lookups alternate, that costs at most about
/// twice what the best choice would have, and clusters that stay as they are cost nothing.
///
/// A cluster that is hashed or as stored says so when the column changes (``ClusterWatch``).
/// For that, its column's `isWritten` is false until the next value is set: only written
/// columns are written in place, past everybody.
final class DirtyIndex {
    let column: ColumnDefinition

    private enum State: Equatable {
        case asStored
        case hashed
        case changed(scans: UInt8)
    }

    /// By the clusters' ordinals; clusters behind the end are as stored.
    private var states: ContiguousArray<State> = []
    /// The ordinals of the changed clusters.
    private var changed: ContiguousArray<Int32> = []
    /// The hashed clusters that have a value, by its hash. Values that a cluster no longer has
    /// may stay behind.
    private var places: [UInt64: Places] = [:]
    /// How many clusters lookups were told to scan, and how many rows were hashed. For tests of
    /// the work that lookups do.
    private(set) var work = LookupWork()

    static let scansBeforeHashing: UInt8 = 16

    private enum Places {
        case one(Int32)
        case several(Set<Int32>)
    }

    init(_ column: ColumnDefinition) { self.column = column }

    /// Notes that rows or values of the column changed. O(1).
    func note(_ ordinal: Int32) {
        while states.count <= Int(ordinal) { states.append(.asStored) }
        if case .changed = states[Int(ordinal)] { return }
        states[Int(ordinal)] = .changed(scans: 0)
        changed.append(ordinal)
    }

    /// Adds the ordinals of the clusters that are not as stored and may have one of some
    /// values. O(changed clusters + values + found).
    func find(_ values: [ScanValue], in table: MutableTable, _ found: inout Set<Int32>) {
        var stillChanged: ContiguousArray<Int32> = []
        for ordinal in changed {
            let cluster = table.dirty[Int(ordinal)]
            guard case .changed(let scans) = states[Int(ordinal)], cluster.count > 0 else {
                // Emptied: it is no longer part of the table.
                states[Int(ordinal)] = .hashed
                continue
            }
            if scans < Self.scansBeforeHashing {
                states[Int(ordinal)] = .changed(scans: scans + 1)
                stillChanged.append(ordinal)
                found.insert(ordinal)
                work.scannedClusters += 1
            } else {
                hash(cluster, ordinal, of: table)
                states[Int(ordinal)] = .hashed
            }
        }
        changed = stillChanged
        for value in values {
            switch places[Self.hash(of: value)] {
            case nil: continue
            case .one(let ordinal): insert(ordinal, &found)
            case .several(let ordinals): for ordinal in ordinals { insert(ordinal, &found) }
            }
        }
    }

    private func insert(_ ordinal: Int32, _ found: inout Set<Int32>) {
        // The changed ones are found already.
        guard states[Int(ordinal)] == .hashed, found.insert(ordinal).inserted else { return }
        work.scannedClusters += 1
    }

    // MARK: Hashing

    private func hash(_ cluster: MutableCluster, _ ordinal: Int32, of table: MutableTable) {
        cluster.watchNextValue(column.id.position)
        var hashes = ContiguousArray<UInt64>()
        hashes.reserveCapacity(cluster.count)
        for row in 0..<cluster.count { hashes.append(hash(row, of: cluster, table)) }
        hashes.sort()
        work.hashedRows += hashes.count
        var previous: UInt64?
        for hash in hashes where hash != previous {
            previous = hash
            switch places[hash] {
            case nil: places[hash] = .one(ordinal)
            case .one(let known): if known != ordinal { places[hash] = .several([known, ordinal]) }
            case .several(let known):
                if known.contains(ordinal) { continue }
                // Taken out meanwhile, so that the set is changed where it is.
                guard case .several(var set)? = places.removeValue(forKey: hash) else { continue }
                set.insert(ordinal)
                places[hash] = .several(set)
            }
        }
    }

    private static let hashOfNull = hash(of: IndexKey.null)

    /// Equal for equal values, as ``hash(of:)-(ScanValue)`` says it of the value.
    private func hash(_ row: Int, of cluster: ClusterView, _ table: MutableTable) -> UInt64 {
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return Self.hashOfNull }
        switch column.type {
        case .integer, .link: return Self.mix(UInt64(bitPattern: view.integer(at: row)))
        case .text, .bytes: return table.withBytes(cluster, column.id, row) { Checksum.xxh64($0) }
        default: return Self.hash(of: IndexKey(column, in: cluster, row: row, of: table))
        }
    }

    private static func hash(of value: ScanValue) -> UInt64 {
        switch value {
        case .integer(let integer): mix(UInt64(bitPattern: integer))
        case .link(let key): mix(UInt64(bitPattern: key.rawValue))
        case .text(let bytes), .bytes(let bytes): bytes.withUnsafeBytes { Checksum.xxh64($0) }
        default: hash(of: value.indexKey)
        }
    }

    private static func hash(of key: IndexKey) -> UInt64 {
        key.bytes.withUnsafeBytes { Checksum.xxh64($0) }
    }

    /// Dictionaries hash their keys again, so this need only tell values apart.
    private static func mix(_ value: UInt64) -> UInt64 { value }
}

/// What lookups in the dirty clusters of a table cost.
package struct LookupWork: Equatable, Sendable {
    package var scannedClusters = 0
    package var hashedRows = 0
}

/// Tells the dirty indexes of one table which of its clusters change. Known to each dirty
/// cluster from the first lookup on.
final class ClusterWatch {
    /// By the column's position.
    private var indexes: ContiguousArray<DirtyIndex?>
    private(set) var all: ContiguousArray<DirtyIndex> = []

    init(columnCount: Int) { indexes = .init(repeating: nil, count: columnCount) }

    func index(of column: ColumnID) -> DirtyIndex? { indexes[column.position] }

    func add(_ index: DirtyIndex) {
        indexes[index.column.id.position] = index
        all.append(index)
    }

    func valueChanged(_ position: Int, ordinal: Int32) { indexes[position]?.note(ordinal) }

    func rowsChanged(ordinal: Int32) {
        for index in all { index.note(ordinal) }
    }
}
