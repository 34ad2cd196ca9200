/// Writes a version of a file into a new file: every entry of every database, in the order of
/// the keys.
///
/// So the new file's pages are full, none of them is free, and nothing of how the old one was
/// stored matters. The entries are read and put through the same calls as all others, so a copy
/// may be stored in another way than its source.
///
/// The new file is written under a name that nobody else uses, in transactions of a bounded
/// size; who makes it gives it its name when it is whole. One thread.
///
/// An encrypted copy has a file key of its own, so nothing of the source's records can be put
/// into it; a compacted file keeps the source's. The roots are encrypted once, in the last
/// transaction. Pages of earlier ones stay in the file, and roots on them would be those of a
/// version from which entries are missing.
final class FileCopy {
    let source: ReadTransaction
    let path: String
    /// The new file, which its maker has open.
    private let file: FilePaths.OpenFile
    /// What the new file says about itself.
    private let format: FormatRecord
    /// Of an encrypted copy.
    private let treeEncryption: TreeEncryption?
    private var roots = EncryptedRoots()

    /// A copy with an identifier of its own.
    ///
    /// - Parameters:
    ///   - file: Where it is written: at this path, open. What is in it is replaced.
    ///   - key: What it is encrypted with; nil for a plain one.
    convenience init(
        source: ReadTransaction, path: String, _ file: FilePaths.OpenFile, key: EncryptionKey?
    ) throws(StorageError) {
        let keys = key == nil ? nil : try TreeEncryptionKeys.random(for: path)
        self.init(
            source: source, path: path, file, try FormatRecord(newFileWith: keys, for: key), keys)
    }

    /// What takes the source's place: with its identifier and its keys, which its own user's
    /// key opens.
    convenience init(compacting source: ReadTransaction, path: String, _ file: FilePaths.OpenFile)
        throws(StorageError)
    {
        self.init(
            source: source, path: path, file, try source.formatRecord(), source.handle.treeEncryption?.keys
        )
    }

    private init(
        source: ReadTransaction, path: String, _ file: FilePaths.OpenFile, _ format: FormatRecord,
        _ keys: TreeEncryptionKeys?
    ) {
        self.source = source
        self.path = path
        self.file = file
        self.format = format
        treeEncryption = keys.map {
            TreeEncryption(
                $0, path: path,
                nodeCapacity: source.environment.options.hooks.layout.encryptedNodeCapacity,
                cacheSize: 0, counters: ActivityCounters())
        }
    }

    /// What a transaction may hold in memory before the next one begins.
    private static let transactionByteCount = 32 << 20

    /// Writes and closes the new file. Nothing is left of it after an error. It is not
    /// synchronised.
    ///
    /// - Parameter change: Makes changes to what was copied, in the last transaction.
    /// - Throws: `outOfDiskSpace`, `corrupted`, `inputOutput`, `outOfMemory`, and what `change`
    ///   throws.
    func write(_ change: ((WriteTransaction) throws(StorageError) -> Void)? = nil)
        throws(StorageError)
    {
        // LMDB takes an empty file for a new one.
        try Files.truncate(file.descriptor, to: 0)
            .check("write the copy", path: path)
        do throws(StorageError) {
            let raw = try open()
            // At the end of everything that still refers to it.
            defer { raw.close() }
            try copy(to: raw)
            try transaction(in: raw, isLast: true) { transaction throws(StorageError) in
                try change?(transaction)
            }
        } catch {
            FileReplacement.remove(path, file.head.identity)
            throw error
        }
    }

    private func copy(to raw: LMDBEnvironment) throws(StorageError) {
        try transaction(in: raw) { transaction throws(StorageError) in
            try EnvironmentHandle.openDatabases(
                in: transaction.liveRaw, creating: true, path: path)
            try transaction.put(format)
        }
        for database in Database.allCases {
            var cursor = try source.cursor(database)
            var entry = try cursor.first()
            while entry != nil {
                try transaction(in: raw) { transaction throws(StorageError) in
                    while let current = entry,
                        transaction.estimatedByteCount < Self.transactionByteCount
                    {
                        try put(current, in: database, transaction)
                        entry = try cursor.next()
                    }
                }
            }
        }
    }

    private func put(_ entry: Entry, in database: Database, _ transaction: WriteTransaction)
        throws(StorageError)
    {
        // The copy has one of its own.
        if database == .meta, entry.key.elementsEqual(FormatRecord.key) { return }
        try transaction.put(database, key: entry.key, value: entry.value, appending: true)
    }

    // MARK: LMDB

    /// Without locks, as nobody else knows the name, and without synchronising: one call at the
    /// end suffices.
    private func open() throws(StorageError) -> LMDBEnvironment {
        let least = max(1 << 30, 4 * source.handle.usedByteCount)
        var size = max(AddressSpace.shareOfNext, least)
        while true {
            let raw = try LMDBEnvironment.create(databaseCount: Database.allCases.count)
                .get("create the copy", path: path)
            raw.setMapSize(size)
            let result = raw.open(path, [.unlocked, .unsynchronized], permissions: 0o600)
            if result == .success {
                do throws(StorageError) {
                    try EnvironmentHandle.check(raw, hasOpen: file.head.identity, path: path)
                    return raw
                } catch {
                    raw.close()
                    throw error
                }
            }
            raw.close()
            let error = result.errorNumber
            guard error == .outOfMemory || error == .invalidArgument, size / 2 >= least else {
                throw failure(result)
            }
            size /= 2
        }
    }

    /// One transaction; the last one makes the file whole, by its roots and the version record.
    private func transaction(
        in raw: LMDBEnvironment, isLast: Bool = false,
        _ body: (WriteTransaction) throws(StorageError) -> Void
    ) throws(StorageError) {
        let begun: LMDBTransaction
        switch raw.beginWriting() {
        case .success(let transaction): begun = transaction
        case .failure(let result): throw failure(result)
        }
        let transaction = WriteTransaction(
            adopting: begun, version: source.version, pageSize: raw.pageSize, path: path)
        do throws(StorageError) {
            if let treeEncryption { transaction.beginEncrypting(treeEncryption, roots) }
            try body(transaction)
            if let failure = transaction.failure { throw failure }
            if let encrypted = transaction.encrypted {
                try encrypted.finish()
                roots = encrypted.roots
                if isLast { try encrypted.putRoots(source.version, in: transaction.liveRaw) }
            }
            if isLast {
                let result = EnvironmentHandle.putVersionRecord(
                    source.version, in: transaction.liveRaw)
                if result != .success { throw failure(result) }
            }
        } catch {
            transaction.end().abort()
            throw error
        }
        let result = transaction.end().commit()
        if result != .success { throw failure(result) }
    }

    private func failure(_ result: LMDBResult) -> StorageError {
        .lmdb(
            result.namingFullDisk(of: try? FileSystem.of(path).get()), "write the copy", path: path)
    }
}
