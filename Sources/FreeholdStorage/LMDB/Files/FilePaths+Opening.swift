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
        try checkIsDataFile(try FileHead.at(data).get("open the file", path: data))
        let opened = Files.open(data, access)
        if opened == .failure(.tooManyLinks) { throw replaced() }
        let descriptor = try opened.get("open the file", path: data)
        do throws(StorageError) {
            let head = try FileHead.of(descriptor, path: data)
            try checkIsDataFile(head)
            return (descriptor, head)
        } catch {
            Files.close(descriptor)
            throw error
        }
    }

    private func checkIsDataFile(_ head: FileHead) throws(StorageError) {
        switch head.kind {
        case .file: return
        // The path was resolved immediately before.
        case .link: throw replaced()
        case .directory:
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
    func open(_ companion: Companion, _ access: FileAccess, data: FileHead?) throws(StorageError)
        -> OpenFile?
    {
        let path = path(of: companion)
        while true {
            switch FileHead.at(path) {
            case .success(let head): try check(head, companion, data: data)
            case .failure(.noSuchFile): return nil
            case .failure(let error):
                throw .system(error, "open the \(companion.rawValue)", path: path)
            }
            let descriptor: Int32
            switch Files.open(path, access) {
            case .success(let opened): descriptor = opened
            // Replaced or removed since the check.
            case .failure(.tooManyLinks), .failure(.noSuchFile), .failure(.noReader): continue
            case .failure(let error):
                throw .system(error, "open the \(companion.rawValue)", path: path)
            }
            do throws(StorageError) {
                let head = try FileHead.of(descriptor, path: path)
                if head.linkCount > 0 {
                    try check(head, companion, data: data)
                    return (descriptor, head)
                }
            } catch {
                Files.close(descriptor)
                throw error
            }
            Files.close(descriptor)
        }
    }

    /// Opens a file beside the data file for reading and writing, or creates it.
    func openOrCreate(_ companion: Companion, mode: UInt32, data: FileHead?) throws(StorageError)
        -> OpenFile
    {
        while true {
            if let file = try open(companion, .readWrite, data: data) { return file }
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
    static func create(_ path: String, mode: UInt32, _ action: String) throws(StorageError)
        -> OpenFile?
    {
        let created = Files.create(path, permissions: mode)
        if created == .failure(.fileExists) { return nil }
        let descriptor = try created.get(action, path: path)
        do throws(StorageError) {
            return (descriptor, try FileHead.of(descriptor, path: path))
        } catch {
            Files.close(descriptor)
            throw error
        }
    }

    /// Creates a file under a name that only this environment uses, replacing any left-over
    /// file.
    static func createAnew(_ path: String, mode: UInt32, _ action: String) throws(StorageError)
        -> OpenFile
    {
        for _ in 0..<100 {
            if let error = Files.remove(path), error != .noSuchFile {
                if error == .isDirectory || error == .notPermitted,
                    case .success(let head) = FileHead.at(path), !head.isRegular
                {
                    throw StorageError(
                        .fileExists,
                        "\"\(path)\" is \(head.kind), and Freehold needs the name. Remove it.",
                        path: path)
                }
                throw .system(error, action, path: path)
            }
            if let file = try create(path, mode: mode, action) { return file }
        }
        throw StorageError(
            .fileExists,
            "Another program keeps making \"\(path)\", whose name Freehold needs. Stop it.",
            path: path)
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
                """, path: path)
        }
        // The link count is 0 if the name was removed since the check.
        if head.linkCount > 1 {
            throw StorageError(
                .fileExists,
                """
                "\(path)" has \(head.linkCount) names (hard links), so that writing to it \
                would change another file. Remove it: the \(companion.rawValue) of \
                "\(self.data)" is made anew.
                """, path: path)
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
        if head.owner == SystemProcess.effectiveUser || head.owner == 0 || head.owner == data?.owner
        {
            return true
        }
        guard case .success(let directory) = FileHead.at(directory) else { return false }
        if head.owner == directory.owner { return true }
        guard let data else { return false }
        if data.mode & 0o002 != 0 { return true }
        // In a directory that everyone may write, the file's group may come from the directory,
        // so it proves nothing.
        return data.mode & 0o020 != 0 && head.group == data.group && directory.mode & 0o002 == 0
    }
}
