public import Foundation
import FreeholdStorage

extension Realm {
    /// Writes what the realm reads into a new file, compacted. In a write transaction that
    /// includes its changes so far.
    ///
    /// ```swift
    /// try realm.writeCopy(toFile: backups.appendingPathComponent("2026-11-22.realm"))
    /// ```
    ///
    /// Nobody sees half a copy: it gets its name when it is whole and on the disk. O(bytes in
    /// use); it holds up no reader and no writer. The copy is a file of its own, with the same
    /// classes, objects and schema version.
    ///
    /// - Parameters:
    ///   - fileURL: Where no file may be yet.
    ///   - encryptionKey: 64 bytes to encrypt the copy with, whether this realm is encrypted or
    ///     not; nil for a copy that is not. Where this realm is, nil logs a warning
    ///     (``Logger``): ``writeCopy(toFile:encryption:)`` says what is meant.
    /// - Throws: ``Realm/Error`` with the code `fileExists` if there is a file, `fileNotFound`
    ///   if there is no such directory, `outOfDiskSpace` (nothing is left of the copy), and
    ///   what else the file system refuses; ``ConfinementViolation`` on a wrong thread or
    ///   queue.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        try core.verifyConfinement(.operation("Realm.writeCopy(toFile:)"))
        try core.writeCopy(
            to: Configuration(fileURL: fileURL, encryptionKey: encryptionKey, objectTypes: []))
    }

    /// Writes what the realm reads into the file of a configuration.
    ///
    /// If that does not exist, as ``writeCopy(toFile:encryptionKey:)``. If it does, the objects of
    /// this realm's classes are merged into it, in one write transaction: one with the primary key
    /// of an object that is there replaces all of its values, every other one is added. Classes
    /// that the file lacks are added to it. O(objects).
    ///
    /// ```swift
    /// try imported.writeCopy(configuration: Realm.Configuration.defaultConfiguration)
    /// ```
    ///
    /// - Throws: As ``writeCopy(toFile:encryptionKey:)``; when merging, also what opening the other
    ///   file throws, `schemaMismatch` if its classes differ, and `alreadyOpen` if its realm is in
    ///   a write transaction here, or is open here without one of the classes.
    public func writeCopy(configuration: Configuration) throws {
        try core.verifyConfinement(.operation("Realm.writeCopy(configuration:)"))
        if Realm.fileExists(for: configuration) { return try core.merge(into: configuration) }
        try core.writeCopy(to: configuration)
    }

    /// Writes the file anew without the space that is not in use, while it is open. Not in Realm.
    ///
    /// Realms, objects and collections stay as they are, here and on other threads, and are
    /// told of nothing. Frozen values and realms that have not been refreshed go on reading the
    /// old file, which has no name any more; its space is free when the last of them has gone
    /// on or is released.
    ///
    /// ```swift
    /// try realm.compact()
    /// ```
    ///
    /// O(bytes in use), with as much free space on the disk as the new file takes. Others read
    /// meanwhile; writers wait. If the process is killed or the power fails, the file is the
    /// old or the new one, whole.
    ///
    /// - Returns: By how many bytes the file became smaller; negative if it became larger.
    /// - Throws: ``Realm/Error`` with the code `alreadyOpen` if another process has the file
    ///   open, `outOfDiskSpace`, which leave the file as it was; `poisoned` if the disk failed;
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: The realm is live, not read-only, and not in a write transaction.
    @discardableResult
    public func compact() throws -> Int {
        try core.verifyConfinement(.operation("Realm.compact()"))
        return try mappingStorageErrors { () throws(StorageError) in try core.compact() }
    }
}

extension RealmCore {
    /// Writes what is read into the file of a configuration, which does not exist.
    ///
    /// - Parameter saysUnencrypted: Whether the caller said so, if the copy is not encrypted.
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
            // The copy's changes are a fork of what was written so far, and the realm goes on
            // with another one.
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

    /// Compacts the file, and reads the same version in the new one.
    func compact() throws(StorageError) -> Int {
        if writeSet != nil {
            violation(
                .misuse(
                    text: "Cannot compact a Realm within a write transaction.",
                    remedy:
                        """
                        Commit or cancel the transaction first; to save what it changed so \
                        far, use writeCopy(toFile:).
                        """
                ))
        }
        if asyncWrites != nil {
            // What was committed in memory goes to the disk first.
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
