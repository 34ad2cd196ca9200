internal import CLMDB

/// One database's tree at one version, as it lies in LMDB's map.
///
/// A reader's pages do not change while its transaction lives, because the map is never written (no WRITEMAP) and never moves. Nothing that is read there is
/// trusted (``MappedPage``).
package struct MappedTree {
    /// Where page 0 is in memory.
    private let base: UnsafeRawPointer
    package let root: UInt64
    /// How many pages are on the way from the root to an entry, both ends counted.
    package let depth: Int
    /// No page of the version has a number above this one.
    package let lastPage: UInt64
    package let pageSize: Int

    /// - Parameter base: Where page 0 would be; pages up to `lastPage` are there and aligned to 8 bytes.
    package init(base: UnsafeRawPointer, root: UInt64, depth: Int, lastPage: UInt64, pageSize: Int) {
        self.base = base
        self.root = root
        self.depth = depth
        self.lastPage = lastPage
        self.pageSize = pageSize
    }

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
        depth = Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        root = record.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        base = page.start - Int(number) * pageSize
    }

    /// The size of a tree's record.
    private static let recordSize = 48

    package var isEmpty: Bool { root == PageReader.Tree.emptyRoot }

    /// A branch or a leaf; nil where no page has the number. What lies there may be another page, or none.
    @inline(__always)
    func unverifiedPage(_ number: UInt64) -> MappedPage? {
        guard number >= 2, number <= lastPage else { return nil }
        return MappedPage(start: base + Int(truncatingIfNeeded: number) &* pageSize, size: pageSize)
    }

    /// A branch or a leaf; nil where there is none with the number.
    @inline(__always)
    func page(_ number: UInt64) -> MappedPage? {
        guard let page = unverifiedPage(number), page.number == number else { return nil }
        return page
    }

    /// A large value, which has pages of its own; nil where these are not as expected.
    func largeValue(at number: UInt64, count: Int) -> UnsafeRawBufferPointer? {
        guard let page = page(number), let pageCount = page.overflowPageCount, count >= 0,
            count <= pageCount &* pageSize &- PageLayout.header, UInt64(pageCount) <= lastPage &- number &+ 1
        else { return nil }
        return UnsafeRawBufferPointer(start: page.start + PageLayout.header, count: count)
    }
}
