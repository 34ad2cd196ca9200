internal import CLMDB

/// Cursors for reading when LMDB finds no memory for another one.
///
/// Much of what reads cannot throw: a property, say. What it cannot read it takes for absent, and a program that believes it may end at a primary key that exists already.
/// So a few cursors of each database are made when the file is opened, while an error can still be told of, and lent when there is no memory.
final class SpareCursors: Sendable {
    private let free = Locked<[[OpaqueCursor]]>([])

    /// LMDB's cursor.
    struct OpaqueCursor: @unchecked Sendable {
        // @unchecked: LMDB's cursors of read transactions belong to no thread; one is used by who was lent it.
        let raw: OpaquePointer
    }

    /// A walk needs one, and what is called from it may need another.
    static let countOfADatabase = 4

    /// - Throws: `outOfMemory`, and what beginning a read transaction throws.
    init(_ environment: OpaquePointer, path: String) throws(StorageError) {
        var transaction: OpaquePointer?
        var result = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction)
        guard result == MDB_SUCCESS, let transaction else { throw .lmdb(result, "read the databases", path: path) }
        // Cursors of a read transaction outlive it.
        defer { mdb_txn_abort(transaction) }
        for database in Database.allCases {
            var cursors: [OpaqueCursor] = []
            while cursors.count < Self.countOfADatabase {
                var cursor: OpaquePointer?
                result = mdb_cursor_open(transaction, database.handle, &cursor)
                guard result == MDB_SUCCESS, let cursor else {
                    for cursor in cursors { mdb_cursor_close(cursor.raw) }
                    close()
                    throw .lmdb(result, "open a cursor", path: path)
                }
                cursors.append(OpaqueCursor(raw: cursor))
            }
            free.withLock { $0.append(cursors) }
        }
    }

    /// A cursor over a database of a read transaction; nil if all are lent.
    func lend(_ database: Database, of transaction: OpaquePointer) -> OpaquePointer? {
        guard let cursor = free.withLock({ $0.isEmpty ? nil : $0[database.rawValue].popLast() }) else { return nil }
        if mdb_cursor_renew(transaction, cursor.raw) == MDB_SUCCESS { return cursor.raw }
        takeBack(cursor.raw, database)
        return nil
    }

    func takeBack(_ cursor: OpaquePointer, _ database: Database) {
        let cursor = OpaqueCursor(raw: cursor)
        free.withLock { $0[database.rawValue].append(cursor) }
    }

    /// Before LMDB's environment is closed, when none is lent.
    func close() {
        for cursor in free.withLock({ free in
            defer { free = [] }
            return free.flatMap { $0 }
        }) { mdb_cursor_close(cursor.raw) }
    }
}
