public import Foundation
import FreeholdStorage

extension Realm {
    /// Writes the version that the realm reads into a new, compacted file. In a write
    /// transaction the copy includes the changes so far.
    ///
    /// ```swift
    /// try realm.writeCopy(toFile: backups.appendingPathComponent("2026-11-22.realm"))
    /// ```
    ///
    /// The copy gets its name only when it is complete and on the disk, so a partial copy is
    /// never visible. O(bytes in use); readers and writers do not wait for it. The copy is an
    /// independent file with the same classes, objects and schema version.
    ///
    /// - Parameters:
    ///   - fileURL: The path of the copy. No file may exist there.
    ///   - encryptionKey: 64 bytes to encrypt the copy with, whether this realm is encrypted or
    ///     not; nil for an unencrypted copy. If this realm is encrypted, nil logs a warning
    ///     (``Logger``); ``writeCopy(toFile:encryption:)`` states the intent.
    /// - Throws: ``Realm/Error`` with the code `fileExists` if the file exists, `fileNotFound`
    ///   if the directory does not exist, `outOfDiskSpace` (no part of the copy remains), and
    ///   other errors of the file system; ``ConfinementViolation`` on a wrong thread or queue.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        try core.verifyConfinement(.operation("Realm.writeCopy(toFile:)"))
        try core.writeCopy(
            to: Configuration(fileURL: fileURL, encryptionKey: encryptionKey, objectTypes: []))
    }

    /// Writes the version that the realm reads into the file of a configuration.
    ///
    /// If the file does not exist, this writes a copy like ``writeCopy(toFile:encryptionKey:)``.
    /// If it exists, this merges the objects of this realm's classes into it in one write
    /// transaction. An object whose primary key exists there replaces all values of that object;
    /// every other object is added. Classes that the file lacks are added to it. O(objects).
    ///
    /// ```swift
    /// try imported.writeCopy(configuration: Realm.Configuration.defaultConfiguration)
    /// ```
    ///
    /// - Throws: As ``writeCopy(toFile:encryptionKey:)``. Merging also throws what opening the
    ///   other file throws, and `schemaMismatch` if its classes differ. It throws `alreadyOpen` if
    ///   the other realm is in a write transaction here, or is open here without one of the
    ///   classes.
    public func writeCopy(configuration: Configuration) throws {
        try core.verifyConfinement(.operation("Realm.writeCopy(configuration:)"))
        if Realm.fileExists(for: configuration) { return try core.merge(into: configuration) }
        try core.writeCopy(to: configuration)
    }

    /// Rewrites the open file without its unused space. Not in Realm.
    ///
    /// Realms, objects and collections stay valid on all threads, and observers are not
    /// notified. Frozen values and realms that have not been refreshed keep reading the old
    /// file, which has no name any more. Its space is freed when the last of them has moved on
    /// or is released.
    ///
    /// ```swift
    /// try realm.compact()
    /// ```
    ///
    /// O(bytes in use); needs as much free disk space as the new file takes. Readers continue
    /// meanwhile; writers wait. If the process is killed or the power fails, either the old or
    /// the new file remains complete.
    ///
    /// - Returns: By how many bytes the file became smaller; negative if it became larger.
    /// - Throws: ``Realm/Error`` with the code `alreadyOpen` if another process has the file
    ///   open, or `outOfDiskSpace`: both leave the file as it was; `poisoned` if the disk
    ///   failed; ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: The realm is live, not read-only, and not in a write transaction.
    @discardableResult
    public func compact() throws -> Int {
        try core.verifyConfinement(.operation("Realm.compact()"))
        return try mappingStorageErrors(core.compact())
    }
}

extension RealmCore {
    /// Writes the version that the realm reads into the file of a configuration, which does not
    /// exist.
    ///
    /// - Parameter saysUnencrypted: Whether the caller explicitly asked for an unencrypted copy.
    func writeCopy(to configuration: Realm.Configuration, saysUnencrypted: Bool = false)
        throws(Realm.Error)
    {
        let options = try configuration.storeOptions()
        let (path, key) = (options.path, options.encryptionKey)
        if key == nil, hidesValues, !saysUnencrypted {
            EventLog.say(
                .warning,
                """
                \(store.path) is encrypted, and its copy \(path) is not, because no key was \
                given. Pass a key, or say that it is meant: writeCopy(toFile:encryption: \
                .unencrypted)
                """)
        }
        do throws(StorageError) {
            guard let writeSet = uncommitted, writeSet.hasChanges else {
                return try store.copy(readSnapshot(), to: path, key: key)
            }
            // The copy takes a savepoint of the changes so far, and the realm continues with
            // another one.
            if draft != nil {
                return try store.copy(writeSet.base, with: savepoint(), to: path, key: key)
            }
            let changes = writeSet.savepoint()
            if self.writeSet != nil {
                self.writeSet = writeSet.savepoint()
            } else {
                pendingWrites = writeSet.savepoint()
            }
            didMove()
            try store.copy(writeSet.base, with: changes, to: path, key: key)
        } catch  where error.code == .fileExists {
            throw Realm.Error(
                .fileExists, "Failed to open file at path '\(path)': File exists",
                fileURL: URL(fileURLWithPath: path), underlying: error)
        } catch {
            throw Realm.Error(error, fileURL: URL(fileURLWithPath: path))
        }
    }

    /// Compacts the file, and reads the same version from the new file.
    func compact() throws(StorageError) -> Int {
        if draft != nil {
            misuse(
                "Cannot compact a draft.", remedy: "Compact its realm, which has the file.")
        }
        if writeSet != nil {
            misuse(
                "Cannot compact a Realm within a write transaction.",
                remedy: """
                    Commit or cancel the transaction first; to save what it changed so \
                    far, use writeCopy(toFile:).
                    """)
        }
        if asyncWrites != nil {
            // First writes to the disk what was committed in memory.
            try beginWrite()
            try commitWrite()
        }
        try beginWrite()
        guard let writeSet else { preconditionFailure("A transaction has just begun.") }
        let outcome = Result { () throws(StorageError) -> Int in
            let before = try store.byteCounts().total
            try store.compact(within: writeSet)
            return before - (try store.byteCounts().total)
        }
        cancelWrite()
        if let newest = try? store.newestSnapshot() { read(compacted: newest) }
        return try outcome.get()
    }
}
