internal import CLMDB
internal import Glibc

extension EnvironmentOpener {
    /// Makes an empty data file, or one with the content of the seed, complete and durable before it gets its name. Under the opening lock, with nobody else using
    /// the files.
    ///
    /// LMDB would write its first pages without synchronising them or the directory, so that a loss of power
    /// could leave half a file.
    func create(_ survey: FileSurvey) throws(StorageError) -> FormatRecord {
        let keys = options.encryptionKey.map { SealingKeys(newFileWith: $0) }
        var format = FormatRecord(uuid: .random(), encryption: keys?.encryption)
        unlink(paths.creation)
        do {
            if let seed = options.seedPath {
                format = try copySeed(seed)
            } else {
                try writeNewFile(format, keys)
            }
            try finishNewFile(mode: survey.identity == nil ? nil : survey.mode)
        } catch {
            unlink(paths.creation)
            if survey.control == nil { unlink(paths.control) }
            throw error
        }
        return format
    }

    private func writeNewFile(_ format: FormatRecord, _ keys: SealingKeys?) throws(StorageError) {
        let path = paths.creation
        var raw: OpaquePointer?
        var result = mdb_env_create(&raw)
        guard result == MDB_SUCCESS, let raw else { throw .lmdb(result, "create the file", path: path) }
        defer { mdb_env_close(raw) }
        mdb_env_set_maxdbs(raw, MDB_dbi(Database.allCases.count))
        // Nobody else knows the name, so it needs no lock file; one fsync at the end suffices.
        let flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOLOCK | MDB_NOSYNC
        result = mdb_env_open(raw, path, UInt32(flags), 0o644)
        if result != MDB_SUCCESS { throw creationError(result) }
        var transaction: OpaquePointer?
        result = mdb_txn_begin(raw, nil, 0, &transaction)
        guard result == MDB_SUCCESS, let transaction else { throw creationError(result) }
        do {
            try EnvironmentHandle.openDatabases(in: transaction, flags: MDB_CREATE, path: path)
            result = putRecords(format, in: transaction)
            if result != MDB_SUCCESS { throw creationError(result) }
            if let keys {
                let sealing = Sealing(keys, path: paths.data, nodeCapacity: options.sealedNodeCapacity, cacheSize: 0, counters: counters)
                try sealing.putRoots(SealedRoots(), UInt64(truncatingIfNeeded: mdb_txn_id(transaction)), in: transaction)
            }
        } catch {
            mdb_txn_abort(transaction)
            throw (error as? StorageError) ?? creationError(EIO)
        }
        result = mdb_txn_commit(transaction)
        if result != MDB_SUCCESS { throw creationError(result) }
    }

    private func putRecords(_ format: FormatRecord, in transaction: OpaquePointer) -> CInt {
        let result = FormatRecord.key.withUnsafeBytes { key in
            format.encoded().withUnsafeBytes { value in
                var lmdbKey = MDB_val(key)
                var lmdbValue = MDB_val(value)
                return mdb_put(transaction, Database.meta.handle, &lmdbKey, &lmdbValue, 0)
            }
        }
        if result != MDB_SUCCESS { return result }
        return EnvironmentHandle.putVersionRecord(UInt64(truncatingIfNeeded: mdb_txn_id(transaction)), in: transaction)
    }

    private func finishNewFile(mode: mode_t?) throws(StorageError) {
        if let mode { chmod(paths.creation, mode) }
        if options.durability != .none { try synchronize(paths.creation, O_RDWR) }
        if rename(paths.creation, paths.data) != 0 { throw .system(errno, "name the new file", path: paths.data) }
        if options.durability != .none { try synchronize(paths.directory, O_RDONLY | O_DIRECTORY) }
    }

    /// A write cut short by a full disk comes back as EIO.
    private func creationError(_ result: CInt) -> StorageError {
        var system = freehold_file_system()
        let isFull = freehold_file_system_of(paths.directory, &system) == 0
            && system.available_blocks * system.block_size < 64 * 1024
        return .lmdb(result == EIO && isFull ? ENOSPC : result, "create the file", path: paths.data)
    }
}
