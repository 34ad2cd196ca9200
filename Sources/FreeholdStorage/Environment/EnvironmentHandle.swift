internal import Synchronization

/// LMDB's environment and the descriptors that go with it: calls into LMDB and its file, and
/// nothing else.
///
/// Its transactions keep it. It closes with `close`, or by itself when it is released: so after
/// a compaction the one before lives as long as somebody reads a version through it.
final class EnvironmentHandle: @unchecked Sendable {
    // @unchecked: nothing changes after `init`; LMDB allows every call made here from any
    // thread, but for write transactions, which only the writer thread begins and ends.
    let raw: LMDBEnvironment
    let path: String
    let capacity: Int
    /// The difference between a version and LMDB's transaction id. Not zero for a file that
    /// another tool copied compactly or loaded, which starts its transaction ids again;
    /// versions never go back.
    let versionOffset: UInt64
    /// The data file, opened apart from LMDB's descriptor of it: the kernel reports a failed
    /// write-back once to each.
    let dataDescriptor: Int32
    /// The place of that descriptor's lock (``SecondName``).
    private let claim: Int64
    /// LMDB's lock file, kept open so that its process locks can be set again; -1 where no
    /// locks are used.
    let lockDescriptor: Int32
    let durability: Environment.Durability
    private let isClosed = Atomic<Bool>(false)
    /// How many read transactions LMDB gave another id than the pages that it gave them have.
    let mislabelledReads = Atomic<Int>(0)
    var mislabelledReadCount: Int { mislabelledReads.load(ordering: .relaxed) }
    private let forkGeneration = ForkGuard.generation
    private let soundPages: Atomic<Bool>
    /// Whether the pages were walked, or vouched for. What LMDB wrote afterwards is sound as well.
    var hasSoundPages: Bool { soundPages.load(ordering: .acquiring) }
    /// Of an encrypted file.
    let treeEncryption: TreeEncryption?

    init(
        raw: LMDBEnvironment, path: String, capacity: Int, versionOffset: UInt64,
        dataDescriptor: Int32, claim: Int64,
        lockDescriptor: Int32, durability: Environment.Durability, treeEncryption: TreeEncryption?,
        hasSoundPages: Bool
    ) {
        self.raw = raw
        self.path = path
        self.capacity = capacity
        self.versionOffset = versionOffset
        self.dataDescriptor = dataDescriptor
        self.claim = claim
        self.lockDescriptor = lockDescriptor
        self.durability = durability
        self.treeEncryption = treeEncryption
        soundPages = Atomic(hasSoundPages)
        AddressSpace.mapWasMade()
    }

    deinit {
        // In a forked child it is the parent's.
        if forkGeneration == ForkGuard.generation { close() }
    }

    /// Frees LMDB's side first: closing any descriptor of the lock file drops the process's
    /// locks on it. After the last transaction has ended; a second call does nothing.
    func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        if durability == .relaxed { raw.synchronize() }
        raw.close()
        AddressSpace.mapIsGone()
        if lockDescriptor >= 0 { Files.close(lockDescriptor) }
        SecondName.release(dataDescriptor, at: claim)
        Files.close(dataDescriptor)
    }

    /// The id of the newest transaction, by the meta pages. A hint: it runs ahead of what a new
    /// transaction sees while a commit is being written, and goes back when that fails.
    var newestVersionHint: UInt64 { raw.newestTransaction &+ versionOffset }

    /// Walks the pages of the newest version and of the free list, unless they are known to be
    /// sound. With the right to write, so that they do not change meanwhile.
    ///
    /// LMDB's side of a write trusts each page that it comes by, and the free list: it aborts,
    /// moves bytes by damaged lengths, or overwrites pages that are in use. What it wrote
    /// itself afterwards, in this process or another one that did the same, is sound.
    ///
    /// - Returns: Whether they had to be walked.
    /// - Throws: `corrupted` or `truncated`. Nothing is ever written to a damaged file.
    func checkPagesOnce() throws(StorageError) -> Bool {
        if hasSoundPages { return false }
        try PageReader(
            descriptor: dataDescriptor, path: path, fileSize: try fileSize, isOurs: true
        ).walk()
        soundPages.store(true, ordering: .releasing)
        return true
    }

    /// The size of the data file.
    var fileSize: Int {
        get throws(StorageError) {
            try Files.size(dataDescriptor).get("read the size of the file", path: path)
        }
    }

    /// LMDB's id of the newest transaction.
    var newestTransaction: UInt64 { newestVersionHint &- versionOffset }

    /// What is wrong with the pages that a transaction reads and with the free list, in a
    /// sentence; nil where nothing is, and for a version before the newest, whose free list is
    /// another one's. O(pages).
    func problem(ofPagesReadBy transaction: LMDBTransaction) throws(StorageError) -> String? {
        let size = try fileSize
        do throws(StorageError) {
            let reader = try PageReader(
                descriptor: dataDescriptor, path: path, fileSize: size, isOurs: true)
            // The pages of a version that is read are not written to.
            guard reader.meta.transaction == transaction.identifier else { return nil }
            try reader.walk()
            return nil
        } catch {
            guard error.code == .corrupted || error.code == .truncated else { throw error }
            return error.message
        }
    }

    /// The end of the last page in use, by the newest commit.
    var usedByteCount: Int { (lastPage &+ 1) &* pageSize }

    /// The last page in use, by the newest commit.
    var lastPage: Int { raw.lastPage }

    var pageSize: Int { raw.pageSize }

    /// The size of pages, if what is read from the map tells which page it lies on; else nil,
    /// and only LMDB may read them.
    var mappedPageSize: Int? { MappedPage.findableSize(pageSize) }

    /// Frees the reader slots of processes that died. Returns how many there were.
    @discardableResult
    func discardDeadReaders() -> Int { raw.discardDeadReaders() }

    /// Sets this process's two locks on LMDB's lock file again.
    ///
    /// Anything in this process that opens and closes that file, a backup say, drops them
    /// without a trace; another process would then take the file for unused and reset its lock.
    /// Cheap when they are still held.
    ///
    /// - Throws: `incompatibleLockFile` if another process has taken them; what the system
    ///   refuses, after which they may be set later.
    func reassertLocks() throws(StorageError) {
        if lockDescriptor < 0 { return }
        try reassertLock(.shared, at: 0)
        try reassertLock(.exclusive, at: Int64(SystemProcess.identifier))
    }

    private func reassertLock(_ kind: FileLocks.Kind, at offset: Int64) throws(StorageError) {
        guard let error = FileLocks.takeForProcess(lockDescriptor, kind, at: offset) else { return }
        if error.meansLocked {
            throw StorageError(
                .incompatibleLockFile,
                """
                Another program has taken over the lock file of "\(path)". Close the file in \
                every program, and open it again; do not open it with tools that ignore its \
                locks.
                """,
                path: path)
        }
        throw .system(error, "set the locks of the lock file again", path: path)
    }
}
