/// A collection that the open transaction changes: the stored tree, with dirty nodes in memory.
///
/// A B+ tree that reads a node when something below it changes. The leaves are clusters of a
/// single row type, so elements are set with a ``MutableRow`` and read with a ``ColumnView``,
/// like properties. Committing writes the changed nodes and the row's cell
/// (`MutableStoredCollection+Storing.swift`).
///
/// Every change is made here, and reports added and removed links to the backlinks.
package final class MutableStoredCollection {
    package let kind: StoredCollectionKind
    package let column: ColumnID
    /// The key of the row that contains the collection.
    let row: Int64
    /// Owns this tree while it may change. A frozen tree may outlive it.
    unowned(unsafe) let table: MutableTable
    let tableID: TableID
    let layout: StorageLayout
    /// Nil while the collection is empty.
    @exclusivity(unchecked) var root: CollectionNode?
    /// A number greater than that of every node so far.
    var nextNumber: UInt32
    /// Numbers of stored nodes that have left the tree.
    var removedNumbers: ContiguousArray<UInt32> = []
    /// Whether all stored nodes have left the tree, so that all are deleted.
    var isDetached = false
    private(set) var token = CollectionEditToken()
    /// Whether the tree is frozen: other threads may read it, and it does not change any more.
    @exclusivity(unchecked) package private(set) var isFrozen = false
    /// Whether damage took the elements: there are none then, and any index is accepted
    /// harmlessly.
    package private(set) var isAbandoned = false
    /// Changes with every change of the collection.
    @exclusivity(unchecked) package private(set) var changeCount: UInt64 = 0
    /// The leaf of the last insertion.
    @exclusivity(unchecked) var finger: CollectionFinger?

    /// Creates the tree of a row's stored collection, or an empty one.
    init(
        decoding cell: UnsafeRawBufferPointer, of table: MutableTable, _ column: ColumnID,
        row: Int64, kind: StoredCollectionKind
    ) {
        self.kind = kind
        self.column = column
        self.row = row
        self.table = table
        tableID = table.id
        layout = table.layout
        nextNumber = 1
        do {
            switch try CollectionCell(decoding: cell) {
            case .empty: break
            case .leaf(let bytes):
                root = CollectionNode(
                    token, leaf: try decode(bytes, number: CollectionLeaf.cellNode), isChanged: true
                )
            case .tree(let stored):
                root = CollectionNode(stub: stored.node, height: stored.height, count: stored.count)
                nextNumber = stored.nextNode
            }
        } catch {
            abandon(error)
        }
    }

    /// Creates a tree that continues a frozen one. O(1).
    init(continuing other: MutableStoredCollection, in table: MutableTable) {
        kind = other.kind
        column = other.column
        row = other.row
        self.table = table
        tableID = table.id
        layout = other.layout
        root = other.root
        nextNumber = other.nextNumber
        removedNumbers = other.removedNumbers
        isDetached = other.isDetached
        isAbandoned = other.isAbandoned
        changeCount = other.changeCount
    }

    /// Freezes the tree. O(nodes changed since it was created).
    func freeze() {
        if isFrozen { return }
        isFrozen = true
        finger = nil
        root?.freeze(token)
    }

    /// The number of elements. O(1).
    package var count: Int { root?.count ?? 0 }

    /// The current elements; valid until the next change.
    package var stored: StoredCollection { StoredCollection(self, of: table) }

    func willChange() {
        precondition(!isFrozen, "a frozen collection does not change")
        countChange()
    }

    @inline(__always)
    func countChange() {
        changeCount &+= 1
        table.counters.values &+= 1
    }

    // MARK: Nodes

    /// Returns the node itself if this tree may write it, else a copy of the shared or stored
    /// node.
    func editable(_ node: CollectionNode) throws(StoredColumn.Defect) -> CollectionNode {
        if node.token === token { return node }
        if node.isStub { return try load(node) }
        if let leaf = node.leaf {
            return CollectionNode(
                token, leaf: MutableCluster(continuing: leaf), number: node.number,
                isChanged: node.isChanged)
        }
        return CollectionNode(
            token, children: node.children, counts: node.counts, height: node.height,
            number: node.number, isChanged: node.isChanged)
    }

    private func load(_ stub: CollectionNode) throws(StoredColumn.Defect) -> CollectionNode {
        guard let bytes = table.node(stub.number, column, row: row) else {
            throw StoredColumn.Defect(reason: "node \(stub.number) is missing")
        }
        if stub.height > 0 { return try branch(bytes, stub) }
        let leaf = try decode(bytes, number: stub.number)
        guard leaf.count == stub.count else {
            throw StoredColumn.Defect(reason: "\(leaf.count) elements instead of \(stub.count)")
        }
        return CollectionNode(token, leaf: leaf, number: stub.number, isChanged: false)
    }

    /// Drops the elements after damage, which is remembered, so that nothing is committed. From
    /// then on the collection accepts any index harmlessly.
    func abandon(_ defect: StoredColumn.Defect) {
        table.noteDamage(CollectionDamage.error(defect.reason, table, column, row: row))
        root = nil
        finger = nil
        isAbandoned = true
    }

    /// Drops the elements of a file known to be damaged, when the caller has counted more of
    /// them than exist.
    package func abandonLostElements() {
        abandon(StoredColumn.Defect(reason: "elements are missing"))
    }

    private func branch(_ bytes: UnsafeRawBufferPointer, _ stub: CollectionNode) throws(StoredColumn
        .Defect) -> CollectionNode
    {
        let stored = try CollectionBranch(decoding: bytes, height: stub.height)
        guard stored.hasRightChecksum(seed: seed(stub.number)) else {
            throw StoredColumn.Defect(reason: "the checksum of node \(stub.number) does not match")
        }
        var children = ContiguousArray<CollectionNode>()
        var counts = ContiguousArray<Int>()
        for child in 0..<stored.count {
            counts.append(stored.end(child) - stored.start(child))
            children.append(
                CollectionNode(
                    stub: stored.node(child), height: stub.height - 1, count: counts[child]))
        }
        guard counts.allSatisfy({ $0 > 0 }), stored.end(stored.count - 1) == stub.count else {
            throw StoredColumn.Defect(reason: "a branch's counts are damaged")
        }
        return CollectionNode(
            token, children: children, counts: counts, height: stub.height, number: stub.number,
            isChanged: false)
    }

    /// The elements of a stored leaf, copied into its own memory.
    private func decode(_ bytes: UnsafeRawBufferPointer, number: UInt32) throws(StoredColumn.Defect)
        -> MutableCluster
    {
        let leaf = try CollectionLeaf(decoding: bytes, start: 0, kind: kind)
        guard CollectionLeaf.hasRightChecksum(bytes, kind, seed: seed(number)) else {
            throw StoredColumn.Defect(
                reason: number == CollectionLeaf.cellNode
                    ? "the checksum does not match"
                    : "the checksum of node \(number) does not match")
        }
        let stored = ClusterView(
            firstKey: 0, count: leaf.count, columnCount: kinds.count, isMutable: false)
        stored.columns[CollectionLeaf.valuesPosition] = leaf.values
        if kind.shape == .map { stored.columns[CollectionLeaf.keysPosition] = leaf.keys }
        let cluster = MutableCluster(stored, kinds: kinds, capacity: capacity(for: leaf.count))
        cluster.makeAllMutable()
        return cluster
    }

    private(set) lazy var kinds = ColumnKinds(leafOf: kind)

    func seed(_ number: UInt32) -> UInt64 {
        CollectionLeaf.seed(tableID, column, rowKey: row, number)
    }

    // MARK: Leaves

    /// The smallest step of a leaf's capacity.
    private static let smallestCapacity = 8

    /// The capacity for some elements and a few more: leaves of small collections are small.
    func capacity(for count: Int) -> Int {
        var capacity = Self.smallestCapacity
        while capacity < count { capacity *= 2 }
        return max(min(capacity, layout.elementsPerLeaf), count)
    }

    func newLeaf(capacity: Int) -> MutableCluster {
        let leaf = MutableCluster(firstKey: 0, kinds: kinds, capacity: max(capacity, 1))
        for position in 1..<kinds.count { leaf.makeMutable(position) }
        return leaf
    }

    /// Whether a leaf is full.
    func isFull(_ leaf: MutableCluster) -> Bool {
        leaf.count >= layout.elementsPerLeaf
            || (leaf.count > 1 && textLength(of: leaf) > layout.longestLeaf)
    }

    /// The number of bytes of the leaf's texts.
    func textLength(of leaf: MutableCluster) -> Int {
        guard kind.type.isVariableLength || kind.shape == .map else { return 0 }
        var length = 0
        if kind.type.isVariableLength {
            length += Int(leaf.columns[CollectionLeaf.valuesPosition].base)
        }
        if kind.shape == .map { length += Int(leaf.columns[CollectionLeaf.keysPosition].base) }
        return length
    }
}
