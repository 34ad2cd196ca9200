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
    private let raw: LMDBCursor?
    private let encrypted: EncryptedCursor?
    /// For a plain file's version, if it can be read directly on LMDB's pages.
    private var mapped: MappedCursor?
    private let database: Database
    private let owner: Owner
    /// The key of the current entry, where pages are judged before LMDB follows them.
    private var currentKey: ContiguousArray<UInt8> = []

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
        let cursor = try transaction.raw.cursor(database.handle)
            .get("open a cursor", path: transaction.environment.path)
        self.init(database, cursor, nil, .read(transaction))
    }

    init(writing database: Database, of transaction: WriteTransaction) throws(StorageError) {
        if let writing = transaction.encrypted {
            self.init(database, nil, EncryptedCursor(writing.tree(database)), .write(transaction))
            return
        }
        let cursor = try transaction.liveRaw.cursor(database.handle)
            .get("open a cursor", path: transaction.path)
        self.init(database, cursor, nil, .write(transaction))
    }

    private init(
        _ database: Database, _ raw: LMDBCursor?, _ encrypted: EncryptedCursor?, _ owner: Owner
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
            if transaction.environment.isOwnedByThisProcess { raw.close() }
        case .write(let transaction):
            // LMDB frees the cursors of a write transaction when it ends.
            if !transaction.hasEnded { raw.close() }
        }
    }

    /// The first entry whose key is not less than `key`. An empty key finds the first entry.
    package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(StorageError) -> Entry?
    { key.isEmpty ? try first() : try move(.atOrAfter, from: key) }

    /// The entry with exactly this key.
    package mutating func seek(exactly key: UnsafeRawBufferPointer) throws(StorageError) -> Entry? {
        key.isEmpty ? nil : try move(.exactly, from: key)
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
    package mutating func next() throws(StorageError) -> Entry? { try move(.next) }

    /// The entry before the current one; for a new cursor, the last.
    package mutating func previous() throws(StorageError) -> Entry? { try move(.previous) }

    /// The entry with the least key.
    package mutating func first() throws(StorageError) -> Entry? { try move(.first) }

    /// The entry with the greatest key.
    package mutating func last() throws(StorageError) -> Entry? { try move(.last) }

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
        if writer.pageGuard != nil { currentKey = ContiguousArray(key) }
        try writer.put(raw, in: database, key: key, value: value)
    }

    /// Removes the entry that the last move found; seek before moving on. Traps on a cursor of
    /// a read transaction.
    package mutating func deleteFound() throws(StorageError) {
        let writer = writer
        guard let raw else { return try writer.deleteFound(encrypted.unsafelyUnwrapped) }
        try currentKey.withBytes { key throws(StorageError) in
            try writer.deleteFound(raw, in: database, key: key)
        }
    }

    private var writer: WriteTransaction {
        guard case .write(let transaction) = owner else {
            preconditionFailure("A cursor of a read transaction cannot write.")
        }
        return transaction
    }

    @inline(__always)
    private mutating func move(
        _ step: LMDBCursor.Move,
        from start: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) throws(StorageError) -> Entry? {
        if mapped != nil { return try moveMapped(step, from: start) }
        if case .write(let transaction) = owner {
            precondition(
                !transaction.hasEnded, "A cursor was used after its write transaction ended.")
        }
        guard let raw else { return try moveEncrypted(step, from: start) }
        if case .write(let transaction) = owner, transaction.pageGuard != nil {
            return try moveGuarded(raw, step, from: start, transaction)
        }
        switch raw.move(step, start) {
        case .success(let found): return Entry(key: found.key, value: found.value)
        case .failure(.notFound): return nil
        case .failure(let result): throw failure(result)
        }
    }

    /// Moves LMDB's cursor in a file that was not walked.
    @inline(never)
    private mutating func moveGuarded(
        _ raw: LMDBCursor, _ step: LMDBCursor.Move, from start: UnsafeRawBufferPointer,
        _ transaction: WriteTransaction
    ) throws(StorageError) -> Entry? {
        try (start.isEmpty ? currentKey : ContiguousArray(start)).withBytes {
            key throws(StorageError) in
            try transaction.judgeMove(database, step, from: key)
        }
        switch raw.move(step, start) {
        case .success(let found):
            currentKey = ContiguousArray(found.key)
            return Entry(key: found.key, value: found.value)
        case .failure(.notFound): return nil
        case .failure(let result): throw failure(result)
        }
    }

    private mutating func moveMapped(_ step: LMDBCursor.Move, from start: UnsafeRawBufferPointer)
        throws(StorageError) -> Entry?
    {
        guard mapped != nil else {
            preconditionFailure(
                "A cursor is over mapped pages, LMDB's, or one of a encrypted tree.")
        }
        do throws(MappedPage.Damage) {
            switch step {
            case .next: return try mapped?.next()
            case .atOrAfter: return try mapped?.seek(atOrAfter: start)
            case .exactly: return try mapped?.seek(exactly: start)
            case .previous: return try mapped?.previous()
            case .first: return try mapped?.first()
            case .last: return try mapped?.last()
            }
        } catch {
            guard case .read(let transaction) = owner else {
                preconditionFailure("Only what is read is mapped.")
            }
            throw transaction.handle.damaged(database)
        }
    }

    @inline(never)
    private func moveEncrypted(_ step: LMDBCursor.Move, from start: UnsafeRawBufferPointer)
        throws(StorageError) -> Entry?
    {
        guard let encrypted else {
            preconditionFailure("A cursor is LMDB's or one of a encrypted tree.")
        }
        do throws(StorageError) {
            switch step {
            case .atOrAfter: return try encrypted.seek(atOrAfter: start)
            case .exactly: return try encrypted.seek(exactly: start)
            case .next: return try encrypted.next()
            case .previous: return try encrypted.previous()
            case .first: return try encrypted.first()
            case .last: return try encrypted.last()
            }
        } catch {
            if case .write(let transaction) = owner { throw transaction.failed(error) }
            throw error
        }
    }

    private func failure(_ result: LMDBResult) -> StorageError {
        switch owner {
        case .read(let transaction):
            return .lmdb(result, "move a cursor", path: transaction.environment.path)
        case .write(let transaction):
            return transaction.failed(.lmdb(result, "move a cursor", path: transaction.path))
        }
    }
}
