/// The layout of LMDB's files: data version 1, as LMDB 0.9 writes it on 64-bit little-endian
/// machines. In parentheses are the names and sizes of `mdb.c`.
///
///     page (MDB_page)   0 number (mp_pgno, 8)  8 unused (mp_pad, 2)  10 flags (mp_flags, 2)
///                       12 lower (pb_lower, 2)  14 upper (pb_upper, 2), or
///                       12 pages of an overflow run (pb_pages, 4)
///                       16 node offsets (mp_ptrs, 2 each) up to lower; nodes from upper to the
///                       end of the page, or the data of an overflow run
///     node (MDB_node)   0 low (mn_lo, 2)  2 high (mn_hi, 2)  4 flags (mn_flags, 2)
///                       6 key size (mn_ksize, 2)  8 key and data (mn_data), padded to even sizes
///                       branch: the child's number is low, high and flags
///                       leaf: the data's size is low and high
///     tree (MDB_db)     0 unused, in the free tree the page size (md_pad, 4)
///                       4 flags (md_flags, 2)  6 depth (md_depth, 2)  8 branch, 16 leaf and
///                       24 overflow pages (8 each)  32 entries (md_entries, 8)
///                       40 root (md_root, 8)
///     meta (MDB_meta)   after the page header: 0 magic (mm_magic, 4)  4 version (mm_version, 4)
///                       8 address (mm_address, 8)  16 map size (mm_mapsize, 8)
///                       24 free tree and 72 main tree (mm_dbs, 48 each)
///                       120 last page (mm_last_pg, 8)  128 transaction (mm_txnid, 8)
///     free list entry   key: the transaction that freed the pages (8)
///     (MDB_IDL)         data: 0 how many pages (8)  8 their numbers, descending (8 each)
///
/// ``PageHeader``, ``NodeHeader``, ``TreeRecord``, ``MetaPage`` and ``FreedPages`` decode it.
/// ``MappedPage`` uses them on pages in LMDB's map, and ``PageReader`` on pages that it reads
/// with `pread`. Bytes from disk may hold any value: decoding them never traps. Every offset,
/// length and page number is checked before it is followed.
enum PageLayout {
    /// The size of a page's header (`PAGEHDRSZ`).
    static let headerSize = 16
    /// The size of a node's header (`NODESIZE`).
    static let nodeHeaderSize = 8
    /// The first page behind the meta pages (`NUM_METAS`).
    static let firstPage: UInt64 = 2
    /// The greatest height of a tree (`CURSOR_STACK`).
    static let maximumDepth = 32

    // Flags of a page; a page in the file has exactly one of them.

    /// `P_BRANCH`.
    static let branch: UInt16 = 0x01
    /// `P_LEAF`.
    static let leaf: UInt16 = 0x02
    /// `P_OVERFLOW`: the first page of a run that holds one large value.
    static let overflow: UInt16 = 0x04
    /// `P_META`.
    static let meta: UInt16 = 0x08

    // Flags of a leaf's node; a node in our files has at most one of them.

    /// `F_BIGDATA`: the data are the number of an overflow run's first page.
    static let bigData: UInt16 = 0x01
    /// `F_SUBDATA`: the data are a tree's record.
    static let subTree: UInt16 = 0x02
}

extension UnsafeRawPointer {
    /// The integer at an offset, in LMDB's byte order, at any alignment.
    @inline(__always)
    func integer<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Integer {
        Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: Integer.self))
    }
}

/// The first 16 bytes of a page.
struct PageHeader {
    let number: UInt64
    /// The other eight bytes.
    private let word: UInt64

    @inline(__always)
    init(at start: UnsafeRawPointer) {
        number = start.integer(at: 0)
        word = start.integer(at: 8)
    }

    /// - Parameter bytes: At least as many as a header has.
    init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { PageHeader(at: $0.baseAddress.unsafelyUnwrapped) }
    }

    var flags: UInt16 { UInt16(truncatingIfNeeded: word &>> 16) }
    /// The end of the node offsets.
    var lower: Int { Int(UInt16(truncatingIfNeeded: word &>> 32)) }
    /// The beginning of the nodes.
    var upper: Int { Int(word &>> 48) }
    /// The number of pages of an overflow run.
    var pageCount: Int { Int(word &>> 32) }
}

/// The first eight bytes of a node.
struct NodeHeader {
    private let word: UInt64

    @inline(__always)
    init(at start: UnsafeRawPointer) { word = start.integer(at: 0) }

    /// The child page of a branch's node.
    var child: UInt64 { word & 0xFFFF_FFFF_FFFF }
    /// The number of data bytes of a leaf's node, wherever they are.
    var dataSize: Int { Int(UInt32(truncatingIfNeeded: word)) }
    /// The flags of a leaf's node.
    var flags: UInt16 { UInt16(truncatingIfNeeded: word &>> 32) }
    var keySize: Int { Int(word &>> 48) }

    /// Whether the data of a leaf's node are in an overflow run.
    var isLarge: Bool { flags & PageLayout.bigData != 0 }
    /// The number of data bytes that follow the key of a leaf's node.
    var storedSize: Int { isLarge ? MemoryLayout<UInt64>.size : dataSize }

    /// `flags` and `keySize` in one integer, to compare both at once.
    var flagsAndKeySize: UInt64 { word &>> 32 }
    /// The same value for a leaf's node whose data follow a key of `keySize` bytes.
    static func flagsAndKeySize(ofSmallValueWithKeyOf keySize: Int) -> UInt64 {
        UInt64(keySize) &<< 16
    }
}
