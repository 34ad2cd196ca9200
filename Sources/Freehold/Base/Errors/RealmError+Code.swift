extension Realm.Error {
    /// The kind of a failure. Names and numbers are those of Realm Swift. Later releases may add
    /// codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number of the code. Its meaning never changes.
        public let rawValue: Int

        /// Makes the code with a number; unknown numbers are kept as they are.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// A failure that no other code describes; the message says what happened.
        public static let fail = Code(rawValue: 1)
        /// The file could not be read or written: the system refused a call, or the file was
        /// replaced, deleted or given a second name. ``Realm/Error/underlying`` has the cause.
        public static let fileAccess = Code(rawValue: 2)
        /// This process does not have permission to read or write the file or its directory.
        public static let filePermissionDenied = Code(rawValue: 3)
        /// There is already a file where a new one should be written. Choose another name, or
        /// delete the file.
        public static let fileExists = Code(rawValue: 4)
        /// The file, or the directory for it, does not exist.
        public static let fileNotFound = Code(rawValue: 5)
        /// The file is of an older format, and the realm was opened for reading only.
        public static let fileFormatUpgradeRequired = Code(rawValue: 6)
        /// The lock files cannot be shared: with another architecture, a process of another
        /// process-id namespace, or a network file system.
        public static let incompatibleLockFile = Code(rawValue: 8)
        /// The process has no address space left for the file, or the file outgrew its
        /// reservation. Raise the limit (`ulimit -v`), or close the file and open it again.
        public static let addressSpaceExhausted = Code(rawValue: 9)
        /// The declared classes do not fit the file. Raise
        /// ``Realm/Configuration/schemaVersion`` and migrate.
        public static let schemaMismatch = Code(rawValue: 10)
        /// The file is open, here or in another process, with settings that exclude this use.
        /// Close it there first, or use the same settings.
        public static let alreadyOpen = Code(rawValue: 12)
        /// A configuration or a value cannot be used; the message names it.
        public static let invalidInput = Code(rawValue: 13)
        /// The disk or the quota is full. Nothing of the transaction was stored; make room and try
        /// again. Deletions have a reserve.
        public static let outOfDiskSpace = Code(rawValue: 14)
        /// The file was written in a format that this release does not read.
        public static let unsupportedFileFormatVersion = Code(rawValue: 16)
        /// A part of the path is not a directory; ``Realm/Error/underlying`` has the cause.
        public static let fileOperationFailed = Code(rawValue: 19)
        /// The file is not a realm, is damaged, or is encrypted with another key; see the
        /// message.
        public static let invalidDatabase = Code(rawValue: 20)
        /// The file was written by an incompatible program.
        public static let incompatibleHistories = Code(rawValue: 21)

        /// The file contains bytes that no release writes; the same as ``invalidDatabase``.
        public static let corrupted = invalidDatabase

        /// The process or the system has no memory left. Nothing of the transaction was stored.
        public static let outOfMemory = Code(rawValue: 1_001)
        /// More versions are read at once than the file or
        /// ``Realm/Configuration/maximumNumberOfActiveVersions`` allows.
        /// ``Realm/versionReport()`` lists the readers.
        public static let tooManyReaders = Code(rawValue: 1_002)
        /// The database refuses writes after a failure of the disk, or after a read that got no
        /// memory. Close all of its realms and open it again.
        public static let poisoned = Code(rawValue: 1_003)
        /// The process was forked from the one that opened the realm; it must open its own.
        public static let forkedProcess = Code(rawValue: 1_004)
        /// A value is longer than 16,777,208 bytes (16 MiB less 8 bytes); the message names its
        /// class and property.
        public static let valueTooLarge = Code(rawValue: 1_005)
        /// Other writers held the write lock for longer than
        /// ``Realm/Configuration/writeTimeout``; the message names the holder. Or another process
        /// held the files while this one opened or closed them.
        public static let writeLockTimeout = Code(rawValue: 1_006)
        /// A relationship with the delete rule `.deny` prevents the deletion of an object:
        /// ``Realm/deleteChecked(_:)-(ObjectBase)``.
        public static let deletionDenied = Code(rawValue: 1_007)
        /// A write would wait for itself: a transaction of another realm of the file is open on
        /// the same thread, queue or actor.
        public static let nestedWrite = Code(rawValue: 1_012)
        /// The library does not support the Swift runtime of the program.
        public static let unsupportedRuntime = Code(rawValue: 1_016)
        /// The file is valid, but is not the one that
        /// ``Realm/Configuration/expectedFileIdentifier`` requires.
        public static let unexpectedFile = Code(rawValue: 1_020)
        /// The file is older than ``Realm/Configuration/minimumVersion`` requires.
        public static let outdatedFile = Code(rawValue: 1_021)
        /// An encryption key was given to a program that was built without the package's trait
        /// "Encryption".
        public static let encryptionUnavailable = Code(rawValue: 1_022)
        /// The file keeps no history. Open it with ``Realm/Configuration/history``.
        public static let historyDisabled = Code(rawValue: 1_030)
        /// History after a ``HistoryToken`` was deleted, or the token is of another file. Read the
        /// realm's content again, and go on from a new ``Realm/historyToken``.
        public static let historyExpired = Code(rawValue: 1_031)
    }
}

extension Realm.Error {
    /// For `catch Realm.Error.fail`: ``Code/fail``.
    public static let fail = Code.fail
    /// For `catch Realm.Error.callFailed`: the same as ``fail``. Exists for source compatibility
    /// with Realm.
    public static let callFailed = Code.fail
    /// For `catch Realm.Error.fileAccess`: ``Code/fileAccess``.
    public static let fileAccess = Code.fileAccess
    /// For `catch Realm.Error.filePermissionDenied`: ``Code/filePermissionDenied``.
    public static let filePermissionDenied = Code.filePermissionDenied
    /// For `catch Realm.Error.fileExists`: ``Code/fileExists``.
    public static let fileExists = Code.fileExists
    /// For `catch Realm.Error.fileNotFound`: ``Code/fileNotFound``.
    public static let fileNotFound = Code.fileNotFound
    /// For `catch Realm.Error.fileFormatUpgradeRequired`: ``Code/fileFormatUpgradeRequired``.
    public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
    /// For `catch Realm.Error.incompatibleLockFile`: ``Code/incompatibleLockFile``.
    public static let incompatibleLockFile = Code.incompatibleLockFile
    /// For `catch Realm.Error.addressSpaceExhausted`: ``Code/addressSpaceExhausted``.
    public static let addressSpaceExhausted = Code.addressSpaceExhausted
    /// For `catch Realm.Error.schemaMismatch`: ``Code/schemaMismatch``.
    public static let schemaMismatch = Code.schemaMismatch
    /// For `catch Realm.Error.alreadyOpen`: ``Code/alreadyOpen``.
    public static let alreadyOpen = Code.alreadyOpen
    /// For `catch Realm.Error.invalidInput`: ``Code/invalidInput``.
    public static let invalidInput = Code.invalidInput
    /// For `catch Realm.Error.outOfDiskSpace`: ``Code/outOfDiskSpace``.
    public static let outOfDiskSpace = Code.outOfDiskSpace
    /// For `catch Realm.Error.unsupportedFileFormatVersion`: ``Code/unsupportedFileFormatVersion``.
    public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
    /// For `catch Realm.Error.fileOperationFailed`: ``Code/fileOperationFailed``.
    public static let fileOperationFailed = Code.fileOperationFailed
    /// For `catch Realm.Error.invalidDatabase`: ``Code/invalidDatabase``.
    public static let invalidDatabase = Code.invalidDatabase
    /// For `catch Realm.Error.incompatibleHistories`: ``Code/incompatibleHistories``.
    public static let incompatibleHistories = Code.incompatibleHistories
    /// For `catch Realm.Error.corrupted`: ``Code/corrupted``.
    public static let corrupted = Code.corrupted
    /// For `catch Realm.Error.outOfMemory`: ``Code/outOfMemory``.
    public static let outOfMemory = Code.outOfMemory
    /// For `catch Realm.Error.tooManyReaders`: ``Code/tooManyReaders``.
    public static let tooManyReaders = Code.tooManyReaders
    /// For `catch Realm.Error.poisoned`: ``Code/poisoned``.
    public static let poisoned = Code.poisoned
    /// For `catch Realm.Error.forkedProcess`: ``Code/forkedProcess``.
    public static let forkedProcess = Code.forkedProcess
    /// For `catch Realm.Error.valueTooLarge`: ``Code/valueTooLarge``.
    public static let valueTooLarge = Code.valueTooLarge
    /// For `catch Realm.Error.writeLockTimeout`: ``Code/writeLockTimeout``.
    public static let writeLockTimeout = Code.writeLockTimeout
    /// For `catch Realm.Error.deletionDenied`: ``Code/deletionDenied``.
    public static let deletionDenied = Code.deletionDenied
    /// For `catch Realm.Error.nestedWrite`: ``Code/nestedWrite``.
    public static let nestedWrite = Code.nestedWrite
    /// For `catch Realm.Error.unsupportedRuntime`: ``Code/unsupportedRuntime``.
    public static let unsupportedRuntime = Code.unsupportedRuntime
    /// For `catch Realm.Error.unexpectedFile`: ``Code/unexpectedFile``.
    public static let unexpectedFile = Code.unexpectedFile
    /// For `catch Realm.Error.outdatedFile`: ``Code/outdatedFile``.
    public static let outdatedFile = Code.outdatedFile
    /// For `catch Realm.Error.encryptionUnavailable`: ``Code/encryptionUnavailable``.
    public static let encryptionUnavailable = Code.encryptionUnavailable
    /// For `catch Realm.Error.historyDisabled`: ``Code/historyDisabled``.
    public static let historyDisabled = Code.historyDisabled
    /// For `catch Realm.Error.historyExpired`: ``Code/historyExpired``.
    public static let historyExpired = Code.historyExpired
}

extension Realm.Error.Code: CustomStringConvertible {
    /// The name, or "code <number>".
    public var description: String {
        switch self {
        case .fail: "fail"
        case .fileAccess: "fileAccess"
        case .filePermissionDenied: "filePermissionDenied"
        case .fileExists: "fileExists"
        case .fileNotFound: "fileNotFound"
        case .fileFormatUpgradeRequired: "fileFormatUpgradeRequired"
        case .incompatibleLockFile: "incompatibleLockFile"
        case .addressSpaceExhausted: "addressSpaceExhausted"
        case .schemaMismatch: "schemaMismatch"
        case .alreadyOpen: "alreadyOpen"
        case .invalidInput: "invalidInput"
        case .outOfDiskSpace: "outOfDiskSpace"
        case .unsupportedFileFormatVersion: "unsupportedFileFormatVersion"
        case .fileOperationFailed: "fileOperationFailed"
        case .invalidDatabase: "invalidDatabase"
        case .incompatibleHistories: "incompatibleHistories"
        case .outOfMemory: "outOfMemory"
        case .tooManyReaders: "tooManyReaders"
        case .poisoned: "poisoned"
        case .forkedProcess: "forkedProcess"
        case .valueTooLarge: "valueTooLarge"
        case .writeLockTimeout: "writeLockTimeout"
        case .deletionDenied: "deletionDenied"
        case .nestedWrite: "nestedWrite"
        case .unsupportedRuntime: "unsupportedRuntime"
        case .unexpectedFile: "unexpectedFile"
        case .outdatedFile: "outdatedFile"
        case .encryptionUnavailable: "encryptionUnavailable"
        case .historyDisabled: "historyDisabled"
        case .historyExpired: "historyExpired"
        default: "code \(rawValue)"
        }
    }
}
