internal import CLMDB
internal import Glibc

/// A file's identity, kind, owner, links and size, without its times.
struct FileHead: Sendable {
    let identity: FileIdentity
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
    let linkCount: Int
    let size: Int

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    /// Read and write for owner, group and others.
    var permissions: mode_t { mode & 0o666 }

    /// Examines what a name refers to; a link is examined itself. One system call.
    static func at(_ path: String) -> Result<FileHead, SystemError> {
        // An empty path would name the descriptor.
        path.isEmpty ? .failure(SystemError(number: ENOENT)) : examine(AT_FDCWD, path)
    }

    static func of(_ descriptor: Int32) -> Result<FileHead, SystemError> { examine(descriptor, "") }

    /// Examines the file of a descriptor.
    static func of(_ descriptor: Int32, path: String) throws(StorageError) -> FileHead {
        switch of(descriptor) {
        case .success(let head): return head
        case .failure(let error): throw .system(error.number, "examine the file", path: path)
        }
    }

    /// An `errno`.
    struct SystemError: Error { var number: Int32 }

    private static func examine(_ descriptor: Int32, _ path: String) -> Result<
        FileHead, SystemError
    > {
        var head = freehold_file_head()
        let result = freehold_examine(descriptor, path, &head)
        return result == 0 ? .success(FileHead(head)) : .failure(SystemError(number: result))
    }

    private init(_ head: freehold_file_head) {
        identity = FileIdentity(device: head.device, inode: head.inode)
        mode = mode_t(head.mode)
        owner = head.owner
        group = head.group
        linkCount = Int(head.links)
        size = Int(clamping: head.size)
    }

    /// The kind of the file, for a message.
    var kind: String {
        switch mode & S_IFMT {
        case S_IFREG: "a file"
        case S_IFDIR: "a directory"
        case S_IFLNK: "a symbolic link"
        case S_IFIFO: "a FIFO"
        case S_IFSOCK: "a socket"
        default: "a device"
        }
    }
}

extension FileIdentity {
    init(_ status: stat) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// The file that a path leads to through symbolic links, or `nil`.
    static func of(_ path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileIdentity(status) : nil
    }

    /// The file that a name refers to, without following a link, or nil.
    static func at(_ path: String) -> FileIdentity? { (try? FileHead.at(path).get())?.identity }
}
