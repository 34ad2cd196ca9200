internal import CLMDB
internal import Glibc

/// Looks keys up in one database's tree as it lies in LMDB's map.
///
/// `mdb_get` compares the key with one entry after another, each on a line of memory that no cache holds, and none is asked for before the comparison with the one
/// before it is done: in a large index that waiting is most of a lookup. Here the entries that the next three comparisons can be with are asked for at once.
///
/// A reader's pages do not change while its transaction lives, because the map is never written (no WRITEMAP) and never moves. The layout is that of
/// LMDB's data version 1 (``PageReader``). Nothing on a page is trusted: where it says anything impossible or unusual, ``find(_:)`` answers `unknown`, and LMDB is asked.
struct TreeDescent {
    enum Outcome {
        /// The key's value.
        case found(UnsafeRawBufferPointer)
        case missing
        /// To be asked of LMDB.
        case unknown
    }

    /// Where page 0 is in memory.
    private let base: UnsafeRawPointer
    private let root: UInt64
    private let lastPage: UInt64
    private let pageSize: Int

    /// Finds a database's tree by its record in the main tree; nil where that is not as expected.
    init?(_ database: Database, in transaction: OpaquePointer, pageSize: Int, lastPage: Int) {
        var name = database.name
        let record: UnsafeRawBufferPointer? = name.withUTF8 { name in
            var key = MDB_val(UnsafeRawBufferPointer(name))
            var value = MDB_val()
            guard mdb_get(transaction, Database.mainHandle, &key, &value) == MDB_SUCCESS else { return nil }
            return value.bytes
        }
        guard let record, record.count == Self.recordSize, pageSize > 0, pageSize & (pageSize - 1) == 0,
            record.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 0, let start = record.baseAddress
        else { return nil }
        // The record lies on a page, which says its own number.
        let page = UnsafeRawPointer(bitPattern: UInt(bitPattern: start) & ~UInt(pageSize - 1)).unsafelyUnwrapped
        let number = page.loadUnaligned(as: UInt64.self)
        guard number >= 2, number <= UInt64(lastPage) else { return nil }
        self.pageSize = pageSize
        self.lastPage = UInt64(lastPage)
        root = record.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        base = page - Int(number) * pageSize
    }

    /// The size of a tree's record.
    private static let recordSize = 48

    /// The value of a key. One descent.
    @inline(__always)
    func find(_ key: UnsafeRawBufferPointer) -> Outcome {
        var number = root
        for _ in 0..<PageLayout.maximumDepth {
            guard number >= 2, number <= lastPage else { return .unknown }
            let page = Page(start: base + Int(truncatingIfNeeded: number) &* pageSize, size: pageSize)
            page.prefetchOffsets()
            guard page.number == number, let count = page.count else { return .unknown }
            if page.isBranch {
                guard let next = page.child(for: key, count) else { return .unknown }
                number = next
            } else {
                return page.isLeaf ? page.value(of: key, count) : .unknown
            }
        }
        return .unknown
    }
}

/// A branch or a leaf.
private struct Page {
    let start: UnsafeRawPointer
    let size: Int

    var number: UInt64 { start.load(as: UInt64.self) }
    private var flags: UInt16 { start.load(fromByteOffset: 10, as: UInt16.self) }
    var isBranch: Bool { flags == PageLayout.branch }
    var isLeaf: Bool { flags == PageLayout.leaf }

    /// How many nodes there are; nil where that is impossible.
    var count: Int? {
        let lower = Int(start.load(fromByteOffset: 12, as: UInt16.self))
        guard lower > PageLayout.header, lower <= size else { return nil }
        return (lower &- PageLayout.header) &>> 1
    }

    @inline(__always)
    func prefetchOffsets() {
        for line in 0..<5 { freehold_prefetch(start + line &* 64) }
    }

    @inline(__always)
    private func offset(_ node: Int) -> Int { Int(start.load(fromByteOffset: PageLayout.header &+ node &* 2, as: UInt16.self)) }

    /// Asks for the nodes that the next comparisons of a search can be with.
    @inline(__always)
    private func prefetchNodes(_ low: Int, _ high: Int) {
        let middle = (low &+ high) &>> 1
        let first = (low &+ middle) &>> 1
        let second = (middle &+ 1 &+ high) &>> 1
        freehold_prefetch(start + offset(middle))
        freehold_prefetch(start + offset(first))
        if second < high {
            freehold_prefetch(start + offset(second))
            freehold_prefetch(start + offset((middle &+ 1 &+ second) &>> 1))
            let last = (second &+ 1 &+ high) &>> 1
            if last < high { freehold_prefetch(start + offset(last)) }
        }
        freehold_prefetch(start + offset((low &+ first) &>> 1))
        freehold_prefetch(start + offset((first &+ 1 &+ middle) &>> 1))
    }

    /// The first node from `low` on whose key is not below `key`, and whether it is that key; nil for a node outside of the page.
    @inline(__always)
    private func search(_ key: UnsafeRawBufferPointer, from first: Int, _ count: Int) -> (node: Int, isExact: Bool)? {
        var (low, high) = (first, count)
        var step = 0
        while low < high {
            if step % 3 == 0, high &- low > 3 { prefetchNodes(low, high) }
            step &+= 1
            let middle = (low &+ high) &>> 1
            guard let order = compare(key, middle) else { return nil }
            if order == 0 { return (middle, true) }
            if order > 0 { low = middle &+ 1 } else { high = middle }
        }
        return (low, false)
    }

    /// Below zero, zero or above as `key` is below, equal to or above a node's; nil for a node outside of the page.
    @inline(__always)
    private func compare(_ key: UnsafeRawBufferPointer, _ node: Int) -> Int? {
        let offset = offset(node)
        guard offset &+ PageLayout.nodeHeader <= size else { return nil }
        let other = start + offset
        let length = Int(other.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        guard offset &+ PageLayout.nodeHeader &+ length <= size else { return nil }
        let common = min(key.count, length)
        let bytes = other + PageLayout.nodeHeader
        let mine = key.baseAddress.unsafelyUnwrapped
        var position = 0
        while position &+ 8 <= common {
            let a = mine.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            let b = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            if a != b { return a.bigEndian < b.bigEndian ? -1 : 1 }
            position &+= 8
        }
        while position < common {
            let (a, b) = (mine.load(fromByteOffset: position, as: UInt8.self), bytes.load(fromByteOffset: position, as: UInt8.self))
            if a != b { return a < b ? -1 : 1 }
            position &+= 1
        }
        return key.count &- length
    }

    /// The page below which a key belongs. The first child has everything below the second's key, whatever its own key says.
    @inline(__always)
    func child(for key: UnsafeRawBufferPointer, _ count: Int) -> UInt64? {
        guard let (found, isExact) = search(key, from: 1, count) else { return nil }
        let offset = offset(isExact ? found : found &- 1)
        guard offset &+ PageLayout.nodeHeader <= size else { return nil }
        let node = start + offset
        return UInt64(node.loadUnaligned(as: UInt32.self)) | UInt64(node.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) &<< 32
    }

    @inline(__always)
    func value(of key: UnsafeRawBufferPointer, _ count: Int) -> TreeDescent.Outcome {
        guard let (found, isExact) = search(key, from: 0, count) else { return .unknown }
        if !isExact { return .missing }
        let node = start + offset(found)
        // A large value is on pages of its own.
        guard node.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 0 else { return .unknown }
        let length = Int(node.loadUnaligned(as: UInt32.self))
        let data = node + PageLayout.nodeHeader + key.count
        guard data - start + length <= size else { return .unknown }
        return .found(UnsafeRawBufferPointer(start: data, count: length))
    }
}
