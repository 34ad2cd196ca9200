/// Where the trees of one version begin.
///
/// One record for all databases: it is sealed for the version that it belongs to, so neither an older one nor that of one database among others can be put in its place.
struct SealedRoots: Equatable {
    struct Tree: Equatable {
        /// The root node; means nothing while the tree is empty.
        var root = SealedReference(number: 0, version: 0)
        /// How many nodes are on the way from the root to an entry; 0 where there are none.
        var height = 0
        /// A number that no record ever had. None is used twice.
        var nextNumber: UInt64 = 1
        var entryCount = 0

        /// No sound tree is higher: a branch has two children at least, but for those at its right edge.
        static let greatestHeight = 64
    }

    var trees = [Tree](repeating: Tree(), count: Database.allCases.count)

    subscript(database: Database) -> Tree {
        get { trees[database.rawValue] }
        set { trees[database.rawValue] = newValue }
    }

    init() {}

    private static let wordsPerTree = 5

    /// Root's number, root's version, height, next number, entries: five words for each database, in the order of their raw values.
    init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count == trees.count * Self.wordsPerTree * 8 else { return nil }
        for index in trees.indices {
            func word(_ offset: Int) -> UInt64 {
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: (index * Self.wordsPerTree + offset) * 8, as: UInt64.self))
            }
            guard word(2) <= UInt64(Tree.greatestHeight), word(4) <= UInt64(Int.max) else { return nil }
            trees[index] = Tree(
                root: SealedReference(number: word(0), version: word(1)), height: Int(word(2)), nextNumber: word(3), entryCount: Int(word(4)))
        }
    }

    func encoded() -> ContiguousArray<UInt8> {
        var bytes = ContiguousArray<UInt8>()
        for tree in trees {
            for word in [tree.root.number, tree.root.version, UInt64(tree.height), tree.nextNumber, UInt64(tree.entryCount)] {
                withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }
}
