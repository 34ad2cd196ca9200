extension EnvironmentOpener {
    /// Makes LMDB open the data file.
    ///
    /// LMDB opens both files by path and follows links. So both were opened here first, without
    /// following links, and LMDB must have opened the same files.
    ///
    /// - Parameter identity: The data file that was checked.
    /// - Parameter control: The control file that the users of the data file share.
    /// - Parameter versionOffset: The number to add to LMDB's transaction ids. Nil to derive it
    ///   from the version record, while no process can commit.
    /// - Parameter hasSoundPages: Whether the pages need no walk before the first commit.
    /// - Parameter name: The path that the file is known by; nil if it is opened by that path.
    /// - Parameter keys: The keys of an encrypted file, if known; nil to derive them from the
    ///   user's key.
    func openHandle(
        _ identity: FileIdentity, control: ControlFile?, versionOffset: UInt64?,
        isLocked: Bool = true, hasSoundPages: Bool = false,
        knownAs name: String? = nil, keys: TreeEncryptionKeys? = nil
    ) throws(StorageError) -> EnvironmentHandle {
        let (dataDescriptor, head) = try paths.openData(options.access)
        var lockDescriptor: Int32 = -1
        var raw: LMDBEnvironment?
        do {
            guard head.identity == identity else { throw paths.replaced() }
            let claim = try SecondName.claim(
                dataDescriptor, control: control?.identity, paths, options.access)
            if isLocked {
                guard let lock = try paths.open(.lock, .readWrite, data: head) else {
                    throw paths.replaced()
                }
                lockDescriptor = lock.descriptor
            }
            let (opened, capacity) = try openReserving(isLocked: isLocked, data: head)
            raw = opened
            let lmdbDescriptor = try EnvironmentHandle.check(
                opened, hasOpen: identity, path: paths.data)
            if let error = Files.closeOnExecute(lmdbDescriptor) {
                throw StorageError.system(
                    error, "keep the file from child processes", path: paths.data)
            }
            try EnvironmentHandle.openDatabases(opened, path: paths.data)
            if isLocked { try checkLockFile(lockDescriptor) }
            let treeEncryption = try findTreeEncryption(opened, keys)
            if isLocked { opened.discardDeadReaders() }
            return EnvironmentHandle(
                raw: opened, path: name ?? paths.data, capacity: capacity,
                versionOffset: try versionOffset ?? findVersionOffset(opened),
                dataDescriptor: dataDescriptor, claim: claim, lockDescriptor: lockDescriptor,
                durability: options.durability,
                treeEncryption: treeEncryption, hasSoundPages: hasSoundPages)
        } catch {
            raw?.close()
            if lockDescriptor >= 0 { Files.close(lockDescriptor) }
            Files.close(dataDescriptor)
            throw (error as? StorageError) ?? corrupted(paths.data, "\(error)")
        }
    }

    /// Checks that LMDB has opened the lock file that was checked, after LMDB's first
    /// transaction. From then on LMDB holds a lock on the byte at this process's id. Another
    /// open description of the same file conflicts with that lock.
    private func checkLockFile(_ descriptor: Int32) throws(StorageError) {
        let place = Int64(SystemProcess.identifier)
        let isLocked = try FileLocks.isLockedByOthers(descriptor, at: place)
            .get("test the lock file", path: paths.lock)
        guard isLocked,
            FileIdentity.at(paths.lock) == (try FileHead.of(descriptor, path: paths.lock).identity)
        else {
            throw StorageError(
                .replacedWhileOpen,
                """
                "\(paths.lock)" was replaced while "\(paths.data)" was being opened. Keep \
                other users from writing the directory, and open the file again.
                """, path: paths.data)
        }
    }

    /// Opens with the largest map that the system grants: the requested size, or half of it,
    /// and so on down to the size needed.
    ///
    /// A map costs only address space, and cannot grow while versions are read, so it is made
    /// large enough never to need it (`AddressSpace`).
    private func openReserving(isLocked: Bool, data: FileHead) throws(StorageError) -> (
        raw: LMDBEnvironment, capacity: Int
    ) {
        let page = 65536
        let least = max(min(1 << 30, options.hooks.reservedMapSize), 2 * data.size, page)
        var size =
            max(min(options.hooks.reservedMapSize, AddressSpace.shareOfNext), least) / page * page
        while true {
            let result: LMDBResult
            switch openOnce(mapSize: size, isLocked: isLocked, mode: data.permissions) {
            case .success(let raw): return (raw, size)
            case .failure(let failure): result = failure
            }
            let error = result.errorNumber
            if error == .outOfMemory || error == .invalidArgument {
                if size / 2 >= least {
                    size = size / 2 / page * page
                    continue
                }
                throw StorageError(
                    .addressSpaceExhausted,
                    """
                    The system grants no \(size) bytes of address space for "\(paths.data)". \
                    Raise the limit (ulimit -v).
                    """, path: paths.data, systemError: error)
            }
            // The first pages were checked already. LMDB returns the same error if it mistakes
            // the lock file for one in use.
            if result == .invalid, isLocked {
                throw StorageError(
                    .incompatibleLockFile,
                    """
                    LMDB could not make use of "\(paths.lock)". If this happens again, close \
                    the file in every program, delete that lock file, and open the file again.
                    """, path: paths.data)
            }
            let isLock = error == .permissionDenied || error == .readOnlyFileSystem
            let path = isLock ? paths.lock : paths.data
            throw .lmdb(result, "open the file", path: path)
        }
    }

    private func openOnce(mapSize: Int, isLocked: Bool, mode: UInt32)
        -> Result<LMDBEnvironment, LMDBResult>
    {
        LMDBEnvironment.create(databaseCount: Database.allCases.count).flatMap { raw in
            raw.setMapSize(mapSize)
            raw.setReaderCount(max(options.hooks.maximumReaders, 1))
            var settings: LMDBEnvironment.Options = []
            if options.access == .readOnly { settings.insert(.readOnly) }
            switch options.durability {
            case .full: break
            case .relaxed: settings.insert(.unsynchronizedMeta)
            case .none: settings.formUnion([.unsynchronized, .unsynchronizedMeta])
            }
            if !isLocked { settings.insert(.unlocked) }
            let result = raw.open(paths.data, settings, permissions: mode)
            if result == .success { return .success(raw) }
            raw.close()
            return .failure(result)
        }
    }

    /// Makes the lock file as large as LMDB will, and allocates its blocks, while no process
    /// has it open. LMDB would leave holes and write to them through a map, so a full disk
    /// would end the process with SIGBUS.
    func allocateLockFile(data: FileHead) throws(StorageError) {
        // A reader slot has 64 bytes, the header the size of two slots; LMDB adds what is
        // missing.
        let size = (max(options.hooks.maximumReaders, 1) + 2) * 64
        let (descriptor, _) = try paths.openOrCreate(.lock, mode: data.permissions, data: data)
        defer { Files.close(descriptor) }
        var error = Files.allocate(descriptor, 0..<size)
        if error?.meansUnsupported ?? true { error = Files.truncate(descriptor, to: size) }
        if let error { throw .system(error, "allocate the lock file", path: paths.lock) }
    }

    private func findVersionOffset(_ raw: LMDBEnvironment) throws(StorageError) -> UInt64 {
        let transaction = try raw.beginReading().get("read the version", path: paths.data)
        defer { transaction.abort() }
        let version = EnvironmentHandle.versionRecord(in: transaction)
        if version == .failure(.notFound) {
            throw corrupted(paths.data, "it has no version record")
        }
        return try version.get("read the version", path: paths.data) &- transaction.identifier
    }

    /// The encryption of the file, from its format record; nil for a plain file.
    private func findTreeEncryption(_ raw: LMDBEnvironment, _ keys: TreeEncryptionKeys?)
        throws(StorageError) -> TreeEncryption?
    {
        let transaction = try raw.beginReading().get("read the format", path: paths.data)
        defer { transaction.abort() }
        guard
            let format = try FormatRecord(
                decoding: try formatRecord(raw, transaction), path: paths.data)
        else { throw corrupted(paths.data, "it has no format record") }
        try format.checkReadable(path: paths.data)
        let known =
            if let keys { keys as TreeEncryptionKeys? } else {
                try format.keys(for: options.encryptionKey, path: paths.data)
            }
        return known.map {
            TreeEncryption(
                $0, path: paths.data, nodeCapacity: options.hooks.layout.encryptedNodeCapacity,
                cacheSize: options.hooks.recordCacheSize, counters: counters)
        }
    }

    private func formatRecord(_ raw: LMDBEnvironment, _ transaction: LMDBTransaction)
        throws(StorageError) -> [UInt8]
    {
        let missing = corrupted(paths.data, "it has no format record")
        if let size = MappedPage.findableSize(raw.pageSize) {
            guard
                let tree = MappedTree(
                    .meta, in: transaction, pageSize: size, lastPage: raw.lastPage),
                case .found(let value) = FormatRecord.key.withUnsafeBytes({ tree.find($0) })
            else { throw missing }
            return Array(value)
        }
        let result = FormatRecord.stored(in: transaction)
        if case .failure(.notFound) = result { throw missing }
        return Array(try result.get("read the format", path: paths.data))
    }

    /// Rewrites the meta pages after a commit that failed on the medium. The medium may hold a
    /// newer meta page than the page cache does. The pages of that version could be overwritten
    /// before its meta page is replaced. The older meta page may describe that commit
    /// (``PageReader/checkMetaPages(mayHaveFailed:)``), so it gets the newer one's trees.
    /// Throws while the medium fails.
    func rewriteMetaPages(size: Int) throws(StorageError) {
        if options.access == .readOnly { return }
        let (descriptor, _) = try paths.openData(.readWrite)
        defer { Files.close(descriptor) }
        let newest = try PageReader(
            descriptor: descriptor, path: paths.data, fileSize: size, isOurs: true
        ).meta
        guard
            var bytes = try readBytes(
                descriptor, at: 0, count: 2 * newest.pageSize, path: paths.data)
        else { throw PageReader.truncated(paths.data) }
        if newest.transaction > 1 {
            // The number's lowest bit selects the page.
            let (newer, older) =
                newest.transaction & 1 == 0 ? (0, newest.pageSize) : (newest.pageSize, 0)
            let contents = MetaPage.contents
            bytes.replaceSubrange(
                older + contents.lowerBound..<older + contents.upperBound,
                with: bytes[newer + contents.lowerBound..<newer + contents.upperBound])
            bytes.store(newest.transaction - 1, at: older + MetaPage.transactionOffset)
        }
        try bytes.withUnsafeBytes { Files.write($0, to: descriptor, at: 0) }
            .check("write the meta pages", path: paths.data)
        try Files.synchronize(descriptor)
            .check("synchronise the file", path: paths.data)
    }
}
