public import Foundation
import FreeholdStorage

extension Realm {
    /// Which file a realm is kept in, and how it is opened.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url, objectTypes: [Person.self, Dog.self])
    /// configuration.schemaVersion = 2
    /// let realm = try Realm(configuration: configuration)
    /// ```
    ///
    /// A value; changing it does not change realms that are open. Settings that contradict each other are refused when a realm is
    /// opened, with a ``Realm/Error`` of the code `invalidInput`.
    @frozen
    public struct Configuration: Sendable {
        /// The file; nil for a realm in memory. Setting it clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }

        /// The name of a realm in memory; nil for a file. Setting it clears ``fileURL``.
        ///
        /// Realms of one process with the same name share their content, which is gone when the last of them is closed.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }

        /// The 64 bytes that the file is encrypted with; nil for a file that is not encrypted.
        ///
        /// A new file is encrypted with it; one that exists must have been. Everything in the file that is data is then encrypted and authenticated with
        /// AES-256-GCM: objects, the keys of indexes, the names of classes and properties. Make it of 64 random bytes, and keep it where nobody reads it:
        /// without it the file cannot be read by anybody. To change it, write a copy with another key.
        ///
        /// Opening throws `invalidInput` for another number of bytes and for a realm in memory, and `invalidDatabase` for a wrong key, for a missing one, and for a
        /// key of a file that is not encrypted. See `Docs/Encryption.md` for what it protects from, and what not.
        ///
        /// ```swift
        /// var key = Data(count: 64)
        /// key.withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] = .random(in: 0...255) } }
        /// let realm = try Realm(configuration: Realm.Configuration(fileURL: url, encryptionKey: key))
        /// ```
        public var encryptionKey: Data?

        /// Whether the realm can only be read. The file must exist and have all properties of the declared classes.
        public var readOnly: Bool

        /// The version of the declared classes. A file whose version is higher is refused.
        public var schemaVersion: UInt64

        /// Whether a file that would require a migration is deleted and made anew. **All data is lost then**; for development only.
        public var deleteRealmIfMigrationNeeded: Bool

        /// The classes that the realm manages; nil for all of the program's model classes.
        public var objectTypes: [ObjectBase.Type]?

        /// A configuration with the given settings.
        ///
        /// - Parameters:
        ///   - fileURL: See ``fileURL``; `default.realm` in the working directory if left out. Ignored if `inMemoryIdentifier` is given.
        ///   - inMemoryIdentifier: See ``inMemoryIdentifier``.
        ///   - encryptionKey: See ``encryptionKey``.
        ///   - readOnly: See ``readOnly``.
        ///   - schemaVersion: See ``schemaVersion``.
        ///   - deleteRealmIfMigrationNeeded: See ``deleteRealmIfMigrationNeeded``.
        ///   - objectTypes: See ``objectTypes``.
        public init(
            fileURL: URL? = URL(fileURLWithPath: "default.realm"), inMemoryIdentifier: String? = nil,
            encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0, deleteRealmIfMigrationNeeded: Bool = false, objectTypes: [ObjectBase.Type]? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.objectTypes = objectTypes
        }
    }
}

extension Realm.Configuration {
    private static let shared = Locked(Realm.Configuration())

    /// What realms are opened with that name no configuration. Any thread may read and set it.
    public static var defaultConfiguration: Realm.Configuration {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }
}

extension Realm.Configuration: Equatable {
    /// Whether both name the same file and open it in the same way; ``objectTypes`` and ``deleteRealmIfMigrationNeeded`` are not compared.
    public static func == (a: Realm.Configuration, b: Realm.Configuration) -> Bool {
        a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier && a.encryptionKey == b.encryptionKey
            && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The settings, one a line.
    public var description: String {
        """
        Realm.Configuration {
        \tfileURL = \(fileURL?.absoluteString ?? "nil");
        \tinMemoryIdentifier = \(inMemoryIdentifier ?? "nil");
        \tencryptionKey = \(encryptionKey.map { "\($0.count) bytes" } ?? "nil");
        \treadOnly = \(readOnly);
        \tschemaVersion = \(schemaVersion);
        \tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded);
        \tobjectTypes = \(objectTypes.map { "[" + $0.map { "\($0)" }.joined(separator: ", ") + "]" } ?? "nil");
        }
        """
    }
}
