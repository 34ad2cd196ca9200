import Foundation
import FreeholdStorage

extension Realm.Error {
    /// The public form of a storage failure. The message is kept; the whole error is the cause.
    init(_ error: StorageError, fileURL: URL? = nil) {
        self.init(
            Code(error.code), error.message, fileURL: fileURL ?? error.path.map { URL(fileURLWithPath: $0) }, underlying: error)
    }
}

extension Realm.Error.Code {
    /// The public code for a storage failure.
    init(_ code: StorageError.Code) {
        self = switch code {
        case .fileNotFound, .missingDirectory: .fileNotFound
        case .notADirectory: .fileOperationFailed
        case .permissionDenied, .readOnly: .filePermissionDenied
        case .fileExists: .fileExists
        case .isDirectory, .inputOutput, .closed, .replacedWhileOpen, .severalNames, .tooManyOpenFiles: .fileAccess
        case .emptyPath: .invalidInput
        case .notAnEnvironment, .foreignFile, .truncated, .corrupted, .encryptionKeyMissing, .encryptionKeyWrong, .notEncrypted: .invalidDatabase
        case .newerFormat, .unreadableFormat: .unsupportedFileFormatVersion
        case .outOfDiskSpace, .fileTooLarge: .outOfDiskSpace
        case .otherFile: .unexpectedFile
        case .olderVersion: .outdatedFile
        case .valueTooLarge: .valueTooLarge
        case .addressSpaceExhausted: .addressSpaceExhausted
        case .readersFull, .tooManyActiveVersions: .tooManyReaders
        case .networkFileSystem, .foreignProcessNamespace, .incompatibleLockFile: .incompatibleLockFile
        case .poisoned: .poisoned
        case .forkedChild: .forkedProcess
        case .alreadyOpen: .alreadyOpen
        case .schemaChanged: .schemaMismatch
        case .writeLockTimeout: .writeLockTimeout
        case .nestedWrite: .nestedWrite
        case .outOfMemory: .outOfMemory
        default: .fail
        }
    }
}

/// Runs `body` and turns storage failures into ``Realm/Error``.
@inline(__always)
func mappingStorageErrors<Result>(_ fileURL: @autoclosure () -> URL? = nil, _ body: () throws(StorageError) -> Result) throws(Realm.Error) -> Result {
    do {
        return try body()
    } catch {
        throw Realm.Error(error, fileURL: fileURL())
    }
}
