import Foundation
import Freehold
import FreeholdStorage

/// Failures of this machine's own file, and of snapshots beside it.
extension SharingError {
    init(ofFile error: any Error) {
        if Self.isFull(error) {
            self.init(
                .fileFailed, "There is no room for the realm's file, or for a snapshot beside it.",
                remedy: "Free space on the disk; sharing goes on by itself.", cause: "\(error)")
        } else {
            self.init(
                .fileFailed, "The realm's file, or a snapshot beside it, cannot be used.",
                remedy: "See to the cause; sharing goes on by itself.", cause: "\(error)")
        }
    }

    /// Whether the disk is full.
    static func isFull(_ error: any Error) -> Bool {
        if let error = error as? StorageError {
            return error.code == .outOfDiskSpace || error.code == .fileTooLarge
        }
        if let error = error as? Realm.Error { return error.code == .outOfDiskSpace }
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain
            && error.code == CocoaError.fileWriteOutOfSpace.rawValue
    }

    /// Runs operations on files, and throws their failures as `fileFailed`.
    static func onFile<Result>(_ body: () throws -> Result) throws(SharingError) -> Result {
        do { return try body() } catch { throw SharingError(ofFile: error) }
    }
}
