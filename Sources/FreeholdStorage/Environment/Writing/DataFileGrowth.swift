/// The growth of the data file around one commit.
///
/// The file is kept a little longer than its pages need, with allocated blocks. This has
/// several effects:
///
/// - Most commits write over allocated blocks.
/// - A full disk is found before a commit begins to write.
/// - A last reserve remains for transactions that delete. A commit larger than the reserve gets
///   its own room.
/// - A file that has lost its end can be distinguished from a complete one.
///
/// LMDB ignores the extra length. The reserve is an eighth of the file, between 16 and 256
/// pages, and is topped up when half is used. It is counted in pages because a commit rewrites
/// the path to each entry, whatever else those pages contain.
struct DataFileGrowth {
    /// The size of the file when the commit begins; durable once it has returned.
    private let size: Int

    /// Makes room before a commit, so that at least half of the reserve remains after it.
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
        // Data for free pages needs no room at the end. For few bytes, the check costs more
        // than it saves.
        let reusable = need > reserve / 4 ? try Self.reusableByteCount(handle) : 0
        do throws(StorageError) {
            let added = max(0, need - reusable)
            size =
                slack >= reserve / 2 + added
                ? current : try Self.extend(handle, from: current, to: used + reserve + added)
        } catch {
            // A deleting transaction may use the reserve and all free pages. If these are not
            // enough, LMDB's commit fails and changes nothing.
            if !transaction.mayUseReserve {
                // Twice, because the estimate covers only what is put, and each put also
                // rewrites the pages above it. The room that deletions need must remain, at the
                // end of the file or inside it. Inside, only runs of pages count: a column
                // takes a run, and a full disk's free pages are in pieces too short for one.
                let left =
                    try Self.reusableByteCount(handle, inRunsOf: Self.runLength) - 2 * need
                    - Self.leastPageCount * handle.pageSize
                if left < (slack < reserve / 4 ? reserve : reserve / 2) { throw error }
            }
            size = current
        }
    }

    /// After a commit: records the size that is now durable, and tops up the reserve for the
    /// next commit.
    ///
    /// - Returns: Whether there was room to top up.
    func noteCommit(_ handle: EnvironmentHandle, control: ControlFile?) -> Bool {
        var durableSize = size
        if handle.usedByteCount > size, let extended = try? handle.fileSize {
            durableSize = extended
        }
        control?.raiseMinimumSize(to: durableSize)
        // A failure here repeats in the next commit, which tries again.
        return (try? Self.topUp(handle, size: durableSize)) != nil
    }

    /// The length of a run of pages that holds a column of a usual cluster.
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

    /// The reusable bytes in the newest version's free list.
    private static func reusableByteCount(_ handle: EnvironmentHandle, inRunsOf length: Int? = nil)
        throws(StorageError) -> Int
    {
        let transaction = try handle.beginRead().raw
        defer { transaction.abort() }
        guard let length else { return try handle.reusableByteCount(in: transaction) }
        return try handle.reusableByteCount(inRunsOf: length, in: transaction)
    }
}
