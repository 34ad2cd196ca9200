internal import CLMDB

/// An LMDB transaction (`MDB_txn`). The owner ends it.
///
/// Databases are identified by `MDB_dbi`. Returned bytes are in the map: they are valid until the
/// transaction ends or, in a write transaction, until its next change.
struct LMDBTransaction {
    private let pointer: OpaquePointer

    init(pointer: OpaquePointer) { self.pointer = pointer }

    @inline(__always)
    var identifier: UInt64 { UInt64(truncatingIfNeeded: mdb_txn_id(pointer)) }

    func abort() { mdb_txn_abort(pointer) }

    /// Ends the transaction, whatever the result.
    func commit() -> LMDBResult { LMDBResult(mdb_txn_commit(pointer)) }

    /// Resets a read transaction, which keeps its reader slot (`mdb_txn_reset`).
    func reset() { mdb_txn_reset(pointer) }

    /// Renews a reset transaction at the newest version.
    func renew() -> LMDBResult { LMDBResult(mdb_txn_renew(pointer)) }

    // MARK: Databases

    /// Opens a database.
    ///
    /// - Parameter name: Nil for the unnamed main database.
    /// - Returns: Its handle.
    func open(_ name: String?, creating: Bool = false) -> Result<UInt32, LMDBResult> {
        var handle: UInt32 = 0
        let result = LMDBResult(
            mdb_dbi_open(pointer, name, creating ? UInt32(MDB_CREATE) : 0, &handle))
        return result == .success ? .success(handle) : .failure(result)
    }

    /// Whether the keys of a database are plain bytes with one value each.
    func isPlain(_ database: UInt32) -> Bool {
        var flags: UInt32 = 0
        return mdb_dbi_flags(pointer, database, &flags) == MDB_SUCCESS && flags == 0
    }

    /// O(1).
    func entryCount(_ database: UInt32) -> Result<Int, LMDBResult> {
        var statistics = MDB_stat()
        let result = LMDBResult(mdb_stat(pointer, database, &statistics))
        return result == .success ? .success(statistics.ms_entries) : .failure(result)
    }

    /// O(1). Traps for a handle that is not open.
    func entryCountOfOpen(_ database: UInt32) -> Int {
        guard case .success(let count) = entryCount(database) else {
            preconditionFailure("mdb_stat fails only for a handle that is not open.")
        }
        return count
    }

    // MARK: Entries

    @inline(__always)
    func value(_ database: UInt32, _ key: UnsafeRawBufferPointer)
        -> Result<UnsafeRawBufferPointer, LMDBResult>
    {
        var key = MDB_val(key)
        var value = MDB_val()
        let result = mdb_get(pointer, database, &key, &value)
        return result == MDB_SUCCESS ? .success(value.bytes) : .failure(LMDBResult(result))
    }

    /// - Parameter appending: Expects the key to be greater than every key in the database.
    ///   Otherwise the entry is put without `MDB_APPEND`.
    @inline(__always)
    func put(
        _ database: UInt32, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        appending: Bool = false
    ) -> LMDBResult {
        var value = MDB_val(value)
        return put(database, key, &value, 0, appending: appending)
    }

    /// Puts an entry without its value. The caller writes the value, before the next change.
    @inline(__always)
    func reserve(_ database: UInt32, _ key: UnsafeRawBufferPointer, count: Int, appending: Bool)
        -> Result<UnsafeMutableRawBufferPointer, LMDBResult>
    {
        var value = MDB_val(mv_size: count, mv_data: nil)
        let result = put(database, key, &value, UInt32(MDB_RESERVE), appending: appending)
        guard result == .success else { return .failure(result) }
        return .success(UnsafeMutableRawBufferPointer(start: value.mv_data, count: count))
    }

    @inline(__always)
    private func put(
        _ database: UInt32, _ key: UnsafeRawBufferPointer, _ value: inout MDB_val, _ flags: UInt32,
        appending: Bool
    ) -> LMDBResult {
        var key = MDB_val(key)
        var result = mdb_put(
            pointer, database, &key, &value, appending ? flags | UInt32(MDB_APPEND) : flags)
        if result == MDB_KEYEXIST, appending {
            // Not the greatest key. LMDB checks this before it changes anything.
            result = mdb_put(pointer, database, &key, &value, flags)
        }
        return LMDBResult(result)
    }

    func delete(_ database: UInt32, _ key: UnsafeRawBufferPointer) -> LMDBResult {
        var key = MDB_val(key)
        return LMDBResult(mdb_del(pointer, database, &key, nil))
    }

    /// O(pages).
    func deleteAll(_ database: UInt32) -> LMDBResult { LMDBResult(mdb_drop(pointer, database, 0)) }

    func cursor(_ database: UInt32) -> Result<LMDBCursor, LMDBResult> {
        var opened: OpaquePointer?
        let result = LMDBResult(mdb_cursor_open(pointer, database, &opened))
        guard result == .success, let opened else { return .failure(result) }
        return .success(LMDBCursor(pointer: opened))
    }
}

/// An LMDB cursor: a position in a database. The owner closes it. The end of a write transaction
/// closes the transaction's cursors.
struct LMDBCursor {
    enum Move {
        case first, last, next, previous
        /// To the first key that is not less than the given one.
        case atOrAfter
        /// To the given key.
        case exactly

        @inline(__always)
        fileprivate var operation: MDB_cursor_op {
            switch self {
            case .first: MDB_FIRST
            case .last: MDB_LAST
            case .next: MDB_NEXT
            case .previous: MDB_PREV
            case .atOrAfter: MDB_SET_RANGE
            case .exactly: MDB_SET_KEY
            }
        }
    }

    fileprivate let pointer: OpaquePointer

    func close() { mdb_cursor_close(pointer) }

    /// Moves, and returns the entry at the new position.
    @inline(__always)
    func move(
        _ move: Move,
        _ key: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
    ) -> Result<(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer), LMDBResult> {
        var key = MDB_val(key)
        var value = MDB_val()
        let result = mdb_cursor_get(pointer, &key, &value, move.operation)
        return result == MDB_SUCCESS
            ? .success((key.bytes, value.bytes)) : .failure(LMDBResult(result))
    }

    /// Puts an entry and moves to it.
    @inline(__always)
    func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> LMDBResult {
        var key = MDB_val(key)
        var value = MDB_val(value)
        return LMDBResult(mdb_cursor_put(pointer, &key, &value, 0))
    }

    /// Deletes the current entry.
    func delete() -> LMDBResult { LMDBResult(mdb_cursor_del(pointer, 0)) }
}
