/// The elements of one collection, at one version or in an open transaction.
///
/// Valid while the table view lives and, in a transaction, until the next change. In a
/// snapshot, any number of threads may read it.
package struct StoredCollection {
    private enum Root {
        case none
        case leaf(CollectionLeaf)
        case stored(CollectionRoot)
        case changed(CollectionNode)
    }

    private let root: Root
    /// Retained by the owner of the row's cluster.
    private let table: Unmanaged<TableView>
    package let kind: StoredCollectionKind
    private let column: ColumnID
    private let row: Int64
    /// The number of elements. O(1).
    package let count: Int

    /// Decodes a row's cell.
    init(
        decoding cell: UnsafeRawBufferPointer, of table: TableView, _ column: ColumnID, row: Int64,
        kind: StoredCollectionKind
    ) {
        self.table = .passUnretained(table)
        self.kind = kind
        self.column = column
        self.row = row
        do throws(StoredColumn.Defect) {
            switch try CollectionCell(decoding: cell) {
            case .empty:
                root = .none
                count = 0
            case .leaf(let bytes):
                let leaf = try CollectionLeaf(decoding: bytes, start: 0, kind: kind)
                root = .leaf(leaf)
                count = leaf.count
            case .tree(let stored):
                // Loops rely on this count.
                guard
                    try Self.count(ofNode: stored, of: table, column, row: row, kind: kind)
                        == stored.count
                else { throw StoredColumn.Defect(reason: "the root's count is damaged") }
                root = .stored(stored)
                count = stored.count
            }
        } catch {
            table.noteDamage(CollectionDamage.error(error.reason, table, column, row: row))
            root = .none
            count = 0
        }
    }

    private static func count(
        ofNode root: CollectionRoot, of table: TableView, _ column: ColumnID, row: Int64,
        kind: StoredCollectionKind
    ) throws(StoredColumn.Defect) -> Int {
        guard let bytes = table.node(root.node, column, row: row) else {
            throw StoredColumn.Defect(reason: "node \(root.node) is missing")
        }
        if root.height == 0 {
            return try CollectionLeaf(decoding: bytes, start: 0, kind: kind).count
        }
        let branch = try CollectionBranch(decoding: bytes, height: root.height)
        return branch.end(branch.count - 1)
    }

    /// Creates a view of the open transaction's tree.
    init(_ tree: MutableStoredCollection, of table: TableView) {
        self.table = .passUnretained(table)
        kind = tree.kind
        column = tree.column
        row = tree.row
        count = tree.count
        root = tree.root.map { .changed($0) } ?? .none
    }

    /// The leaf that contains the element at an index, which must be in `0 ..< count`. O(log
    /// n).
    ///
    /// Never fails: damage is remembered, and reads as zero or null.
    package func leaf(at index: Int) -> CollectionLeaf {
        switch root {
        case .none: return .empty
        case .leaf(let leaf): return leaf
        case .stored(let stored):
            return leaf(
                at: index, in: stored.node, height: stored.height, start: 0, count: stored.count)
        case .changed(var node):
            var start = 0
            while !node.isStub {
                if let cluster = node.leaf {
                    return CollectionLeaf(cluster, start: start, kind: kind)
                }
                let (child, offset) = node.child(at: index - start)
                start += offset
                node = node.children[child]
            }
            return leaf(
                at: index, in: node.number, height: node.height, start: start, count: node.count)
        }
    }

    /// Descends through stored nodes.
    private func leaf(at index: Int, in number: UInt32, height: Int, start: Int, count: Int)
        -> CollectionLeaf
    {
        var (number, height, start, count) = (number, height, start, count)
        return table._withUnsafeGuaranteedRef { table in
            do throws(StoredColumn.Defect) {
                while true {
                    guard let bytes = table.node(number, column, row: row) else {
                        throw StoredColumn.Defect(reason: "node \(number) is missing")
                    }
                    if height == 0 {
                        let leaf = try CollectionLeaf(decoding: bytes, start: start, kind: kind)
                        guard leaf.count == count else {
                            throw StoredColumn.Defect(
                                reason: "\(leaf.count) elements instead of \(count)")
                        }
                        return leaf
                    }
                    let branch = try CollectionBranch(decoding: bytes, height: height)
                    let child = branch.child(at: index - start)
                    let (offset, end) = (branch.start(child), branch.end(child))
                    guard offset >= 0, offset <= index - start, index - start < end, end <= count
                    else { throw StoredColumn.Defect(reason: "a branch's counts are damaged") }
                    number = branch.node(child)
                    start += offset
                    count = end - offset
                    height -= 1
                }
            } catch {
                table.noteDamage(CollectionDamage.error(error.reason, table, column, row: row))
                return CollectionLeaf(
                    values: .absent(count: count, isNullable: kind.isNullable),
                    keys: .absent(count: count, isNullable: false), start: start, count: count)
            }
        }
    }

    /// Calls `body` with each leaf in order, until it returns false. O(n).
    package func forEachLeaf(_ body: (CollectionLeaf) -> Bool) {
        var index = 0
        while index < count {
            let leaf = leaf(at: index)
            guard body(leaf) else { return }
            index = leaf.end
        }
    }
}

/// Damage found in a collection.
enum CollectionDamage {
    static func error(_ reason: String, _ table: TableView, _ column: ColumnID, row: Int64)
        -> StorageError
    {
        let name = table.definition[column]?.name ?? "\(column.rawValue)"
        return StorageError.damaged(
            "The collection \(table.definition.name).\(name) of row \(row) is damaged: \(reason).",
            path: table.path)
    }
}

extension TableView {
    /// A row's collection. O(1).
    package final func collection(of column: ColumnID, _ cluster: ClusterView, row: Int)
        -> StoredCollection
    {
        guard let kind = definition[column]?.collection else {
            preconditionFailure("column \(column.rawValue) has no collections")
        }
        return collection(of: column, kind, cluster, row: row)
    }

    /// A row's collection of a known kind. O(1).
    package final func collection(
        of column: ColumnID, _ kind: StoredCollectionKind, _ cluster: ClusterView, row: Int
    ) -> StoredCollection {
        let key = cluster.key(at: row).rawValue
        if let tree = changedCollection(of: column, row: key) {
            return StoredCollection(tree, of: self)
        }
        return StoredCollection(
            decoding: cluster.columns[column.position].heapBytes(at: row), of: self, column,
            row: key, kind: kind)
    }

    /// Returns an empty collection for a row that does not exist.
    package final func emptyCollection(
        of column: ColumnID, _ kind: StoredCollectionKind, row: Int64
    ) -> StoredCollection {
        StoredCollection(
            decoding: UnsafeRawBufferPointer(start: nil, count: 0), of: self, column, row: row,
            kind: kind)
    }

    /// A row's collection; nil without such a row.
    package final func collection(of column: ColumnID, key: RowKey) -> StoredCollection? {
        locate(key).map { collection(of: column, $0.cluster, row: $0.row) }
    }
}
