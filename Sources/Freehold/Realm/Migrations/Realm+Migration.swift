public import Foundation
import FreeholdStorage

extension Realm {
    /// Migrates a file to the schema version and classes of a configuration, as opening it
    /// would, and closes it.
    ///
    /// ```swift
    /// // On a background thread, before the first realm is opened:
    /// try Realm.performMigration(for: configuration)
    /// ```
    ///
    /// Leaves an up-to-date file unchanged, and creates a missing one. Waits up to a quarter of
    /// a second for a file that is closing.
    ///
    /// - Throws: ``Realm/Error`` with the code `alreadyOpen` if this process has the file open,
    ///   and everything that opening it throws.
    public static func performMigration(for configuration: Configuration = .defaultConfiguration)
        throws
    {
        // An open file may be closing.
        try Environment.patiently({ $0.code == .alreadyOpen }) { () throws(Realm.Error) in
            if try !RealmCoordinator.isOpen(configuration) { return }
            throw Realm.Error(
                .alreadyOpen, "Cannot migrate Realms that are already open.",
                fileURL: configuration.fileURL)
        }
        _ = try RealmCore.prepare(configuration)
    }
}

/// Returns the schema version of a file (``Realm/Configuration/schemaVersion``) without opening
/// it as a realm. O(1).
///
/// - Parameters:
///   - fileURL: The file.
///   - encryptionKey: The key of an encrypted file.
/// - Throws: ``Realm/Error``: `invalidDatabase` if there is no file or it has no classes yet,
///   `fileAccess` if it is not a regular file, and other errors of opening a file.
///
/// Thread rule: any thread, also while realms have the file open.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
    let configuration = Realm.Configuration(fileURL: fileURL, encryptionKey: encryptionKey)
    guard Realm.fileExists(for: configuration) else {
        throw Realm.Error(
            .invalidDatabase, "Realm at path '\(fileURL.path)' has not been initialized.",
            fileURL: fileURL)
    }
    if let kind = (try? FileManager.default.attributesOfItem(atPath: fileURL.path))?[.type]
        as? FileAttributeType, kind != .typeRegular,
        kind != .typeSymbolicLink
    {
        throw Realm.Error(
            .fileAccess, "\"\(fileURL.path)\" is not a regular file. Give the path of a file.",
            fileURL: fileURL)
    }
    var options = try configuration.storeOptions()
    options.isReadOnly = true
    options.sharesAnyAccess = true
    let catalog = try mappingStorageErrors(
        Store.open(options).newestSnapshot().catalog, fileURL: fileURL)
    guard let version = catalog.schemaVersion else {
        throw Realm.Error(
            .invalidDatabase, "Realm at path '\(fileURL.path)' has not been initialized.",
            fileURL: fileURL)
    }
    return version
}
