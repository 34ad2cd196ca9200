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
        let result = ThreadHandle.uninterrupted {
            Result { () throws(StorageError) in try handle.beginAndAbort() }
        }
        try result.get()
    }

    /// Releases the grant to the next writer.
    func releaseGrant() {
        guard isOwnedByThisProcess else { return }
        holderRecord?.clear()
        control?.unlock(.writeGate)
        writeQueue.leave()
    }

    /// Makes a version for the holder of a grant, on the caller's thread or the writer thread.
    /// Not interrupted: LMDB's write lock belongs to the thread until this returns.
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
        if try handle.prepareForWriting(options.hooks, counters) { control?.noteSoundPages() }
        let transaction = try handle.beginWrite(version)
        let value: Value
        let reserved: LMDBTransaction
        let growth: DataFileGrowth
        do {
            value = try apply(transaction)
            try handle.finish(transaction)
            growth = try DataFileGrowth(preparing: transaction, of: handle)
            try handle.checkIsAtPath(identity)
            // The reader slot is taken before the commit: afterwards, "no slot" could not be
            // distinguished from "not committed".
            reserved = try handle.reserveRead()
        } catch {
            transaction.end().abort()
            handle.noteJudgedPages(counters)
            switch (error as? StorageError)?.code {
            // The next commit may find room after the slots of dead processes are freed.
            case .addressSpaceExhausted: handle.discardDeadReaders()
            case .outOfDiskSpace, .fileTooLarge:
                handle.allowReuse(counters)
                releaseFreedPages(of: version - 1, handle)
            default: break
            }
            throw error
        }
        let result = transaction.end().commit()
        handle.noteJudgedPages(counters)
        if result != .success {
            reserved.abort()
            let error = commitFailure(result, handle)
            if error.code == .outOfDiskSpace { handle.allowReuse(counters) }
            throw error
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
                EventLog.say(.info, "\(path): freed \(count) reader slots of dead processes")
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
    func commitFailure(_ result: LMDBResult, _ handle: EnvironmentHandle) -> StorageError {
        let error =
            result.errorNumber.flatMap(handle.spaceError) ?? .lmdb(result, "commit", path: path)
        var isPoisoned = false
        switch handle.raw.beginReading() {
        case .success(let probe): probe.abort()
        case .failure(let result): isPoisoned = result == .panic
        }
        let isSynced =
            options.durability == .none || Files.synchronizeData(handle.dataDescriptor) == nil
        if isPoisoned || !isSynced {
            setPoison(error)
            return StorageError(
                .inputOutput,
                """
                A commit to "\(path)" failed with a disk error. After a loss of power, it \
                may or may not be in the file. Close the file everywhere, check the disk, and \
                open it again.
                """, path: path, systemError: result.errorNumber, underlying: error)
        }
        return error
    }

    /// Forbids writing until the file is opened again.
    func setPoison(_ error: StorageError) {
        poison.withLock { if $0 == nil { $0 = error } }
        EventLog.say(.error, "\(path) is read-only until it is reopened: \(error)")
        control?.markSuspect()
    }
}

extension EnvironmentHandle {
    /// Takes LMDB's write lock and releases it, on a thread that is not interrupted.
    func beginAndAbort() throws(StorageError) {
        try raw.beginWriting().get("begin a write transaction", path: path).abort()
    }

    /// Begins LMDB's write transaction. It must end on the same thread, before the call returns
    /// that holds the grant.
    func beginWrite(_ version: UInt64) throws(StorageError) -> WriteTransaction {
        let transaction = try raw.beginWriting().get("begin a write transaction", path: path)
        // After the previous commit, before LMDB reads the reader slots: see `checkAndWarm`.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard transaction.identifier &+ versionOffset == version else {
            transaction.abort()
            throw changedByForeignProgram
        }
        let writing = WriteTransaction(
            adopting: transaction, version: version, pageSize: pageSize, path: path)
        do throws(StorageError) {
            if let judged = judgedPages {
                writing.beginGuarding(
                    try WriteGuard(
                        judged, transaction, pageSize: pageSize, lastPage: lastPage, path: path))
            }
            if let treeEncryption { try writing.beginEncrypting(treeEncryption) }
        } catch {
            writing.end().abort()
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
        try Self.putVersionRecord(transaction.version, in: transaction.liveRaw)
            .check("put the version record", path: path)
    }

    /// The error for a full disk or a size limit, if that is what a failure means here. A
    /// write that ends at the limit is short, which LMDB reports as `inputOutput`.
    func spaceError(_ error: ErrorNumber) -> StorageError? {
        switch error {
        case .diskFull, .quotaExceeded, .fileTooLarge: .system(error, "commit", path: path)
        case .inputOutput where isAtFileSizeLimit: .system(.fileTooLarge, "commit", path: path)
        case .inputOutput where isDiskFull: .system(.diskFull, "commit", path: path)
        default: nil
        }
    }

    private var isDiskFull: Bool { (try? FileSystem.of(dataDescriptor).get().isFull) ?? false }

    private var isAtFileSizeLimit: Bool {
        guard let limit = SystemProcess.fileSizeLimit, let size = try? fileSize else {
            return false
        }
        return UInt(size) + UInt(pageSize) > limit
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
