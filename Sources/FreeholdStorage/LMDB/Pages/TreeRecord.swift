/// A tree's record (``PageLayout``): a database's in the main tree, or one of the two in a meta
/// page.
struct TreeRecord: Equatable {
    /// The number of pages on the path from the root to an entry, both ends included.
    var depth: Int
    var root: UInt64
    var entryCount: UInt64
    private var flags: UInt16

    static let byteCount = 48
    /// The root of a tree without pages (`P_INVALID`).
    static let emptyRoot = UInt64.max
    static let empty = TreeRecord(depth: 0, root: emptyRoot, entryCount: 0, flags: 0)

    var isEmpty: Bool { root == Self.emptyRoot }
    /// Whether its nodes are like those of our databases: no duplicate keys, no special order.
    var isPlain: Bool { flags == 0 }
    /// Whether it is ordered like the free list: integer keys (`MDB_INTEGERKEY`, 8), no
    /// duplicates (`MDB_DUPSORT`, 4). LMDB keeps file-wide flags in the same word.
    var isFreeList: Bool { flags & 0x0C == 0x08 }
}

extension TreeRecord {
    /// - Parameter start: The address of a record's bytes, at any alignment.
    init(at start: UnsafeRawPointer) {
        self.init(
            depth: Int(start.integer(at: 6) as UInt16), root: start.integer(at: 40),
            entryCount: start.integer(at: 32), flags: start.integer(at: 4))
    }

    /// Nil unless the bytes have the length of a record.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount, let start = bytes.baseAddress else { return nil }
        self.init(at: start)
    }
}
