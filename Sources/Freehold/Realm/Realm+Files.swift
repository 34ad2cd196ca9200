import Foundation
import FreeholdStorage

extension Realm {
    /// Whether the file of a configuration exists. False if the configuration names none.
    public static func fileExists(for config: Configuration) -> Bool {
        guard let path = try? config.path() else { return false }
        return FileManager.default.fileExists(atPath: path)
    }

    /// Deletes the file of a configuration and the files that accompany it.
    ///
    /// The file must not be open in this process. **That no other process has it open is up to the caller.**
    ///
    /// - Returns: Whether there was anything to delete.
    /// - Throws: ``Realm/Error`` with the code `alreadyOpen` if a realm of this process uses the file, `fileAccess` or
    ///   `filePermissionDenied` if it cannot be deleted, `invalidInput` if the configuration names no file.
    public static func deleteFiles(for config: Configuration) throws -> Bool {
        try removeFiles(of: config)
    }

    static func removeFiles(of configuration: Configuration) throws(Realm.Error) -> Bool {
        let path = try configuration.path()
        let url = URL(fileURLWithPath: path)
        if RealmCoordinator.isOpen(path: url.resolvingSymlinksInPath().path) {
            throw Realm.Error(.alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", fileURL: url)
        }
        var isDeleted = false
        // The data file last: without it, what is left means nothing, and a second attempt finds it.
        for suffix in ["-lock", ".control", ""] where FileManager.default.fileExists(atPath: path + suffix) {
            do {
                try FileManager.default.removeItem(atPath: path + suffix)
                isDeleted = true
            } catch {
                let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
                throw Realm.Error(
                    isForbidden ? .filePermissionDenied : .fileAccess, "Cannot delete '\(path + suffix)': \(error.localizedDescription)", fileURL: url,
                    underlying: error)
            }
        }
        return isDeleted
    }
}
