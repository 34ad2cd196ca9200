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
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Known: String {
            case fileNotFound, permissionDenied, missingDirectory, notADirectory, isDirectory,
                emptyPath
            case notAnEnvironment, foreignFile, truncated, corrupted, newerFormat, unreadableFormat
            case outOfDiskSpace, fileTooLarge, valueTooLarge, addressSpaceExhausted, readersFull,
                tooManyActiveVersions
            case networkFileSystem, foreignProcessNamespace, incompatibleLockFile, replacedWhileOpen
            case inputOutput, poisoned, closed, forkedChild, fileExists, alreadyOpen, readOnly
            case schemaChanged
            case writeLockTimeout, nestedWrite, tooManyOpenFiles, outOfMemory, internalLMDB
            case encryptionKeyMissing, encryptionKeyWrong, notEncrypted, encryptionUnavailable
            case severalNames
            case otherFile, olderVersion
        }

        private let known: Known

        private init(_ known: Known) { self.known = known }

        package var description: String { known.rawValue }

        /// The file does not exist, and the access asked for does not create it.
        package static let fileNotFound = Code(.fileNotFound)
        /// The user of this process may not read or write a file or directory.
        package static let permissionDenied = Code(.permissionDenied)
        /// The directory that should hold the file does not exist.
        package static let missingDirectory = Code(.missingDirectory)
        /// A component of the path that should be a directory is a file.
        package static let notADirectory = Code(.notADirectory)
        /// The path of the file names a directory.
        package static let isDirectory = Code(.isDirectory)
        /// The path is empty or holds a zero byte.
        package static let emptyPath = Code(.emptyPath)
        /// The file is not an LMDB file.
        package static let notAnEnvironment = Code(.notAnEnvironment)
        /// The file is an LMDB file that another program made or changed.
        package static let foreignFile = Code(.foreignFile)
        /// The file has lost its end.
        package static let truncated = Code(.truncated)
        /// The file holds bytes that no writer of this format writes.
        package static let corrupted = Code(.corrupted)
        /// The file was written by a newer release.
        package static let newerFormat = Code(.newerFormat)
        /// The file was written by an unreleased or withdrawn version of the format.
        package static let unreadableFormat = Code(.unreadableFormat)
        /// The disk or the user's quota is full.
        package static let outOfDiskSpace = Code(.outOfDiskSpace)
        /// The file system or a process limit forbids a file of this size.
        package static let fileTooLarge = Code(.fileTooLarge)
        /// A key or value is larger than the storage accepts.
        package static let valueTooLarge = Code(.valueTooLarge)
        /// The address space reserved for the file is too small.
        package static let addressSpaceExhausted = Code(.addressSpaceExhausted)
        /// More versions are being read at once than the file has reader slots.
        package static let readersFull = Code(.readersFull)
        /// More versions are alive than the configuration allows.
        package static let tooManyActiveVersions = Code(.tooManyActiveVersions)
        /// The file lies on a network file system.
        package static let networkFileSystem = Code(.networkFileSystem)
        /// A process of another process-id namespace has the file open.
        package static let foreignProcessNamespace = Code(.foreignProcessNamespace)
        /// The lock files disagree about which processes have the file open.
        package static let incompatibleLockFile = Code(.incompatibleLockFile)
        /// The file was replaced or deleted while it is open.
        package static let replacedWhileOpen = Code(.replacedWhileOpen)
        /// The medium failed.
        package static let inputOutput = Code(.inputOutput)
        /// An earlier failure of the medium forbids writing until the file is opened again.
        package static let poisoned = Code(.poisoned)
        /// The environment is closed.
        package static let closed = Code(.closed)
        /// The environment belongs to the process that this one was forked from.
        package static let forkedChild = Code(.forkedChild)
        /// A file of another kind already has the name.
        package static let fileExists = Code(.fileExists)
        /// The file is already open in a way that excludes this one.
        package static let alreadyOpen = Code(.alreadyOpen)
        /// A write was requested for a file that is opened or stored read-only.
        package static let readOnly = Code(.readOnly)
        /// The tables differ from those that the caller knows.
        package static let schemaChanged = Code(.schemaChanged)
        /// Another holder kept the write lock for longer than the configured time.
        package static let writeLockTimeout = Code(.writeLockTimeout)
        /// A write was requested where waiting for it would keep the previous write from
        /// ending.
        package static let nestedWrite = Code(.nestedWrite)
        /// The process or the system has no file descriptors left.
        package static let tooManyOpenFiles = Code(.tooManyOpenFiles)
        /// The system has no memory left.
        package static let outOfMemory = Code(.outOfMemory)
        /// The file is encrypted, and no key was given.
        package static let encryptionKeyMissing = Code(.encryptionKeyMissing)
        /// The file is encrypted with another key.
        package static let encryptionKeyWrong = Code(.encryptionKeyWrong)
        /// A key was given for a file that is not encrypted.
        package static let notEncrypted = Code(.notEncrypted)
        /// A key was given to a program that was built without encryption.
        package static let encryptionUnavailable = Code(.encryptionUnavailable)
        /// A file opened for writing has more than one name.
        package static let severalNames = Code(.severalNames)
        /// The file is valid, but it is not the one that was requested.
        package static let otherFile = Code(.otherFile)
        /// The file is older than the version that was requested.
        package static let olderVersion = Code(.olderVersion)
        /// LMDB refused for a reason that points to a defect in Freehold.
        package static let internalLMDB = Code(.internalLMDB)
    }
}
