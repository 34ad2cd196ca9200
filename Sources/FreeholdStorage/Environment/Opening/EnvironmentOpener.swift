/// The result of opening a file.
struct OpenedFile {
    var path: String
    var identity: FileIdentity
    var uuid: UniqueIdentifier
    var isNewlyCreated: Bool
    var handle: EnvironmentHandle
    var control: ControlFile?
    var counters: ActivityCounters
}

/// Opens one file, step by step. At most one runs in a process.
///
/// 1. Survey: read the files and refuse any defect, changing nothing.
/// 2. Open or create the control file and take its opening lock, which keeps other processes
///    out. Survey again if things have changed since.
/// 3. Prove that the control file and LMDB's lock file agree about which processes have the
///    file open.
/// 4. Create the data file if there is none.
/// 5. Let LMDB open it; write the control record if no other process has the file open.
struct EnvironmentOpener {
    let options: Environment.Options
    let paths: FilePaths
    /// Counts events of the open file.
    let counters: ActivityCounters

    init(_ options: Environment.Options, counters: ActivityCounters = ActivityCounters())
        throws(StorageError)
    {
        self.options = options
        self.counters = counters
        paths = try FilePaths(resolving: options.path)
    }

    func open() throws(StorageError) -> OpenedFile {
        try checkNotReplaced()
        while true {
            let survey = try FileSurvey(paths, options: options)
            guard let control = try openControl(survey) else {
                return try openUnlocked(survey, control: nil)
            }
            do throws(StorageError) {
                if !control.isWritable { return try openUnlocked(survey, control: control) }
                try control.lock(.opening, .exclusive, until: .now + .seconds(60))
                defer { control.unlock(.opening) }
                if try isUnchanged(survey, control), let opened = try openAgreed(survey, control) {
                    return opened
                }
            } catch {
                control.close()
                throw error
            }
            control.close()
        }
    }

    /// Refuses a data file that was deleted under an open environment: it must not be recreated
    /// beside that environment's lock file.
    private func checkNotReplaced() throws(StorageError) {
        if let lock = FileIdentity.at(paths.lock), EnvironmentRegistry.shared.usesLockFile(lock) {
            throw replaced()
        }
    }

    private func replaced() -> StorageError {
        StorageError(
            .replacedWhileOpen,
            "\"\(paths.data)\" was deleted or replaced while it is open. Release every use of the "
                + "old file first.", path: paths.data)
    }

    // MARK: The control file

    /// Nil if there is none and none can be created, for a reader that needs none.
    private func openControl(_ survey: FileSurvey) throws(StorageError) -> ControlFile? {
        let data = try? FileHead.at(paths.data).get()
        var isWritable = true
        let file: FilePaths.OpenFile
        do throws(StorageError) {
            file = try paths.openOrCreate(.control, mode: survey.mode, data: data)
        } catch {
            guard mayReadWithout(error) else { throw error }
            isWritable = false
            guard let found = try paths.open(.control, .readOnly, data: data) else { return nil }
            file = found
        }
        // Users of the data file may use its control file, whatever the creator's umask.
        if isWritable, file.head.permissions != survey.mode {
            Files.setMode(file.descriptor, survey.mode)
        }
        return ControlFile(
            path: paths.control, descriptor: file.descriptor, isWritable: isWritable,
            identity: file.head.identity)
    }

    /// Whether an error means that this user may not write a small file, which a reader can do
    /// without.
    private func mayReadWithout(_ error: StorageError) -> Bool {
        options.access == .readOnly
            && [.permissionDenied, .readOnlyFileSystem, .notPermitted].contains(error.systemError)
    }

    /// Whether the survey, made without a lock, still holds under the lock.
    private func isUnchanged(_ survey: FileSurvey, _ control: ControlFile) throws(StorageError)
        -> Bool
    {
        guard FileIdentity.at(paths.control) == control.identity,
            FileIdentity.at(paths.data) == survey.identity,
            try control.isHeldByOthers(.presence) == survey.isOpenElsewhere
        else { return false }
        if case .vouchedFor = survey.data { return true }
        return try control.readRecord() == survey.control
    }

    // MARK: Under the opening lock

    /// - Returns: Nil if the locks show that things have changed since the survey.
    private func openAgreed(_ survey: FileSurvey, _ control: ControlFile) throws(StorageError)
        -> OpenedFile?
    {
        do throws(StorageError) {
            return try locksAgree(survey, control) ? try openLocked(survey, control) : nil
        } catch  where error.path == paths.lock && mayReadWithout(error) {
            control.unlock(.presence)
            return try openUnlocked(survey, control: control)
        }
    }

    private func openLocked(_ survey: FileSurvey, _ control: ControlFile) throws(StorageError)
        -> OpenedFile
    {
        if survey.isOpenElsewhere { return try openShared(survey, control) }

        // The left-overs of a compaction whose process was killed.
        Files.remove(paths.compaction)
        Files.remove(paths.compactionLock)
        var isNew = false
        let format: FormatRecord
        switch survey.data {
        case .whole(let found):
            if isLeftover(survey) {
                format = try create(survey)
                isNew = true
            } else {
                try checkKind(survey.control)
                format = found
            }
        case .absent, .empty, .vouchedFor:
            format = try create(survey)
            isNew = true
        }
        guard case .success(let head) = FileHead.at(paths.data),
            isNew || head.identity == survey.identity
        else { throw paths.replaced() }
        if survey.control?.isSuspect == true { try rewriteMetaPages(size: head.size) }
        try allocateLockFile(data: head)
        try takePlaces(control)
        let isSound = survey.isSound && !isNew
        let handle = try openHandle(
            head.identity, control: control, versionOffset: nil, hasSoundPages: isSound)
        do {
            try control.write(
                ControlRecord(
                    uuid: format.uuid, minimumSize: UInt64(head.size),
                    processNamespace: ControlRecord.currentProcessNamespace(),
                    dataIdentity: head.identity,
                    versionOffset: handle.versionOffset, isTemporary: options.isTemporary,
                    isSound: isSound, vouch: isSound ? survey.control?.vouch : nil))
            if options.durability != .none, isNew || survey.control == nil {
                try control.synchronize()
            }
        } catch {
            handle.close()
            throw error
        }
        return OpenedFile(
            path: paths.data, identity: head.identity, uuid: format.uuid, isNewlyCreated: isNew,
            handle: handle, control: control, counters: counters)
    }

    /// Joins the processes that have the file open.
    private func openShared(_ survey: FileSurvey, _ control: ControlFile) throws(StorageError)
        -> OpenedFile
    {
        guard let record = try control.readRecord() else {
            throw corrupted(paths.control, "it has no whole record although the file is in use")
        }
        if record.processNamespace != ControlRecord.currentProcessNamespace() {
            throw StorageError(
                .foreignProcessNamespace,
                """
                "\(paths.data)" is open in a process of another process-id namespace, as \
                happens between containers. Run all processes that use the file in one \
                namespace.
                """, path: paths.data)
        }
        guard let identity = survey.identity, identity == record.dataIdentity else {
            throw replaced()
        }
        try checkKind(record)
        try takePlaces(control)
        let handle = try openHandle(
            identity, control: control, versionOffset: record.versionOffset,
            hasSoundPages: record.isSound && !record.isSuspect)
        return OpenedFile(
            path: paths.data, identity: identity, uuid: record.uuid, isNewlyCreated: false,
            handle: handle, control: control, counters: counters)
    }

    /// Checks that LMDB's locks and ours agree. Otherwise a process has lost its locks, and
    /// LMDB would reset a lock in use.
    ///
    /// - Returns: Whether they agree with the survey.
    private func locksAgree(_ survey: FileSurvey, _ control: ControlFile) throws(StorageError)
        -> Bool
    {
        guard
            let (descriptor, _) = try paths.open(
                .lock, .readWrite, data: try? FileHead.at(paths.data).get())
        else {
            if survey.isOpenElsewhere {
                throw disagreement("its lock file was deleted while another process has it open")
            }
            return true
        }
        defer { Files.close(descriptor) }
        var holder: Int32 = 0
        var attempts = 0
        while true {
            holder = try FileLocks.holder(descriptor, at: 0)
                .get("test the lock file", path: paths.lock)
            if (holder != 0) == survey.isOpenElsewhere { return true }
            // A process that is just closing, or about to retake its locks, needs a moment.
            if try control.isHeldByOthers(.presence) != survey.isOpenElsewhere { return false }
            attempts += 1
            if attempts > 500 { break }
            ThreadHandle.sleep(microseconds: 1000)
        }
        throw survey.isOpenElsewhere
            ? disagreement("another process has it open but has lost its locks")
            : disagreement("process \(holder) has it open without a control file")
    }

    private func disagreement(_ what: String) -> StorageError {
        StorageError(
            .incompatibleLockFile,
            "The lock files of \"\(paths.data)\" contradict each other: \(what). Close the file in "
                + "every program, and open it again.", path: paths.data)
    }

    /// Whether the file is a temporary one that a dead process left, to be replaced.
    private func isLeftover(_ survey: FileSurvey) -> Bool {
        survey.control?.isTemporary == true && options.access == .readWrite
    }

    /// Refuses to treat a temporary file as a lasting one, or the reverse.
    private func checkKind(_ record: ControlRecord?) throws(StorageError) {
        let isTemporary = record?.isTemporary ?? false
        if isTemporary == options.isTemporary { return }
        throw StorageError(
            .fileExists,
            isTemporary
                ? """
                "\(paths.data)" is in use as a temporary file. Give the lasting one \
                another path.
                """
                : """
                "\(paths.data)" is a lasting file, which a temporary one would delete. \
                Give the temporary one another path.
                """, path: paths.data)
    }

    /// Takes the locks that mark the file as open in this process, while its control file is
    /// open.
    private func takePlaces(_ control: ControlFile) throws(StorageError) {
        if options.access == .readWrite {
            if try control.isHeldByOthers(.unregisteredReaders) {
                throw StorageError(
                    .alreadyOpen,
                    """
                    "\(paths.data)" is open for reading in a process that may not write its \
                    lock file, and that a writer would confuse. Close it there, or give that \
                    process write permission.
                    """, path: paths.data)
            }
            _ = try control.tryLock(.writers, .shared)
        }
        _ = try control.tryLock(.presence, .shared)
    }

    // MARK: Without locks

    /// Opens a file for reading when this process may not write its lock files: on a read-only
    /// medium, or for lack of permission. Without a reader slot, writers would reuse the pages
    /// being read, so such readers and writers exclude each other.
    private func openUnlocked(_ survey: FileSurvey, control: ControlFile?) throws(StorageError)
        -> OpenedFile
    {
        if let control {
            _ = try control.tryLock(.unregisteredReaders, .shared)
            if try control.isHeldByOthers(.writers) {
                throw StorageError(
                    .permissionDenied,
                    """
                    "\(paths.data)" is open for writing, and this user may not write its lock \
                    files, which is needed to read beside a writer. Give it write permission \
                    for "\(paths.lock)" and "\(paths.control)".
                    """, path: paths.data)
            }
        }
        if case .absent = survey.data {
            throw StorageError(
                .permissionDenied,
                """
                "\(paths.data)" does not exist, and this user may not create it in its \
                directory. Open it in a directory that can be written to.
                """, path: paths.data)
        }
        guard case .whole(let format) = survey.data, let identity = survey.identity else {
            throw StorageError(
                .permissionDenied,
                """
                "\(paths.data)" is in use, and this user may not write its lock files. Give it \
                write permission for them.
                """, path: paths.data)
        }
        let handle = try openHandle(identity, control: control, versionOffset: nil, isLocked: false)
        return OpenedFile(
            path: paths.data, identity: identity, uuid: format.uuid, isNewlyCreated: false,
            handle: handle, control: control, counters: counters)
    }
}
