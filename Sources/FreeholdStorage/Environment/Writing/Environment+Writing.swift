internal import CLMDB
internal import Glibc
internal import Synchronization

extension Environment {
    /// Takes the lock between processes, waiting for it. The caller holds the grant in this
    /// process, and keeps it in every case.
    ///
    /// - Throws: `writeLockTimeout` if the deadline passed first.
    func takeGate(until deadline: ContinuousClock.Instant?) throws(StorageError) {
        guard let control else { throw forkedChildError }
        let start = ContinuousClock.now
        if try !control.lockWriteGate(until: deadline) { throw gateTimeout(since: start) }
    }

    /// As ``takeGate(until:)``, without waiting; false if it would have to wait.
    func tryTakeGate() throws(StorageError) -> Bool {
        guard let control else { throw forkedChildError }
        return try control.tryLockWriteGate()
    }

    /// Releases the lock between processes. The caller keeps the grant.
    func releaseGate() { control?.unlock(.writeGate) }

    /// Creates the write grant, pinning the newest version. The caller holds the grant in this
    /// process and the lock between processes; both are released on failure.
    func makeGrant(_ identity: WriterIdentity) throws(StorageError) -> WriteGrant {
        do throws(StorageError) {
            try checkWritable()
            holderRecord?.set(identity)
            let base = try read()
            if base.version >= handle.newestVersionHint { return WriteGrant(base: base) }
            // No process can commit while the gate is held. So the writer of a version that is
            // not readable died before it could publish the version.
            try adoptLastCommit()
            return WriteGrant(base: try read())
        } catch {
            releaseGrant()
            throw error
        }
    }

    /// Makes a version readable whose writer was killed between writing its meta page and
    /// recording it in LMDB's lock file. That is most of the time of a synchronous commit:
    /// other processes see the page before it is durable. LMDB recovers such a version when the
    /// next writer begins and finds that the lock's holder is dead.
    private func adoptLastCommit() throws(StorageError) {
        let handle = handle
        if writerThread.isCurrent { return try handle.beginAndAbort() }
        let call = BlockingCall { Result { () throws(StorageError) in try handle.beginAndAbort() } }
        do throws(StorageError) {
            try writerThread.submit(path: path) { call.run() }
        } catch {
            call.discard()
            throw error
        }
        let result: Result<Void, StorageError>
        do { result = try call.wait() } catch { preconditionFailure("The call throws nothing.") }
        try result.get()
    }

    /// Releases the grant to the next writer.
    func releaseGrant() {
        guard isOwnedByThisProcess else { return }
        holderRecord?.clear()
        control?.unlock(.writeGate)
        writeQueue.leave()
    }

    /// Makes a version, on the writer thread, for the holder of a grant.
    func commit<Value>(
        _ version: UInt64, _ apply: (WriteTransaction) throws -> Value
    ) throws -> (Value, ReadTransaction) {
        try checkWritable()
        // The grant prevents compactions.
        let (handle, identity) = snapshots.withLock { ($0.handle, $0.identity) }
        do {
            try handle.reassertLocks()
        } catch {
            // Any other failure may be temporary, and nothing was written.
            if error.code == .incompatibleLockFile { setPoison(error) }
            throw error
        }
        if try handle.checkPagesOnce() {
            counters.add(to: counters.pageWalks)
            control?.noteSoundPages()
        }
        let transaction = try handle.beginWrite(version)
        let value: Value
        let reserved: OpaquePointer
        let growth: DataFileGrowth
        do {
            value = try apply(transaction)
            try handle.finish(transaction)
            growth = try DataFileGrowth(preparing: transaction, of: handle)
            try handle.checkIsAtPath(identity)
            // The reader slot is taken before the commit: afterwards, "no slot" could not be
            // told from "not committed".
            reserved = try handle.reserveRead()
        } catch {
            mdb_txn_abort(transaction.end())
            switch (error as? StorageError)?.code {
            // The next commit may find room after the slots of dead processes are freed.
            case .addressSpaceExhausted: handle.discardDeadReaders()
            case .outOfDiskSpace, .fileTooLarge: releaseFreedPages(of: version - 1, handle)
            default: break
            }
            throw error
        }
        let result = mdb_txn_commit(transaction.end())
        if result != MDB_SUCCESS {
            mdb_txn_abort(reserved)
            throw commitFailure(result, handle)
        }
        counters.add(to: counters.commits)
        counters.add(transaction.putByteCount, to: counters.bytesWritten)
        EventLog.say(
            .debug, about: .transactions,
            "\(path): committed version \(version), \(transaction.putByteCount) bytes")
        control?.announceCommit(version)
        let hasRoom = growth.noteCommit(handle, control: control)
        if !hasRoom, transaction.mayUseReserve { releaseFreedPages(of: version, handle) }
        if version % 256 == 0 {
            let count = handle.discardDeadReaders()
            if count > 0 {
                EventLog.say(
                    .info, "\(path): gave back \(count) reader slots of processes that died")
            }
        }
        let newVersion = try handle.renewRead(reserved)
        return (
            value,
            publish(
                ReadTransaction(
                    adopting: reserved, version: newVersion, environment: self, handle: handle))
        )
    }

    /// Decides after a failed commit whether the file can still be written, and which error the
    /// caller gets.
    ///
    /// LMDB returns one `errno` for three failures. A failed write of data pages leaves these
    /// unreferenced: no harm is done, and the usual cause is a full disk. After a failed write
    /// of the meta page, LMDB refuses everything. After a failed `fdatasync` LMDB continues,
    /// but the contents of the medium are unknown. The kernel reports that once to every
    /// descriptor, including ours.
    func commitFailure(_ result: CInt, _ handle: EnvironmentHandle) -> StorageError {
        let error = handle.spaceError(result) ?? .lmdb(result, "commit", path: path)
        var probe: OpaquePointer?
        let probeResult = mdb_txn_begin(handle.raw, nil, UInt32(MDB_RDONLY), &probe)
        if let probe { mdb_txn_abort(probe) }
        let isSynced = options.durability == .none || fdatasync(handle.dataDescriptor) == 0
        if probeResult == MDB_PANIC || !isSynced {
            setPoison(error)
            return StorageError(
                .inputOutput,
                """
                A commit to "\(path)" failed on the medium; it is not certain to be undone \
                after a loss of power. Release every use of the file, check the medium, and \
                open it again.
                """,
                path: path, systemError: result > 0 ? result : nil, underlying: error)
        }
        return error
    }

    /// Forbids writing until the file is opened again.
    func setPoison(_ error: StorageError) {
        poison.withLock { if $0 == nil { $0 = error } }
        EventLog.say(.error, "\(path) takes no more changes until it is opened again: \(error)")
        control?.markSuspect()
    }
}

extension EnvironmentHandle {
    /// Takes LMDB's write lock and releases it. Writer thread only.
    func beginAndAbort() throws(StorageError) {
        var transaction: OpaquePointer?
        let result = mdb_txn_begin(raw, nil, 0, &transaction)
        guard result == MDB_SUCCESS, let transaction else {
            throw .lmdb(result, "begin a write transaction", path: path)
        }
        mdb_txn_abort(transaction)
    }

    /// Begins LMDB's write transaction. Writer thread only.
    func beginWrite(_ version: UInt64) throws(StorageError) -> WriteTransaction {
        var transaction: OpaquePointer?
        let result = mdb_txn_begin(raw, nil, 0, &transaction)
        guard result == MDB_SUCCESS, let transaction else {
            throw .lmdb(result, "begin a write transaction", path: path)
        }
        // After the previous commit, before LMDB reads the reader slots: see `checkAndWarm`.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard UInt64(truncatingIfNeeded: mdb_txn_id(transaction)) &+ versionOffset == version else {
            mdb_txn_abort(transaction)
            throw StorageError(
                .foreignFile,
                "\"\(path)\" was changed by a program other than Freehold while it was open. "
                    + "Close the file in every program, and open it again.", path: path)
        }
        let writing = WriteTransaction(
            adopting: transaction, version: version, pageSize: pageSize, path: path)
        do throws(StorageError) {
            if let treeEncryption { try writing.beginEncrypting(treeEncryption) }
        } catch {
            mdb_txn_abort(writing.end())
            throw error
        }
        return writing
    }

    /// Refuses a half-applied transaction; writes the version record of a complete one.
    func finish(_ transaction: WriteTransaction) throws(StorageError) {
        if let failure = transaction.failure { throw failure }
        if let encrypted = transaction.encrypted {
            try encrypted.finish()
            try encrypted.putRoots(transaction.version, in: transaction.liveRaw)
        }
        let result = Self.putVersionRecord(transaction.version, in: transaction.liveRaw)
        if result != MDB_SUCCESS { throw .lmdb(result, "put the version record", path: path) }
    }

    /// The error for a full disk or a size limit, if the `errno` means that here. LMDB reports
    /// a write cut short by such a limit as EIO.
    func spaceError(_ number: CInt) -> StorageError? {
        guard number == ENOSPC || number == EDQUOT || number == EFBIG || number == EIO else {
            return nil
        }
        if number == EIO {
            if isAtFileSizeLimit { return .system(EFBIG, "commit", path: path) }
            return isDiskFull ? .system(ENOSPC, "commit", path: path) : nil
        }
        return .system(number, "commit", path: path)
    }

    private var isDiskFull: Bool {
        var system = freehold_file_system()
        guard freehold_file_system_of_descriptor(dataDescriptor, &system) == 0 else { return false }
        return system.available_blocks * system.block_size < 64 * 1024
    }

    private var isAtFileSizeLimit: Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0 else {
            return false
        }
        var status = stat()
        guard limit.rlim_cur != rlim_t.max, fstat(dataDescriptor, &status) == 0 else {
            return false
        }
        return UInt(status.st_size) + UInt(pageSize) > limit.rlim_cur
    }
}

extension Environment {
    /// Waits until the writer thread has run its submitted jobs. For tests and simulations that
    /// must know what happens next.
    ///
    /// - Parameter isBlocked: If given, polled for whether the thread waits for another
    ///   process; then this stops waiting.
    package func waitForWriterThread(unless isBlocked: (() -> Bool)? = nil) {
        let monitor = Monitor()
        let isDone = Locked(false)
        do throws(StorageError) {
            try writerThread.submit(path: path) {
                monitor.withLock {
                    isDone.withLock { $0 = true }
                    monitor.wakeAll()
                }
            }
        } catch {
            // Without a thread there are no jobs.
            return
        }
        monitor.withLock {
            while !isDone.withLock({ $0 }) {
                guard let isBlocked else {
                    monitor.wait()
                    continue
                }
                if !monitor.wait(for: .microseconds(100)), isBlocked() { return }
            }
        }
    }
}
