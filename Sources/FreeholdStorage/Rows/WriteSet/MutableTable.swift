/// One table inside an open write transaction: the base snapshot's table, with the clusters
/// that the transaction touched in place of the stored ones.
///
/// As long as nothing is touched, everything is the base's. The first change copies the
/// directory (two arrays) and opens an array of clusters beside it, in which nil stands for "as
/// stored".
package final class MutableTable: TableView, @unchecked Sendable {
    // Sendable: never leaves its transaction.

    private unowned let writeSet: WriteSet
    let counters: ChangeCounters
    let base: TableView?
    let layout: StorageLayout
    /// Parallel to the directory; empty while nothing is touched. Owned by `touched`, by
    /// `widenedClusters` or by the base: a transaction that touches one cluster of thousands
    /// should not visit each of the others when it ends.
    private var clusters: ContiguousArray<Unmanaged<ClusterView>?> = []
    /// The touched clusters in the order in which they were first touched, those that were
    /// emptied since included.
    private(set) var touched: ContiguousArray<MutableCluster> = []
    /// Those of `touched` that are not sealed.
    private var unsealed: ContiguousArray<MutableCluster> = []
    /// Knows the clusters' changes, once a value was looked up in an indexed column.
    var watch: ClusterWatch?
    /// Stored clusters with views of columns that this transaction added.
    private var widenedClusters: ContiguousArray<ClusterView> = []
    /// First keys of the stored clusters that were touched or removed.
    private(set) var replaced: ContiguousArray<Int64> = []
    /// Changed blobs; nil means deleted.
    private(set) var blobs: [CellPlace: ContiguousArray<UInt8>?] = [:]
    /// Collections that were changed, or are about to be.
    private(set) var trees: [CellPlace: ElementTree] = [:]
    /// Those of `trees` that are not sealed.
    private var unsealedTrees: ContiguousArray<ElementTree> = []
    /// Collections of deleted rows that have nodes.
    private(set) var droppedTrees: Set<CellPlace> = []
    /// Links that came and went, by column; of columns whose backlinks are counted.
    private(set) var linkLogs: [ColumnID: BacklinkLog] = [:]
    /// Primary keys of rows added in this transaction, by value, where the primary key is not
    /// the row key.
    private var addedPrimaryKeys: [IndexKey: Int64] = [:]
    /// Above every row key ever used, but for the greatest integer.
    private(set) var nextKey: Int64
    /// `nextKey` before the first of the transactions that are not stored.
    private let storedNextKey: Int64
    private var isOpened: Bool

    /// Columns that the transaction took out of the table, in ascending order of their ids.
    var retired: [ColumnDefinition]

    struct CellPlace: Hashable, Comparable {
        let column: ColumnID
        let rowKey: Int64

        static func < (a: CellPlace, b: CellPlace) -> Bool {
            (a.column, a.rowKey) < (b.column, b.rowKey)
        }
    }

    init(
        _ definition: TableDefinition, retired: [ColumnDefinition] = [], base: TableView?,
        nextKey: Int64, writeSet: WriteSet, layout: StorageLayout
    ) {
        self.retired = retired
        self.writeSet = writeSet
        counters = writeSet.counters
        self.base = base
        self.layout = layout
        self.nextKey = nextKey
        storedNextKey = nextKey
        isOpened = base == nil
        let kinds =
            base.flatMap { $0.definition == definition ? $0.kinds : nil }
            ?? ColumnKinds(definition, retired: retired)
        super.init(
            definition: definition, directory: base?.directory ?? ClusterDirectory(), kinds: kinds)
        // The base's clusters have no views of columns that this transaction added.
        if let base, base.definition.nextColumnID < definition.nextColumnID { open() }
    }

    /// Goes on from the table of another write set, which is sealed. O(1) until the first change.
    init(continuing other: MutableTable, in writeSet: WriteSet) {
        self.writeSet = writeSet
        counters = writeSet.counters
        base = other.base
        retired = other.retired
        layout = other.layout
        clusters = other.clusters
        widenedClusters = other.widenedClusters
        touched = other.touched
        replaced = other.replaced
        blobs = other.blobs
        trees = other.trees
        droppedTrees = other.droppedTrees
        linkLogs = other.linkLogs
        addedPrimaryKeys = other.addedPrimaryKeys
        nextKey = other.nextKey
        storedNextKey = other.storedNextKey
        isOpened = other.isOpened
        super.init(definition: other.definition, directory: other.directory, kinds: other.kinds)
    }

    /// Seals every cluster and collection. O(what was touched since the last time).
    func seal() {
        for cluster in unsealed { cluster.seal() }
        unsealed = []
        for tree in unsealedTrees { tree.seal() }
        unsealedTrees = []
    }

    // MARK: TableView

    override package func cluster(at index: Int) -> ClusterView {
        guard isOpened else { return base.unsafelyUnwrapped.cluster(at: index) }
        if let cluster = clusters[index] { return cluster.takeUnretainedValue() }
        return storedCluster(at: index)
    }

    override func unsafeClusterAtHand(_ index: Int) -> Unmanaged<ClusterView>? {
        isOpened ? clusters[index] : base.unsafelyUnwrapped.unsafeClusterAtHand(index)
    }

    /// The stored cluster that still stands at a position.
    private func storedCluster(at index: Int) -> ClusterView {
        guard let base,
            let stored = base.directory.clusterIndex(covering: directory.firstKeys[index])
        else {
            preconditionFailure("a cluster that is not in the write set is in the base")
        }
        var cluster = base.cluster(at: stored)
        if cluster.columnCount < kinds.count {
            cluster = widened(cluster)
            widenedClusters.append(cluster)
        }
        clusters[index] = .passUnretained(cluster)
        return cluster
    }

    /// The cluster with a view of every column of this table: absent, where the stored cluster
    /// is older than the column.
    private func widened(_ stored: ClusterView) -> ClusterView {
        let wide = ClusterView(
            firstKey: stored.firstKey, count: stored.count, columnCount: kinds.count,
            isMutable: false)
        for (position, kind) in kinds.byPosition.enumerated() {
            wide.columns[position] =
                position < stored.columnCount
                ? stored.columns[position]
                : .absent(count: stored.count, isNullable: kind?.isNullable ?? false)
        }
        wide.storesRemovedColumns = stored.storesRemovedColumns
        wide.storedColumnCount = stored.storedColumnCount
        return wide
    }

    override package func isTouched(clusterAt index: Int) -> Bool {
        isOpened && (clusters[index]?._withUnsafeGuaranteedRef(\.isTouched) ?? false)
    }

    override package var isTouched: Bool { !touched.isEmpty }

    override func changedClusters(mayHold lookups: [ScanLookup]) -> ContiguousArray<Int>? {
        findChangedClusters(mayHold: lookups)
    }

    override package func index(of column: ColumnID) -> IndexReader? {
        // An index that this transaction adds does not exist yet.
        base.flatMap { $0.index(of: column) }
    }

    override func fullTextIndex(of column: ColumnID) -> IndexReader? {
        base.flatMap { $0.fullTextIndex(of: column) }
    }

    override func node(_ number: UInt32, _ column: ColumnID, row: Int64) -> UnsafeRawBufferPointer?
    { base?.node(number, column, row: row) }

    override func changedElements(of column: ColumnID, row: Int64) -> ElementTree? {
        trees.isEmpty ? nil : trees[CellPlace(column: column, rowKey: row)]
    }

    override var hasChangedElements: Bool { !trees.isEmpty }

    override func changedBacklinks(of column: ColumnID, to target: LinkTarget) -> [Int64: Int] {
        linkLogs[column]?.sums(of: target) ?? [:]
    }

    override package func verifyChecksums(of column: ColumnID, key: RowKey) -> Bool {
        base?.verifyChecksums(of: column, key: key) ?? true
    }

    override func noteDamage(_ error: StorageError) { writeSet.base.noteDamage(error) }

    override var path: String { writeSet.base.transaction.environment.path }

    override package func withBlob<Result>(
        column: ColumnID, key: RowKey, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if let changed = blobs[CellPlace(column: column, rowKey: key.rawValue)] {
            return (changed ?? []).withUnsafeBytes(body)
        }
        guard let base else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return base.withBlob(column: column, key: key, body)
    }

    // MARK: Clusters

    private func open() {
        guard !isOpened else { return }
        isOpened = true
        clusters = .init(repeating: nil, count: directory.clusterCount)
    }

    /// The cluster at a position, writable. Bumps the layout generation when that is new.
    func mutableCluster(at index: Int) -> MutableCluster {
        open()
        let old = cluster(at: index)
        if old.isMutable { return unsafeDowncast(old, to: MutableCluster.self) }
        let new: MutableCluster
        if old.isTouched {
            new = MutableCluster(continuing: unsafeDowncast(old, to: MutableCluster.self))
            touched[Int(new.ordinal)] = new
            unsealed.append(new)
            if let watch { new.beWatched(by: watch) }
        } else {
            new = MutableCluster(old, kinds: kinds, capacity: layout.rowsPerCluster)
            replaced.append(old.firstKey)
            appendTouched(new)
        }
        clusters[index] = .passUnretained(new)
        counters.layout &+= 1
        return new
    }

    private func insert(_ cluster: MutableCluster, at index: Int) {
        directory.insert(firstKey: cluster.firstKey, count: cluster.count, at: index)
        clusters.insert(.passUnretained(cluster), at: index)
        appendTouched(cluster)
    }

    private func appendTouched(_ cluster: MutableCluster) {
        cluster.ordinal = Int32(touched.count)
        if let watch { cluster.beWatched(by: watch) }
        touched.append(cluster)
        unsealed.append(cluster)
    }

    private func removeCluster(at index: Int) {
        directory.remove(at: index)
        clusters.remove(at: index)
    }

    // MARK: Adding rows

    /// A key above all that the table ever used (tables whose primary key is not the row key).
    package func nextRowKey() -> RowKey { RowKey(rawValue: nextKey) }

    /// A positive key above all that the table ever used (tables whose primary key is the row
    /// key); nil where no key is left. O(1).
    ///
    /// Where the file is damaged there is always one, and no commit will succeed.
    package func nextPrimaryKey() -> RowKey? {
        let next = max(nextKey, 1)
        if next < TableFacts.greatestNextRowKey || writeSet.base.isDamaged {
            return RowKey(rawValue: next)
        }
        return nil
    }

    /// Adds a row whose columns are all null or zero. The key must not exist yet: where it
    /// does, the file is damaged, no commit will succeed any more, and the row that has it is
    /// answered. O(1) at the end of the table, else O(log clusters + rows of a cluster).
    package func insertRow(_ key: RowKey) -> MutableRow {
        open()
        counters.values &+= 1
        if key.rawValue >= nextKey { nextKey = max(key.rawValue &+ 1, key.rawValue) }
        let last = directory.clusterCount - 1
        if last >= 0, let tail = clusters[last]?.takeUnretainedValue(), tail.isMutable,
            tail.count > 0, tail.count < layout.rowsPerCluster,
            key.rawValue > tail.key(at: tail.count - 1).rawValue
        {
            let cluster = unsafeDowncast(tail, to: MutableCluster.self)
            return append(key, to: cluster, at: last)
        }
        return insertSlowly(key)
    }

    @inline(__always)
    private func append(_ key: RowKey, to cluster: MutableCluster, at index: Int) -> MutableRow {
        let row = cluster.count
        cluster.insertRow(key.rawValue, at: row)
        directory.setCount(cluster.count, at: index)
        return MutableRow(table: self, cluster: cluster, row: row)
    }

    @inline(never)
    private func insertSlowly(_ key: RowKey) -> MutableRow {
        guard directory.clusterCount > 0 else {
            insert(
                MutableCluster(
                    firstKey: key.rawValue, kinds: kinds, capacity: layout.rowsPerCluster), at: 0)
            return append(key, to: mutableCluster(at: 0), at: 0)
        }
        var index =
            directory.clusterIndex(covering: key.rawValue)
            ?? {
                lowerFirstKey(to: key.rawValue)
                return 0
            }()
        var cluster = cluster(at: index)
        var row = cluster.lowerBound(of: key.rawValue)
        if row < cluster.count, cluster.key(at: row) == key {
            return existingRow(key, clusterAt: index, row)
        }
        if cluster.count >= layout.rowsPerCluster {
            if row == cluster.count, index == directory.clusterCount - 1 {
                let new = MutableCluster(
                    firstKey: key.rawValue, kinds: kinds, capacity: layout.rowsPerCluster)
                insert(new, at: index + 1)
                return append(key, to: new, at: index + 1)
            }
            let lower = mutableCluster(at: index)
            let upper = lower.split(at: lower.count / 2)
            directory.setCount(lower.count, at: index)
            insert(upper, at: index + 1)
            if key.rawValue >= upper.firstKey { index += 1 }
            cluster = self.cluster(at: index)
            row = cluster.lowerBound(of: key.rawValue)
        }
        let target = mutableCluster(at: index)
        target.insertRow(key.rawValue, at: row)
        directory.setCount(target.count, at: index)
        counters.layout &+= 1
        return MutableRow(table: self, cluster: target, row: row)
    }

    /// A row whose key was to be new. Callers look first, or take a key that the table says it
    /// never used.
    private func existingRow(_ key: RowKey, clusterAt index: Int, _ row: Int) -> MutableRow {
        noteDamage(
            StorageError(
                .corrupted,
                """
                Table \(definition.name) gave the key \(key.rawValue) to a new row, and \
                has a row with it. Restore the file from a backup.
                """,
                path: path))
        return MutableRow(table: self, cluster: mutableCluster(at: index), row: row)
    }

    /// Makes the first cluster cover smaller keys. Its stored value moves to another key, so
    /// all of it is written.
    private func lowerFirstKey(to key: Int64) {
        let first = mutableCluster(at: 0)
        first.makeAllMutable()
        if first.columns[0].encoding == .sequence { first.makeMutable(0) }
        let count = first.count
        removeCluster(at: 0)
        first.firstKey = key
        directory.insert(firstKey: key, count: count, at: 0)
        clusters.insert(.passUnretained(first), at: 0)
    }

    /// Whether a row with this key exists. O(1) for keys above all others, else as
    /// ``TableView/contains(_:)``.
    package func hasRow(_ key: RowKey) -> Bool {
        if isOpened, let last = clusters.last, let tail = last?.takeUnretainedValue(),
            tail.count > 0, key.rawValue > tail.columns[0].integer(at: tail.count - 1)
        {
            return false
        }
        return contains(key)
    }

    /// Whether a row that does not exist may be one that was deleted since the stored version:
    /// it had the row, or the row may have been added since. O(log clusters).
    package func mayHaveDeleted(_ key: RowKey) -> Bool {
        definition.usesPrimaryKeyAsRowKey || key.rawValue >= storedNextKey
            || base?.contains(key) ?? false
    }

    // MARK: Primary keys

    /// The row of a primary key that is not the row key itself, in this transaction. One hash
    /// or index lookup.
    package func rowKey(forPrimaryKey value: IndexKey) throws(StorageError) -> RowKey? {
        if let added = addedPrimaryKeys[value], contains(RowKey(rawValue: added)) {
            return RowKey(rawValue: added)
        }
        guard let column = definition.primaryKey, let index = index(of: column) else { return nil }
        var keys: [Int64] = []
        try index.appendKeys(equalTo: value, to: &keys)
        // A row deleted in this transaction is still in the index; its key is not used again.
        return keys.lazy.map { RowKey(rawValue: $0) }.first { holds(value, column, $0) }
    }

    /// Registers the primary key of a row that this transaction added.
    package func notePrimaryKey(_ value: IndexKey, of key: RowKey) {
        addedPrimaryKeys[value] = key.rawValue
    }

    // MARK: Rows

    /// An existing row, made writable.
    package func mutableRow(_ key: RowKey) -> MutableRow? {
        guard let index = directory.clusterIndex(covering: key.rawValue) else { return nil }
        guard let row = cluster(at: index).row(of: key.rawValue) else { return nil }
        counters.values &+= 1
        return MutableRow(table: self, cluster: mutableCluster(at: index), row: row)
    }

    /// The columns that clusters have values of: those of the table and the retired ones.
    var storedColumns: [ColumnDefinition] {
        retired.isEmpty ? definition.columns : definition.columns + retired
    }

    /// A column of the table, or one that was retired.
    func storedColumn(_ id: ColumnID) -> ColumnDefinition? {
        definition[id] ?? retired.first { $0.id == id }
    }

    /// Makes the table give out keys above one. O(1).
    package func raiseNextKey(above key: Int64) {
        if key >= nextKey { nextKey = max(key &+ 1, key) }
    }

    func setBlob(_ value: ContiguousArray<UInt8>?, column: ColumnID, rowKey: Int64) {
        blobs[CellPlace(column: column, rowKey: rowKey)] = .some(value)
    }

    // MARK: Collections and links

    func keepTree(_ tree: ElementTree, at place: CellPlace) {
        trees[place] = tree
        unsealedTrees.append(tree)
    }

    /// Forgets a tree whose elements are in the row's cell. It was the last that was asked for,
    /// more likely than not.
    func dropTree(at place: CellPlace) {
        guard let tree = trees.removeValue(forKey: place) else { return }
        if let index = unsealedTrees.lastIndex(where: { $0 === tree }) {
            unsealedTrees.remove(at: index)
        }
    }

    func forgetTree(at place: CellPlace, hasNodes: Bool) {
        trees[place] = nil
        if hasNodes { droppedTrees.insert(place) }
    }

    /// Writes down that links of a row came or went.
    func noteLink(_ column: ColumnID, from row: Int64, to target: LinkTarget, _ change: Int) {
        linkLogs[column, default: BacklinkLog()].note(target, from: row, change)
    }

    // MARK: Deleting rows

    /// Deletes rows; keys without a row are ignored. Links to them become null. O(touched
    /// clusters + links).
    ///
    /// - Parameter areUnlinked: No row links to them any more: nobody looks for links, so it is
    ///   O(touched clusters of this table).
    package func deleteRows(_ keys: [Int64], areUnlinked: Bool = false) throws(StorageError) {
        guard !keys.isEmpty else { return }
        var keys = keys
        if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) { keys.sort() }
        if !areUnlinked { try writeSet.nullifyLinks(to: self, keys: keys) }
        if !retired.isEmpty { try writeSet.deleteRowsOwned(byRetiredColumnsOf: self, keys) }
        open()
        counters.values &+= 1
        counters.layout &+= 1
        var keeps = ContiguousArray<UInt8>(repeating: 1, count: layout.rowsPerCluster)
        var position = 0
        var emptied: [Int] = []
        while position < keys.count {
            guard let index = directory.clusterIndex(covering: keys[position]) else {
                position += 1
                continue
            }
            let end =
                index + 1 < directory.clusterCount ? directory.firstKeys[index + 1] : Int64.max
            let cluster = cluster(at: index)
            if keeps.count < cluster.count { keeps = .init(repeating: 1, count: cluster.count) }
            for row in 0..<cluster.count { keeps[row] = 1 }
            var kept = cluster.count
            let first = position
            while position < keys.count, position == first || keys[position] < end {
                if let row = cluster.row(of: keys[position]), keeps[row] != 0 {
                    keeps[row] = 0
                    kept -= 1
                }
                position += 1
            }
            if kept == cluster.count { continue }
            // In front of the blobs, in which mixed values have their links.
            if storedColumns.contains(where: { $0.elements != nil || $0.type == .mixed }) {
                dropElements(of: cluster, unless: keeps)
            }
            deleteBlobs(of: cluster, unless: keeps)
            let target = mutableCluster(at: index)
            keeps.withUnsafeBufferPointer {
                target.keepRows($0.baseAddress.unsafelyUnwrapped, keptCount: kept)
            }
            directory.setCount(kept, at: index)
            if kept == 0 { emptied.append(index) }
        }
        removeClusters(at: emptied)
    }

    /// Takes emptied clusters out, all in one pass.
    private func removeClusters(at indexes: [Int]) {
        guard !indexes.isEmpty else { return }
        var doomed = Set(indexes)
        var firstKeys = ContiguousArray<Int64>()
        var counts = ContiguousArray<Int32>()
        var kept = ContiguousArray<Unmanaged<ClusterView>?>()
        for index in 0..<directory.clusterCount where doomed.remove(index) == nil {
            firstKeys.append(directory.firstKeys[index])
            counts.append(directory.counts[index])
            kept.append(clusters[index])
        }
        directory = ClusterDirectory(firstKeys: firstKeys, counts: counts)
        clusters = kept
    }

    private func deleteBlobs(of cluster: ClusterView, unless keeps: ContiguousArray<UInt8>) {
        for column in storedColumns where column.type.isVariableLength {
            let view = cluster.columns[column.id.position]
            guard view.blobs != nil else { continue }
            for row in 0..<cluster.count where keeps[row] == 0 && view.isBlob(at: row) {
                setBlob(nil, column: column.id, rowKey: cluster.key(at: row).rawValue)
            }
        }
    }

    package func deleteAllRows() throws(StorageError) {
        var keys: [Int64] = []
        keys.reserveCapacity(count)
        for index in 0..<clusterCount {
            let cluster = cluster(at: index)
            for row in 0..<cluster.count { keys.append(cluster.key(at: row).rawValue) }
        }
        try deleteRows(keys)
    }

    /// Every touched cluster that still has rows, in order, for the commit. O(touched clusters
    /// log touched clusters).
    var touchedClusters: ContiguousArray<MutableCluster> {
        var standing = ContiguousArray(touched.lazy.filter { $0.count > 0 })
        standing.sort { $0.firstKey < $1.firstKey }
        return standing
    }

    var isChanged: Bool {
        !touched.isEmpty || !blobs.isEmpty || trees.values.contains(where: \.isChanged)
    }

    /// Whether rows or collections were changed after the fork, where the write set goes on
    /// from another one.
    var isChangedSinceFork: Bool { !unsealed.isEmpty || unsealedTrees.contains(where: \.isChanged) }
}
