internal import CLMDB
internal import Glibc
internal import Synchronization

/// LMDB's environment and the descriptors that go with it: calls into LMDB and its file, and
/// nothing else.
///
/// Its transactions keep it. It closes with `close`, or by itself when it is released: so after
/// a compaction the one before lives as long as somebody reads a version through it.
final class EnvironmentHandle: @unchecked Sendable {
    // @unchecked: nothing changes after `init`; LMDB allows every call made here from any
    // thread, but for write transactions, which only the writer thread begins and ends.
    let raw: OpaquePointer
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
    private let mislabelledReads = Atomic<Int>(0)
    var mislabelledReadCount: Int { mislabelledReads.load(ordering: .relaxed) }
    private let forkGeneration = ForkGuard.generation
    private let soundPages: Atomic<Bool>
    /// Whether the pages were walked, or vouched for. What LMDB wrote afterwards is sound as well.
    var hasSoundPages: Bool { soundPages.load(ordering: .acquiring) }
    /// Of an encrypted file.
    let sealing: Sealing?

    init(
        raw: OpaquePointer, path: String, capacity: Int, versionOffset: UInt64,
        dataDescriptor: Int32, claim: Int64,
        lockDescriptor: Int32, durability: Environment.Durability, sealing: Sealing?,
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
        self.sealing = sealing
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
        if durability == .relaxed { mdb_env_sync(raw, 1) }
        mdb_env_close(raw)
        AddressSpace.mapIsGone()
        if lockDescriptor >= 0 { Glibc.close(lockDescriptor) }
        SecondName.release(dataDescriptor, at: claim)
        Glibc.close(dataDescriptor)
    }

    /// The id of the newest transaction, by the meta pages. A hint: it runs ahead of what a new
    /// transaction sees while a commit is being written, and goes back when that fails.
    var newestVersionHint: UInt64 {
        var information = MDB_envinfo()
        mdb_env_info(raw, &information)
        return UInt64(truncatingIfNeeded: information.me_last_txnid) &+ versionOffset
    }

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
        let end = lseek(dataDescriptor, 0, SEEK_END)
        guard end >= 0 else { throw .system(errno, "read the size of the file", path: path) }
        try PageReader(descriptor: dataDescriptor, path: path, fileSize: Int(end), isOurs: true)
            .walk()
        soundPages.store(true, ordering: .releasing)
        return true
    }

    /// LMDB's id of the newest transaction.
    var newestTransaction: UInt64 { newestVersionHint &- versionOffset }

    /// What is wrong with the pages that a transaction reads and with the free list, in a
    /// sentence; nil where nothing is, and for a version before the newest, whose free list is
    /// another one's. O(pages).
    func problem(ofPagesReadBy transaction: OpaquePointer) throws(StorageError) -> String? {
        let end = lseek(dataDescriptor, 0, SEEK_END)
        guard end >= 0 else { throw .system(errno, "read the size of the file", path: path) }
        do throws(StorageError) {
            let reader = try PageReader(
                descriptor: dataDescriptor, path: path, fileSize: Int(end), isOurs: true)
            // The pages of a version that is read are not written to.
            guard reader.meta.transaction == UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
            else { return nil }
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
    var lastPage: Int {
        var information = MDB_envinfo()
        mdb_env_info(raw, &information)
        return information.me_last_pgno
    }

    var pageSize: Int {
        var statistics = MDB_stat()
        mdb_env_stat(raw, &statistics)
        return Int(statistics.ms_psize)
    }

    /// The size of pages, if what is read from the map tells which page it lies on; else nil,
    /// and only LMDB may read them.
    var mappedPageSize: Int? { MappedPage.findableSize(pageSize) }

    /// Frees the reader slots of processes that died. Returns how many there were.
    @discardableResult
    func discardDeadReaders() -> Int {
        var count: CInt = 0
        mdb_reader_check(raw, &count)
        return Int(count)
    }

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
        try reassertLock(CInt(freehold_lock_shared.rawValue), at: 0)
        try reassertLock(CInt(freehold_lock_exclusive.rawValue), at: Int64(getpid()))
    }

    private func reassertLock(_ kind: CInt, at offset: Int64) throws(StorageError) {
        var result: CInt
        repeat {
            result = freehold_process_lock(lockDescriptor, kind, offset)
        } while result == EINTR
        switch result {
        case 0: return
        // The two that POSIX allows for a lock that another process has.
        case EAGAIN, EACCES:
            throw StorageError(
                .incompatibleLockFile,
                """
                Another program has taken over the lock file of "\(path)". Close the file \
                in every 
                """
                    + """
                    program, and open it again; do not open it with tools that ignore its \
                    locks.
                    """,
                path: path)
        default: throw .system(result, "set the locks of the lock file again", path: path)
        }
    }
}

// MARK: - Files

extension EnvironmentHandle {
    /// LMDB's descriptor of its data file, which it opened by a path and with any links.
    ///
    /// - Throws: `replacedWhileOpen` if that is another file than the one that was judged.
    @discardableResult
    static func check(_ raw: OpaquePointer, hasOpen identity: FileIdentity, path: String)
        throws(StorageError) -> Int32
    {
        var descriptor: mdb_filehandle_t = -1
        mdb_env_get_fd(raw, &descriptor)
        guard try FileHead.of(descriptor, path: path).identity == identity else {
            throw StorageError(
                .replacedWhileOpen,
                "\"\(path)\" was replaced while it was being opened. Open it again.", path: path)
        }
        return descriptor
    }

    /// - Throws: `replacedWhileOpen` if the path of the data file names another file, or
    ///   nothing: what is written to a file without its name is lost with the process. Where
    ///   the system does not tell, as for a process that may not search the directory any more,
    ///   nothing is known to be wrong. One system call.
    func checkIsAtPath(_ identity: FileIdentity) throws(StorageError) {
        let what: String
        switch FileHead.at(path) {
        case .success(let head):
            if head.identity == identity { return }
            what = "names another file than the one that is open: that was replaced"
        case .failure(let error):
            guard error.number == ENOENT || error.number == ENOTDIR else { return }
            what = "names nothing: the file that is open was deleted or moved"
        }
        throw StorageError(
            .replacedWhileOpen,
            """
            "\(path)" \(what). Nothing is written to it, as it would be lost. Release \
            every use of the file, or 
            """
                + "put it back in its place.", path: path)
    }
}

// MARK: - Databases

extension EnvironmentHandle {
    /// The key of the version record, in the unnamed main database: its page is rewritten by
    /// every commit anyway.
    static let versionKey: StaticString = "version"

    /// Opens the main and the named databases, once, before any other thread knows of the
    /// environment.
    ///
    /// LMDB needs the main database opened explicitly, or its comparison function is missing.
    static func openDatabases(_ raw: OpaquePointer, path: String) throws(StorageError) {
        var transaction: OpaquePointer?
        var result = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        guard result == MDB_SUCCESS, let transaction else {
            throw .lmdb(result, "read the databases", path: path)
        }
        do throws(StorageError) {
            try openDatabases(in: transaction, flags: 0, path: path)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        result = mdb_txn_commit(transaction)
        if result != MDB_SUCCESS { throw .lmdb(result, "read the databases", path: path) }
    }

    static func openDatabases(
        in transaction: OpaquePointer, flags: CInt, path: String
    ) throws(StorageError) {
        var opened: MDB_dbi = 0
        let result = mdb_dbi_open(transaction, nil, 0, &opened)
        guard result == MDB_SUCCESS, opened == Database.mainHandle else {
            throw .lmdb(result, "open the main database", path: path)
        }
        for database in Database.allCases {
            let result = mdb_dbi_open(transaction, database.name, UInt32(flags), &opened)
            if result == MDB_NOTFOUND {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" is missing from "\(path)". Restore it \
                    from a backup.
                    """,
                    path: path)
            }
            guard result == MDB_SUCCESS else { throw .lmdb(result, "open a database", path: path) }
            precondition(opened == database.handle, "LMDB numbers handles in the order of opening.")
            var databaseFlags: UInt32 = 0
            guard mdb_dbi_flags(transaction, opened, &databaseFlags) == MDB_SUCCESS,
                databaseFlags == 0
            else {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" in "\(path)" has the wrong kind. \
                    Restore it from a backup.
                    """,
                    path: path)
            }
        }
    }

    static func withVersionKey<Result>(_ body: (inout MDB_val) -> Result) -> Result {
        versionKey.withUTF8Buffer { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            return body(&key)
        }
    }

    /// The version record that a transaction sees, or LMDB's error.
    static func versionRecord(in transaction: OpaquePointer) -> (result: CInt, version: UInt64) {
        var value = MDB_val()
        let result = withVersionKey { mdb_get(transaction, Database.mainHandle, &$0, &value) }
        guard result == MDB_SUCCESS else { return (result, 0) }
        guard value.mv_size == 8 else { return (CInt(MDB_CORRUPTED), 0) }
        return (result, UInt64(littleEndian: value.bytes.loadUnaligned(as: UInt64.self)))
    }

    static func putVersionRecord(_ version: UInt64, in transaction: OpaquePointer) -> CInt {
        var bytes = version.littleEndian
        return withUnsafeMutableBytes(of: &bytes) { buffer in
            var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
            return withVersionKey { mdb_put(transaction, Database.mainHandle, &$0, &value, 0) }
        }
    }
}

// MARK: - Read transactions

extension EnvironmentHandle {
    /// Begins a read transaction at the newest version, checks which version it is, and makes
    /// it ready for sharing.
    func beginRead() throws(StorageError) -> (raw: OpaquePointer, version: UInt64) {
        let transaction = try beginUncheckedRead()
        do throws(StorageError) {
            return (transaction, try checkAndWarm(transaction))
        } catch {
            mdb_txn_abort(transaction)
            guard error.code == .corrupted else { throw error }
        }
        // LMDB may copy a meta page while a commit replaces it; the next copy is whole.
        let second = try beginUncheckedRead()
        do throws(StorageError) {
            return (second, try checkAndWarm(second))
        } catch {
            mdb_txn_abort(second)
            throw error
        }
    }

    /// Begins a transaction and puts it to sleep, to hold its reader slot for `renewRead`.
    func reserveRead() throws(StorageError) -> OpaquePointer {
        let transaction = try beginUncheckedRead()
        mdb_txn_reset(transaction)
        return transaction
    }

    /// Moves a reserved transaction to the newest version, checked and ready for sharing.
    /// Aborts it on failure.
    func renewRead(_ transaction: OpaquePointer) throws(StorageError) -> UInt64 {
        do throws(StorageError) {
            let result = mdb_txn_renew(transaction)
            if result != MDB_SUCCESS {
                throw StorageError.lmdb(result, "read the new version", path: path)
            }
            return try checkAndWarm(transaction)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
    }

    /// As LMDB begins it. ``checkAndWarm(_:)`` comes before anything is read.
    func beginUncheckedRead() throws(StorageError) -> OpaquePointer {
        var transaction: OpaquePointer?
        var result = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        if result == MDB_READERS_FULL {
            discardDeadReaders()
            result = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        }
        if result == EAGAIN {
            throw StorageError(
                .foreignProcessNamespace,
                "Another process with the same process id reads \"\(path)\", as happens between "
                    + """
                    containers. Run all processes that use the file in one process-id \
                    namespace.
                    """,
                path: path)
        }
        guard result == MDB_SUCCESS, let transaction else {
            throw .lmdb(result, "begin a read transaction", path: path)
        }
        return transaction
    }

    /// Compares the version record with the transaction's id, renewing the transaction while
    /// they differ, then uses each database once.
    ///
    /// LMDB takes the id and the pages of a new transaction in two steps; when two commits
    /// finish between, the id is too old for the pages. The pages are consistent and pinned,
    /// but the label is wrong. The record in the pages tells. And the first use of a database
    /// in a transaction writes to the transaction, so that it must come before sharing.
    ///
    /// LMDB writes the id into the reader slot without a fence, so a processor may show it to
    /// writers after the loads that follow. The pages of version N are used again by the writer
    /// of N + 3 at the earliest, which begins behind commit N + 2. The fence here and the one
    /// in ``beginWrite(_:)`` have either that writer see the slot, or this reader see that
    /// commit. Then it takes the newest version instead.
    func checkAndWarm(_ transaction: OpaquePointer) throws(StorageError) -> UInt64 {
        var attempts = 0
        while true {
            let identifier = UInt64(truncatingIfNeeded: mdb_txn_id(transaction)) &+ versionOffset
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            if newestVersionHint <= identifier &+ 1 {
                let (result, version) = Self.versionRecord(in: transaction)
                if result == MDB_SUCCESS, version == identifier { break }
                if result != MDB_SUCCESS, result != MDB_NOTFOUND {
                    throw .lmdb(result, "read the version record", path: path)
                }
            }
            attempts += 1
            mislabelledReads.wrappingAdd(1, ordering: .relaxed)
            if attempts > 200 {
                throw StorageError(
                    .foreignFile,
                    "\"\(path)\" was changed by a program other than Freehold while it was open. "
                        + "Close the file in every program, and open it again.", path: path)
            }
            if attempts > 5 { usleep(1000) }
            mdb_txn_reset(transaction)
            let renewal = mdb_txn_renew(transaction)
            if renewal != MDB_SUCCESS {
                throw .lmdb(renewal, "renew a read transaction", path: path)
            }
        }
        var statistics = MDB_stat()
        // LMDB gives a transaction up without saying so where the root of a database is a page
        // that the version does not have: the next call does. Hence one more behind the last.
        for database in Database.allCases + [.meta] {
            let result = mdb_stat(transaction, database.handle, &statistics)
            if result == MDB_BAD_TXN {
                throw corrupted(path, "a database begins on a page that it does not have")
            }
            if result != MDB_SUCCESS { throw .lmdb(result, "read a database", path: path) }
        }
        return UInt64(truncatingIfNeeded: mdb_txn_id(transaction)) &+ versionOffset
    }
}
