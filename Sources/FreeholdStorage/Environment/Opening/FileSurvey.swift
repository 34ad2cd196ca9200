/// The state of the files at a path, found by reading only.
///
/// All defects of a file are found here, before a lock file or anything else is created beside
/// it.
struct FileSurvey {
    enum Data {
        case absent
        /// Zero bytes, as left by a program that reserves the name.
        case empty
        case whole(FormatRecord)
        /// Open in other processes, which vouch for it; its pages may change while being read.
        case vouchedFor
    }

    var data: Data
    var identity: FileIdentity?
    var size = 0
    var mode: UInt32 = 0o644
    var control: ControlRecord?
    var isOpenElsewhere = false
    /// Whether the pages were walked, and not changed since.
    var isSound = false

    /// - Throws: Any error that forbids opening the file or creating one here.
    init(_ paths: FilePaths, options: Environment.Options) throws(StorageError) {
        try FileSystemKind.checkSuitable(directory: paths.directory, path: paths.data)
        mode = options.newFileMode
        // Before the data file: a record newer than the data that were read would demand more
        // than they contain.
        let found = try Self.readControl(paths)
        (control, isOpenElsewhere) = (found.record, found.isOpenElsewhere)

        if case .failure(.noSuchFile) = FileHead.at(paths.data) {
            if options.access == .readOnly, options.seedPath == nil {
                throw StorageError(
                    .fileNotFound,
                    """
                    "\(paths.data)" does not exist. Check the path, or open it for writing \
                    to create it.
                    """, path: paths.data)
            }
            data = .absent
            return
        }
        let (descriptor, head) = try paths.openData(options.access)
        defer { Files.close(descriptor) }
        identity = head.identity
        size = head.size
        mode = head.permissions
        try SecondName.checkLinks(head, paths, options.access)
        try SecondName.checkNotOpen(descriptor, control: found.identity, paths, options.access)

        if isOpenElsewhere {
            data = .vouchedFor
        } else if size == 0 {
            // The record is written once there are data.
            if found.hasBytes {
                throw StorageError(
                    .truncated,
                    """
                    "\(paths.data)" has been emptied. Restore it from a backup, or delete it \
                    together with "\(paths.control)" to start afresh.
                    """, path: paths.data)
            }
            if options.access == .readOnly { throw PageReader.notAnEnvironment(paths.data) }
            data = .empty
        } else {
            let status = try FileStatus.of(descriptor, path: paths.data)
            let (format, isSound) = try Self.judge(
                descriptor, paths, status, control: control, key: options.encryptionKey)
            data = .whole(format)
            self.isSound = isSound
        }
    }

    /// Reads the format record, and walks the whole file unless its control file vouches for
    /// its size.
    private static func judge(
        _ descriptor: Int32, _ paths: FilePaths, _ status: FileStatus, control: ControlRecord?,
        key: EncryptionKey?
    ) throws(StorageError) -> (format: FormatRecord, isSound: Bool) {
        let size = status.size
        var reader = try PageReader(
            descriptor: descriptor, path: paths.data, fileSize: size, isOurs: control != nil)
        guard let format = try reader.formatRecord() else {
            throw StorageError(
                .foreignFile,
                """
                "\(paths.data)" is an LMDB file of another program. Check the path; to start \
                afresh, move the file away.
                """, path: paths.data)
        }
        try format.checkReadable(path: paths.data)
        // A file left by a dead process is recreated, whatever its key.
        if !(control?.isTemporary ?? false) { _ = try format.keys(for: key, path: paths.data) }
        try reader.checkMetaPages(mayHaveFailed: control?.isSuspect ?? false)
        // An address in the map tells its page, unless the pages are larger than the system's.
        // Such files are read by LMDB, which trusts what it reads.
        let isReadHere = MappedPage.findableSize(reader.meta.pageSize) != nil
        let isVouchedFor =
            control.map { $0.uuid == format.uuid && UInt64(size) >= $0.minimumSize } ?? false
        if isVouchedFor, isReadHere, reader.meta.lastPage < UInt64(size / reader.meta.pageSize) {
            try reader.walkMainTree()
            let isUnchanged =
                control?.vouch == FileVouch(transaction: reader.meta.transaction, status)
                && control?.dataIdentity == status.identity
            return (format, isUnchanged && control?.isSuspect == false)
        }
        reader.useThreads()
        try reader.walk()
        return (format, control?.isSuspect != true)
    }

    /// The contents of a control file.
    private struct Control {
        var record: ControlRecord?
        var identity: FileIdentity?
        var hasBytes = false
        var isOpenElsewhere = false
    }

    private static func readControl(_ paths: FilePaths) throws(StorageError) -> Control {
        let file: FilePaths.OpenFile?
        do throws(StorageError) {
            file = try paths.open(.control, .readOnly, data: try? FileHead.at(paths.data).get())
        } catch  where error.systemError == .permissionDenied {
            return Control()
        }
        guard let (descriptor, head) = file else { return Control() }
        defer { Files.close(descriptor) }
        let isOpenElsewhere = try FileLocks.isLockedByOthers(
            descriptor, at: ControlFile.Lock.presence.offset
        ).get("test the locks of the control file", path: paths.control)
        return Control(
            record: try ControlRecord.read(from: descriptor, path: paths.control),
            identity: head.identity, hasBytes: (try? Files.size(descriptor).get() > 0) ?? false,
            isOpenElsewhere: isOpenElsewhere)
    }
}
