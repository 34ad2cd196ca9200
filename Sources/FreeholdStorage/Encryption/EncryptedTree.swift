/// One database of an encrypted file, at one version (``EncryptedTreeReader``) or inside a write
/// transaction (``EncryptedTreeWriter``): a B+tree whose nodes are encrypted records.
///
/// LMDB stores only the records, by number. A changed node or value is rewritten under the same
/// number. Its reference contains the version and the attempt, so it changes in its parent, and
/// so on up to the root. So no other record decrypts in its place, and equal references in two
/// versions mean equal contents.
class EncryptedTree: @unchecked Sendable {
    // Sendable: see the subclasses.

    final let database: Database
    final let treeEncryption: TreeEncryption
    @exclusivity(unchecked) final var roots: EncryptedRoots.Tree

    init(_ database: Database, _ roots: EncryptedRoots.Tree, _ treeEncryption: TreeEncryption) {
        self.database = database
        self.roots = roots
        self.treeEncryption = treeEncryption
    }

    /// The node of a reference. Valid while the tree lives; in a write transaction, until its
    /// next change.
    func node(_ reference: EncryptedReference, height: Int) throws(StorageError) -> EncryptedNode {
        fatalError("abstract")
    }

    /// The value of a reference. Valid as long as a node (``node(_:height:)``).
    func value(_ reference: EncryptedReference, count: Int) throws(StorageError)
        -> UnsafeRawBufferPointer
    { fatalError("abstract") }

    /// The number of changes that a write transaction has made.
    var changeCount: Int { 0 }

    final func place(_ reference: EncryptedReference, _ kind: RecordPlace.Kind) -> RecordPlace {
        RecordPlace(
            database: UInt8(truncatingIfNeeded: database.rawValue), kind: kind,
            number: reference.number, version: reference.version, attempt: reference.attempt)
    }

    /// The node in a record. Throws unless it has the height that its parent implies.
    final func node(in record: EncryptedRecord, height: Int) throws(StorageError) -> EncryptedNode {
        guard let node = EncryptedNode(record.bytes), node.height == height else {
            throw treeEncryption.damaged(record.place, "it is no node of height \(height)")
        }
        return node
    }

    // MARK: Looking up

    /// Finds a key's entry: its leaf and its index. One descent.
    final func find(_ key: UnsafeRawBufferPointer) throws(StorageError) -> (
        leaf: EncryptedNode, index: Int
    )? {
        guard roots.height > 0 else { return nil }
        var height = roots.height
        var node = try node(roots.root, height: height)
        while height > 1 {
            height -= 1
            node = try self.node(node.reference(node.child(for: key)), height: height)
        }
        let (index, isExact) = node.search(key)
        return isExact ? (node, index) : nil
    }

    /// The value of a key. One descent.
    final func value(of key: UnsafeRawBufferPointer) throws(StorageError) -> UnsafeRawBufferPointer?
    {
        guard let (leaf, index) = try find(key) else { return nil }
        return try value(leaf, index)
    }

    /// The value of an entry of a leaf.
    final func value(_ leaf: EncryptedNode, _ index: Int) throws(StorageError)
        -> UnsafeRawBufferPointer
    {
        leaf.isReference(index)
            ? try value(leaf.reference(index), count: leaf.valueLength(index))
            : leaf.inlineValue(index)
    }
}
