/// Checks collections. Every node must exist exactly once, with the right checksum and counts.
/// Sets and the keys of maps must ascend. Links must lead to rows, and the backlinks must count
/// them correctly.
extension IntegrityCheck {
    /// Checks the collections of one column; returns the expected contents of its index.
    mutating func checkElements(
        of column: ColumnDefinition, _ kind: StoredCollectionKind, _ table: SnapshotTable
    ) throws(StorageError) -> IndexChanges {
        var links = LinkCounts()
        for index in 0..<table.clusterCount where !isFull {
            defer { progress?.add(CheckWork.elements) }
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count where !isFull {
                let cell = cluster.columns[column.id.position].heapBytes(at: row)
                let key = cluster.key(at: row).rawValue
                let name = "The collection \(table.definition.name).\(column.name) of row \(key)"
                guard !cell.isEmpty, checkCell(cell, of: column, row: key, kind, table, name) else {
                    continue
                }
                checkOrder(of: table.collection(of: column.id, kind, cluster, row: row), name)
                links.begin(key)
                try forEachLink(
                    in: table.collection(of: column.id, kind, cluster, row: row), column
                ) { links.add($0) }
                checkTargets(links, name)
                links.end(column)
            }
        }
        return links.finished()
    }

    /// Checks the links of a column of mixed values; returns the expected contents of its
    /// index.
    mutating func checkMixed(_ column: ColumnDefinition, _ table: SnapshotTable) -> IndexChanges {
        var links = LinkCounts()
        for index in 0..<table.clusterCount where !isFull {
            defer { progress?.add(CheckWork.elements) }
            let cluster = table.cluster(at: index)
            let view = cluster.columns[column.id.position]
            for row in 0..<cluster.count where view.encoding != .absent && !view.isNull(at: row) {
                let key = cluster.key(at: row).rawValue
                let name = "Property \(table.definition.name).\(column.name) of row \(key)"
                links.begin(key)
                let isSound = table.withBytes(cluster, column.id, row) { bytes in
                    MixedValue.forEachLink(in: bytes) { links.add($0) }
                    return MixedValue(decoding: bytes) != nil
                }
                if !isSound { report("\(name): its mixed value is damaged.") }
                checkTargets(links, name)
                links.end(column)
            }
        }
        return links.finished()
    }

    /// Counts the links of one row at a time.
    struct LinkCounts: ~Copyable {
        private var changes = IndexChanges()
        private(set) var counts: [LinkTarget: UInt32] = [:]
        private var row: Int64 = 0

        mutating func begin(_ row: Int64) {
            self.row = row
            counts.removeAll(keepingCapacity: true)
        }

        mutating func add(_ target: LinkTarget) { counts[target, default: 0] += 1 }

        /// The expected contents of the index.
        consuming func finished() -> IndexChanges { changes }

        mutating func end(_ column: ColumnDefinition) {
            guard column.countsBacklinks else { return }
            for (target, count) in counts {
                for occurrence in 0..<count {
                    changes.append(
                        .link(target, occurrence: occurrence, of: column), rowKey: row,
                        isRemoval: false)
                }
            }
        }
    }

    private func forEachLink(
        in elements: StoredCollection, _ column: ColumnDefinition, _ body: (LinkTarget) -> Void
    ) throws(StorageError) {
        guard elements.kind.carriesLinks else { return }
        elements.forEachLeaf { leaf in
            for element in 0..<leaf.count where !leaf.values.isNull(at: element) {
                if let target = column.target {
                    body(LinkTarget(table: target, key: leaf.values.integer(at: element)))
                } else {
                    MixedValue.forEachLink(in: leaf.values.heapBytes(at: element), body)
                }
            }
            return true
        }
    }

    private mutating func checkTargets(_ links: borrowing LinkCounts, _ name: String) {
        for target in links.counts.keys
        where snapshot.catalog[target.table] == nil
            || !snapshot.table(target.table).contains(RowKey(rawValue: target.key))
        {
            report(
                """
                \(name) links to row \(target.key) of table \(target.table.rawValue), \
                which does not exist.
                """)
        }
    }

    // MARK: Nodes

    /// Whether the collection can be walked.
    private mutating func checkCell(
        _ cell: UnsafeRawBufferPointer, of column: ColumnDefinition, row: Int64,
        _ kind: StoredCollectionKind, _ table: SnapshotTable, _ name: String
    ) -> Bool {
        do {
            switch try CollectionCell(decoding: cell) {
            case .empty: break
            case .leaf(let bytes):
                return try checkLeaf(
                    bytes, count: nil, kind,
                    seed: CollectionLeaf.seed(
                        table.id, column.id, rowKey: row, CollectionLeaf.cellNode), name)
            case .tree(let root):
                var seen: Set<UInt32> = []
                return try checkNode(
                    root.node, height: root.height, count: root.count, below: root.nextNode,
                    of: column, row: row, kind, table, &seen, name)
            }
        } catch {
            report("\(name): \(error.reason).")
            return false
        }
        return true
    }

    private mutating func checkLeaf(
        _ bytes: UnsafeRawBufferPointer, count: Int?, _ kind: StoredCollectionKind, seed: UInt64,
        _ name: String
    ) throws(StoredColumn.Defect) -> Bool {
        let leaf = try CollectionLeaf(decoding: bytes, start: 0, kind: kind)
        guard CollectionLeaf.hasRightChecksum(bytes, kind, seed: seed) else {
            report("\(name): the checksum does not match.")
            return false
        }
        if let count, leaf.count != count {
            report("\(name): \(leaf.count) elements instead of \(count).")
            return false
        }
        let before = problems.count
        if kind.type.isVariableLength {
            checkHeap(leaf.values, leaf.count, isText: kind.type == .text, name)
        }
        if kind.shape == .map { checkHeap(leaf.keys, leaf.count, isText: true, name) }
        if !kind.isNullable, leaf.values.nulls != nil {
            report("\(name): nulls in a collection that has none.")
        }
        if kind.type == .mixed {
            for element in 0..<leaf.count
            where !leaf.values.isNull(at: element)
                && MixedValue(decoding: leaf.values.heapBytes(at: element)) == nil
            { report("\(name): the mixed value at \(element) is damaged.") }
        }
        return problems.count == before
    }

    private mutating func checkNode(
        _ number: UInt32, height: Int, count: Int, below limit: UInt32, of column: ColumnDefinition,
        row: Int64, _ kind: StoredCollectionKind,
        _ table: SnapshotTable, _ seen: inout Set<UInt32>, _ name: String
    ) throws(StoredColumn.Defect) -> Bool {
        guard seen.insert(number).inserted, number < limit else {
            report("\(name): node \(number) is there twice, or was never made.")
            return false
        }
        guard let bytes = table.node(number, column.id, row: row) else {
            throw StoredColumn.Defect(reason: "node \(number) is missing")
        }
        nodeCount += 1
        let seed = CollectionLeaf.seed(table.id, column.id, rowKey: row, number)
        if height == 0 {
            return try checkLeaf(bytes, count: count, kind, seed: seed, "\(name), node \(number)")
        }
        let branch = try CollectionBranch(decoding: bytes, height: height)
        guard branch.hasRightChecksum(seed: seed) else {
            report("\(name), node \(number): the checksum does not match.")
            return false
        }
        guard branch.end(branch.count - 1) == count else {
            report(
                """
                \(name), node \(number): \(branch.end(branch.count - 1)) elements instead \
                of \(count).
                """)
            return false
        }
        for child in 0..<branch.count {
            let childCount = branch.end(child) - branch.start(child)
            guard childCount > 0 else {
                report("\(name), node \(number): child \(child) has \(childCount) elements.")
                return false
            }
            let isSound = try checkNode(
                branch.node(child), height: height - 1, count: childCount, below: limit, of: column,
                row: row, kind, table, &seen, name)
            if !isSound { return false }
        }
        return true
    }

    /// Checks that sets and the keys of maps ascend.
    private mutating func checkOrder(of elements: StoredCollection, _ name: String) {
        let kind = elements.kind
        guard kind.shape != .list else { return }
        var previous: CollectionLeaf?
        var problem: Int?
        elements.forEachLeaf { leaf in
            for element in 0..<leaf.count {
                defer { previous = leaf }
                let (before, row) =
                    element > 0
                    ? (leaf, element - 1) : (previous ?? leaf, (previous?.count ?? 0) - 1)
                if row >= 0, !Self.ascends(before, row, leaf, element, kind) {
                    problem = leaf.start + element
                    return false
                }
            }
            return true
        }
        if let problem { report("\(name): element \(problem) is not above the one before it.") }
    }

    private static func ascends(
        _ before: CollectionLeaf, _ row: Int, _ leaf: CollectionLeaf, _ element: Int,
        _ kind: StoredCollectionKind
    ) -> Bool {
        if kind.shape == .map {
            return ElementOrder.compare(
                before.keys.heapBytes(at: row), leaf.keys.heapBytes(at: element)) < 0
        }
        if kind.type == .mixed {
            func value(_ view: ColumnView, _ row: Int) -> MixedValue? {
                view.isNull(at: row) ? nil : MixedValue(decoding: view.heapBytes(at: row))
            }
            return MixedValue.compare(value(before.values, row), value(leaf.values, element)) < 0
        }
        return ElementOrder.compare(
            before.values, row, kind.type, with: ScanValue(leaf.values, element, kind.type)) < 0
    }

    // MARK: What belongs to nothing

    mutating func checkStrayNodes() throws(StorageError) {
        var stored = 0
        var nodes = try snapshot.transaction.cursor(.elements)
        while let entry = try nodes.next() {
            guard entry.key.count == 18 else {
                return report("A node's key has \(entry.key.count) bytes.")
            }
            stored += 1
            progress?.add()
        }
        if stored != nodeCount { report("\(stored - nodeCount) nodes belong to no collection.") }
    }
}
