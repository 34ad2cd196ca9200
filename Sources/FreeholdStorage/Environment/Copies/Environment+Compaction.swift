extension Environment {
    /// The size of the data file, and the bytes used by the newest version and by older
    /// versions that are being read. O(free list).
    package func byteCounts() throws(StorageError) -> (total: Int, used: Int) {
        let newest = try read()
        let total = try FileHead.of(newest.handle.dataDescriptor, path: path).size
        let free = try newest.handle.freedBytes(in: newest.raw).reduce(0) { $0 + $1.count }
        return (total, max(0, newest.handle.usedByteCount - free))
    }

    /// Rewrites the newest version into a new file without free pages, which replaces this one
    /// for all future reads and writes.
    ///
    /// Existing views continue to read the old file. It has no name then; the system frees its
    /// space when the last view is released. The version stays the same. At any time, the name
    /// refers to one of the two files, and both are complete and durable. So nothing is lost
    /// wherever the process ends; until the last step, an error changes nothing.
    ///
    /// O(bytes in use). Readers continue meanwhile. Writers wait, because the caller holds the
    /// grant, which stays open.
    ///
    /// - Parameter progress: Called from time to time with the part that is written, from 0 to 1.
    /// - Throws: `alreadyOpen` if another process has the file open; `outOfDiskSpace`;
    ///   `readOnly`, `poisoned`, `inputOutput`.
    package func compact(_ grant: WriteGrant, progress: (@Sendable (Double) -> Void)? = nil)
        throws(StorageError)
    {
        try checkWritable()
        guard let control else { throw forkedChildError }
        try checkNotOpenElsewhere()
        let paths = FilePaths(resolved: path)
        let (handle, identity) = snapshots.withLock { ($0.handle, $0.identity) }
        try handle.checkIsAtPath(identity)
        let old = try FileHead.of(handle.dataDescriptor, path: path)
        let replacement: EnvironmentHandle
        do throws(StorageError) {
            replacement = try inRoomLeft(of: grant.base) { () throws(StorageError) in
                try makeReplacement(of: grant.base, paths, old, progress)
            }
        } catch {
            Files.remove(paths.compaction)
            Files.remove(paths.compactionLock)
            throw error
        }
        try EnvironmentRegistry.shared.replaceFile(of: self) { () throws(StorageError) in
            do throws(StorageError) {
                // Every process that opens the file takes this lock briefly.
                try control.lock(.opening, .exclusive, until: .now + .seconds(10))
            } catch {
                abandon(replacement, paths)
                throw error
            }
            defer { control.unlock(.opening) }
            try install(replacement, paths, control)
        }
        EventLog.say(
            .info, "\(path): compacted from \(old.size) bytes to \(replacement.usedByteCount)")
    }

    /// - Throws: `alreadyOpen` if another process has the file open.
    func checkNotOpenElsewhere() throws(StorageError) {
        guard let control else { throw forkedChildError }
        guard try control.isHeldByOthers(.presence) else { return }
        handle.discardDeadReaders()
        let readers = Set(handle.readerPins().map(\.processIdentifier)).subtracting([
            SystemProcess.identifier
        ]).sorted()
        let who =
            readers.isEmpty
            ? "" : " (process \(readers.map(String.init).joined(separator: ", ")) reads it)"
        throw StorageError(
            .alreadyOpen,
            """
            "\(path)" cannot be compacted while another process has it open\(who). Close \
            it there first.
            """, path: path)
    }

    // MARK: The new file

    /// Writes, synchronises and opens the new file, with its own lock file. Only names remain
    /// to be changed.
    private func makeReplacement(
        of base: ReadTransaction, _ paths: FilePaths, _ old: FileHead,
        _ progress: (@Sendable (Double) -> Void)?
    ) throws(StorageError) -> EnvironmentHandle {
        let file = try FilePaths.createAnew(
            paths.compaction, mode: 0o600, "write the compacted file")
        defer { Files.close(file.descriptor) }
        try FileCopy(compacting: base, path: paths.compaction, file, progress: progress).write()
        copyOwnership(from: old, to: file)
        if options.durability != .none, let error = Files.synchronize(file.descriptor) {
            throw .system(error, "synchronise the file", path: paths.compaction)
        }
        var options = options
        options.path = paths.compaction
        let opener = try EnvironmentOpener(options, counters: counters)
        Files.remove(paths.compactionLock)
        try opener.allocateLockFile(data: old)
        let replacement = try opener.openHandle(
            file.head.identity, control: control, versionOffset: nil, hasSoundPages: true,
            knownAs: path, keys: base.handle.treeEncryption?.keys)
        try verify(replacement, base)
        return replacement
    }

    /// Compares the new file with the old one, as far as that costs nothing.
    private func verify(_ replacement: EnvironmentHandle, _ base: ReadTransaction)
        throws(StorageError)
    {
        let (raw, version) = try replacement.beginRead()
        defer { raw.abort() }
        var isSame = version == base.version
        for database in Database.allCases {
            let count = try entryCount(database, raw, replacement)
            isSame = isSame && count == base.entryCount(database)
        }
        if !isSame {
            throw StorageError(
                .corrupted,
                """
                The compacted copy of "\(path)" is not what was copied. Check the medium; \
                the file itself was not changed.
                """, path: path)
        }
    }

    private func entryCount(
        _ database: Database, _ raw: LMDBTransaction, _ handle: EnvironmentHandle
    ) throws(StorageError) -> Int {
        if let treeEncryption = handle.treeEncryption {
            return try treeEncryption.readRoots(
                raw.identifier &+ handle.versionOffset, in: raw)[database].entryCount
        }
        return try raw.entryCount(database.handle).get("read the compacted copy", path: path)
    }

    private func abandon(_ replacement: EnvironmentHandle, _ paths: FilePaths) {
        replacement.close()
        Files.remove(paths.compaction)
        Files.remove(paths.compactionLock)
    }

    // MARK: In the place of the old one

    /// Under the opening lock: proves that no other process has the file open, and exchanges
    /// the names.
    ///
    /// LMDB's lock files are replaced before the data files. The next opener reinitialises a
    /// lock file without holders, but not one that belongs to another data file.
    private func install(
        _ replacement: EnvironmentHandle, _ paths: FilePaths, _ control: ControlFile
    ) throws(StorageError) {
        let new: FileHead
        var record: ControlRecord
        let (old, oldIdentity) = snapshots.withLock { ($0.handle, $0.identity) }
        let locks: (old: FileIdentity, new: FileIdentity)
        // Opened before any name changes: a lack of descriptors must show while the exchange
        // can still be abandoned.
        let directory: Int32
        do throws(StorageError) {
            directory = try openDirectory(paths.directory)
        } catch {
            abandon(replacement, paths)
            throw error
        }
        defer { Files.close(directory) }
        do throws(StorageError) {
            guard try control.tryLock(.presence, .exclusive) else {
                try checkNotOpenElsewhere()
                throw StorageError(
                    .alreadyOpen,
                    "\"\(path)\" was opened by another process while it was compacted. Try again.",
                    path: path)
            }
            defer { _ = try? control.tryLock(.presence, .shared) }
            new = try FileHead.of(replacement.dataDescriptor, path: paths.compaction)
            locks = (
                try FileHead.of(old.lockDescriptor, path: paths.lock).identity,
                try FileHead.of(replacement.lockDescriptor, path: paths.lock).identity
            )
            // Before anything changes.
            try old.checkIsAtPath(oldIdentity)
            guard let known = try control.currentRecord() else {
                throw StorageError(
                    .corrupted,
                    """
                    The control file of "\(path)" is damaged. Close the file in every \
                    program, and open it again.
                    """, path: path)
            }
            record = known
            // Valid for both files, whichever has the name after a loss of power.
            record.minimumSize = min(record.minimumSize, UInt64(new.size))
            try control.write(record)
            if options.durability != .none { try control.synchronize() }
            try FileReplacement.rename(paths.compactionLock, locks.new, over: paths.lock, locks.old)
        } catch {
            abandon(replacement, paths)
            throw error
        }
        do throws(StorageError) {
            do throws(StorageError) {
                try FileReplacement.rename(
                    paths.compaction, new.identity, over: paths.data, oldIdentity)
            } catch {
                FileReplacement.remove(paths.compaction, new.identity)
                throw error
            }
            exchange(replacement, new.identity)
            if options.durability != .none, let error = Files.synchronize(directory) {
                throw .system(error, "synchronise the directory", path: paths.directory)
            }
            record.dataIdentity = new.identity
            record.versionOffset = replacement.versionOffset
            try control.write(record)
            control.forgetMinimumSize()
        } catch {
            // Unknown: which file has the name after a loss of power. A write to either could
            // be lost.
            setPoison(error)
            throw error
        }
    }

    private func openDirectory(_ path: String) throws(StorageError) -> Int32 {
        try Files.openDirectory(path).get("open the directory", path: path)
    }

    private func exchange(_ replacement: EnvironmentHandle, _ identity: FileIdentity) {
        let old = snapshots.withLock { snapshots -> EnvironmentHandle in
            defer {
                snapshots.handle = replacement
                snapshots.identity = identity
                snapshots.unownedLatest = nil
            }
            return snapshots.handle
        }
        // Released outside of the lock: closing the handle, if no view uses it, takes long.
        withExtendedLifetime(old) {}
    }
}
