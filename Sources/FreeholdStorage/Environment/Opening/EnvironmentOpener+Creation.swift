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
        let keys =
            options.encryptionKey == nil ? nil : try TreeEncryptionKeys.random(for: paths.data)
        var format = try FormatRecord(newFileWith: keys, for: options.encryptionKey)
        let file: FilePaths.OpenFile
        do throws(StorageError) {
            file = try FilePaths.createAnew(
                paths.creation, mode: options.newFileMode, "create the file")
        } catch {
            if survey.control == nil { Files.remove(paths.control) }
            throw error
        }
        defer { Files.close(file.descriptor) }
        do {
            if let seed = options.seedPath {
                format = try copySeed(seed, to: file.descriptor)
            } else {
                try writeNewFile(format, keys, file.head.identity)
            }
            try finishNewFile(file, survey)
        } catch {
            FileReplacement.remove(paths.creation, file.head.identity)
            if survey.control == nil { Files.remove(paths.control) }
            throw error
        }
        return format
    }

    private func writeNewFile(
        _ format: FormatRecord, _ keys: TreeEncryptionKeys?, _ identity: FileIdentity
    ) throws(StorageError) {
        let path = paths.creation
        let raw = try LMDBEnvironment.create(databaseCount: Database.allCases.count)
            .get("create the file", path: path)
        defer { raw.close() }
        // No other process knows the name, so it needs no lock file; one fsync at the end is
        // enough.
        var result = raw.open(path, [.unlocked, .unsynchronized], permissions: options.newFileMode)
        if result != .success { throw creationError(result) }
        try EnvironmentHandle.check(raw, hasOpen: identity, path: path)
        let transaction: LMDBTransaction
        switch raw.beginWriting() {
        case .success(let begun): transaction = begun
        case .failure(let result): throw creationError(result)
        }
        do {
            try EnvironmentHandle.openDatabases(in: transaction, creating: true, path: path)
            result = putRecords(format, in: transaction)
            if result != .success { throw creationError(result) }
            if let keys {
                let treeEncryption = TreeEncryption(
                    keys, path: paths.data,
                    nodeCapacity: options.hooks.layout.encryptedNodeCapacity, cacheSize: 0,
                    counters: counters)
                try treeEncryption.putRoots(
                    EncryptedRoots(), transaction.identifier, .random(), in: transaction)
            }
        } catch {
            transaction.abort()
            throw (error as? StorageError) ?? creationError(LMDBResult(.inputOutput))
        }
        result = transaction.commit()
        if result != .success { throw creationError(result) }
    }

    private func putRecords(_ format: FormatRecord, in transaction: LMDBTransaction) -> LMDBResult {
        let result = format.put(in: transaction)
        if result != .success { return result }
        return EnvironmentHandle.putVersionRecord(transaction.identifier, in: transaction)
    }

    private func finishNewFile(_ file: FilePaths.OpenFile, _ survey: FileSurvey)
        throws(StorageError)
    {
        if survey.identity != nil || options.isTemporary {
            Files.setMode(file.descriptor, survey.mode)
        }
        if options.durability != .none, let error = Files.synchronize(file.descriptor) {
            throw .system(error, "synchronise the file", path: paths.creation)
        }
        try FileReplacement.rename(
            paths.creation, file.head.identity, over: paths.data, survey.identity)
        if options.durability != .none { try synchronizeDirectory(paths.directory) }
    }

    private func creationError(_ result: LMDBResult) -> StorageError {
        .lmdb(
            result.namingFullDisk(of: try? FileSystem.of(paths.directory).get()),
            "create the file", path: paths.data)
    }
}
