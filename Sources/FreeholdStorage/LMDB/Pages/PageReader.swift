internal import Glibc

/// Reads an LMDB file with `pread`, before anything maps it.
///
/// LMDB itself trusts a file: it opens an emptied one as new, dies of SIGBUS in one that has
/// lost its end, and aborts at a page that is not one. So a file is read here first. Every
/// number comes from disk and may say anything; nothing here traps on it. The layout is that of
/// LMDB 0.9, data version 1, 64 bit, little-endian:
///
///     page   0 number  8 pad (2)  10 flags (2)  12 lower (2)  14 upper (2), or 12 pages of an overflow run (4)
///            16 node offsets, 2 bytes each, up to lower; nodes from upper to the end
///     node   0 low (2)  2 high (2)  4 flags (2)  6 key size (2)  8 key, data
///            branch: the child's number is low, high and flags; leaf: the data's size is low and high
///     meta   after the page header: 0 magic (4)  4 version (4)  8 address  16 map size  24 free tree (48)
///            72 main tree (48)  120 last page  128 transaction id
///     tree   0 pad, in the free tree the page size (4)  4 flags (2)  6 depth (2)  8 branch, 16 leaf, 24 overflow pages
///            32 entries  40 root
struct PageReader {
    let descriptor: Int32
    let path: String
    let fileSize: Int
    /// The newer of the two.
    let meta: MetaPage
    /// The other one, where both were read.
    let olderMeta: MetaPage?

    /// A tree's record.
    struct Tree: Equatable {
        var depth: Int
        var root: UInt64
        var entryCount: UInt64
        /// Whether its nodes are as ours: no duplicate keys, no special order.
        var isPlain: Bool { flags == 0 }
        /// Whether it is ordered as the free list is: integer keys (8), no duplicates (4). LMDB
        /// keeps flags of the whole file in the same word.
        var isFreeList: Bool { flags & 0x0C == 0x08 }
        private var flags: UInt16

        static let emptyRoot = UInt64.max
        static let byteCount = 48

        /// Without pages.
        static let empty = Tree(depth: 0, entryCount: 0, root: emptyRoot, flags: 0)

        private init(depth: Int, entryCount: UInt64, root: UInt64, flags: UInt16) {
            self.depth = depth
            self.entryCount = entryCount
            self.root = root
            self.flags = flags
        }

        init?(_ bytes: [UInt8], at offset: Int) {
            guard let flags = bytes.load(UInt16.self, at: offset + 4),
                let depth = bytes.load(UInt16.self, at: offset + 6),
                let entryCount = bytes.load(UInt64.self, at: offset + 32),
                let root = bytes.load(UInt64.self, at: offset + 40)
            else { return nil }
            self.depth = Int(depth)
            self.root = root
            self.entryCount = entryCount
            self.flags = flags
        }
    }

    /// One of the two pages at the head of the file that commits replace in turn.
    struct MetaPage: Equatable {
        var pageSize: Int
        var freeTree: Tree
        var mainTree: Tree
        var lastPage: UInt64
        var transaction: UInt64

        static let byteCount = PageLayout.header + 136

        enum Defect { case notLMDB, dataVersion(UInt32) }

        static func decode(_ bytes: [UInt8]) -> Result<MetaPage, Invalid> {
            let base = PageLayout.header
            guard bytes.load(UInt16.self, at: 10).map({ $0 & PageLayout.meta != 0 }) == true,
                bytes.load(UInt32.self, at: base) == PageLayout.magic
            else { return .failure(Invalid(defect: .notLMDB)) }
            guard let version = bytes.load(UInt32.self, at: base + 4), version == 1 else {
                return .failure(
                    Invalid(defect: .dataVersion(bytes.load(UInt32.self, at: base + 4) ?? 0)))
            }
            guard let pageSize = bytes.load(UInt32.self, at: base + 24),
                (512...65536).contains(pageSize),
                pageSize.nonzeroBitCount == 1, let free = Tree(bytes, at: base + 24),
                let main = Tree(bytes, at: base + 72),
                let lastPage = bytes.load(UInt64.self, at: base + 120),
                let transaction = bytes.load(UInt64.self, at: base + 128)
            else { return .failure(Invalid(defect: .notLMDB)) }
            return .success(
                MetaPage(
                    pageSize: Int(pageSize), freeTree: free, mainTree: main, lastPage: lastPage,
                    transaction: transaction))
        }

        struct Invalid: Error { var defect: Defect }
    }

    /// A reader of a file whose trees begin where the caller says.
    init(descriptor: Int32, path: String, fileSize: Int, meta: MetaPage) {
        self.descriptor = descriptor
        self.path = path
        self.fileSize = fileSize
        self.meta = meta
        olderMeta = nil
    }

    /// Reads both meta pages and keeps the newer.
    ///
    /// - Parameter isOurs: The control file says that the file was a Freehold file.
    init(descriptor: Int32, path: String, fileSize: Int, isOurs: Bool) throws(StorageError) {
        self.descriptor = descriptor
        self.path = path
        self.fileSize = fileSize
        let count = MetaPage.byteCount
        guard let firstBytes = try readBytes(descriptor, at: 0, count: count, path: path) else {
            throw isOurs ? Self.truncated(path) : Self.notAnEnvironment(path)
        }
        let first = MetaPage.decode(firstBytes)
        let pageSize = try Self.pageSize(by: try? first.get(), descriptor, path: path) ?? 4096
        let secondBytes = try readBytes(descriptor, at: pageSize, count: count, path: path)
        let second = secondBytes.map(MetaPage.decode)
        switch (first, second) {
        case (.success, nil):
            throw Self.truncated(path)
        case (.success(let first), .success(let second)?) where first.pageSize == second.pageSize:
            (meta, olderMeta) =
                second.transaction > first.transaction ? (second, first) : (first, second)
            if fileSize < 2 * pageSize { throw Self.truncated(path) }
            // A commit writes the page that the lowest bit of its number says.
            if first.transaction & 1 != 0 || second.transaction & 1 != 1 && second.transaction != 0
            {
                throw corrupted(path, "its meta pages are in the wrong order")
            }
            // Far beyond what a file can reach, and so that sums with them cannot overflow.
            if meta.transaction >> 62 != 0
                || meta.lastPage > UInt64(fileSize / pageSize) + Self.mostUnwrittenPages
            {
                throw corrupted(path, "its newest meta page counts too high")
            }
        case (.failure(let invalid), .failure?), (.failure(let invalid), nil):
            if case .dataVersion(let version) = invalid.defect {
                throw StorageError(
                    .unreadableFormat,
                    """
                    "\(path)" is an LMDB file of data version \(version), which LMDB 0.9 \
                    does not read. Export 
                    """
                        + "it with the program that wrote it.", path: path)
            }
            throw isOurs
                ? corrupted(path, "both its meta pages are damaged") : Self.notAnEnvironment(path)
        default:
            throw corrupted(path, "one of its meta pages is damaged")
        }
    }

    /// Pages that a transaction both took and freed are not written, so the last one may be
    /// behind the end of the file: as far as a map reaches.
    private static let mostUnwrittenPages: UInt64 = 1 << 28

    static func truncated(_ path: String) -> StorageError {
        StorageError(
            .truncated,
            """
            "\(path)" has lost its end: it is shorter than its contents. Restore it from a \
            backup.
            """,
            path: path)
    }

    static func notAnEnvironment(_ path: String) -> StorageError {
        StorageError(
            .notAnEnvironment,
            """
            "\(path)" is not a Freehold file. Check the path; to start afresh, move the \
            file away.
            """,
            path: path)
    }
}

/// The error for impossible bytes.
func corrupted(_ path: String, _ what: String) -> StorageError {
    StorageError(
        .corrupted, "\"\(path)\" is damaged: \(what). Restore it from a backup.", path: path)
}

/// Numbers of LMDB's page layout.
enum PageLayout {
    static let magic: UInt32 = 0xBEEF_C0DE
    static let header = 16
    static let branch: UInt16 = 0x01
    static let leaf: UInt16 = 0x02
    static let overflow: UInt16 = 0x04
    static let meta: UInt16 = 0x08
    static let nodeHeader = 8
    /// The node's data is the number of an overflow run.
    static let bigData: UInt16 = 0x01
    /// The node's data is a tree's record.
    static let subTree: UInt16 = 0x02
    /// LMDB's bound on the height of a tree.
    static let maximumDepth = 32
}
