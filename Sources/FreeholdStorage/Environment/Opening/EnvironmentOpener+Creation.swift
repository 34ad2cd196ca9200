internal import CLMDB
internal import Glibc

extension EnvironmentOpener {
    /// Creates a data file, empty or with the contents of the seed, complete and durable before
    /// it gets its name. Under the opening lock, while no other process uses the files.
    ///
    /// LMDB itself would write its first pages without synchronising them or the directory, so
    /// a loss of power could leave half a file.
    func create(_ survey: FileSurvey) throws(StorageError) -> FormatRecord {
        if options.expectedIdentifier != nil || options.minimumVersion > 0 {
            throw StorageError(
                .fileNotFound,
                """
                "\(paths.data)" is missing or empty, and a certain file is expected there. \
                Restore it; to start afresh, leave `expectedFileIdentifier` and \
                `minimumVersion` out.
                """, path: paths.data)
        }
        let keys = options.encryptionKey == nil ? nil : try TreeEncryptionKeys.random(for: paths.data)
        var format = try FormatRecord(newFileWith: keys, for: options.encryptionKey)
        let file: FilePaths.OpenFile
        do throws(StorageError) {
            file = try FilePaths.createAnew(
                paths.creation, mode: options.newFileMode, "create the file")
        } catch {
            if survey.control == nil { unlink(paths.control) }
            throw error
        }
        defer { close(file.descriptor) }
        do {
            if let seed = options.seedPath {
                format = try copySeed(seed, to: file.descriptor)
            } else {
                try writeNewFile(format, keys, file.head.identity)
            }
            try finishNewFile(file, survey)
        } catch {
            FileReplacement.remove(paths.creation, file.head.identity)
            if survey.control == nil { unlink(paths.control) }
            throw error
        }
        return format
    }

    private func writeNewFile(
        _ format: FormatRecord, _ keys: TreeEncryptionKeys?, _ identity: FileIdentity
    ) throws(StorageError) {
        let path = paths.creation
        var raw: OpaquePointer?
        var result = mdb_env_create(&raw)
        guard result == MDB_SUCCESS, let raw else {
            throw .lmdb(result, "create the file", path: path)
        }
        defer { mdb_env_close(raw) }
        mdb_env_set_maxdbs(raw, MDB_dbi(Database.allCases.count))
        // No other process knows the name, so it needs no lock file; one fsync at the end is
        // enough.
        let flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOLOCK | MDB_NOSYNC
        result = mdb_env_open(raw, path, UInt32(flags), options.newFileMode)
        if result != MDB_SUCCESS { throw creationError(result) }
        try EnvironmentHandle.check(raw, hasOpen: identity, path: path)
        var transaction: OpaquePointer?
        result = mdb_txn_begin(raw, nil, 0, &transaction)
        guard result == MDB_SUCCESS, let transaction else { throw creationError(result) }
        do {
            try EnvironmentHandle.openDatabases(in: transaction, flags: MDB_CREATE, path: path)
            result = putRecords(format, in: transaction)
            if result != MDB_SUCCESS { throw creationError(result) }
            if let keys {
                let treeEncryption = TreeEncryption(
                    keys, path: paths.data, nodeCapacity: options.hooks.layout.encryptedNodeCapacity,
                    cacheSize: 0,
                    counters: counters)
                try treeEncryption.putRoots(
                    EncryptedRoots(), UInt64(truncatingIfNeeded: mdb_txn_id(transaction)), .random(),
                    in: transaction)
            }
        } catch {
            mdb_txn_abort(transaction)
            throw (error as? StorageError) ?? creationError(EIO)
        }
        result = mdb_txn_commit(transaction)
        if result != MDB_SUCCESS { throw creationError(result) }
    }

    private func putRecords(_ format: FormatRecord, in transaction: OpaquePointer) -> CInt {
        let result = format.put(in: transaction)
        if result != MDB_SUCCESS { return result }
        return EnvironmentHandle.putVersionRecord(
            UInt64(truncatingIfNeeded: mdb_txn_id(transaction)), in: transaction)
    }

    private func finishNewFile(_ file: FilePaths.OpenFile, _ survey: FileSurvey)
        throws(StorageError)
    {
        if survey.identity != nil || options.isTemporary { fchmod(file.descriptor, survey.mode) }
        if options.durability != .none, fsync(file.descriptor) != 0 {
            throw .system(errno, "synchronise the file", path: paths.creation)
        }
        try FileReplacement.rename(
            paths.creation, file.head.identity, over: paths.data, survey.identity)
        if options.durability != .none { try synchronize(paths.directory, O_RDONLY | O_DIRECTORY) }
    }

    /// Returns the error of a failed creation. LMDB reports a write that a full disk cut short
    /// as EIO.
    private func creationError(_ result: CInt) -> StorageError {
        var system = freehold_file_system()
        let isFull =
            freehold_file_system_of(paths.directory, &system) == 0
            && system.available_blocks * system.block_size < 64 * 1024
        return .lmdb(result == EIO && isFull ? ENOSPC : result, "create the file", path: paths.data)
    }
}
