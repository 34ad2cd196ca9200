package import Foundation
package import FreeholdStorage

extension Realm.Error {
    /// Makes the public form of a storage failure. Keeps the message; the whole error becomes the
    /// cause.
    package init(_ error: StorageError, fileURL: URL? = nil) {
        self.init(
            Code(error.code), error.message,
            fileURL: fileURL ?? error.path.map { URL(fileURLWithPath: $0) }, underlying: error)
    }

    /// Makes the error of a failure to open a file: Realm's text if it has one, and the storage's
    /// message.
    init(opening path: String, _ error: StorageError) {
        let fileURL = URL(fileURLWithPath: path)
        guard let text = Self.openingText(path, error) else {
            self.init(error, fileURL: fileURL)
            return
        }
        self.init(
            Code(error.code), text, remedy: error.message, fileURL: fileURL, underlying: error)
    }

    private static func openingText(_ path: String, _ error: StorageError) -> String? {
        let start = "Failed to open Realm file at path '\(path)': "
        switch error.code {
        case .fileNotFound: return start + "No such file or directory"
        case .permissionDenied:
            let reason =
                error.systemError == .notPermitted ? "Operation not permitted" : "Permission denied"
            return start + reason + ". Please use a path where your app has read-write permissions."
        case .notADirectory:
            return "Failed to open file at path '\(path)': parent path is not a directory"
        case .notAnEnvironment:
            let size =
                (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
            if size > 0, size < smallestHeader {
                return start
                    + "file is non-empty but too small (\(size) bytes) to be a valid Realm."
            }
            return start + "header has invalid mnemonic. The file is either not a Realm file, "
                + "is an encrypted Realm file but no encryption key was supplied, or is corrupted."
        default: return nil
        }
    }

    /// The smallest header of a file of Realm's, for its text.
    private static let smallestHeader = 24
}

extension Realm.Error.Code {
    /// Maps the code of a storage failure to the public code.
    init(_ code: StorageError.Code) {
        self =
            switch code {
            case .fileNotFound, .missingDirectory: .fileNotFound
            case .notADirectory: .fileOperationFailed
            case .permissionDenied, .readOnly: .filePermissionDenied
            case .fileExists: .fileExists
            case .isDirectory, .inputOutput, .closed, .replacedWhileOpen, .severalNames,
                .tooManyOpenFiles:
                .fileAccess
            case .emptyPath: .invalidInput
            case .notAnEnvironment, .foreignFile, .truncated, .corrupted, .encryptionKeyMissing,
                .encryptionKeyWrong, .notEncrypted:
                .invalidDatabase
            case .encryptionUnavailable: .encryptionUnavailable
            case .newerFormat, .unreadableFormat: .unsupportedFileFormatVersion
            case .outOfDiskSpace, .fileTooLarge: .outOfDiskSpace
            case .otherFile: .unexpectedFile
            case .olderVersion: .outdatedFile
            case .valueTooLarge: .valueTooLarge
            case .addressSpaceExhausted: .addressSpaceExhausted
            case .readersFull, .tooManyActiveVersions: .tooManyReaders
            case .networkFileSystem, .foreignProcessNamespace, .incompatibleLockFile:
                .incompatibleLockFile
            case .poisoned: .poisoned
            case .forkedChild: .forkedProcess
            case .alreadyOpen: .alreadyOpen
            case .schemaChanged: .schemaMismatch
            case .historyDisabled: .historyDisabled
            case .historyExpired: .historyExpired
            case .writeLockTimeout: .writeLockTimeout
            case .nestedWrite: .nestedWrite
            case .outOfMemory: .outOfMemory
            default: .fail
            }
    }
}

/// Returns a result, and converts storage failures to ``Realm/Error``.
@inline(__always)
func mappingStorageErrors<Result>(
    _ result: @autoclosure () throws(StorageError) -> Result, fileURL: @autoclosure () -> URL? = nil
) throws(Realm.Error) -> Result {
    do {
        return try result()
    } catch {
        throw Realm.Error(error, fileURL: fileURL())
    }
}
