extension EnvironmentHandle {
    /// The key of the version record, in the unnamed main database: its page is rewritten by
    /// every commit anyway.
    static let versionKey: StaticString = "version"

    /// Opens the main and the named databases, once, before any other thread knows of the
    /// environment.
    ///
    /// LMDB needs the main database opened explicitly, or its comparison function is missing.
    static func openDatabases(_ raw: LMDBEnvironment, path: String) throws(StorageError) {
        let transaction = try raw.beginReading().get("read the databases", path: path)
        do throws(StorageError) {
            try openDatabases(in: transaction, path: path)
        } catch {
            transaction.abort()
            throw error
        }
        try transaction.commit().check("read the databases", path: path)
    }

    static func openDatabases(
        in transaction: LMDBTransaction, creating: Bool = false, path: String
    ) throws(StorageError) {
        let main = try transaction.open(nil).get("open the main database", path: path)
        precondition(main == Database.mainHandle, "LMDB numbers handles in the order of opening.")
        for database in Database.allCases {
            let result = transaction.open(database.name, creating: creating)
            if case .failure(.notFound) = result {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" is missing from "\(path)". Restore it \
                    from a backup.
                    """,
                    path: path)
            }
            let opened = try result.get("open a database", path: path)
            precondition(opened == database.handle, "LMDB numbers handles in the order of opening.")
            guard transaction.isPlain(opened) else {
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

    private static func withVersionKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
    {
        versionKey.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) }
    }

    /// The version record that a transaction sees, or LMDB's error.
    static func versionRecord(in transaction: LMDBTransaction) -> Result<UInt64, LMDBResult> {
        withVersionKey { transaction.value(Database.mainHandle, $0) }.flatMap { value in
            value.count == 8
                ? .success(UInt64(littleEndian: value.loadUnaligned(as: UInt64.self)))
                : .failure(.corrupted)
        }
    }

    static func putVersionRecord(_ version: UInt64, in transaction: LMDBTransaction) -> LMDBResult {
        withUnsafeBytes(of: version.littleEndian) { value in
            withVersionKey { transaction.put(Database.mainHandle, $0, value) }
        }
    }
}

extension EnvironmentHandle {
    /// The error for pages of a database that are not what others say.
    func damaged(_ database: Database) -> StorageError {
        corrupted(
            path, "a page of the database \"\(database.name)\" is not what the pages before it say")
    }
}
