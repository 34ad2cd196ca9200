internal import CLMDB
internal import Glibc

/// Opens the files of an environment. No link is followed, and nothing blocks on a name that is
/// no regular file. Each opened file is checked before a byte of it is written.
///
/// Any user with write access to the directory could put a link, a FIFO or a file of their own
/// in place of a small file. That would choose the file that this process writes to, or block
/// the process (`FileFormat.md`, "What may stand in the way").
extension FilePaths {
    /// An open file, and its head at the time of opening.
    typealias OpenFile = (descriptor: Int32, head: FileHead)

    // MARK: The data file

    /// Opens the data file, by its name without links.
    ///
    /// - Throws: `isDirectory`, `notAnEnvironment` if it is no regular file, and errors of the
    ///   system.
    func openData(_ access: FileAccess) throws(StorageError) -> OpenFile {
        let head: FileHead
        switch FileHead.at(data) {
        case .success(let found): head = found
        case .failure(let error): throw .system(error.number, "open the file", path: data)
        }
        try checkIsDataFile(head)
        let descriptor = Self.openName(data, access == .readWrite ? O_RDWR : O_RDONLY)
        if descriptor < 0 {
            throw errno == ELOOP ? replaced() : .system(errno, "open the file", path: data)
        }
        do throws(StorageError) {
            let head = try FileHead.of(descriptor, path: data)
            try checkIsDataFile(head)
            return (descriptor, head)
        } catch {
            close(descriptor)
            throw error
        }
    }

    private func checkIsDataFile(_ head: FileHead) throws(StorageError) {
        switch head.mode & S_IFMT {
        case S_IFREG: return
        // The path was resolved immediately before.
        case S_IFLNK: throw replaced()
        case S_IFDIR:
            throw StorageError(
                .isDirectory, "\"\(data)\" is a directory. Give the path of a file.", path: data)
        default:
            throw StorageError(
                .notAnEnvironment, "\"\(data)\" is not a regular file. Give the path of a file.",
                path: data)
        }
    }

    func replaced() -> StorageError {
        StorageError(
            .replacedWhileOpen,
            "\"\(data)\" was replaced while it was being opened. Open it again.", path: data)
    }

    // MARK: Files beside it

    /// The purpose of a file beside the data file.
    enum Companion: String {
        case control = "control file"
        case lock = "lock file"
        case copy = "unfinished copy"
    }

    func path(of companion: Companion) -> String {
        switch companion {
        case .control: control
        case .lock: lock
        case .copy: copy
        }
    }

    /// Opens a file beside the data file.
    ///
    /// - Parameter data: The data file, whose owner and users are trusted; nil if there is
    ///   none.
    /// - Returns: Nil if the file does not exist.
    /// - Throws: `fileExists` if the name belongs to something else, `permissionDenied` if
    ///   another user made the file, and errors of the system.
    func open(_ companion: Companion, _ flags: Int32, data: FileHead?) throws(StorageError)
        -> OpenFile?
    {
        let path = path(of: companion)
        while true {
            switch FileHead.at(path) {
            case .success(let head): try check(head, companion, data: data)
            case .failure(let error):
                if error.number == ENOENT { return nil }
                throw .system(error.number, "open the \(companion.rawValue)", path: path)
            }
            let descriptor = Self.openName(path, flags)
            if descriptor < 0 {
                // Replaced or removed since the check.
                if errno == ELOOP || errno == ENOENT || errno == ENXIO { continue }
                throw .system(errno, "open the \(companion.rawValue)", path: path)
            }
            do throws(StorageError) {
                let head = try FileHead.of(descriptor, path: path)
                if head.linkCount > 0 {
                    try check(head, companion, data: data)
                    return (descriptor, head)
                }
            } catch {
                close(descriptor)
                throw error
            }
            close(descriptor)
        }
    }

    /// Opens a file beside the data file for reading and writing, or creates it.
    func openOrCreate(_ companion: Companion, mode: mode_t, data: FileHead?) throws(StorageError)
        -> OpenFile
    {
        while true {
            if let file = try open(companion, O_RDWR, data: data) { return file }
            if let file = try Self.create(
                path(of: companion), mode: mode, "create the \(companion.rawValue)")
            {
                return file
            }
        }
    }

    /// Creates a file under an unused name.
    ///
    /// - Returns: Nil if the name is in use.
    static func create(_ path: String, mode: mode_t, _ action: String) throws(StorageError)
        -> OpenFile?
    {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        if descriptor < 0 {
            if errno == EEXIST { return nil }
            throw .system(errno, action, path: path)
        }
        do throws(StorageError) {
            return (descriptor, try FileHead.of(descriptor, path: path))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Creates a file under a name that only this environment uses, replacing any left-over
    /// file.
    static func createAnew(_ path: String, mode: mode_t, _ action: String) throws(StorageError)
        -> OpenFile
    {
        for _ in 0..<100 {
            if unlink(path) != 0, errno != ENOENT {
                if errno == EISDIR || errno == EPERM, case .success(let head) = FileHead.at(path),
                    !head.isRegular
                {
                    throw StorageError(
                        .fileExists,
                        "\"\(path)\" is \(head.kind), and Freehold needs the name. Remove it.",
                        path: path)
                }
                throw .system(errno, action, path: path)
            }
            if let file = try create(path, mode: mode, action) { return file }
        }
        throw StorageError(
            .fileExists,
            "Another program keeps making \"\(path)\", whose name Freehold needs. Stop it.",
            path: path)
    }

    /// Opens what a name refers to. Waits only for the end of a lease.
    private static func openName(_ path: String, _ flags: Int32) -> Int32 {
        let descriptor = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor < 0, errno == EAGAIN else { return descriptor }
        return Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY)
    }

    // MARK: Judging

    private func check(_ head: FileHead, _ companion: Companion, data: FileHead?)
        throws(StorageError)
    {
        let path = path(of: companion)
        if !head.isRegular {
            throw StorageError(
                .fileExists,
                """
                "\(path)" is \(head.kind), where the \(companion.rawValue) of \
                "\(self.data)" belongs. Remove it.
                """,
                path: path)
        }
        // The link count is 0 if the name was removed since the check.
        if head.linkCount > 1 {
            throw StorageError(
                .fileExists,
                """
                "\(path)" has \(head.linkCount) names (hard links), so that writing to it \
                would change another file. Remove it: the \(companion.rawValue) of \
                "\(self.data)" is made anew.
                """,
                path: path)
        }
        if !isTrusted(head, data: data) {
            throw StorageError(
                .permissionDenied,
                """
                "\(path)" belongs to user \(head.owner), who may not write "\(self.data)". \
                Remove it while no process has the file open: it is made anew.
                """, path: path)
        }
    }

    /// Whether the owner of a small file is this user, root, or a user who could change the
    /// data file anyway.
    private func isTrusted(_ head: FileHead, data: FileHead?) -> Bool {
        if head.owner == geteuid() || head.owner == 0 || head.owner == data?.owner { return true }
        guard case .success(let directory) = FileHead.at(directory) else { return false }
        if head.owner == directory.owner { return true }
        guard let data else { return false }
        if data.mode & 0o002 != 0 { return true }
        // In a directory that everyone may write, the file's group may come from the directory,
        // so it proves nothing.
        return data.mode & 0o020 != 0 && head.group == data.group && directory.mode & 0o002 == 0
    }
}
