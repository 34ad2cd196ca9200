internal import CLMDB

/// The changes that make the next version, on the writer thread, inside `WriteTicket.commit`.
///
/// Not for other threads, and not for use after the closure that received it: that traps.
/// Pointers read from it are valid until its next change. It shows its own changes.
///
/// A failed change may have happened in part. It therefore poisons the transaction: the error is thrown again by
/// `commit`, whether or not the closure lets it pass.
package final class WriteTransaction {
    /// The version that this transaction makes.
    package let version: UInt64
    /// Lets the transaction use the last pre-allocated pages of a full disk.
    ///
    /// Set it for a transaction that frees more than it adds, so that deleting stays possible when the disk is full.
    package var mayUseReserve = false

    let path: String
    private var raw: OpaquePointer?
    /// The first failure of a change.
    private(set) var failure: StorageError?
    /// An upper estimate of the bytes that the commit writes.
    private(set) var estimatedByteCount = 0
    /// The bytes of the keys and values that were put.
    private(set) var putByteCount = 0

    init(adopting raw: OpaquePointer, version: UInt64, path: String) {
        self.raw = raw
        self.version = version
        self.path = path
    }

    /// LMDB's transaction; traps once it has ended.
    var liveRaw: OpaquePointer {
        guard let raw else { preconditionFailure("A write transaction was used after its end.") }
        return raw
    }

    var hasEnded: Bool { raw == nil }

    /// Gives up LMDB's transaction to whoever commits or aborts it.
    func end() -> OpaquePointer {
        let live = liveRaw
        raw = nil
        return live
    }

    /// Remembers a failure, so that `commit` refuses.
    func failed(_ error: StorageError) -> StorageError {
        if failure == nil { failure = error }
        return error
    }

    /// The value of a key, or `nil`. Valid until the next change.
    package func value(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError) -> UnsafeRawBufferPointer? {
        var key = MDB_val(key)
        var value = MDB_val()
        let result = mdb_get(liveRaw, database.handle, &key, &value)
        if result == MDB_SUCCESS { return value.bytes }
        if result == MDB_NOTFOUND { return nil }
        throw failed(.lmdb(result, "read an entry", path: path))
    }

    /// A new cursor. It ends with the transaction.
    package func cursor(_ database: Database) throws(StorageError) -> Cursor {
        try Cursor(writing: database, of: self)
    }

    /// The number of entries, changes included.
    package func entryCount(_ database: Database) -> Int {
        var statistics = MDB_stat()
        let result = mdb_stat(liveRaw, database.handle, &statistics)
        precondition(result == MDB_SUCCESS, "mdb_stat fails only for a handle that is not open.")
        return statistics.ms_entries
    }

    /// Sets the value of a key.
    ///
    /// - Parameter appending: The key is greater than every key in the database, which skips the search. If it
    ///   is not, the entry is put in its place all the same.
    /// - Throws: `valueTooLarge`, `addressSpaceExhausted`, `outOfMemory`, `corrupted`, `inputOutput`.
    package func put(
        _ database: Database, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, appending: Bool = false
    ) throws(StorageError) {
        var lmdbValue = MDB_val(value)
        try put(database, key, &lmdbValue, flags: 0, appending: appending)
    }

    /// Sets the value of a key to `count` bytes that the caller then fills in, before its next call.
    ///
    /// - Returns: The bytes, uninitialised.
    /// - Throws: As `put`.
    package func reserve(
        _ database: Database, key: UnsafeRawBufferPointer, count: Int, appending: Bool = false
    ) throws(StorageError) -> UnsafeMutableRawBufferPointer {
        var lmdbValue = MDB_val(mv_size: count, mv_data: nil)
        try put(database, key, &lmdbValue, flags: UInt32(MDB_RESERVE), appending: appending)
        return UnsafeMutableRawBufferPointer(start: lmdbValue.mv_data, count: count)
    }

    /// Removes an entry.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func delete(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
        var lmdbKey = MDB_val(key)
        estimatedByteCount += Self.pageSizeEstimate
        let result = mdb_del(liveRaw, database.handle, &lmdbKey, nil)
        if result == MDB_SUCCESS { return true }
        if result == MDB_NOTFOUND { return false }
        throw failed(.lmdb(result, "delete an entry", path: path))
    }

    /// Removes every entry of a database. O(pages), much faster than deleting each.
    package func deleteAll(_ database: Database) throws(StorageError) {
        let result = mdb_drop(liveRaw, database.handle, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "empty a database", path: path)) }
    }

    /// As `put`, by way of a cursor of this transaction.
    func put(_ cursor: OpaquePointer, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) throws(StorageError) {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        var lmdbKey = MDB_val(key)
        var lmdbValue = MDB_val(value)
        estimatedByteCount += key.count + value.count + 16
        putByteCount += key.count + value.count
        let result = mdb_cursor_put(cursor, &lmdbKey, &lmdbValue, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "put an entry", path: path)) }
    }

    /// Removes the entry that a cursor of this transaction is at.
    func deleteFound(_ cursor: OpaquePointer) throws(StorageError) {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        estimatedByteCount += Self.pageSizeEstimate
        let result = mdb_cursor_del(cursor, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "delete an entry", path: path)) }
    }

    private static let pageSizeEstimate = 4096

    private func put(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: inout MDB_val, flags: UInt32, appending: Bool
    ) throws(StorageError) {
        var lmdbKey = MDB_val(key)
        estimatedByteCount += key.count + value.mv_size + 16
        putByteCount += key.count + value.mv_size
        var result = mdb_put(
            liveRaw, database.handle, &lmdbKey, &value, appending ? flags | UInt32(MDB_APPEND) : flags)
        if result == MDB_KEYEXIST, appending {
            // Out of order after all. LMDB found this out before it changed anything.
            result = mdb_put(liveRaw, database.handle, &lmdbKey, &value, flags)
        }
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "put an entry", path: path)) }
    }
}
