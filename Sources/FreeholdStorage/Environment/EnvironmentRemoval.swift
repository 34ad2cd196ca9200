internal import CLMDB
internal import Glibc

/// Deletes the files of one environment, with proof that nobody has them open.
struct EnvironmentRemoval {
    let paths: FilePaths

    init(path: String) throws(StorageError) {
        paths = try FilePaths(resolving: path)
    }

    static func isOpen(_ path: String) -> StorageError {
        StorageError(
            .alreadyOpen, "\"\(path)\" is open, so it cannot be deleted. Release every use of it first.", path: path)
    }

    func run() throws(StorageError) -> Bool {
        let descriptor = Glibc.open(paths.control, O_RDWR | O_CLOEXEC)
        if descriptor < 0, errno != ENOENT { throw .system(errno, "open the control file", path: paths.control) }
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 {
            let control = ControlFile(
                path: paths.control, descriptor: descriptor, isWritable: true, identity: FileIdentity(device: 0, inode: 0))
            try control.lock(.opening, .exclusive, until: .now + .seconds(60))
            guard try control.tryLock(.presence, .exclusive), try control.tryLock(.unregisteredReaders, .exclusive) else {
                throw Self.isOpen(paths.data)
            }
        }
        var status = stat()
        let existed = lstat(paths.data, &status) == 0
        if existed, status.st_mode & S_IFMT == S_IFDIR {
            throw StorageError(
                .isDirectory, "\"\(paths.data)\" is a directory. Give the path of a file.", path: paths.data)
        }
        // The control file last: its lock keeps others out until everything else is gone.
        for path in [paths.data, paths.creation, paths.compaction, paths.compactionLock, paths.copy, paths.lock, paths.control] where unlink(path) != 0 && errno != ENOENT {
            throw .system(errno, "delete the file", path: path)
        }
        return existed
    }
}
