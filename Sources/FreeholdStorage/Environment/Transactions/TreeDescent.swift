internal import CLMDB

/// Looks keys up in one database's tree as it lies in LMDB's map.
///
/// `mdb_get` compares the key with one entry after another, each on a line of memory that no cache holds, and none is asked for before the comparison with the one
/// before it is done: in a large index that waiting is most of a lookup. Here the entries that the next three comparisons can be with are asked for at once.
///
/// A reader's pages do not change while its transaction lives, because the map is never written (no WRITEMAP) and never moves. What is odd about them is asked of LMDB
/// (``MappedPage``).
package struct TreeDescent {
    /// Where page 0 is in memory.
    private let base: UnsafeRawPointer
    private let root: UInt64
    private let lastPage: UInt64
    private let pageSize: Int

    /// Finds a database's tree by its record in the main tree; nil where that is not as expected.
    ///
    /// - Parameter pageSize: Of pages that are found by address (``MappedPage/findableSize(_:systemPageSize:)``).
    init?(_ database: Database, in transaction: OpaquePointer, pageSize: Int, lastPage: Int) {
        var name = database.name
        let record: UnsafeRawBufferPointer? = name.withUTF8 { name in
            var key = MDB_val(UnsafeRawBufferPointer(name))
            var value = MDB_val()
            guard mdb_get(transaction, Database.mainHandle, &key, &value) == MDB_SUCCESS else { return nil }
            return value.bytes
        }
        guard let record, record.count == Self.recordSize, record.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 0, let start = record.baseAddress
        else { return nil }
        // The record lies on a page, which says its own number.
        let page = MappedPage(containing: start, size: pageSize)
        let number = page.number
        guard number >= 2, number <= UInt64(lastPage) else { return nil }
        self.pageSize = pageSize
        self.lastPage = UInt64(lastPage)
        root = record.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        base = page.start - Int(number) * pageSize
    }

    /// The size of a tree's record.
    private static let recordSize = 48

    /// The value of a key. One descent.
    @inline(__always)
    package func find(_ key: UnsafeRawBufferPointer) -> MappedPage.Outcome {
        guard !key.isEmpty else { return .unknown }
        var number = root
        for _ in 0..<PageLayout.maximumDepth {
            guard number >= 2, number <= lastPage else { return .unknown }
            let page = MappedPage(start: base + Int(truncatingIfNeeded: number) &* pageSize, size: pageSize)
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
