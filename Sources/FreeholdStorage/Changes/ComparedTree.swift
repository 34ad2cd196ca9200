/// One version of a tree, which may share nodes with other versions: a shared node leads to the
/// same entries in both.
///
/// LMDB copies a page before changing it, and never reuses a page of a version that is being
/// read. So two nodes of a plain tree are the same exactly if they have the same page number
/// (``MappedTree``). A node of an encrypted tree that changes is written again, under another
/// reference (``EncryptedTreeReader``).
protocol ComparedTree {
    /// Identifies a node in all versions that share it.
    associatedtype Identity: Equatable
    associatedtype Node
    /// Refers to an entry's value.
    associatedtype Value
    associatedtype Failure: Error

    /// The root, and the number of nodes on the path from it to an entry, both ends included;
    /// nil for an empty tree.
    func rootNode() throws(Failure) -> (identity: Identity, height: Int)?

    /// A node, and the number of its children or entries, at least one.
    ///
    /// - Parameter visitedCount: The number of visited nodes, including this one. A damaged
    ///   tree may contain one node so often that a walk would not end in reasonable time.
    func visit(_ identity: Identity, height: Int, visitedCount: Int) throws(Failure) -> (
        node: Node, count: Int
    )

    /// A child, and the lower bound of its keys. The first child's key has no meaning.
    func child(of node: Node, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, identity: Identity
    )

    func entry(of leaf: Node, at index: Int) throws(Failure) -> (
        key: UnsafeRawBufferPointer, value: Value
    )

    /// Whether a value equals one of another version.
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
        // No sound tree contains a page twice.
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

    /// A page is copied as a whole, so most entries of a changed page are unchanged. A large
    /// value that was not put again keeps its page.
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

    /// A record decrypts only in its own place, so no node can contain itself.
    func visit(_ reference: EncryptedReference, height: Int, visitedCount: Int) throws(StorageError)
        -> (node: EncryptedNode, count: Int)
    {
        let node = try node(reference, height: height)
        return (node, node.count)
    }

    func child(of node: EncryptedNode, at index: Int) -> (
        key: UnsafeRawBufferPointer, identity: EncryptedReference
    ) { (node.key(index), node.reference(index)) }

    func entry(of leaf: EncryptedNode, at index: Int) -> (key: UnsafeRawBufferPointer, value: Value)
    { (leaf.key(index), (leaf, index)) }

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
