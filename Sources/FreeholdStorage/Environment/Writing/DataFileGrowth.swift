/// The growth of the data file around one commit.
///
/// The file is kept a little longer than its pages need, with the blocks allocated. So most
/// commits write over allocated blocks, a full disk is found before a commit begins to write, a
/// last reserve is left for transactions that delete (a commit that is larger than the reserve
/// gets room of its own), and a file that has lost its end can be told from one that has not.
/// LMDB ignores the extra length. The reserve is an eighth of the file, between 16 and 256
/// pages, and is topped up when half is used. It counts in pages because a commit writes the
/// path to each entry anew, whatever else the pages have.
struct DataFileGrowth {
    /// The size of the file when the commit begins; durable once it has returned.
    private let size: Int

    /// Makes room before a commit, so that at least half of the reserve is left behind it.
    ///
    /// - Throws: `outOfDiskSpace` or `fileTooLarge`, unless the transaction fits in the free
    ///   pages inside the file, or may use the reserve.
    init(preparing transaction: WriteTransaction, of handle: EnvironmentHandle) throws(StorageError)
    {
        let current = try handle.fileSize
        let used = handle.usedByteCount
        let slack = current - used
        let reserve = Self.reserve(used, pageSize: handle.pageSize)
        let need = transaction.estimatedByteCount
        if slack >= reserve / 2 + need {
            size = current
            return
        }
        // What goes into free pages needs no room at the end. Few bytes are not worth the look.
        let reusable = need > reserve / 4 ? try Self.reusableByteCount(handle) : 0
        do throws(StorageError) {
            let added = max(0, need - reusable)
            size =
                slack >= reserve / 2 + added
                ? current : try Self.extend(handle, from: current, to: used + reserve + added)
        } catch {
            // Who deletes may take the reserve and whatever is free: if that is not enough,
            // LMDB finds out, and nothing is changed.
            if !transaction.mayUseReserve {
                // Twice: what is put is an estimate, and each put rewrites the pages above it.
                // And what deletions need stays, at the end or inside, where only pages side by
                // side count: a column is a run of them, and a full disk's free pages are in
                // pieces that none fits into.
                let left =
                    try Self.reusableByteCount(handle, inRunsOf: Self.runLength) - 2 * need
                    - Self.leastPageCount * handle.pageSize
                if left < (slack < reserve / 4 ? reserve : reserve / 2) { throw error }
            }
            size = current
        }
    }

    /// After a commit: records a size that is now durable, and tops the reserve up for the next.
    ///
    /// - Returns: Whether there was room for that.
    func noteCommit(_ handle: EnvironmentHandle, control: ControlFile?) -> Bool {
        var durableSize = size
        if handle.usedByteCount > size, let extended = try? handle.fileSize {
            durableSize = extended
        }
        control?.raiseMinimumSize(to: durableSize)
        // A failure here is that of the next commit, which tries again.
        return (try? Self.topUp(handle, size: durableSize)) != nil
    }

    /// Pages side by side that a column of a usual cluster fits into.
    private static let runLength = 16

    private static let leastPageCount = 16
    private static let mostPageCount = 256

    private static func reserve(_ used: Int, pageSize: Int) -> Int {
        min(max(used / 8, leastPageCount * pageSize), mostPageCount * pageSize)
    }

    private static func topUp(_ handle: EnvironmentHandle, size: Int) throws(StorageError) -> Int {
        let used = handle.usedByteCount
        let reserve = reserve(used, pageSize: handle.pageSize)
        return size - used >= reserve / 2
            ? size : try extend(handle, from: size, to: used + reserve)
    }

    private static func extend(_ handle: EnvironmentHandle, from size: Int, to end: Int)
        throws(StorageError) -> Int
    {
        let pageSize = handle.pageSize
        let target = (end + pageSize - 1) / pageSize * pageSize
        var error = Files.allocate(handle.dataDescriptor, size..<target)
        if error?.meansUnsupported == true {
            error = Files.truncate(handle.dataDescriptor, to: target)
        }
        if let error {
            throw handle.spaceError(error) ?? .system(error, "extend the file", path: handle.path)
        }
        return target
    }

    /// By the newest version's free list.
    private static func reusableByteCount(_ handle: EnvironmentHandle, inRunsOf length: Int? = nil)
        throws(StorageError) -> Int
    {
        let transaction = try handle.beginRead().raw
        defer { transaction.abort() }
        guard let length else { return try handle.reusableByteCount(in: transaction) }
        return try handle.reusableByteCount(inRunsOf: length, in: transaction)
    }
}
