extension CommitWriter {
    /// Writes a table's index changes: the difference between the stored and the current state
    /// of its dirty clusters. So setting a value costs nothing for its index, a value set twice
    /// counts once, and the index cannot drift from the rows.
    func writeIndexes(of table: MutableTable, added: Set<ColumnID>) throws(StorageError) {
        for column in table.definition.indexedColumns {
            var changes = IndexChanges()
            if column.countsBacklinks {
                changes = try table.backlinkChanges(of: column)
            } else if column.isFullText {
                wordChanges(of: column, table, isNew: added.contains(column.id), into: &changes)
            } else if added.contains(column.id) {
                changes.reserve(table.count)
                for index in 0..<table.clusterCount {
                    Self.appendAll(column, table.cluster(at: index), table, to: &changes)
                }
            } else {
                difference(of: column, table, into: &changes)
            }
            if changes.isEmpty { continue }
            changes.finish()
            var writer = try IndexWriter(
                transaction, table.id, column.id, keysPerEntry: writeSet.layout.keysPerIndexEntry,
                path: path)
            try writer.apply(changes)
        }
    }

    private func difference(
        of column: ColumnDefinition, _ table: MutableTable, into changes: inout IndexChanges
    ) {
        let (replaced, current) = changedClusters(of: column, table)
        guard !replaced.isEmpty, let base = table.base else {
            for cluster in current { Self.appendAll(column, cluster, table, to: &changes) }
            return
        }
        // If no row was added or removed, the rows of the old and the new cluster correspond
        // one to one. Everything is done in key order.
        let paired = Set(current.lazy.filter { !$0.membershipChanged }.map(\.firstKey))
            .intersection(replaced.map(\.firstKey))
        var (oldStart, newStart) = (0, 0)
        for (index, cluster) in current.enumerated() where paired.contains(cluster.firstKey) {
            guard
                let oldIndex = replaced[oldStart...].firstIndex(where: {
                    $0.firstKey == cluster.firstKey
                })
            else { continue }
            difference(
                of: column, replaced[oldStart..<oldIndex], base, current[newStart..<index], table,
                into: &changes)
            Self.appendDifference(column, replaced[oldIndex], base, cluster, table, to: &changes)
            (oldStart, newStart) = (oldIndex + 1, index + 1)
        }
        difference(
            of: column, replaced[oldStart...], base, current[newStart...], table, into: &changes)
    }

    private func difference(
        of column: ColumnDefinition, _ replaced: ArraySlice<ClusterView>, _ base: TableView,
        _ current: ArraySlice<MutableCluster>, _ table: MutableTable,
        into changes: inout IndexChanges
    ) {
        Self.walk(column, replaced, base, current, table) { before, after in
            if let before, let after,
                Self.isSame(
                    column, before.cluster, before.row, before.table, after.cluster, after.row,
                    after.table)
            {
                return
            }
            if let before {
                Self.append(
                    column, before.cluster, before.row, before.table, isRemoval: true, to: &changes)
            }
            if let after {
                Self.append(
                    column, after.cluster, after.row, after.table, isRemoval: false, to: &changes)
            }
        }
    }

    /// As ``difference(of:_:into:)``, for words.
    private func wordChanges(
        of column: ColumnDefinition, _ table: MutableTable, isNew: Bool,
        into changes: inout IndexChanges
    ) {
        let indexer = FullTextIndexer(column)
        func addAll(_ cluster: ClusterView) {
            for row in 0..<cluster.count {
                indexer.change(
                    from: nil, to: IndexedRow(cluster: cluster, row: row, table: table),
                    rowKey: cluster.key(at: row).rawValue, &changes)
            }
        }
        if isNew {
            for index in 0..<table.clusterCount { addAll(table.cluster(at: index)) }
            return
        }
        let (replaced, current) = changedClusters(of: column, table)
        guard !replaced.isEmpty, let base = table.base else { return current.forEach(addAll) }
        Self.walk(column, replaced[...], base, current[...], table) { before, after in
            guard let key = (after ?? before).map({ $0.cluster.key(at: $0.row).rawValue }) else {
                return
            }
            indexer.change(from: before, to: after, rowKey: key, &changes)
        }
    }

    /// The stored clusters that the transaction replaced, and its dirty clusters, in key order.
    /// Omits those in which the column is unchanged.
    private func changedClusters(of column: ColumnDefinition, _ table: MutableTable) -> (
        replaced: [ClusterView], current: [MutableCluster]
    ) {
        func isUnchanged(_ cluster: MutableCluster) -> Bool {
            !cluster.membershipChanged && !cluster.isDirty(column.id.position)
        }
        let new = table.dirtyClusters
        let unchanged = Set(new.filter(isUnchanged).map(\.firstKey))
        let replaced = table.replaced.sorted().lazy.filter { !unchanged.contains($0) }.compactMap {
            firstKey in
            table.base.flatMap { base in
                base.cluster(covering: firstKey)
            }
        }
        return (
            Array(replaced), new.filter { !isUnchanged($0) }.sorted { $0.firstKey < $1.firstKey }
        )
    }

    /// Calls `body` with the stored and the current state of each row that was removed or
    /// added, or whose value may have changed, in ascending order of keys. Rows may have moved
    /// between clusters.
    @inline(__always)
    private static func walk(
        _ column: ColumnDefinition, _ replaced: ArraySlice<ClusterView>, _ base: TableView,
        _ current: ArraySlice<MutableCluster>, _ table: MutableTable,
        _ body: (_ before: IndexedRow?, _ after: IndexedRow?) -> Void
    ) {
        if replaced.isEmpty, current.isEmpty { return }
        var old = RowWalk(replaced)
        var now = RowWalk(current.map { $0 as ClusterView })
        while true {
            switch (old.key, now.key) {
            case (nil, nil): return
            case (let before?, let after?) where before == after:
                if now.isWritten(column.id.position) {
                    body(
                        IndexedRow(cluster: old.cluster, row: old.row, table: base),
                        IndexedRow(cluster: now.cluster, row: now.row, table: table))
                }
                old.advance()
                now.advance()
            case (let before?, let after) where after == nil || before < after.unsafelyUnwrapped:
                body(IndexedRow(cluster: old.cluster, row: old.row, table: base), nil)
                old.advance()
            default:
                body(nil, IndexedRow(cluster: now.cluster, row: now.row, table: table))
                now.advance()
            }
        }
    }

    /// Appends the difference of a cluster whose set of rows is unchanged.
    private static func appendDifference(
        _ column: ColumnDefinition, _ old: ClusterView, _ oldTable: TableView,
        _ new: MutableCluster, _ table: TableView, to changes: inout IndexChanges
    ) {
        let position = column.id.position
        guard new.isWritten(position) else { return }
        guard column.type.layout == .integers else {
            for row in 0..<new.count where !isSame(column, old, row, oldTable, new, row, table) {
                append(column, old, row, oldTable, isRemoval: true, to: &changes)
                append(column, new, row, table, isRemoval: false, to: &changes)
            }
            return
        }
        let (keys, before, after) = (new.columns[0], old.columns[position], new.columns[position])
        guard before.data == after.data, before.encoding == after.encoding,
            before.base == after.base
        else {
            func value(_ view: ColumnView, _ row: Int) -> Int64? {
                view.isNull(at: row) ? nil : view.integer(at: row)
            }
            for row in 0..<new.count {
                let (was, now) = (value(before, row), value(after, row))
                if was == now { continue }
                let key = keys.integer(at: row)
                if let was {
                    changes.append(integer: was, rowKey: key, isRemoval: true)
                } else {
                    changes.appendNull(rowKey: key, isRemoval: true)
                }
                if let now {
                    changes.append(integer: now, rowKey: key, isRemoval: false)
                } else {
                    changes.appendNull(rowKey: key, isRemoval: false)
                }
            }
            return
        }
        // The values are the same; only the nulls have changed.
        for start in stride(from: 0, to: new.count, by: 64) {
            let was = before.nulls.map { Bitmap.word($0, from: start, count: new.count) } ?? 0
            let now = after.nulls.map { Bitmap.word($0, from: start, count: new.count) } ?? 0
            Bitmap.forEachSet(in: was ^ now, from: start) { row in
                let (key, value) = (keys.integer(at: row), before.integer(at: row))
                let isLost = now &>> UInt64(truncatingIfNeeded: row &- start) & 1 != 0
                changes.append(integer: value, rowKey: key, isRemoval: isLost)
                changes.appendNull(rowKey: key, isRemoval: !isLost)
            }
        }
    }

    private static func isSame(
        _ column: ColumnDefinition, _ a: ClusterView, _ aRow: Int, _ aTable: TableView,
        _ b: ClusterView, _ bRow: Int, _ bTable: TableView
    ) -> Bool {
        let (old, new) = (a.columns[column.id.position], b.columns[column.id.position])
        let wasNull = old.isNull(at: aRow)
        guard wasNull == new.isNull(at: bRow) else { return false }
        if wasNull { return true }
        switch column.type.layout {
        case .integers: return old.integer(at: aRow) == new.integer(at: bRow)
        case .bits: return old.boolean(at: aRow) == new.boolean(at: bRow)
        case .heap where !old.isBlob(at: aRow) && !new.isBlob(at: bRow):
            return old.heapBytes(at: aRow).elementsEqual(new.heapBytes(at: bRow))
        default:
            return IndexKey(column, in: a, row: aRow, of: aTable).bytes
                == IndexKey(column, in: b, row: bRow, of: bTable).bytes
        }
    }

    private static func appendAll(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ table: TableView,
        to changes: inout IndexChanges
    ) {
        for row in 0..<cluster.count {
            append(column, cluster, row, table, isRemoval: false, to: &changes)
        }
    }

    private static func append(
        _ column: ColumnDefinition, _ cluster: ClusterView, _ row: Int, _ table: TableView,
        isRemoval: Bool, to changes: inout IndexChanges
    ) {
        let key = cluster.key(at: row).rawValue
        let view = cluster.columns[column.id.position]
        if view.isNull(at: row) { return changes.appendNull(rowKey: key, isRemoval: isRemoval) }
        if column.type.layout == .integers {
            return changes.append(integer: view.integer(at: row), rowKey: key, isRemoval: isRemoval)
        }
        if column.type.isVariableLength, !view.isBlob(at: row) {
            let text = view.heapBytes(at: row)
            if text.count <= IndexKey.longestWholeValue, !text.hasZero {
                return changes.append(plainText: text, rowKey: key, isRemoval: isRemoval)
            }
        }
        changes.append(
            IndexKey(column, in: cluster, row: row, of: table), rowKey: key, isRemoval: isRemoval)
    }
}

/// Walks the rows of some clusters in key order.
private struct RowWalk {
    private let clusters: ContiguousArray<ClusterView>
    private var index = -1
    private var keys = ColumnView.absent(count: 0, isNullable: false)
    private var count = 0
    private(set) var row = 0
    /// The key of the current row; nil after the last one.
    private(set) var key: Int64?

    init(_ clusters: some Sequence<ClusterView>) {
        self.clusters = ContiguousArray(clusters)
        nextCluster()
    }

    var cluster: ClusterView { clusters[index] }

    /// Whether the current row's value may differ from the stored one.
    func isWritten(_ position: Int) -> Bool {
        clusters[index].isDirty
            && unsafeDowncast(clusters[index], to: MutableCluster.self).isWritten(position)
    }

    @inline(__always)
    mutating func advance() {
        row &+= 1
        if row < count { key = keys.integer(at: row) } else { nextCluster() }
    }

    private mutating func nextCluster() {
        row = 0
        repeat { index += 1 } while index < clusters.count && clusters[index].count == 0
        guard index < clusters.count else {
            key = nil
            return
        }
        keys = clusters[index].columns[0]
        count = clusters[index].count
        key = keys.integer(at: 0)
    }
}
