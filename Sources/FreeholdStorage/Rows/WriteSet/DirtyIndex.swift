/// Finds values of one indexed column in a write transaction's dirty clusters, which the stored
/// index does not describe.
///
/// Created by the first look-up of the transaction. Each dirty cluster is in one of three
/// states:
///
/// - *as stored*: no row was added or removed and no value of the column set, so the stored
///   index still describes it;
/// - *changed*: look-ups must scan it;
/// - *hashed*: a table says which values it has, or had when it was last hashed.
///
/// Hashing a cluster costs as much as some dozen scans of its column, and its next change
/// invalidates the hash. So a changed cluster is scanned by the next ``scansBeforeHashing``
/// look-ups and hashed by the one after. However changes and look-ups alternate, that costs at
/// most about twice the optimum, and unchanged clusters cost nothing.
///
/// A cluster that is hashed or as stored reports the next change of the column
/// (``ClusterWatch``). For that, its column's `isWritten` is false until the next value is set:
/// only written columns are written in place, without a report.
final class DirtyIndex {
    let column: ColumnDefinition

    private enum State: Equatable {
        case asStored
        case hashed
        case changed(scans: UInt8)
    }

    /// By the clusters' ordinals; clusters past the end are as stored.
    private var states: ContiguousArray<State> = []
    /// The ordinals of the changed clusters.
    private var changed: ContiguousArray<Int32> = []
    /// The hashed clusters that have a value, by its hash. Entries of values that a cluster has
    /// lost may remain.
    private var places: [UInt64: Places] = [:]
    /// The number of clusters that look-ups had to scan, and of rows that were hashed. For
    /// tests of look-up cost.
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
                // Emptied, so it has left the table.
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
        // The changed ones have been found already.
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
                // Removed meanwhile, so that the set is changed in place.
                guard case .several(var set)? = places.removeValue(forKey: hash) else { continue }
                set.insert(ordinal)
                places[hash] = .several(set)
            }
        }
    }

    private static let hashOfNull = hash(of: IndexKey.null)

    /// The hash of a row's value: the same as ``hash(of:)-(ScanValue)`` of an equal value.
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

    /// The identity: dictionaries hash their keys anyway, so it only has to distinguish values.
    private static func mix(_ value: UInt64) -> UInt64 { value }
}

/// The cost of look-ups in the dirty clusters of a table.
package struct LookupWork: Equatable, Sendable {
    package var scannedClusters = 0
    package var hashedRows = 0
}

/// Reports changed clusters to the ``DirtyIndex``es of one table. Each dirty cluster refers
/// to it from the first look-up on.
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
