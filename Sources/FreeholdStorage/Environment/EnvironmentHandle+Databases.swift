internal import CLMDB

extension EnvironmentHandle {
    /// The key of the version record. It is in the unnamed main database, whose page every
    /// commit rewrites anyway.
    static let versionKey: StaticString = "version"

    /// Opens the main and the named databases. Call it once, before any other thread uses the
    /// environment.
    ///
    /// LMDB needs an explicit opening of the main database, which otherwise lacks its
    /// comparison function.
    static func openDatabases(_ raw: OpaquePointer, path: String) throws(StorageError) {
        var transaction: OpaquePointer?
        var result = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        guard result == MDB_SUCCESS, let transaction else {
            throw .lmdb(result, "read the databases", path: path)
        }
        do throws(StorageError) {
            try openDatabases(in: transaction, flags: 0, path: path)
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        result = mdb_txn_commit(transaction)
        if result != MDB_SUCCESS { throw .lmdb(result, "read the databases", path: path) }
    }

    static func openDatabases(
        in transaction: OpaquePointer, flags: CInt, path: String
    ) throws(StorageError) {
        var opened: MDB_dbi = 0
        let result = mdb_dbi_open(transaction, nil, 0, &opened)
        guard result == MDB_SUCCESS, opened == Database.mainHandle else {
            throw .lmdb(result, "open the main database", path: path)
        }
        for database in Database.allCases {
            let result = mdb_dbi_open(transaction, database.name, UInt32(flags), &opened)
            if result == MDB_NOTFOUND {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" is missing from "\(path)". Restore it \
                    from a backup.
                    """,
                    path: path)
            }
            guard result == MDB_SUCCESS else { throw .lmdb(result, "open a database", path: path) }
            precondition(opened == database.handle, "LMDB numbers handles in the order of opening.")
            var databaseFlags: UInt32 = 0
            guard mdb_dbi_flags(transaction, opened, &databaseFlags) == MDB_SUCCESS,
                databaseFlags == 0
            else {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" in "\(path)" has the wrong kind. \
                    Restore it from a backup.
                    """,
                    path: path)
            }
        }
    }

    static func withVersionKey<Result>(_ body: (inout MDB_val) -> Result) -> Result {
        versionKey.withUTF8Buffer { bytes in
            var key = MDB_val(UnsafeRawBufferPointer(bytes))
            return body(&key)
        }
    }

    /// The version record as visible to a transaction, or LMDB's error.
    static func versionRecord(in transaction: OpaquePointer) -> (result: CInt, version: UInt64) {
        var value = MDB_val()
        let result = withVersionKey { mdb_get(transaction, Database.mainHandle, &$0, &value) }
        guard result == MDB_SUCCESS else { return (result, 0) }
        guard value.mv_size == 8 else { return (CInt(MDB_CORRUPTED), 0) }
        return (result, UInt64(littleEndian: value.bytes.loadUnaligned(as: UInt64.self)))
    }

    static func putVersionRecord(_ version: UInt64, in transaction: OpaquePointer) -> CInt {
        var bytes = version.littleEndian
        return withUnsafeMutableBytes(of: &bytes) { buffer in
            var value = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
            return withVersionKey { mdb_put(transaction, Database.mainHandle, &$0, &value, 0) }
        }
    }
}

extension EnvironmentHandle {
    /// The error for contradictory pages of a database.
    func damaged(_ database: Database) -> StorageError {
        corrupted(
            path, "a page of the database \"\(database.name)\" is not what the pages before it say")
    }
}
