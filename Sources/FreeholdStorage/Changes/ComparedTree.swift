/// One version of a tree, of which other versions may have some of the nodes: a node that two
/// versions have leads to the same entries in both.
///
/// LMDB copies a page that it changes and never reuses one of a version that is read, so a
/// plain tree's nodes have the same page numbers exactly where they are the same
/// (``MappedTree``). A node of an encrypted tree that changes is written again and gets another
/// reference (``EncryptedTreeReader``).
protocol ComparedTree {
    /// What one node has in all versions that have it, and no other node.
    associatedtype Identity: Equatable
    associatedtype Node
    /// Where an entry's value is.
    associatedtype Value
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

    func entry(of leaf: Node, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, value: Value
    )

    /// Whether a value is the same as one in another version.
    func isEqual(_ value: Value, to other: Value, in version: Self) throws(Failure) -> Bool
}

extension MappedTree: ComparedTree {
    typealias Failure = MappedPage.Damage

    func rootNode() throws(Failure) -> (identity: UInt64, height: Int)? {
        if isEmpty { return nil }
        guard hasPossibleDepth else { throw Failure() }
        return (root, depth)
    }

    @inline(__always)
    func visit(_ number: UInt64, height: Int, visitedCount: Int) throws(Failure) -> (
        node: MappedPage, count: Int
    ) {
        // No sound tree has a page twice.
        if UInt64(visitedCount) > lastPage { throw Failure() }
        let (page, count) = try page(number, height: height)
        return (page, count)
    }

    @inline(__always)
    func child(of page: MappedPage, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, identity: UInt64
    ) {
        guard let (key, child) = page.branchNode(at: index) else { throw Failure() }
        return (key, child)
    }

    @inline(__always)
    func entry(of page: MappedPage, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, value: MappedPage.LeafNode
    ) {
        guard let node = page.leafNode(at: index) else { throw Failure() }
        return (node.key, node)
    }

    /// A page is copied as a whole, so most entries of a changed one are what they were; a
    /// large value that was not put again has its old page.
    @inline(__always)
    func isEqual(_ node: MappedPage.LeafNode, to other: MappedPage.LeafNode, in version: MappedTree)
        throws(Failure) -> Bool
    {
        if node.valueSize != other.valueSize { return false }
        if node.largeValue != 0, node.largeValue == other.largeValue { return true }
        guard let first = value(of: node), let second = version.value(of: other) else {
            throw Failure()
        }
        return ByteComparison.areEqual(first, second)
    }
}

extension EncryptedTreeReader: ComparedTree {
    typealias Failure = StorageError
    typealias Value = (leaf: EncryptedNode, index: Int)

    func rootNode() -> (identity: EncryptedReference, height: Int)? {
        roots.height == 0 ? nil : (roots.root, roots.height)
    }

    /// What opens is where it belongs, so no node contains itself.
    func visit(_ reference: EncryptedReference, height: Int, visitedCount: Int) throws(StorageError)
        -> (node: EncryptedNode, count: Int)
    {
        let node = try node(reference, height: height)
        return (node, node.count)
    }

    func child(of node: EncryptedNode, at index: Int) -> (
        key: UnsafeRawBufferPointer, identity: EncryptedReference
    ) {
        (node.key(index), node.reference(index))
    }

    func entry(of leaf: EncryptedNode, at index: Int) -> (key: UnsafeRawBufferPointer, value: Value) {
        (leaf.key(index), (leaf, index))
    }

    func isEqual(_ value: Value, to other: Value, in version: EncryptedTreeReader)
        throws(StorageError) -> Bool
    {
        let ((first, i), (second, j)) = (value, other)
        if first.valueLength(i) != second.valueLength(j) { return false }
        if first.isReference(i), second.isReference(j), first.reference(i) == second.reference(j) {
            return true
        }
        return ByteComparison.areEqual(try self.value(first, i), try version.value(second, j))
    }
}
