internal import Synchronization

extension EnvironmentHandle {
    /// Begins a read transaction at the newest version, checks which version it is, and makes
    /// it ready for sharing.
    func beginRead() throws(StorageError) -> (raw: LMDBTransaction, version: UInt64) {
        let transaction = try beginUncheckedRead()
        do throws(StorageError) {
            return (transaction, try checkAndWarm(transaction))
        } catch {
            transaction.abort()
            guard error.code == .corrupted else { throw error }
        }
        // LMDB may copy a meta page while a commit replaces it; the next copy is whole.
        let second = try beginUncheckedRead()
        do throws(StorageError) {
            return (second, try checkAndWarm(second))
        } catch {
            second.abort()
            throw error
        }
    }

    /// Begins a transaction and puts it to sleep, to hold its reader slot for `renewRead`.
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

    /// As LMDB begins it. ``checkAndWarm(_:)`` comes before anything is read.
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
                """,
                path: path)
        }
        return try result.get("begin a read transaction", path: path)
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
            if attempts > 200 {
                throw StorageError(
                    .foreignFile,
                    "\"\(path)\" was changed by a program other than Freehold while it was open. "
                        + "Close the file in every program, and open it again.", path: path)
            }
            if attempts > 5 { ThreadHandle.sleep(microseconds: 1000) }
            transaction.reset()
            try transaction.renew().check("renew a read transaction", path: path)
        }
        // LMDB gives a transaction up without saying so where the root of a database is a page
        // that the version does not have: the next call does. Hence one more behind the last.
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
