extension EnvironmentHandle {
    /// The key of the version record. It is in the unnamed main database, whose page every
    /// commit rewrites anyway.
    static let versionKey: StaticString = "version"

    /// Opens the main and the named databases. Call it once, before any other thread uses the
    /// environment.
    ///
    /// LMDB needs an explicit opening of the main database, which otherwise lacks its
    /// comparison function.
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
                    """, path: path)
            }
            let opened = try result.get("open a database", path: path)
            precondition(opened == database.handle, "LMDB numbers handles in the order of opening.")
            guard transaction.isPlain(opened) else {
                throw StorageError(
                    .corrupted,
                    """
                    The database "\(database.name)" in "\(path)" has the wrong kind. \
                    Restore it from a backup.
                    """, path: path)
            }
        }
    }

    private static func withVersionKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
    { versionKey.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) } }

    /// The version record as visible to a transaction, or LMDB's error.
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
    var changedByForeignProgram: StorageError {
        StorageError(
            .foreignFile,
            "\"\(path)\" was changed by a program other than Freehold while it was open. "
                + "Close the file in every program, and open it again.", path: path)
    }

    /// The error for contradictory pages of a database.
    func damaged(_ database: Database) -> StorageError {
        corrupted(
            path, "a page of the database \"\(database.name)\" is not what the pages before it say")
    }
}
