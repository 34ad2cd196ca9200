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
            guard let (descriptor, head) = try paths.open(.control, .readWrite, data: data) else {
                try checkIsNotOpen(data)
                if let existed = try remove(data) { return existed }
                continue
            }
            defer { Files.close(descriptor) }
            let control = ControlFile(
                path: paths.control, descriptor: descriptor, isWritable: true,
                identity: head.identity)
            try control.lock(.opening, .exclusive, until: .now + .seconds(60))
            // Another holder of the lock has removed it, and perhaps recreated it.
            if FileIdentity.at(paths.control) != head.identity { continue }
            guard try control.tryLock(.presence, .exclusive),
                try control.tryLock(.unregisteredReaders, .exclusive)
            else { throw Self.isOpen(paths.data) }
            if let existed = try remove(data) { return existed }
        }
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
        let others =
            [
                paths.creation, paths.compaction, paths.compactionLock, paths.copy, paths.lock,
                paths.sharing,
            ] + paths.sharingSnapshotFiles
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
