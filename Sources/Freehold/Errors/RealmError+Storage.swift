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

extension StorageError {
    /// What Realm says of a file that cannot be opened; nil where the two fail in ways of their own.
    func textOfOpening(_ path: String) -> String? {
        let reason: String
        switch code {
        case .fileNotFound: reason = "No such file or directory"
        case .permissionDenied: reason = "Permission denied. Please use a path where your app has read-write permissions."
        case .truncated, .notAnEnvironment, .foreignFile:
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
            // The size of its header.
            if size == 0 || size >= 24 { return nil }
            reason = "file is non-empty but too small (\(size) bytes) to be a valid Realm."
        default: return nil
        }
        return "Failed to open Realm file at path '\(path)': \(reason)"
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
