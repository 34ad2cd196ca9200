public import Foundation
import FreeholdStorage

extension Realm {
    /// Changes the encryption key of a file. Not in Realm.
    ///
    /// ```swift
    /// try Realm.changeEncryptionKey(of: configuration, to: newKey)
    /// configuration.encryptionKey = newKey
    /// ```
    ///
    /// The file's own key encrypts the objects; the given keys only wrap that key. So this takes
    /// one small write transaction, however large the file is. If the process is killed or the
    /// power fails meanwhile, one of the two keys opens the file. Open realms of all processes
    /// continue, and each process accepts the key that it opened the file with until it closes
    /// the file. Later openings need the new key.
    ///
    /// **The old key still opens old copies of the file.** The wrapped key in such a copy also
    /// decrypts later states of the file. If the old key is compromised, write a copy with a new
    /// key (``writeCopy(toFile:encryption:)``) and replace the file with it.
    ///
    /// Call it on any thread that is not in a write transaction of the file. O(1). Waits for
    /// other writers, at most ``Configuration/writeTimeout``.
    ///
    /// - Parameters:
    ///   - configuration: The encrypted file, and the key that opens it.
    ///   - newKey: 64 random bytes.
    /// - Throws: ``Realm/Error``: `invalidInput` unless the new key has 64 bytes, `fileNotFound`
    ///   if there is no file, `invalidDatabase` for a wrong key and an unencrypted file, and the
    ///   errors of opening and writing.
    public static func changeEncryptionKey(of configuration: Configuration, to newKey: Data) throws
    {
        let options = try configuration.storeOptions()
        let url = URL(fileURLWithPath: options.path)
        guard let key = EncryptionKey(newKey) else {
            throw Realm.Error(
                .invalidInput, "Encryption key must be exactly 64 bytes long", fileURL: url)
        }
        guard fileExists(for: configuration) else {
            throw Realm.Error(
                .fileNotFound, "There is no realm at '\(options.path)' whose key could be changed.",
                fileURL: url)
        }
        try mappingStorageErrors(
            Store.open(options).changeEncryptionKey(
                to: key, as: .ofThisThread, timeout: configuration.writeTimeout), fileURL: url)
    }

    /// The identifier of the file's contents. Renames, compactions and backups keep it; a copy
    /// that ``writeCopy(toFile:encryptionKey:)`` makes has another one. Not in Realm.
    ///
    /// A program can use it to recognise its file: ``Configuration/expectedFileIdentifier``. In
    /// an encrypted file the key authenticates it. O(1). Any thread.
    public var fileIdentifier: UUID { UUID(core.store.environment.identifier) }

    /// The number of the last commit that the realm reads. Not in Realm.
    ///
    /// Commits are numbered consecutively across all processes. A program that stores the number
    /// elsewhere can reject an older state of the file: ``Configuration/minimumVersion``. In an
    /// encrypted file it is authenticated. O(1).
    ///
    /// - Precondition: The realm is used on its thread, queue or actor.
    public var version: UInt64 {
        core.checkConfinement("Realm.version")
        return core.currentSnapshot.version
    }
}

extension Realm {
    /// The encryption of a copy: ``writeCopy(toFile:encryption:)``.
    public enum CopyEncryption: Sendable {
        /// No encryption. Anyone with the copy can read all of it.
        case unencrypted
        /// Encrypts with this key of 64 random bytes. The copy has a file key of its own.
        case key(Data)
    }

    /// Writes a copy like ``writeCopy(toFile:encryptionKey:)``, with an explicit choice of
    /// encryption. Not in Realm.
    ///
    /// ```swift
    /// try realm.writeCopy(toFile: export, encryption: .unencrypted)
    /// ```
    ///
    /// - Throws: As ``writeCopy(toFile:encryptionKey:)``.
    public func writeCopy(toFile fileURL: URL, encryption: CopyEncryption) throws {
        try core.verifyConfinement(.operation("Realm.writeCopy(toFile:)"))
        let key: Data? =
            switch encryption {
            case .unencrypted: nil
            case .key(let key): key
            }
        try core.writeCopy(
            to: Configuration(fileURL: fileURL, encryptionKey: key, objectTypes: []),
            saysUnencrypted: true)
    }
}

extension RealmCore {
    /// Whether diagnoses must not contain values. They end up in logs, and the file is
    /// encrypted.
    var hidesValues: Bool { store.environment.isEncrypted }
}

extension UUID {
    init(_ identifier: UniqueIdentifier) {
        self.init(storedWords: (identifier.high.bigEndian, identifier.low.bigEndian))
    }
}

extension UniqueIdentifier {
    init(_ identifier: UUID) {
        let (high, low) = identifier.storedWords
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }
}
