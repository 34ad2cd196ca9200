internal import Synchronization

extension EnvironmentHandle {
    /// Begins a read transaction at the newest version, verifies its version number, and
    /// prepares it for sharing.
    func beginRead() throws(StorageError) -> (raw: LMDBTransaction, version: UInt64) {
        let transaction = try beginUncheckedRead()
        do throws(StorageError) {
            return (transaction, try checkAndWarm(transaction))
        } catch {
            transaction.abort()
            guard error.code == .corrupted else { throw error }
        }
        // LMDB may copy a meta page while a commit replaces it; the next copy is consistent.
        let second = try beginUncheckedRead()
        do throws(StorageError) {
            return (second, try checkAndWarm(second))
        } catch {
            second.abort()
            throw error
        }
    }

    /// Begins a transaction and resets it, which keeps its reader slot for `renewRead`.
    func reserveRead() throws(StorageError) -> LMDBTransaction {
        let transaction = try beginUncheckedRead()
        transaction.reset()
        return transaction
    }

    /// Moves a reserved transaction to the newest version, checked and ready for sharing.
    /// Aborts it on failure.
    func renewRead(_ transaction: LMDBTransaction) throws(StorageError) -> UInt64 {
        do throws(StorageError) {
            try transaction.renew().check("read the new version", path: path)
            return try checkAndWarm(transaction)
        } catch {
            transaction.abort()
            throw error
        }
    }

    /// Begins a transaction without checks. Call ``checkAndWarm(_:)`` before reading anything.
    func beginUncheckedRead() throws(StorageError) -> LMDBTransaction {
        var result = raw.beginReading()
        if case .failure(.readersFull) = result {
            discardDeadReaders()
            result = raw.beginReading()
        }
        if case .failure(let failure) = result, failure.errorNumber == .tryAgain {
            throw StorageError(
                .foreignProcessNamespace,
                """
                Another process with the same process id reads "\(path)", as happens \
                between containers. Run all processes that use the file in one process-id \
                namespace.
                """, path: path)
        }
        return try result.get("begin a read transaction", path: path)
    }

    /// Compares the version record with the transaction's id, renewing the transaction while
    /// they differ. Then uses each database once.
    ///
    /// LMDB takes the id and the pages of a new transaction in two steps. If two commits finish
    /// in between, the id is too old for the pages. The pages are consistent and pinned, but
    /// the label is wrong; the record in the pages has the right version. Also, the first use
    /// of a database in a transaction writes to the transaction, so it must happen before
    /// sharing.
    ///
    /// LMDB writes the id into the reader slot without a fence, so writers may see it only
    /// after the loads that follow. The earliest writer to reuse pages of version N is that of
    /// N + 3, which begins after commit N + 2. This fence and the one in ``beginWrite(_:)``
    /// guarantee one of two outcomes: that writer sees the slot, or this reader sees that
    /// commit. In the second case the reader takes the newest version instead.
    func checkAndWarm(_ transaction: LMDBTransaction) throws(StorageError) -> UInt64 {
        var attempts = 0
        while true {
            let identifier = transaction.identifier &+ versionOffset
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            if newestVersionHint <= identifier &+ 1 {
                let version = Self.versionRecord(in: transaction)
                if version == .success(identifier) { break }
                if version != .failure(.notFound) {
                    _ = try version.get("read the version record", path: path)
                }
            }
            attempts += 1
            mislabelledReads.wrappingAdd(1, ordering: .relaxed)
            if attempts > 200 { throw changedByForeignProgram }
            if attempts > 5 { ThreadHandle.sleep(microseconds: 1000) }
            transaction.reset()
            try transaction.renew().check("renew a read transaction", path: path)
        }
        // If the root of a database is a page that the version does not have, LMDB silently
        // gives up the transaction, and only the next call fails. Hence one more call after the
        // last database.
        for database in Database.allCases + [.meta] {
            let count = transaction.entryCount(database.handle)
            if case .failure(.badTransaction) = count {
                throw corrupted(path, "a database begins on a page that it does not have")
            }
            _ = try count.get("read a database", path: path)
        }
        return transaction.identifier &+ versionOffset
    }
}
