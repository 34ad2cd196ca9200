/// The changes that make the next version, inside `WriteGrant.commit` and on its thread.
///
/// Traps after the closure that received it. Pointers read from it are
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
    private var raw: LMDBTransaction?
    /// The first failure of a change.
    private(set) var failure: StorageError?
    /// An upper estimate of the bytes that the commit writes.
    private(set) var estimatedByteCount = 0
    /// The number of key and value bytes that were put.
    private(set) var putByteCount = 0

    /// The trees of an encrypted file; nil for a plain one.
    private(set) var encrypted: EncryptedWriting?

    /// Judges pages before LMDB follows them; nil if all of the file's pages are sound.
    private(set) var pageGuard: WriteGuard?

    init(adopting raw: LMDBTransaction, version: UInt64, pageSize: Int, path: String) {
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

    /// Makes this a transaction of a file that was not walked, before it is used.
    func beginGuarding(_ pageGuard: WriteGuard) { self.pageGuard = pageGuard }

    /// Judges what an operation of a plain file reaches.
    private func judge(
        _ database: Database, _ body: (GuardedTree) throws(MappedPage.Damage) -> Void
    ) throws(StorageError) {
        guard let pageGuard else { return }
        do throws(StorageError) {
            try pageGuard.judge(database, body)
        } catch {
            throw failed(error)
        }
    }

    /// Judges what a cursor of a plain file reaches.
    func judgeMove(
        _ database: Database, _ step: LMDBCursor.Move, from key: UnsafeRawBufferPointer
    ) throws(StorageError) {
        try judge(database) { tree throws(MappedPage.Damage) in
            if case .last = step { try tree.willMoveToLast() } else { try tree.willMove(from: key) }
        }
    }

    /// Writes the file's format record.
    func put(_ format: FormatRecord) throws(StorageError) {
        let result = format.put(in: liveRaw)
        if result != .success { throw failed(.lmdb(result, "put the format record", path: path)) }
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
    var liveRaw: LMDBTransaction {
        guard let raw else { preconditionFailure("A write transaction was used after its end.") }
        return raw
    }

    var hasEnded: Bool { raw == nil }

    /// Hands LMDB's transaction to the caller, which commits or aborts it.
    func end() -> LMDBTransaction {
        let live = liveRaw
        raw = nil
        encrypted = nil
        pageGuard = nil
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
        try judge(database) { tree throws(MappedPage.Damage) in try tree.willRead(key) }
        switch liveRaw.value(database.handle, key) {
        case .success(let value): return value
        case .failure(.notFound): return nil
        case .failure(let result): throw failed(.lmdb(result, "read an entry", path: path))
        }
    }

    /// Returns a new cursor. It ends with the transaction.
    package func cursor(_ database: Database) throws(StorageError) -> Cursor {
        try Cursor(writing: database, of: self)
    }

    /// The number of entries, changes included.
    package func entryCount(_ database: Database) -> Int {
        if let tree = tree(database) { return tree.roots.entryCount }
        return liveRaw.entryCountOfOpen(database.handle)
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
        try judge(database) { tree throws(MappedPage.Damage) in
            try tree.willPut(key, appending: appending)
        }
        noteWriting(key.count + value.count + 16, put: key.count + value.count)
        let result = liveRaw.put(database.handle, key, value, appending: appending)
        if result != .success { throw failed(.lmdb(result, "put an entry", path: path)) }
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
        try judge(database) { tree throws(MappedPage.Damage) in
            try tree.willPut(key, appending: appending)
        }
        noteWriting(key.count + count + 16, put: key.count + count)
        switch liveRaw.reserve(database.handle, key, count: count, appending: appending) {
        case .success(let bytes): return bytes
        case .failure(let result): throw failed(.lmdb(result, "put an entry", path: path))
        }
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
        try judge(database) { tree throws(MappedPage.Damage) in try tree.willDelete(key) }
        estimatedByteCount += pageSize
        let result = liveRaw.delete(database.handle, key)
        if result == .success { return true }
        if result == .notFound { return false }
        throw failed(.lmdb(result, "delete an entry", path: path))
    }

    /// Removes every entry of a database. O(pages), much faster than deleting each.
    package func deleteAll(_ database: Database) throws(StorageError) {
        if let tree = tree(database) {
            return try changing { () throws(StorageError) in try tree.deleteAll() }
        }
        try judge(database) { tree throws(MappedPage.Damage) in try tree.willDeleteAll() }
        let result = liveRaw.deleteAll(database.handle)
        if result != .success { throw failed(.lmdb(result, "empty a database", path: path)) }
    }

    /// As `put`, through a cursor of this transaction.
    func put(
        _ cursor: LMDBCursor, in database: Database, key: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer
    ) throws(StorageError) {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        try judge(database) { tree throws(MappedPage.Damage) in try tree.willPut(key) }
        estimatedByteCount += key.count + value.count + 16
        putByteCount += key.count + value.count
        let result = cursor.put(key, value)
        if result != .success { throw failed(.lmdb(result, "put an entry", path: path)) }
    }

    /// Removes the entry at a cursor of this transaction, whose key is given.
    func deleteFound(_ cursor: LMDBCursor, in database: Database, key: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        precondition(!hasEnded, "A cursor was used after its write transaction ended.")
        try judge(database) { tree throws(MappedPage.Damage) in try tree.willDelete(key) }
        estimatedByteCount += pageSize
        let result = cursor.delete()
        if result != .success { throw failed(.lmdb(result, "delete an entry", path: path)) }
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
}
