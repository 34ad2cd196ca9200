internal import CLMDB
internal import Glibc

/// System calls on open files, by their descriptors, and on file names.
///
/// Failed calls return their error. Only interrupted calls (`EINTR`) are repeated.
package enum Files {
    // MARK: Opening

    /// Opens a file, without following a link in the last component (`O_NOFOLLOW`). Waits only
    /// for a lease to end.
    static func open(_ path: String, _ access: FileAccess) -> Result<Int32, ErrorNumber> {
        let flags = (access == .readWrite ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY
        let descriptor = Glibc.open(path, flags | O_NONBLOCK)
        guard descriptor < 0, errno == EAGAIN else { return opened(descriptor) }
        return opened(Glibc.open(path, flags))
    }

    /// Creates a file for reading and writing. Fails with `fileExists` if the name is taken.
    package static func create(_ path: String, permissions: UInt32) -> Result<Int32, ErrorNumber> {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return opened(Glibc.open(path, flags, permissions))
    }

    static func openDirectory(_ path: String) -> Result<Int32, ErrorNumber> {
        opened(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    private static func opened(_ descriptor: Int32) -> Result<Int32, ErrorNumber> {
        descriptor < 0 ? .failure(.last) : .success(descriptor)
    }

    package static func close(_ descriptor: Int32) { Glibc.close(descriptor) }

    /// A second descriptor of an open file, with the same locks.
    static func duplicate(_ descriptor: Int32) -> Result<Int32, ErrorNumber> {
        opened(fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    }

    /// Sets `FD_CLOEXEC`, so that programs started by the process do not inherit the descriptor.
    static func closeOnExecute(_ descriptor: Int32) -> ErrorNumber? {
        ErrorNumber(returned: freehold_close_on_exec(descriptor))
    }

    // MARK: Bytes

    /// Reads once. May return fewer bytes than asked for, and 0 at the end of the file.
    static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Result<Int, ErrorNumber> {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
            if count >= 0 { return .success(count) }
            if errno != EINTR { return .failure(.last) }
        }
    }

    /// Writes all bytes.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int)
        -> ErrorNumber?
    {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, offset + done)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return count < 0 ? .last : .diskFull }
            done += count
        }
        return nil
    }

    /// The first bytes of a file of `/proc`; empty if the file cannot be read.
    static func beginning(of path: String, upTo count: Int) -> ArraySlice<UInt8> {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.prefix(max(0, Glibc.read(descriptor, &bytes, count)))
    }

    /// The size, by `lseek`. Moves the descriptor's position, which nothing uses.
    ///
    /// Since Linux 6.13, `fstat` makes the file's next write stamp new times. Each
    /// ``synchronizeData(_:)`` would then also write the inode: 50 microseconds a commit.
    static func size(_ descriptor: Int32) -> Result<Int, ErrorNumber> {
        let end = lseek(descriptor, 0, SEEK_END)
        return end < 0 ? .failure(.last) : .success(end)
    }

    static func truncate(_ descriptor: Int32, to size: Int) -> ErrorNumber? {
        ErrorNumber(ofCall: ftruncate(descriptor, size))
    }

    /// Allocates the blocks of a range and moves the end of the file behind it.
    static func allocate(_ descriptor: Int32, _ range: Range<Int>) -> ErrorNumber? {
        repeatingInterrupted {
            freehold_allocate(descriptor, Int64(range.lowerBound), Int64(range.count))
        }
    }

    /// Returns the blocks of a range to the file system. The range then reads as zeros.
    static func deallocate(_ descriptor: Int32, _ range: Range<Int>) -> ErrorNumber? {
        ErrorNumber(
            returned: freehold_deallocate(descriptor, Int64(range.lowerBound), Int64(range.count)))
    }

    /// Begins to write a range to the medium, so that a later ``synchronize(_:)`` waits less.
    package static func beginWriteback(_ descriptor: Int32, _ range: Range<Int>) {
        // Some file systems cannot, and lose nothing by it.
        _ = freehold_begin_writeback(descriptor, Int64(range.lowerBound), Int64(range.count))
    }

    /// Waits until a file's data or a directory's entries are on the medium (`fsync`).
    package static func synchronize(_ descriptor: Int32) -> ErrorNumber? {
        ErrorNumber(ofCall: fsync(descriptor))
    }

    /// Waits until a file's data and size are on the medium, without its times (`fdatasync`).
    static func synchronizeData(_ descriptor: Int32) -> ErrorNumber? {
        ErrorNumber(ofCall: fdatasync(descriptor))
    }

    // MARK: Metadata

    static func head(_ descriptor: Int32) -> Result<FileHead, ErrorNumber> {
        examine(descriptor, "")
    }

    static func head(ofName path: String) -> Result<FileHead, ErrorNumber> {
        // With an empty path, the call would examine the descriptor.
        path.isEmpty ? .failure(.noSuchFile) : examine(AT_FDCWD, path)
    }

    private static func examine(_ descriptor: Int32, _ path: String)
        -> Result<FileHead, ErrorNumber>
    {
        var head = freehold_file_head()
        if let error = ErrorNumber(returned: freehold_examine(descriptor, path, &head)) {
            return .failure(error)
        }
        let kind: FileHead.Kind =
            switch head.mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .fifo
            case S_IFSOCK: .socket
            default: .device
            }
        return .success(
            FileHead(
                identity: FileIdentity(device: head.device, inode: head.inode), kind: kind,
                mode: head.mode & 0o7777, owner: head.owner, group: head.group,
                linkCount: Int(head.links), size: Int(clamping: head.size)))
    }

    static func status(_ descriptor: Int32) -> Result<FileStatus, ErrorNumber> {
        var status = stat()
        if fstat(descriptor, &status) != 0 { return .failure(.last) }
        return .success(
            FileStatus(
                identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
                size: Int(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
                nanoseconds: Int64(status.st_mtim.tv_nsec)))
    }

    /// Whether a name refers to a symbolic link; nil if nothing has the name.
    static func isLink(_ path: String) -> Bool? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT == S_IFLNK : nil
    }

    static func identity(followingLinksOf path: String) -> FileIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    static func setOwner(_ descriptor: Int32, _ owner: UInt32, group: UInt32) -> ErrorNumber? {
        ErrorNumber(ofCall: fchown(descriptor, owner, group))
    }

    @discardableResult
    static func setMode(_ descriptor: Int32, _ mode: UInt32) -> ErrorNumber? {
        ErrorNumber(ofCall: fchmod(descriptor, mode))
    }

    /// Sets the modification time and leaves the access time.
    static func setChangeTime(_ descriptor: Int32, seconds: Int64, nanoseconds: Int64)
        -> ErrorNumber?
    {
        // UTIME_OMIT.
        let omitted = (1 << 30) - 2
        let times = [
            timespec(tv_sec: 0, tv_nsec: omitted),
            timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)),
        ]
        return ErrorNumber(ofCall: futimens(descriptor, times))
    }

    // MARK: Names

    /// The path without symbolic links.
    static func resolve(_ path: String) -> Result<String, ErrorNumber> {
        guard let resolved = realpath(path, nil) else { return .failure(.last) }
        defer { free(resolved) }
        return .success(String(cString: resolved))
    }

    @discardableResult
    static func remove(_ path: String) -> ErrorNumber? { ErrorNumber(ofCall: unlink(path)) }

    /// Renames a file, replacing any file that has the new name.
    static func rename(_ path: String, over other: String) -> ErrorNumber? {
        ErrorNumber(ofCall: Glibc.rename(path, other))
    }

    /// Renames a file. Fails with `fileExists` if the new name is taken.
    static func rename(_ path: String, toNew other: String) -> ErrorNumber? {
        ErrorNumber(returned: freehold_rename_new(path, other))
    }

    /// Exchanges the files of two names atomically. Fails with `invalidArgument` or `noSuchCall`
    /// if the file system does not support it.
    static func exchange(_ path: String, _ other: String) -> ErrorNumber? {
        ErrorNumber(returned: freehold_exchange_names(path, other))
    }

    package static func makeDirectory(_ path: String, permissions: UInt32) -> ErrorNumber? {
        ErrorNumber(ofCall: mkdir(path, permissions))
    }

    /// Whether the process may create files in a directory.
    package static func mayWriteIn(directory: String) -> Bool {
        access(directory, W_OK | X_OK) == 0
    }
}

/// The type and free space of a file system (`statfs`).
struct FileSystem {
    /// The number of the file system's type (`f_type`).
    let magic: UInt64
    let availableByteCount: UInt64

    /// Whether less than 64 KiB are free.
    var isFull: Bool { availableByteCount < 64 * 1024 }

    /// The file system of a path.
    static func of(_ path: String) -> Result<FileSystem, ErrorNumber> {
        var found = freehold_file_system()
        return result(freehold_file_system_of(path, &found), found)
    }

    /// The file system of an open file.
    static func of(_ descriptor: Int32) -> Result<FileSystem, ErrorNumber> {
        var found = freehold_file_system()
        return result(freehold_file_system_of_descriptor(descriptor, &found), found)
    }

    private static func result(_ number: Int32, _ found: freehold_file_system)
        -> Result<FileSystem, ErrorNumber>
    {
        if let error = ErrorNumber(returned: number) { return .failure(error) }
        return .success(
            FileSystem(
                magic: found.magic, availableByteCount: found.available_blocks * found.block_size))
    }
}
