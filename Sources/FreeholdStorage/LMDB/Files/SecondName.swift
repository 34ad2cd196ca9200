/// Detects that a data file is open under a second name: a hard link, or a mount of the file in
/// another place.
///
/// Each name has its own control file and lock file. So processes that use different names
/// would not know of one another, and would overwrite each other's commits. But they share the
/// data file, and with it its locks. So each process that has the file open holds a shared lock
/// on one byte, far behind the file's end. The byte's offset comes from the identity of the
/// control file: processes with the same control file lock the same byte. A lock on any other
/// byte belongs to another control file.
///
/// The locks belong to open file descriptions, as those of the control file do. Each process
/// takes its own lock before it looks for others, so of two concurrent processes at least one
/// sees the other. Such locks do not work between machines: network file systems are refused
/// (``FileSystemKind``).
enum SecondName {
    /// The first byte for processes that write, and for those that only read.
    private static func start(_ access: FileAccess) -> Int64 {
        access == .readWrite ? 1 << 60 : 1 << 61
    }

    /// The number of bytes of each kind. The first is for readers without a control file.
    private static let length: Int64 = 1 << 56

    static func offset(of control: FileIdentity?, _ access: FileAccess) -> Int64 {
        guard let control else { return start(access) }
        let hash = withUnsafeBytes(of: (control.device.littleEndian, control.inode.littleEndian)) {
            Checksum.xxh64($0)
        }
        return start(access) + 1 + Int64(hash % UInt64(length - 1))
    }

    /// Takes the lock of a descriptor of the data file, until it is closed or ``release(_:at:)``.
    ///
    /// - Returns: The place of the lock.
    /// - Throws: As ``checkNotOpen(_:control:_:_:)``.
    static func claim(
        _ descriptor: Int32, control: FileIdentity?, _ paths: FilePaths, _ access: FileAccess
    ) throws(StorageError) -> Int64 {
        let offset = offset(of: control, access)
        try FileLocks.take(descriptor, .shared, at: offset).check("lock the file", path: paths.data)
        do throws(StorageError) {
            try checkNotOpen(descriptor, control: control, paths, access)
        } catch {
            release(descriptor, at: offset)
            throw error
        }
        return offset
    }

    /// Releases a lock explicitly, because a child process that is being spawned holds a copy
    /// of the descriptor.
    static func release(_ descriptor: Int32, at offset: Int64) {
        FileLocks.release(descriptor, at: offset)
    }

    /// - Throws: `incompatibleLockFile` if a process that writes has the data file open through
    ///   another control file, or any process if this one wants to write. `alreadyOpen` if this
    ///   one wants to write beside a reader without a control file.
    static func checkNotOpen(
        _ descriptor: Int32, control: FileIdentity?, _ paths: FilePaths, _ access: FileAccess
    ) throws(StorageError) {
        if try isLocked(descriptor, but: offset(of: control, .readWrite), .readWrite, paths) {
            throw otherControl(paths)
        }
        if access == .readOnly { return }
        let anonymous = start(.readOnly)
        if try isLocked(descriptor, from: anonymous, to: anonymous + 1, paths) {
            throw StorageError(
                .alreadyOpen,
                """
                "\(paths.data)" is open for reading in a process that may not make a control \
                file beside it, and that a writer would confuse. Close it there, or give that \
                process write permission.
                """, path: paths.data)
        }
        if try isLocked(descriptor, but: offset(of: control, .readOnly), .readOnly, paths) {
            throw otherControl(paths)
        }
    }

    /// Whether any process has the file open, under any name.
    static func isOpen(_ descriptor: Int32, _ paths: FilePaths) throws(StorageError) -> Bool {
        for access in [FileAccess.readWrite, .readOnly] {
            if try isLocked(descriptor, from: start(access), to: start(access) + length, paths) {
                return true
            }
        }
        return false
    }

    /// - Throws: `severalNames` if a file to be written has a second name, which another
    ///   process could use.
    static func checkLinks(_ head: FileHead, _ paths: FilePaths, _ access: FileAccess)
        throws(StorageError)
    {
        guard access == .readWrite, head.linkCount > 1 else { return }
        throw StorageError(
            .severalNames,
            """
            "\(paths.data)" has \(head.linkCount) names (hard links). Each has a control file \
            and a lock file of its own, so processes that use different names would overwrite \
            each other's commits. Remove the other names, or make a copy of the file.
            """, path: paths.data)
    }

    private static func otherControl(_ paths: FilePaths) -> StorageError {
        StorageError(
            .incompatibleLockFile,
            """
            "\(paths.data)" is open in a process that uses another control file: it has a \
            second name there (a hard link, or a mount of the file), or "\(paths.control)" was \
            deleted. Use one name for it everywhere, and close it there first.
            """, path: paths.data)
    }

    private static func isLocked(
        _ descriptor: Int32, but own: Int64, _ access: FileAccess, _ paths: FilePaths
    ) throws(StorageError) -> Bool {
        let start = start(access)
        if try isLocked(descriptor, from: start, to: own, paths) { return true }
        return try isLocked(descriptor, from: own + 1, to: start + length, paths)
    }

    private static func isLocked(
        _ descriptor: Int32, from start: Int64, to end: Int64, _ paths: FilePaths
    ) throws(StorageError) -> Bool {
        // A length of zero would mean everything from `start` on.
        if start >= end { return false }
        return try FileLocks.isLockedByOthers(descriptor, in: start..<end)
            .get("test the locks of the file", path: paths.data)
    }
}
