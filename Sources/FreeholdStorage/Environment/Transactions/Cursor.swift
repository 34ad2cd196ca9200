internal import CLMDB

/// A position in one database, for walking its entries in key order.
///
/// A cursor belongs to the thread that uses it; threads that share a read transaction open one
/// each. A cursor retains its transaction. A cursor of a write transaction ends with that
/// transaction: using it afterwards traps.
///
/// Every move costs one B-tree step or, for the seeks, one descent: O(log n). A move past the
/// end returns nil and leaves the position unspecified; seek before moving on.
package struct Cursor: ~Copyable {
    private enum Owner {
        case read(ReadTransaction)
        case write(WriteTransaction)
    }

    /// Nil for an encrypted file.
    private let raw: OpaquePointer?
    private let encrypted: EncryptedCursor?
    /// For a plain file's version, if it can be read directly on LMDB's pages.
    private var mapped: MappedCursor?
    private let database: Database
    private let owner: Owner

    init(reading database: Database, of transaction: ReadTransaction) throws(StorageError) {
        if let view = transaction.encrypted {
            self.init(database, nil, EncryptedCursor(try view.tree(database)), .read(transaction))
            return
        }
        if let tree = try transaction.readableTree(database) {
            self.init(database, nil, nil, .read(transaction))
            mapped = MappedCursor(tree)
            return
        }
        var cursor: OpaquePointer?
        let result = mdb_cursor_open(transaction.raw, database.handle, &cursor)
        guard result == MDB_SUCCESS, let cursor else {
            throw .lmdb(result, "open a cursor", path: transaction.environment.path)
        }
        self.init(database, cursor, nil, .read(transaction))
    }

    init(writing database: Database, of transaction: WriteTransaction) throws(StorageError) {
        if let writing = transaction.encrypted {
            self.init(database, nil, EncryptedCursor(writing.tree(database)), .write(transaction))
            return
        }
        var cursor: OpaquePointer?
        let result = mdb_cursor_open(transaction.liveRaw, database.handle, &cursor)
        guard result == MDB_SUCCESS, let cursor else {
            throw .lmdb(result, "open a cursor", path: transaction.path)
        }
        self.init(database, cursor, nil, .write(transaction))
    }

    private init(
        _ database: Database, _ raw: OpaquePointer?, _ encrypted: EncryptedCursor?, _ owner: Owner
    ) {
        self.database = database
        self.raw = raw
        self.encrypted = encrypted
        self.owner = owner
    }

    deinit {
        guard let raw else { return }
        switch owner {
        case .read(let transaction):
            if transaction.environment.isOwnedByThisProcess { mdb_cursor_close(raw) }
        case .write(let transaction):
            // LMDB frees the cursors of a write transaction when it ends.
            if !transaction.hasEnded { mdb_cursor_close(raw) }
        }
    }

    /// The first entry whose key is not less than `key`. An empty key finds the first entry.
    package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> Entry?
    {
        key.isEmpty ? try first() : try move(MDB_SET_RANGE, from: key)
    }

    /// The entry with exactly this key.
    package mutating func seek(exactly key: UnsafeRawBufferPointer) throws(StorageError) -> Entry? {
        key.isEmpty ? nil : try move(MDB_SET_KEY, from: key)
    }

    /// The last entry whose key is not greater than `key`.
    package mutating func seek(atOrBefore key: UnsafeRawBufferPointer) throws(StorageError)
        -> Entry?
    {
        guard let entry = try seek(atOrAfter: key) else { return try last() }
        if entry.key.count == key.count, entry.key.elementsEqual(key) { return entry }
        return try previous()
    }

    /// The entry after the current one; for a new cursor, the first.
    package mutating func next() throws(StorageError) -> Entry? { try move(MDB_NEXT) }

    /// The entry before the current one; for a new cursor, the last.
    package mutating func previous() throws(StorageError) -> Entry? { try move(MDB_PREV) }

    /// The entry with the least key.
    package mutating func first() throws(StorageError) -> Entry? { try move(MDB_FIRST) }

    /// The entry with the greatest key.
    package mutating func last() throws(StorageError) -> Entry? { try move(MDB_LAST) }

    /// Sets the value of a key and moves there. For a key near the current position, this costs
    /// a fraction of ``WriteTransaction/put(_:key:value:appending:)``, which always descends
    /// from the root. Traps on a cursor of a read transaction.
    package mutating func put(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        let writer = writer
        guard let raw else {
            try writer.put(encrypted.unsafelyUnwrapped, key: key, value: value)
            return
        }
        try writer.put(raw, key: key, value: value)
    }

    /// Removes the entry that the last move found; seek before moving on. Traps on a cursor of
    /// a read transaction.
    package mutating func deleteFound() throws(StorageError) {
        let writer = writer
        guard let raw else { return try writer.deleteFound(encrypted.unsafelyUnwrapped) }
        try writer.deleteFound(raw)
    }

    private var writer: WriteTransaction {
        guard case .write(let transaction) = owner else {
            preconditionFailure("A cursor of a read transaction cannot write.")
        }
        return transaction
    }

    @inline(__always)
    private mutating func move(
        _ operation: MDB_cursor_op,
        from start: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) throws(StorageError) -> Entry? {
        if mapped != nil { return try moveMapped(operation, from: start) }
        if case .write(let transaction) = owner {
            precondition(
                !transaction.hasEnded, "A cursor was used after its write transaction ended.")
        }
        guard let raw else { return try moveEncrypted(operation, from: start) }
        var key = MDB_val(start)
        var value = MDB_val()
        let result = mdb_cursor_get(raw, &key, &value, operation)
        if result == MDB_SUCCESS { return Entry(key: key.bytes, value: value.bytes) }
        if result == MDB_NOTFOUND { return nil }
        throw failure(result)
    }

    private mutating func moveMapped(_ operation: MDB_cursor_op, from start: UnsafeRawBufferPointer)
        throws(StorageError) -> Entry?
    {
        guard mapped != nil else {
            preconditionFailure("A cursor is over mapped pages, LMDB's, or one of a encrypted tree.")
        }
        do throws(MappedPage.Damage) {
            switch operation {
            case MDB_NEXT: return try mapped?.next()
            case MDB_SET_RANGE: return try mapped?.seek(atOrAfter: start)
            case MDB_SET_KEY: return try mapped?.seek(exactly: start)
            case MDB_PREV: return try mapped?.previous()
            case MDB_FIRST: return try mapped?.first()
            case MDB_LAST: return try mapped?.last()
            default:
                preconditionFailure(
                    "A cursor over mapped pages does not know the move \(operation).")
            }
        } catch {
            guard case .read(let transaction) = owner else {
                preconditionFailure("Only what is read is mapped.")
            }
            throw transaction.handle.damaged(database)
        }
    }

    @inline(never)
    private func moveEncrypted(_ operation: MDB_cursor_op, from start: UnsafeRawBufferPointer)
        throws(StorageError) -> Entry?
    {
        guard let encrypted else { preconditionFailure("A cursor is LMDB's or one of a encrypted tree.") }
        do throws(StorageError) {
            switch operation {
            case MDB_SET_RANGE: return try encrypted.seek(atOrAfter: start)
            case MDB_SET_KEY: return try encrypted.seek(exactly: start)
            case MDB_NEXT: return try encrypted.next()
            case MDB_PREV: return try encrypted.previous()
            case MDB_FIRST: return try encrypted.first()
            case MDB_LAST: return try encrypted.last()
            default:
                preconditionFailure(
                    "A cursor of a encrypted tree does not know the move \(operation).")
            }
        } catch {
            if case .write(let transaction) = owner { throw transaction.failed(error) }
            throw error
        }
    }

    private func failure(_ result: CInt) -> StorageError {
        switch owner {
        case .read(let transaction):
            return .lmdb(result, "move a cursor", path: transaction.environment.path)
        case .write(let transaction):
            return transaction.failed(.lmdb(result, "move a cursor", path: transaction.path))
        }
    }
}
