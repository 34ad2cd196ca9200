/// What each page of a file is for.
package struct PageAccount: Sendable, Hashable {
    /// The pages of the newest version's trees, of their long values and of the free list.
    package let usedCount: Int
    /// The pages that the free list names.
    package let freeCount: Int
    /// The pages up to the last one that was ever taken, with the two meta pages.
    package let totalCount: Int

    /// The pages that nothing knows of, and that will never be used again.
    package var lostCount: Int { totalCount - 2 - usedCount - freeCount }
}

extension Environment {
    /// Accounts for each page of the newest version, by reading the file and not the map. Holds
    /// up writers meanwhile. O(pages of the trees and of the free list).
    ///
    /// Pages are only lost by an error of LMDB's or ours; what reads old versions keeps pages
    /// in the free list, and loses none.
    ///
    /// - Throws: `corrupted` if a page is used twice, or used and free; `truncated`; and what
    ///   ``Writer/begin()`` throws.
    package func pageAccount() throws(StorageError) -> PageAccount {
        let grant = try writer.begin()
        defer { grant.cancel() }
        let descriptor = grant.base.handle.dataDescriptor
        let size = try FileHead.of(descriptor, path: path).size
        let reader = try PageReader(
            descriptor: descriptor, path: path, fileSize: size, isOurs: true)
        let (used, free) = try reader.walk()
        return PageAccount(
            usedCount: used, freeCount: free, totalCount: Int(reader.meta.lastPage) + 1)
    }
}
