internal import CLMDB
internal import Glibc

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
        var raw: OpaquePointer?
        do {
            guard head.identity == identity else { throw paths.replaced() }
            let claim = try SecondName.claim(
                dataDescriptor, control: control?.identity, paths, options.access)
            if isLocked {
                guard let lock = try paths.open(.lock, O_RDWR, data: head) else {
                    throw paths.replaced()
                }
                lockDescriptor = lock.descriptor
            }
            let (opened, capacity) = try openReserving(isLocked: isLocked, data: head)
            raw = opened
            let lmdbDescriptor = try EnvironmentHandle.check(
                opened, hasOpen: identity, path: paths.data)
            let result = freehold_close_on_exec(lmdbDescriptor)
            if result != 0 {
                throw StorageError.system(
                    result, "keep the file from child processes", path: paths.data)
            }
            try EnvironmentHandle.openDatabases(opened, path: paths.data)
            if isLocked { try checkLockFile(lockDescriptor) }
            let treeEncryption = try findTreeEncryption(opened, keys)
            var deadCount: CInt = 0
            if isLocked { mdb_reader_check(opened, &deadCount) }
            return EnvironmentHandle(
                raw: opened, path: name ?? paths.data, capacity: capacity,
                versionOffset: try versionOffset ?? findVersionOffset(opened),
                dataDescriptor: dataDescriptor, claim: claim, lockDescriptor: lockDescriptor,
                durability: options.durability,
                treeEncryption: treeEncryption, hasSoundPages: hasSoundPages)
        } catch {
            if let raw { mdb_env_close(raw) }
            if lockDescriptor >= 0 { close(lockDescriptor) }
            close(dataDescriptor)
            throw (error as? StorageError) ?? corrupted(paths.data, "\(error)")
        }
    }

    /// Checks that LMDB has opened the lock file that was checked, after LMDB's first
    /// transaction. From then on LMDB holds a lock on the byte at this process's id. Another
    /// open description of the same file conflicts with that lock.
    private func checkLockFile(_ descriptor: Int32) throws(StorageError) {
        var conflict: CInt = 0
        let result = freehold_range_lock_test(descriptor, Int64(getpid()), 1, &conflict)
        if result != 0 { throw .system(result, "test the lock file", path: paths.lock) }
        guard conflict != 0,
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
        raw: OpaquePointer, capacity: Int
    ) {
        let page = 65536
        let least = max(min(1 << 30, options.hooks.reservedMapSize), 2 * data.size, page)
        var size =
            max(min(options.hooks.reservedMapSize, AddressSpace.shareOfNext), least) / page * page
        while true {
            let (result, raw) = openOnce(mapSize: size, isLocked: isLocked, mode: data.permissions)
            if let raw { return (raw, size) }
            if result == ENOMEM || result == EINVAL {
                if size / 2 >= least {
                    size = size / 2 / page * page
                    continue
                }
                throw StorageError(
                    .addressSpaceExhausted,
                    """
                    The system grants no \(size) bytes of address space for "\(paths.data)". \
                    Raise the limit (ulimit -v).
                    """, path: paths.data, systemError: result)
            }
            // The first pages were checked already. LMDB returns the same error if it mistakes
            // the lock file for one in use.
            if result == MDB_INVALID, isLocked {
                throw StorageError(
                    .incompatibleLockFile,
                    """
                    LMDB could not make use of "\(paths.lock)". If this happens again, close \
                    the file in every program, delete that lock file, and open the file again.
                    """, path: paths.data)
            }
            let path = result == EACCES || result == EROFS ? paths.lock : paths.data
            throw .lmdb(result, "open the file", path: path)
        }
    }

    private func openOnce(mapSize: Int, isLocked: Bool, mode: mode_t) -> (CInt, OpaquePointer?) {
        var raw: OpaquePointer?
        var result = mdb_env_create(&raw)
        guard result == MDB_SUCCESS, let raw else { return (result, nil) }
        mdb_env_set_mapsize(raw, mapSize)
        mdb_env_set_maxdbs(raw, MDB_dbi(Database.allCases.count))
        mdb_env_set_maxreaders(raw, UInt32(clamping: max(options.hooks.maximumReaders, 1)))
        var flags = MDB_NOSUBDIR | MDB_NOTLS
        if options.access == .readOnly { flags |= MDB_RDONLY }
        switch options.durability {
        case .full: break
        case .relaxed: flags |= MDB_NOMETASYNC
        case .none: flags |= MDB_NOSYNC | MDB_NOMETASYNC
        }
        if !isLocked { flags |= MDB_NOLOCK }
        result = mdb_env_open(raw, paths.data, UInt32(flags), mode)
        if result == MDB_SUCCESS { return (result, raw) }
        mdb_env_close(raw)
        return (result, nil)
    }

    /// Makes the lock file as large as LMDB will, and allocates its blocks, while no process
    /// has it open. LMDB would leave holes and write to them through a map, so a full disk
    /// would end the process with SIGBUS.
    func allocateLockFile(data: FileHead) throws(StorageError) {
        // A reader slot has 64 bytes, the header the size of two slots; LMDB adds what is
        // missing.
        let size = Int64(max(options.hooks.maximumReaders, 1) + 2) * 64
        let (descriptor, _) = try paths.openOrCreate(.lock, mode: data.permissions, data: data)
        defer { close(descriptor) }
        var result: CInt
        repeat { result = freehold_allocate(descriptor, 0, size) } while result == EINTR
        if result == EOPNOTSUPP || result == ENOSYS { result = 0 }
        if result == 0, ftruncate(descriptor, off_t(size)) != 0 { result = errno }
        if result != 0 { throw .system(result, "allocate the lock file", path: paths.lock) }
    }

    private func findVersionOffset(_ raw: OpaquePointer) throws(StorageError) -> UInt64 {
        var transaction: OpaquePointer?
        let begun = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        guard begun == MDB_SUCCESS, let transaction else {
            throw .lmdb(begun, "read the version", path: paths.data)
        }
        defer { mdb_txn_abort(transaction) }
        let (result, version) = EnvironmentHandle.versionRecord(in: transaction)
        if result == MDB_NOTFOUND { throw corrupted(paths.data, "it has no version record") }
        if result != MDB_SUCCESS { throw .lmdb(result, "read the version", path: paths.data) }
        return version &- UInt64(truncatingIfNeeded: mdb_txn_id(transaction))
    }

    /// The encryption of the file, from its format record; nil for a plain file.
    private func findTreeEncryption(_ raw: OpaquePointer, _ keys: TreeEncryptionKeys?) throws(StorageError)
        -> TreeEncryption?
    {
        var transaction: OpaquePointer?
        let begun = mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
        guard begun == MDB_SUCCESS, let transaction else {
            throw .lmdb(begun, "read the format", path: paths.data)
        }
        defer { mdb_txn_abort(transaction) }
        guard
            let format = try FormatRecord(
                decoding: try formatRecord(raw, transaction), path: paths.data)
        else {
            throw corrupted(paths.data, "it has no format record")
        }
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

    private func formatRecord(_ raw: OpaquePointer, _ transaction: OpaquePointer)
        throws(StorageError) -> [UInt8]
    {
        let missing = corrupted(paths.data, "it has no format record")
        var statistics = MDB_stat()
        var information = MDB_envinfo()
        mdb_env_stat(raw, &statistics)
        mdb_env_info(raw, &information)
        if let size = MappedPage.findableSize(Int(statistics.ms_psize)) {
            guard
                let tree = MappedTree(
                    .meta, in: transaction, pageSize: size, lastPage: information.me_last_pgno),
                case .found(let value) = FormatRecord.key.withUnsafeBytes({ tree.find($0) })
            else { throw missing }
            return Array(value)
        }
        var value = MDB_val()
        let result = FormatRecord.key.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            return mdb_get(transaction, Database.meta.handle, &key, &value)
        }
        if result == MDB_NOTFOUND { throw missing }
        if result != MDB_SUCCESS { throw .lmdb(result, "read the format", path: paths.data) }
        return Array(value.bytes)
    }

    /// Rewrites the meta pages after a commit that failed on the medium. The medium may hold a
    /// newer meta page than the page cache does. The pages of that version could be overwritten
    /// before its meta page is replaced. The older meta page may describe that commit
    /// (``PageReader/checkMetaPages(mayHaveFailed:)``), so it gets the newer one's trees.
    /// Throws while the medium fails.
    func rewriteMetaPages(size: Int) throws(StorageError) {
        if options.access == .readOnly { return }
        let (descriptor, _) = try paths.openData(.readWrite)
        defer { close(descriptor) }
        let newest = try PageReader(
            descriptor: descriptor, path: paths.data, fileSize: size, isOurs: true
        ).meta
        guard
            var bytes = try readBytes(
                descriptor, at: 0, count: 2 * newest.pageSize, path: paths.data)
        else {
            throw PageReader.truncated(paths.data)
        }
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
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        if count != bytes.count {
            throw .system(count < 0 ? errno : EIO, "write the meta pages", path: paths.data)
        }
        if fsync(descriptor) != 0 { throw .system(errno, "synchronise the file", path: paths.data) }
    }
}
