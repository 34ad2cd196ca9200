import Foundation
import FreeholdStorage

extension Realm {
    /// Returns whether the file of a configuration exists. Returns false if the configuration is
    /// invalid or names no file.
    public static func fileExists(for config: Configuration) -> Bool {
        guard let path = try? config.path() else { return false }
        return FileManager.default.fileExists(atPath: path)
    }

    /// Deletes the file of a configuration and its accompanying files.
    ///
    /// Waits up to a quarter of a second for an open file. After the program releases its last
    /// realm, a thread of the library may hold the file a moment longer.
    ///
    /// - Returns: Whether there was anything to delete.
    /// - Throws: ``Realm/Error`` with the code `alreadyOpen` if this or another process has the
    ///   file open, `fileAccess` or `filePermissionDenied` if it cannot be deleted,
    ///   `invalidInput` if the configuration names no file.
    public static func deleteFiles(for config: Configuration) throws -> Bool {
        try removeFiles(of: config)
    }

    static func removeFiles(of configuration: Configuration) throws(Realm.Error) -> Bool {
        let path = try configuration.path()
        let url = URL(fileURLWithPath: path)
        do throws(StorageError) {
            return try Environment.removeFiles(at: path)
        } catch  where error.code == .alreadyOpen {
            throw Realm.Error(
                .alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.",
                fileURL: url, underlying: error)
        } catch {
            throw Realm.Error(error, fileURL: url)
        }
    }
}
