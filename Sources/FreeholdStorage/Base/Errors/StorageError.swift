/// A failure of the storage layer at run time.
///
/// The code names the class of the failure and never changes its meaning. The message says in
/// one sentence what happened, and in another how to remedy it. Misuse by the programmer traps
/// instead.
///
/// One word in size, which keeps typed throws cheap on hot paths.
package struct StorageError: Error, Sendable, CustomStringConvertible {
    private final class Storage: Sendable {
        let code: Code
        let message: String
        let path: String?
        let systemError: ErrorNumber?
        let underlying: (any Error)?

        init(
            code: Code, message: String, path: String?, systemError: ErrorNumber?,
            underlying: (any Error)?
        ) {
            self.code = code
            self.message = message
            self.path = path
            self.systemError = systemError
            self.underlying = underlying
        }
    }

    private let storage: Storage

    /// - Parameters:
    ///   - message: What happened and what to do, in sentences.
    ///   - path: The file or directory concerned.
    ///   - systemError: What the system said of the call that failed.
    ///   - underlying: The failure that caused this one.
    package init(
        _ code: Code, _ message: String, path: String? = nil, systemError: ErrorNumber? = nil,
        underlying: (any Error)? = nil
    ) {
        storage = Storage(
            code: code, message: message, path: path, systemError: systemError,
            underlying: underlying)
    }

    package var code: Code { storage.code }
    package var message: String { storage.message }
    package var path: String? { storage.path }
    /// What the system said of the call that failed, where there is one.
    package var systemError: ErrorNumber? { storage.systemError }
    package var underlying: (any Error)? { storage.underlying }

    package var description: String {
        var text = "\(code): \(message)"
        if let path, !message.contains(path) { text += " (path: \(path))" }
        if let systemError { text += " [\(systemError.message), errno \(systemError.rawValue)]" }
        if let underlying { text += " Caused by: \(underlying)" }
        return text
    }
}

extension StorageError {
    /// The class of a failure.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The file does not exist, and the access asked for does not create it.
        case fileNotFound
        /// The user of this process may not read or write a file or directory.
        case permissionDenied
        /// The directory that should hold the file does not exist.
        case missingDirectory
        /// A component of the path that should be a directory is a file.
        case notADirectory
        /// The path of the file names a directory.
        case isDirectory
        /// The path is empty or holds a zero byte.
        case emptyPath
        /// The file is not an LMDB file.
        case notAnEnvironment
        /// The file is an LMDB file that another program made or changed.
        case foreignFile
        /// The file has lost its end.
        case truncated
        /// The file holds bytes that no writer of this format writes.
        case corrupted
        /// The file was written by a newer release.
        case newerFormat
        /// The file was written by an unreleased or withdrawn version of the format.
        case unreadableFormat
        /// The disk or the user's quota is full.
        case outOfDiskSpace
        /// The file system or a process limit forbids a file of this size.
        case fileTooLarge
        /// A key or value is larger than the storage accepts.
        case valueTooLarge
        /// The address space reserved for the file is too small.
        case addressSpaceExhausted
        /// More versions are being read at once than the file has reader slots.
        case readersFull
        /// More versions are alive than the configuration allows.
        case tooManyActiveVersions
        /// The file lies on a network file system.
        case networkFileSystem
        /// A process of another process-id namespace has the file open.
        case foreignProcessNamespace
        /// The lock files disagree about which processes have the file open.
        case incompatibleLockFile
        /// The file was replaced or deleted while it is open.
        case replacedWhileOpen
        /// The medium failed.
        case inputOutput
        /// An earlier failure of the medium forbids writing until the file is opened again.
        case poisoned
        /// The environment is closed.
        case closed
        /// The environment belongs to the process that this one was forked from.
        case forkedChild
        /// A file of another kind already has the name.
        case fileExists
        /// The file is already open in a way that excludes this one.
        case alreadyOpen
        /// A write was requested for a file that is opened or stored read-only.
        case readOnly
        /// The tables differ from those that the caller knows.
        case schemaChanged
        /// Another holder kept the write lock for longer than the configured time.
        case writeLockTimeout
        /// A write was requested where waiting for it would keep the previous write from
        /// ending.
        case nestedWrite
        /// The process or the system has no file descriptors left.
        case tooManyOpenFiles
        /// The system has no memory left.
        case outOfMemory
        /// The file is encrypted, and no key was given.
        case encryptionKeyMissing
        /// The file is encrypted with another key.
        case encryptionKeyWrong
        /// A key was given for a file that is not encrypted.
        case notEncrypted
        /// A key was given to a program that was built without encryption.
        case encryptionUnavailable
        /// A file opened for writing has more than one name.
        case severalNames
        /// The file is valid, but it is not the one that was requested.
        case otherFile
        /// The file is older than the version that was requested.
        case olderVersion
        /// The file keeps no history.
        case historyDisabled
        /// History that was asked for was deleted, or is that of another file.
        case historyExpired
        /// LMDB refused for a reason that points to a defect in Freehold.
        case internalLMDB

        package var description: String { rawValue }
    }
}

extension StorageError {
    /// Damage of the file.
    ///
    /// - Parameter damage: What was found, as a sentence.
    package static func damaged(_ damage: String, path: String) -> StorageError {
        StorageError(.corrupted, "\(damage) Restore the file from a backup.", path: path)
    }
}
