internal import CLMDB

/// The changes that make the next version, on the writer thread, inside `WriteGrant.commit`.
///
/// Traps on other threads, and after the closure that received it. Pointers read from it are
/// valid until its next change. Reads see its own changes.
///
/// A failed change may be half applied. It therefore poisons the transaction: `commit` throws
/// the error again, even if the closure has caught it.
package final class WriteTransaction: EncryptedTreeOwner {
    /// The version that this transaction makes.
    package let version: UInt64
    /// Whether the transaction may use the last pre-allocated pages of a full disk.
    ///
    /// Set it for a transaction that frees more than it adds, so that deleting stays possible
    /// when the disk is full.
    package var mayUseReserve = false

    /// The page size of the file; a deletion rewrites at least one page.
    let pageSize: Int
    let path: String
    private var raw: OpaquePointer?
    /// The first failure of a change.
    private(set) var failure: StorageError?
    /// An upper estimate of the bytes that the commit writes.
    private(set) var estimatedByteCount = 0
    /// The number of key and value bytes that were put.
    private(set) var putByteCount = 0

    /// The trees of an encrypted file; nil for a plain one.
    private(set) var encrypted: EncryptedWriting?

    init(adopting raw: OpaquePointer, version: UInt64, pageSize: Int, path: String) {
        self.raw = raw
        self.version = version
        self.pageSize = pageSize
        self.path = path
    }

    /// Makes this a transaction of an encrypted file, before it is used.
    ///
    /// - Throws: `corrupted` if the roots of the previous version are damaged.
    func beginEncrypting(_ treeEncryption: TreeEncryption) throws(StorageError) {
        beginEncrypting(treeEncryption, try treeEncryption.readRoots(version - 1, in: liveRaw))
    }

    /// As ``beginEncrypting(_:)``, with known roots.
    func beginEncrypting(_ treeEncryption: TreeEncryption, _ roots: EncryptedRoots) {
        encrypted = EncryptedWriting(treeEncryption, roots, version: version, self)
    }

    /// Writes the file's format record.
    func put(_ format: FormatRecord) throws(StorageError) {
        let result = format.put(in: liveRaw)
        if result != MDB_SUCCESS {
            throw failed(.lmdb(result, "put the format record", path: path))
        }
    }

    /// The tree of a database in an encrypted file; nil for a plain one. Traps once the
    /// transaction has ended.
    private func tree(_ database: Database) -> EncryptedTreeWriter? {
        guard let encrypted else { return nil }
        precondition(!hasEnded, "A write transaction was used after its end.")
        return encrypted.tree(database)
    }

    /// Runs a change of an encrypted file; its failure fails the transaction.
    private func changing<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError)
        -> Result
    {
        do {
            return try body()
        } catch {
            throw failed(error)
        }
    }

    /// Adds to the estimate of written bytes, and to the bytes that were put.
    func noteWriting(_ byteCount: Int, put: Int) {
        estimatedByteCount += byteCount
        putByteCount += put
    }

    /// LMDB's transaction. Traps once it has ended.
    var liveRaw: OpaquePointer {
        guard let raw else { preconditionFailure("A write transaction was used after its end.") }
        return raw
    }

    var hasEnded: Bool { raw == nil }

    /// Hands LMDB's transaction to the caller, which commits or aborts it.
    func end() -> OpaquePointer {
        let live = liveRaw
        raw = nil
        encrypted = nil
        return live
    }

    /// Remembers the first failure, so that `commit` refuses.
    func failed(_ error: StorageError) -> StorageError {
        if failure == nil { failure = error }
        return error
    }

    /// Returns the value of a key, or nil. Valid until the next change.
    package func value(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError)
        -> UnsafeRawBufferPointer?
    {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in try tree.value(of: key) }
        }
        var key = MDB_val(key)
        var value = MDB_val()
        let result = mdb_get(liveRaw, database.handle, &key, &value)
        if result == MDB_SUCCESS { return value.bytes }
        if result == MDB_NOTFOUND { return nil }
        throw failed(.lmdb(result, "read an entry", path: path))
    }

    /// Returns a new cursor. It ends with the transaction.
    package func cursor(_ database: Database) throws(StorageError) -> Cursor {
        try Cursor(writing: database, of: self)
    }

    /// The number of entries, changes included.
    package func entryCount(_ database: Database) -> Int {
        if let tree = tree(database) { return tree.roots.entryCount }
        var statistics = MDB_stat()
        let result = mdb_stat(liveRaw, database.handle, &statistics)
        precondition(result == MDB_SUCCESS, "mdb_stat fails only for a handle that is not open.")
        return statistics.ms_entries
    }

    /// Sets the value of a key.
    ///
    /// - Parameter appending: Whether the key is greater than every key in the database, which
    ///   skips the search. If it is not, the entry is still put in its place.
    /// - Throws: `valueTooLarge`, `addressSpaceExhausted`, `outOfMemory`, `corrupted`,
    ///   `inputOutput`.
    package func put(
        _ database: Database, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer,
        appending: Bool = false
    ) throws(StorageError) {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in try tree.put(key: key, value: value) }
        }
        var lmdbValue = MDB_val(value)
        try put(database, key, &lmdbValue, flags: 0, appending: appending)
    }

    /// Sets the value of a key to `count` bytes that the caller fills in before its next call.
    ///
    /// - Returns: The bytes, uninitialised.
    /// - Throws: As `put`.
    package func reserve(
        _ database: Database, key: UnsafeRawBufferPointer, count: Int, appending: Bool = false
    ) throws(StorageError) -> UnsafeMutableRawBufferPointer {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in
                try tree.reserve(key: key, count: count)
            }
        }
        var lmdbValue = MDB_val(mv_size: count, mv_data: nil)
        try put(database, key, &lmdbValue, flags: UInt32(MDB_RESERVE), appending: appending)
        return UnsafeMutableRawBufferPointer(start: lmdbValue.mv_data, count: count)
    }

    /// Removes an entry.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func delete(_ database: Database, key: UnsafeRawBufferPointer) throws(StorageError)
        -> Bool
    {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in try tree.delete(key) }
        }
        var lmdbKey = MDB_val(key)
        estimatedByteCount += pageSize
        let result = mdb_del(liveRaw, database.handle, &lmdbKey, nil)
        if result == MDB_SUCCESS { return true }
        if result == MDB_NOTFOUND { return false }
        throw failed(.lmdb(result, "delete an entry", path: path))
    }

    /// Removes every entry of a database. O(pages), much faster than deleting each.
    package func deleteAll(_ database: Database) throws(StorageError) {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in try tree.deleteAll() }
        }
        let result = mdb_drop(liveRaw, database.handle, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "empty a database", path: path)) }
    }

    /// As `put`, through a cursor of this transaction.
    func put(_ cursor: OpaquePointer, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        var lmdbKey = MDB_val(key)
        var lmdbValue = MDB_val(value)
        estimatedByteCount += key.count + value.count + 16
        putByteCount += key.count + value.count
        let result = mdb_cursor_put(cursor, &lmdbKey, &lmdbValue, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "put an entry", path: path)) }
    }

    /// Removes the entry at a cursor of this transaction.
    func deleteFound(_ cursor: OpaquePointer) throws(StorageError) {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        estimatedByteCount += pageSize
        let result = mdb_cursor_del(cursor, 0)
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "delete an entry", path: path)) }
    }

    /// As `put`, through a cursor of this transaction on an encrypted tree.
    func put(_ cursor: EncryptedCursor, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        guard let tree = cursor.tree as? EncryptedTreeWriter else {
            preconditionFailure(
                "A cursor of a write transaction is over a tree that can be written.")
        }
        try changing { () throws(StorageError) in try tree.put(key: key, value: value) }
        cursor.noteStanding(at: key)
    }

    /// Removes the entry at a cursor of this transaction on an encrypted tree.
    func deleteFound(_ cursor: EncryptedCursor) throws(StorageError) {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        guard let tree = cursor.tree as? EncryptedTreeWriter else {
            preconditionFailure(
                "A cursor of a write transaction is over a tree that can be written.")
        }
        try changing { () throws(StorageError) in
            _ = try cursor.currentKey.withBytes { key throws(StorageError) in try tree.delete(key) }
        }
    }

    private func put(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: inout MDB_val, flags: UInt32,
        appending: Bool
    ) throws(StorageError) {
        var lmdbKey = MDB_val(key)
        estimatedByteCount += key.count + value.mv_size + 16
        putByteCount += key.count + value.mv_size
        var result = mdb_put(
            liveRaw, database.handle, &lmdbKey, &value,
            appending ? flags | UInt32(MDB_APPEND) : flags)
        if result == MDB_KEYEXIST, appending {
            // Not the greatest key. LMDB checks this before it changes anything.
            result = mdb_put(liveRaw, database.handle, &lmdbKey, &value, flags)
        }
        if result != MDB_SUCCESS { throw failed(.lmdb(result, "put an entry", path: path)) }
    }
}
