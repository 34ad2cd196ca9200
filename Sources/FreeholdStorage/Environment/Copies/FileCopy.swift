/// Writes a version of a file into a new file: every entry of every database, in the order of
/// the keys.
///
/// The tail of the history goes into a plain copy; a caller that encrypts one puts it elsewhere.
///
/// So the new file's pages are full, none is free, and the old file's page structure does not
/// matter. Entries are read and put through the same calls as always, so a copy may be
/// encrypted differently from its source.
///
/// The new file is written under a temporary name, in transactions of limited size. Its creator
/// renames it when it is complete. One thread.
///
/// An encrypted copy has its own file key, so none of the source's records can be inserted into
/// it; a compacted file keeps the source's key. The roots are encrypted only once, in the last
/// transaction. Pages of earlier transactions stay in the file, and roots on them would
/// describe a version that lacks entries.
final class FileCopy {
    let source: ReadTransaction
    let path: String
    /// The new file, which its creator has open.
    private let file: FilePaths.OpenFile
    /// The format record of the new file.
    private let format: FormatRecord
    /// The encryption of the copy; nil for a plain one.
    private let treeEncryption: TreeEncryption?
    private var roots = EncryptedRoots()
    private let progress: WorkProgress?

    /// Creates a copy with its own identifier.
    ///
    /// - Parameters:
    ///   - file: The open file at this path. Its contents are replaced.
    ///   - key: The key to encrypt it with; nil for a plain one.
    ///   - progress: Called from time to time with the part that is copied, from 0 to 1.
    convenience init(
        source: ReadTransaction, path: String, _ file: FilePaths.OpenFile, key: EncryptionKey?,
        progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) {
        let keys = key == nil ? nil : try TreeEncryptionKeys.random(for: path)
        self.init(
            source: source, path: path, file, try FormatRecord(newFileWith: keys, for: key), keys,
            progress)
    }

    /// Creates a copy that replaces the source: with its identifier and its keys, so the same
    /// user's key opens it.
    convenience init(
        compacting source: ReadTransaction, path: String, _ file: FilePaths.OpenFile,
        progress: (@Sendable (Double) -> Void)? = nil
    ) throws(StorageError) {
        self.init(
            source: source, path: path, file, try source.formatRecord(),
            source.handle.treeEncryption?.keys, progress)
    }

    private init(
        source: ReadTransaction, path: String, _ file: FilePaths.OpenFile, _ format: FormatRecord,
        _ keys: TreeEncryptionKeys?, _ progress: (@Sendable (Double) -> Void)?
    ) {
        self.source = source
        self.path = path
        self.file = file
        self.format = format
        self.progress = progress.map { progress in
            let entryCount = Database.allCases.reduce(0) { $0 + source.entryCount($1) }
            return WorkProgress(total: entryCount, report: progress)
        }
        treeEncryption = keys.map {
            TreeEncryption(
                $0, path: path,
                nodeCapacity: source.environment.options.hooks.layout.encryptedNodeCapacity,
                cacheSize: 0, counters: ActivityCounters())
        }
    }

    /// The bytes that a transaction may hold in memory before the next one begins.
    private static let transactionByteCount = 32 << 20

    /// Writes and closes the new file, and removes it after an error. It does not synchronise
    /// the file.
    ///
    /// - Parameter change: Changes the copied contents, in the last transaction.
    /// - Throws: `outOfDiskSpace`, `corrupted`, `inputOutput`, `outOfMemory`, and errors of
    ///   `change`.
    func write(_ change: ((WriteTransaction) throws(StorageError) -> Void)? = nil)
        throws(StorageError)
    {
        // LMDB initialises an empty file.
        try Files.truncate(file.descriptor, to: 0).check("write the copy", path: path)
        do throws(StorageError) {
            let raw = try open()
            // After everything that still refers to it.
            defer { raw.close() }
            try copy(to: raw)
            try transaction(in: raw, isLast: true) { transaction throws(StorageError) in
                try change?(transaction)
            }
            progress?.finish()
        } catch {
            FileReplacement.remove(path, file.head.identity)
            throw error
        }
    }

    private func copy(to raw: LMDBEnvironment) throws(StorageError) {
        try transaction(in: raw) { transaction throws(StorageError) in
            try EnvironmentHandle.openDatabases(in: transaction.liveRaw, creating: true, path: path)
            try transaction.put(format)
            if transaction.hasHistoryTail, let tail = try source.historyTail() {
                try transaction.putHistoryTail(tail)
            }
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
        // The copy has its own format record.
        if database == .meta, entry.key.elementsEqual(FormatRecord.key) { return }
        try transaction.put(database, key: entry.key, value: entry.value, appending: true)
        progress?.add()
    }

    // MARK: LMDB

    /// Opens LMDB without locks, because no other process uses the name, and without
    /// synchronising, because one call at the end is enough.
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

    /// Runs one transaction. The last one completes the file, with its roots and the version
    /// record.
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
