/// Deletes the files of one environment, after proving that no process has them open.
struct EnvironmentRemoval {
    let paths: FilePaths

    init(path: String) throws(StorageError) { paths = try FilePaths(resolving: path) }

    static func isOpen(_ path: String) -> StorageError {
        StorageError(
            .alreadyOpen,
            "\"\(path)\" is open, so it cannot be deleted. Release every use of it first.",
            path: path)
    }

    func run() throws(StorageError) -> Bool {
        while true {
            let data = try? FileHead.at(paths.data).get()
            let existed =
                switch try openControl(data) {
                case .nothing: false as Bool?
                case .unavailable: try removeUnlessOpen(data)
                case .found(let file): try remove(data, file, isNew: false)
                case .created(let file): try remove(data, file, isNew: true)
                }
            if let existed { return existed }
        }
    }

    private enum Control {
        /// Nor any other file to remove.
        case nothing
        /// There is none, and the system allows no new file. A full disk must not keep a file from
        /// being removed.
        case unavailable
        case found(FilePaths.OpenFile)
        case created(FilePaths.OpenFile)
    }

    /// Opens the control file, whose lock keeps out processes that are about to open the data
    /// file. If others of the files are there, but not that one, it is created for the time of the
    /// removal: another process may be making the data file.
    private func openControl(_ data: FileHead?) throws(StorageError) -> Control {
        while true {
            if let file = try paths.open(.control, .readWrite, data: data) { return .found(file) }
            guard ([paths.data] + others).contains(where: { FileIdentity.at($0) != nil }) else {
                return .nothing
            }
            switch Files.create(paths.control, permissions: data?.permissions ?? 0o600) {
            case .success(let descriptor):
                do throws(StorageError) {
                    return .created(
                        (descriptor, try FileHead.of(descriptor, path: paths.control)))
                } catch {
                    Files.close(descriptor)
                    throw error
                }
            case .failure(.fileExists): continue
            case .failure: return .unavailable
            }
        }
    }

    /// Removes the files under the lock of the control file, which it closes.
    ///
    /// - Returns: As ``remove(_:)``; also nil if the name of the control file refers to another one
    ///   now.
    private func remove(_ data: FileHead?, _ file: FilePaths.OpenFile, isNew: Bool)
        throws(StorageError) -> Bool?
    {
        defer { Files.close(file.descriptor) }
        let control = ControlFile(
            path: paths.control, descriptor: file.descriptor, isWritable: true,
            identity: file.head.identity)
        try control.lock(.opening, .exclusive, until: .now + .seconds(60))
        // Another holder of the lock has removed it, and perhaps recreated it.
        if FileIdentity.at(paths.control) != file.head.identity { return nil }
        guard try control.tryLock(.presence, .exclusive),
            try control.tryLock(.unregisteredReaders, .exclusive)
        else { throw Self.isOpen(paths.data) }
        // After an error. A process that opened the control file meanwhile is waiting for its lock,
        // and then finds that the name is gone.
        defer { if isNew { FileReplacement.remove(paths.control, file.head.identity) } }
        return isNew ? try removeUnlessOpen(data) : try remove(data)
    }

    private func removeUnlessOpen(_ data: FileHead?) throws(StorageError) -> Bool? {
        try checkIsNotOpen(data)
        return try remove(data)
    }

    /// The files beside the data file and its control file.
    private var others: [String] {
        [
            paths.creation, paths.compaction, paths.compactionLock, paths.copy, paths.lock,
            paths.sharing,
        ] + paths.sharingSnapshotFiles
    }

    /// Throws if a process has the file open although its control file was deleted.
    private func checkIsNotOpen(_ data: FileHead?) throws(StorageError) {
        guard data?.isRegular == true, let (descriptor, _) = try? paths.openData(.readOnly) else {
            return
        }
        defer { Files.close(descriptor) }
        if try SecondName.isOpen(descriptor, paths) { throw Self.isOpen(paths.data) }
    }

    /// - Parameter data: The file that has the name.
    /// - Returns: Whether the name referred to a file; nil if it refers to another file now.
    private func remove(_ data: FileHead?) throws(StorageError) -> Bool? {
        if let data, data.kind == .directory {
            throw StorageError(
                .isDirectory, "\"\(paths.data)\" is a directory. Give the path of a file.",
                path: paths.data)
        }
        let others = others
        // Checked before anything is removed.
        for path in others {
            if case .success(let head) = FileHead.at(path), head.kind == .directory {
                throw StorageError(
                    .fileExists,
                    """
                    "\(path)" is a directory, where a file beside "\(paths.data)" belongs. \
                    Remove it.
                    """, path: path)
            }
        }
        guard FileIdentity.at(paths.data) == data?.identity else { return nil }
        // The control file last: its lock keeps others out until everything else is gone.
        for path in [paths.data] + others + [paths.control] {
            if let error = Files.remove(path), error != .noSuchFile {
                throw .system(error, "delete the file", path: path)
            }
        }
        return data != nil
    }
}
