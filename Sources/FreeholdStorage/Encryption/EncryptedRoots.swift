/// The roots of the trees of one version.
///
/// One record holds the roots of all databases. It is encrypted for its version, so neither an
/// older record nor the older root of one database can replace it. The attempt that wrote it
/// precedes it in plaintext, and is authenticated. Each record that it refers to decrypts only
/// for its exact reference, so all of them belong to one history.
struct EncryptedRoots: Equatable {
    struct Tree: Equatable {
        /// The root node; meaningless while the tree is empty.
        var root = EncryptedReference.none
        /// The number of nodes on the path from the root to an entry; 0 for an empty tree.
        var height = 0
        /// The next record number. No number is used twice.
        var nextNumber: UInt64 = 1
        var entryCount = 0

        /// The greatest height of a sound tree: a branch has at least two children, except at
        /// its right edge.
        static let greatestHeight = 64
    }

    var trees = [Tree](repeating: Tree(), count: Database.allCases.count)

    subscript(database: Database) -> Tree {
        get { trees[database.rawValue] }
        set { trees[database.rawValue] = newValue }
    }

    init() {}

    private static let sizePerTree = EncryptedReference.size + 24

    /// Decodes, for each database in order of the raw values: reference to the root, height,
    /// next number, entry count.
    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count == trees.count * Self.sizePerTree, let start = bytes.baseAddress else {
            return nil
        }
        for index in trees.indices {
            let tree = start + index * Self.sizePerTree
            func word(_ offset: Int) -> UInt64 {
                UInt64(
                    littleEndian: tree.loadUnaligned(
                        fromByteOffset: EncryptedReference.size + offset * 8, as: UInt64.self))
            }
            guard word(0) <= UInt64(Tree.greatestHeight), word(2) <= UInt64(Int.max) else {
                return nil
            }
            trees[index] = Tree(
                root: EncryptedReference(at: tree), height: Int(word(0)), nextNumber: word(1),
                entryCount: Int(word(2)))
        }
    }

    func encoded() -> ContiguousArray<UInt8> {
        var bytes = ContiguousArray<UInt8>()
        for tree in trees {
            withUnsafeTemporaryAllocation(byteCount: EncryptedReference.size, alignment: 8) {
                reference in
                if let start = reference.baseAddress { tree.root.store(at: start) }
                bytes.append(contentsOf: reference)
            }
            for word in [UInt64(tree.height), tree.nextNumber, UInt64(tree.entryCount)] {
                withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }
}
