public import Foundation
import FreeholdStorage

extension Realm {
    /// Changes the key that the file of a configuration is opened with. Not in Realm.
    ///
    /// ```swift
    /// try Realm.changeEncryptionKey(of: configuration, to: newKey)
    /// configuration.encryptionKey = newKey
    /// ```
    ///
    /// The objects are encrypted with a key of the file's own, which the given keys only wrap:
    /// so this takes one small write transaction, however large the file is, and if the process
    /// is killed or the power fails meanwhile, one key or the other opens the file. Realms that
    /// are open go on, here and in other processes, and a process takes the key that it opened
    /// the file with until it has closed it. Whoever opens the file afterwards needs the new
    /// key.
    ///
    /// **Who had the old key and a copy of the file reads that copy for ever**, and, with the
    /// key that it wraps, later states of the file as well. If the old key is in wrong hands,
    /// write a copy with a new key (``writeCopy(toFile:encryption:)``) and replace the file by
    /// it.
    ///
    /// Any thread that is not in a write transaction of the file. O(1); waits for other
    /// writers, ``Configuration/writeTimeout`` at most.
    ///
    /// - Parameters:
    ///   - configuration: Of an encrypted file, with the key that opens it.
    ///   - newKey: 64 random bytes.
    /// - Throws: ``Realm/Error``: `invalidInput` unless the new key has 64 bytes,
    ///   `fileNotFound` if there is no file, `invalidDatabase` for a wrong key and a file that
    ///   is not encrypted, and what opening and writing throw.
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
        try mappingStorageErrors(url) { () throws(StorageError) in
            try Store.open(options).changeEncryptionKey(
                to: key, as: .ofThisThread, timeout: configuration.writeTimeout)
        }
    }

    /// Names the contents of the file through renames, compactions and backups of it; a copy
    /// that ``writeCopy(toFile:encryptionKey:)`` makes has another one. Not in Realm.
    ///
    /// With it a program knows its file again: ``Configuration/expectedFileIdentifier``. In an
    /// encrypted file it is authenticated with the key. O(1). Any thread.
    public var fileIdentifier: UUID { UUID(core.store.environment.identifier) }

    /// The number of the last commit that the realm reads. Not in Realm.
    ///
    /// Each commit of the file, of whichever process, has a number that is higher by one than
    /// that of the commit before it. A program that keeps the number elsewhere can refuse an
    /// older state of the file: ``Configuration/minimumVersion``. In an encrypted file it is
    /// authenticated. O(1).
    ///
    /// - Precondition: The realm is used on its thread, queue or actor.
    public var version: UInt64 {
        core.checkConfinement("Realm.version")
        return core.currentSnapshot.version
    }
}

extension Realm {
    /// How a copy is encrypted: ``writeCopy(toFile:encryption:)``.
    public enum CopyEncryption: Sendable {
        /// Not at all. Whoever has the copy can read everything.
        case unencrypted
        /// With this key of 64 random bytes. The copy has a file key of its own.
        case key(Data)
    }

    /// As ``writeCopy(toFile:encryptionKey:)``, saying whether the copy is encrypted. Not in Realm.
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
    /// Whether diagnoses must not say what values are: they end in logs, and the data are
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
