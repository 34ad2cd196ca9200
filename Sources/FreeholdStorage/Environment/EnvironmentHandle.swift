internal import Synchronization

/// LMDB's environment and its descriptors: wraps the calls into LMDB and to its file.
///
/// Its transactions retain it. It closes with `close`, or when it is released: after a
/// compaction, the old handle lives while versions are read through it.
final class EnvironmentHandle: @unchecked Sendable {
    // @unchecked: nothing changes after `init`; LMDB allows every call made here from any
    // thread. Write transactions are the exception: the thread that begins one ends it, in one
    // call that nothing interrupts.
    let raw: LMDBEnvironment
    let path: String
    let capacity: Int
    /// The difference between a version and LMDB's transaction id. Not zero if another tool
    /// copied the file compactly or loaded it, which restarts the transaction ids; versions
    /// never go back.
    let versionOffset: UInt64
    /// A descriptor of the data file separate from LMDB's: the kernel reports a failed
    /// write-back once to each.
    let dataDescriptor: Int32
    /// The offset of that descriptor's lock (``SecondName``).
    private let claim: Int64
    /// LMDB's lock file, kept open so that its process locks can be taken again; -1 if no locks
    /// are used.
    let lockDescriptor: Int32
    let durability: Environment.Durability
    private let isClosed = Atomic<Bool>(false)
    /// The number of read transactions to which LMDB gave an id that does not belong to their
    /// pages.
    let mislabelledReads = Atomic<Int>(0)
    var mislabelledReadCount: Int { mislabelledReads.load(ordering: .relaxed) }
    private let forkGeneration = ForkGuard.generation
    let soundPages: PageSoundness
    /// Whether the pages were walked or vouched for. Pages that LMDB wrote afterwards are sound
    /// as well.
    var hasSoundPages: Bool { soundPages.isKnown }
    /// The state of a file that this process writes before its pages are known to be sound.
    let unwalkedFile = Locked<UnwalkedFile?>(nil)
    /// The encryption; nil for a plain file.
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
        soundPages = PageSoundness(isKnown: hasSoundPages)
        AddressSpace.mapWasMade()
    }

    deinit {
        // In a forked child, the handle belongs to the parent.
        if forkGeneration == ForkGuard.generation { close() }
    }

    /// Closes LMDB first: closing any descriptor of the lock file drops the process's locks on
    /// it. Call it after the last transaction has ended; a second call does nothing.
    func close() {
        if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
        unwalkedFile.exchange(nil)?.close()
        if durability == .relaxed { raw.synchronize() }
        raw.close()
        AddressSpace.mapIsGone()
        if lockDescriptor >= 0 { Files.close(lockDescriptor) }
        SecondName.release(dataDescriptor, at: claim)
        Files.close(dataDescriptor)
    }

    /// The id of the newest transaction, from the meta pages. A hint: while a commit is being
    /// written, it is ahead of what a new transaction sees, and it moves back if that commit
    /// fails.
    var newestVersionHint: UInt64 { raw.newestTransaction &+ versionOffset }

    /// The size of the data file.
    var fileSize: Int {
        get throws(StorageError) {
            try Files.size(dataDescriptor).get("read the size of the file", path: path)
        }
    }

    /// LMDB's id of the newest transaction.
    var newestTransaction: UInt64 { newestVersionHint &- versionOffset }

    /// A sentence that describes a defect of the pages that a transaction reads, or of the free
    /// list. Nil if they are sound, and for any version except the newest, because the free
    /// list belongs to that. O(pages).
    ///
    /// - Parameter onPage: Called before each page.
    func problem(
        ofPagesReadBy transaction: LMDBTransaction,
        onPage: (@Sendable () throws(StorageError) -> Void)? = nil
    ) throws(StorageError) -> String? {
        let size = try fileSize
        do throws(StorageError) {
            var reader = try PageReader(
                descriptor: dataDescriptor, path: path, fileSize: size, isOurs: true)
            reader.onPage = onPage
            // The pages of a version that is being read are not overwritten.
            guard reader.meta.transaction == transaction.identifier else { return nil }
            try reader.walk()
            soundPages.note()
            return nil
        } catch {
            guard error.code == .corrupted || error.code == .truncated else { throw error }
            return error.message
        }
    }

    /// The end of the last page in use, as of the newest commit.
    var usedByteCount: Int { (lastPage &+ 1) &* pageSize }

    /// The last page in use, as of the newest commit.
    var lastPage: Int { raw.lastPage }

    var pageSize: Int { raw.pageSize }

    /// The page size, if the address of an entry in the map tells its page; else nil, and only
    /// LMDB may read the pages.
    var mappedPageSize: Int? { MappedPage.findableSize(pageSize) }

    /// Frees the reader slots of dead processes. Returns how many there were.
    @discardableResult
    func discardDeadReaders() -> Int { raw.discardDeadReaders() }

    /// Takes this process's two locks on LMDB's lock file again.
    ///
    /// Any code in this process that opens and closes that file, such as a backup, silently
    /// drops them. Another process would then consider the file unused and reset its lock.
    /// Cheap if the locks are still held.
    ///
    /// - Throws: `incompatibleLockFile` if another process has taken them; errors of the
    ///   system, after which they may be taken later.
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
                """, path: path)
        }
        throw .system(error, "set the locks of the lock file again", path: path)
    }
}
