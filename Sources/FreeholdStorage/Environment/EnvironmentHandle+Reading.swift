internal import CLMDB
internal import Glibc
internal import Synchronization

extension EnvironmentHandle {
    /// Begins a read transaction at the newest version, verifies its version number, and
    /// prepares it for sharing.
    func beginRead() throws(StorageError) -> (raw: OpaquePointer, version: UInt64) {
        let transaction = try beginUncheckedRead()
        do throws(StorageError) {
            return (transaction, try checkAndWarm(transaction))
        } catch {
            mdb_txn_abort(transaction)
            guard error.code == .corrupted else { throw error }
        }
        // LMDB may copy a meta page while a commit replaces it; the next copy is consistent.
        let second = try beginUncheckedRead()
        do throws(StorageError) {
            return (second, try checkAndWarm(second))
        } catch {
            mdb_txn_abort(second)
            throw error
        }
    }

    /// Begins a transaction and resets it, which keeps its reader slot for `renewRead`.
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

    /// Begins a transaction without checks. Call ``checkAndWarm(_:)`` before reading anything.
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
                """
                Another process with the same process id reads "\(path)", as happens \
                between containers. Run all processes that use the file in one process-id \
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
        // If the root of a database is a page that the version does not have, LMDB silently
        // gives up the transaction, and only the next call fails. Hence one more call after the
        // last database.
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
