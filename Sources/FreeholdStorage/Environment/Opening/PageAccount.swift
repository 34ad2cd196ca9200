/// The use of each page of a file.
package struct PageAccount: Sendable, Hashable {
    /// The pages of the newest version's trees, of its large values and of the free list.
    package let usedCount: Int
    /// The pages that the free list names.
    package let freeCount: Int
    /// The pages up to the last one that was ever taken, including the two meta pages.
    package let totalCount: Int

    /// The pages that neither a tree nor the free list names. They will never be reused.
    package var lostCount: Int { totalCount - 2 - usedCount - freeCount }
}

extension Environment {
    /// Accounts for each page of the newest version, by reading the file instead of the map.
    /// Blocks writers meanwhile. O(pages of the trees and of the free list).
    ///
    /// Only a defect in LMDB or Freehold loses pages. Readers of old versions keep pages in the
    /// free list, and lose none.
    ///
    /// - Throws: `corrupted` if a page is used twice, or both used and free; `truncated`; and
    ///   errors of ``Writer/begin(as:timeout:)``.
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
