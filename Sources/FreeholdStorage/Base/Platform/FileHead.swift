/// A file's identity, kind, owner, links and size, without its times.
package struct FileHead: Sendable {
    /// The kind of a file, worded for messages.
    package enum Kind: String, Sendable, CustomStringConvertible {
        case file = "a file"
        case directory = "a directory"
        case link = "a symbolic link"
        case fifo = "a FIFO"
        case socket = "a socket"
        case device = "a device"

        package var description: String { rawValue }
    }

    package let identity: FileIdentity
    package let kind: Kind
    /// The permissions and the set-id and sticky bits: twelve bits.
    package let mode: UInt32
    package let owner: UInt32
    let group: UInt32
    let linkCount: Int
    let size: Int

    var isRegular: Bool { kind == .file }
    /// Read and write for owner, group and others.
    var permissions: UInt32 { mode & 0o666 }

    /// Examines the file of a name, without following a link. One system call.
    package static func at(_ path: String) -> Result<FileHead, ErrorNumber> {
        Files.head(ofName: path)
    }

    /// Examines the file of a descriptor.
    static func of(_ descriptor: Int32, path: String) throws(StorageError) -> FileHead {
        try Files.head(descriptor).get("examine the file", path: path)
    }
}

/// A file's identity and size, with its modification time.
struct FileStatus {
    let identity: FileIdentity
    let size: Int
    /// Since 1970, with ``nanoseconds``.
    let seconds: Int64
    let nanoseconds: Int64

    static func of(_ descriptor: Int32, path: String) throws(StorageError) -> FileStatus {
        try Files.status(descriptor).get("examine the file", path: path)
    }
}

extension FileIdentity {
    /// The file that a path leads to through symbolic links, or `nil`.
    static func of(_ path: String) -> FileIdentity? { Files.identity(followingLinksOf: path) }

    /// The file that a name refers to, without following a link, or nil.
    static func at(_ path: String) -> FileIdentity? { try? FileHead.at(path).get().identity }
}
