/// The files of one environment, by name.
struct FilePaths: Sendable {
    /// Without symbolic links, so that the other names are the same for every path to the file.
    let data: String
    let directory: String

    /// LMDB's name for its lock file.
    var lock: String { data + "-lock" }
    var control: String { data + ".control" }
    /// What the process locks that connects the file with other machines.
    var sharing: String { data + ".sharing" }
    /// Where a snapshot of a shared realm is made or received. One name is enough: it is used under
    /// the lock of `sharing`.
    var sharingSnapshot: String { data + ".sharing-snapshot" }
    /// Where a snapshot is migrated, under the same lock, while others may be made.
    var sharingMigration: String { data + ".sharing-migration" }
    /// What may be left of both: copies that were not finished, and the files of environments.
    var sharingSnapshotFiles: [String] {
        [sharingSnapshot, sharingMigration].flatMap { path in
            let snapshot = FilePaths(resolved: path)
            return [
                snapshot.data, snapshot.copy, snapshot.lock, snapshot.control, snapshot.compressed,
            ]
        }
    }
    /// Where a new file is prepared. One name is enough: it is used under the opening lock.
    var creation: String { data + ".creating" }

    /// Where a compaction writes the file that will replace this one, and the LMDB lock file of
    /// that file. One name is enough: it is used under the write gate.
    var compaction: String { data + ".compacting" }
    var compactionLock: String { compaction + "-lock" }
    /// A snapshot as it is sent.
    var compressed: String { data + ".zst" }
    /// Where a copy is written. It gets this file's name when it is complete.
    var copy: String { data + ".copying" }

    /// - Parameter path: A result of ``init(resolving:)``.
    init(resolved path: String) {
        data = path
        directory = Self.split(path).directory
    }

    /// Follows the symbolic links of a path, because a user may link to a realm. The file need
    /// not exist, but its directory must.
    ///
    /// No later step follows a link.
    init(resolving path: String) throws(StorageError) {
        if path.isEmpty || path.utf8.contains(0) {
            throw StorageError(
                .emptyPath,
                path.isEmpty
                    ? "The path is empty. Give the path of a file."
                    : "The path holds a zero byte. Remove it.", path: path)
        }
        while true {
            let resolved = Files.resolve(path)
            if resolved != .failure(.noSuchFile) {
                data = try resolved.get("open the file", path: path)
                directory = Self.split(data).directory
                return
            }
            guard let isLink = Files.isLink(path) else { break }
            // Another process created it in between, unless it is a link.
            guard isLink else { continue }
            throw StorageError(
                .fileNotFound,
                """
                "\(path)" is a symbolic link to a file that does not exist. Remove the link, \
                or create what it points to.
                """, path: path)
        }
        let parts = Self.split(path)
        guard !parts.name.isEmpty else {
            throw StorageError(
                .missingDirectory,
                "The directory \"\(path)\" does not exist. Give the path of a file.", path: path)
        }
        let resolved = Files.resolve(parts.directory)
        if resolved == .failure(.noSuchFile) {
            throw StorageError(
                .missingDirectory,
                "The directory \"\(parts.directory)\" does not exist. Create it first.",
                path: parts.directory)
        }
        directory = try resolved.get("reach the directory", path: parts.directory)
        data = directory == "/" ? "/" + parts.name : directory + "/" + parts.name
    }

    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        return (directory, String(path[path.index(after: slash)...]))
    }
}
