/// One version of a tree, of which other versions may have some of the nodes: a node that two
/// versions have leads to the same entries in both.
///
/// LMDB copies a page that it changes and never reuses one of a version that is read, so a
/// plain tree's nodes have the same page numbers exactly where they are the same
/// (``MappedTree``). A node of an encrypted tree that changes is written again and gets another
/// reference (``SealedTreeReader``).
protocol ComparedTree {
    /// What one node has in all versions that have it, and no other node.
    associatedtype Identity: Equatable
    associatedtype Node
    associatedtype Entry
    associatedtype Failure: Error

    /// The root, and how many nodes are on the way from it to an entry, both ends counted; nil
    /// of an empty tree.
    func rootNode() throws(Failure) -> (identity: Identity, height: Int)?

    /// A node, and how many children or entries it has, at least one.
    ///
    /// - Parameter visitedCount: How many nodes were visited, this one included. A damaged tree
    ///   may contain a node so often that the walk would take for ever.
    func visit(_ identity: Identity, height: Int, visitedCount: Int) throws(Failure) -> (
        node: Node, count: Int
    )

    /// A child, and the key that nothing below it is below. The first child's key means nothing.
    func child(of node: Node, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, identity: Identity
    )

    /// An entry of a leaf.
    func entry(of leaf: Node, at index: Int) throws(Failure) -> Entry

    func key(of entry: Entry) -> UnsafeRawBufferPointer

    /// Whether the value of an entry is that of another version's entry with the same key.
    func hasSameValue(_ entry: Entry, as other: Entry, in version: Self) throws(Failure) -> Bool
}

extension MappedTree: ComparedTree {
    typealias Failure = MappedPage.Damage

    func rootNode() throws(MappedPage.Damage) -> (identity: UInt64, height: Int)? {
        if isEmpty { return nil }
        guard hasPossibleDepth else { throw MappedPage.Damage() }
        return (root, depth)
    }

    @inline(__always)
    func visit(_ number: UInt64, height: Int, visitedCount: Int) throws(MappedPage.Damage) -> (
        node: MappedPage, count: Int
    ) {
        // No sound tree has a page twice.
        if UInt64(visitedCount) > lastPage { throw MappedPage.Damage() }
        let (page, count) = try page(number, height: height)
        return (page, count)
    }

    @inline(__always)
    func child(of page: MappedPage, at index: Int) throws(MappedPage.Damage) -> (
        key: UnsafeRawBufferPointer, identity: UInt64
    ) {
        guard let (key, child) = page.branchNode(at: index) else { throw MappedPage.Damage() }
        return (key, child)
    }

    @inline(__always)
    func entry(of page: MappedPage, at index: Int) throws(MappedPage.Damage) -> MappedPage.LeafNode
    {
        guard let node = page.leafNode(at: index) else { throw MappedPage.Damage() }
        return node
    }

    @inline(__always)
    func key(of node: MappedPage.LeafNode) -> UnsafeRawBufferPointer { node.key }

    /// A page is copied as a whole, so most entries of a changed one are what they were; a
    /// large value that was not put again has its old page.
    @inline(__always)
    func hasSameValue(
        _ node: MappedPage.LeafNode, as other: MappedPage.LeafNode, in version: MappedTree
    ) throws(MappedPage.Damage) -> Bool {
        if node.valueSize != other.valueSize { return false }
        if node.largeValue != 0, node.largeValue == other.largeValue { return true }
        guard let first = value(of: node), let second = version.value(of: other) else {
            throw MappedPage.Damage()
        }
        return ByteComparison.areEqual(first, second)
    }
}

extension SealedTreeReader: ComparedTree {
    typealias Failure = StorageError

    func rootNode() -> (identity: SealedReference, height: Int)? {
        roots.height == 0 ? nil : (roots.root, roots.height)
    }

    /// What opens is where it belongs, so no node contains itself.
    func visit(_ reference: SealedReference, height: Int, visitedCount: Int) throws(StorageError)
        -> (node: SealedNode, count: Int)
    {
        let node = try node(reference, height: height)
        return (node, node.count)
    }

    func child(of node: SealedNode, at index: Int) -> (
        key: UnsafeRawBufferPointer, identity: SealedReference
    ) {
        (node.key(index), node.reference(index))
    }

    func entry(of leaf: SealedNode, at index: Int) -> (leaf: SealedNode, index: Int) {
        (leaf, index)
    }

    func key(of entry: (leaf: SealedNode, index: Int)) -> UnsafeRawBufferPointer {
        entry.leaf.key(entry.index)
    }

    func hasSameValue(
        _ entry: (leaf: SealedNode, index: Int), as other: (leaf: SealedNode, index: Int),
        in version: SealedTreeReader
    ) throws(StorageError) -> Bool {
        let ((first, i), (second, j)) = (entry, other)
        if first.valueLength(i) != second.valueLength(j) { return false }
        if first.isReference(i), second.isReference(j), first.reference(i) == second.reference(j) {
            return true
        }
        return ByteComparison.areEqual(try value(first, i), try version.value(second, j))
    }
}
