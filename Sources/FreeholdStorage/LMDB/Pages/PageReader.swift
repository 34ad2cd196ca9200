/// Reads an LMDB file with `pread`, before anything maps it.
///
/// LMDB itself trusts a file. It treats an emptied file as new, dies of SIGBUS in a truncated
/// one, and aborts at an invalid page. So the file is read here first. Every number from disk
/// may have any value (``PageLayout``); nothing here traps on it.
struct PageReader {
    let descriptor: Int32
    let path: String
    let fileSize: Int
    /// The newer of the two meta pages.
    let meta: MetaPage
    /// The other meta page, if both were read.
    let olderMeta: MetaPage?
    /// Called by a walk before each branch or leaf. May throw to end the walk.
    var onPage: (@Sendable () throws(StorageError) -> Void)?
    /// How many threads walk a tree. With more than one, all of them call `onPage`.
    var threadCount = 1

    /// Creates a reader of a file whose trees the caller has found.
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
        guard let first = try MetaPage.read(descriptor, at: 0, path: path) else {
            throw isOurs ? Self.truncated(path) : Self.notAnEnvironment(path)
        }
        let pageSize = try Self.pageSize(by: try? first.get(), descriptor, path: path) ?? 4096
        let second = try MetaPage.read(descriptor, at: pageSize, path: path)
        switch (first, second) {
        case (.success, nil):
            throw Self.truncated(path)
        case (.success(let first), .success(let second)?) where first.pageSize == second.pageSize:
            (meta, olderMeta) =
                second.transaction > first.transaction ? (second, first) : (first, second)
            if fileSize < 2 * pageSize { throw Self.truncated(path) }
            // A commit writes the meta page selected by its number's lowest bit.
            if first.transaction & 1 != 0 || second.transaction & 1 != 1 && second.transaction != 0
            {
                throw corrupted(path, "its meta pages are in the wrong order")
            }
            // Far beyond what a file can reach, and low enough that sums cannot overflow.
            if meta.transaction >> 62 != 0
                || meta.lastPage > UInt64(fileSize / pageSize) + Self.mostUnwrittenPages
            {
                throw corrupted(path, "its newest meta page counts too high")
            }
        case (.failure(let defect), .failure?), (.failure(let defect), nil):
            if case .dataVersion(let version) = defect {
                throw StorageError(
                    .unreadableFormat,
                    """
                    "\(path)" is an LMDB file of data version \(version), which LMDB 0.9 does \
                    not read. Export it with the program that wrote it.
                    """, path: path)
            }
            throw isOurs
                ? corrupted(path, "both its meta pages are damaged") : Self.notAnEnvironment(path)
        default:
            throw corrupted(path, "one of its meta pages is damaged")
        }
    }

    /// The number of pages that may follow the end of the file, which is the greatest size of a
    /// map. LMDB does not write pages that a transaction both took and freed, so the last page
    /// may lie behind the end.
    private static let mostUnwrittenPages: UInt64 = 1 << 28

    /// Makes walks of a large file use several threads. For a caller that blocks until they end; a
    /// walk in the background leaves the other processors alone.
    mutating func useThreads() {
        if fileSize >= Self.leastSizeForThreads {
            threadCount = min(SystemProcess.processorCount, Self.mostThreads)
        }
    }

    /// Of a smaller file, a walk takes a few milliseconds at most.
    private static let leastSizeForThreads = 16 << 20
    /// The medium and the memory are busy with so many.
    private static let mostThreads = 4

    static func truncated(_ path: String) -> StorageError {
        StorageError(
            .truncated,
            """
            "\(path)" has lost its end: it is shorter than its contents. Restore it from a \
            backup.
            """, path: path)
    }

    static func notAnEnvironment(_ path: String) -> StorageError {
        StorageError(
            .notAnEnvironment,
            """
            "\(path)" is not a Freehold file. Check the path; to start afresh, move the \
            file away.
            """, path: path)
    }
}

/// Returns the error for impossible bytes.
func corrupted(_ path: String, _ what: String) -> StorageError {
    StorageError(
        .corrupted, "\"\(path)\" is damaged: \(what). Restore it from a backup.", path: path)
}
