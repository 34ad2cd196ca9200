/// Where the trees of one version begin.
///
/// One record for all databases: it is encrypted for the version that it belongs to, so neither an
/// older one nor that of one database among others can be put in its place. The attempt that
/// wrote it stands before it in the clear, and is authenticated: what it refers to opens for
/// its own references only, so all of it is one history's.
struct EncryptedRoots: Equatable {
    struct Tree: Equatable {
        /// The root node; means nothing while the tree is empty.
        var root = EncryptedReference.none
        /// How many nodes are on the way from the root to an entry; 0 where there are none.
        var height = 0
        /// A number that no record ever had. None is used twice.
        var nextNumber: UInt64 = 1
        var entryCount = 0

        /// No sound tree is higher: a branch has two children at least, but for those at its
        /// right edge.
        static let greatestHeight = 64
    }

    var trees = [Tree](repeating: Tree(), count: Database.allCases.count)

    subscript(database: Database) -> Tree {
        get { trees[database.rawValue] }
        set { trees[database.rawValue] = newValue }
    }

    init() {}

    private static let sizePerTree = EncryptedReference.size + 24

    /// Reference to the root, height, next number, entries: of each database, in the order of
    /// their raw values.
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
