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

        /// Whether the realm can only be read. The file must exist and have all properties of the declared classes.
        public var readOnly: Bool

        /// The version of the declared classes. A file whose version is higher is refused; one whose version is lower is migrated: ``migrationBlock``.
        public var schemaVersion: UInt64

        /// What is called when a file's version rises to ``schemaVersion``; nil to leave it at what needs no program: properties are added and removed, and values converted where
        /// nothing is lost. Not called for new files.
        public var migrationBlock: MigrationBlock?

        /// Called now and then while a migration converts or enumerates many objects, on the thread that opens the realm. Keep it short. An addition to Realm.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Whether a file that would require a migration, or has a lower version, is deleted and made anew, without calling ``migrationBlock``. **All data is lost then**; for development only.
        public var deleteRealmIfMigrationNeeded: Bool

        /// The classes that the realm manages; nil for all of the program's model classes.
        public var objectTypes: [ObjectBase.Type]?

        /// A configuration with the given settings.
        ///
        /// - Parameters:
        ///   - fileURL: See ``fileURL``; `default.realm` in the working directory if left out. Ignored if `inMemoryIdentifier` is given.
        ///   - inMemoryIdentifier: See ``inMemoryIdentifier``.
        ///   - readOnly: See ``readOnly``.
        ///   - schemaVersion: See ``schemaVersion``.
        ///   - migrationBlock: See ``migrationBlock``.
        ///   - deleteRealmIfMigrationNeeded: See ``deleteRealmIfMigrationNeeded``.
        ///   - objectTypes: See ``objectTypes``.
        public init(
            fileURL: URL? = URL(fileURLWithPath: "default.realm"), inMemoryIdentifier: String? = nil, readOnly: Bool = false,
            schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false, objectTypes: [ObjectBase.Type]? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
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
        a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The settings, one a line.
    public var description: String {
        """
        Realm.Configuration {
        \tfileURL = \(fileURL?.absoluteString ?? "nil");
        \tinMemoryIdentifier = \(inMemoryIdentifier ?? "nil");
        \treadOnly = \(readOnly);
        \tschemaVersion = \(schemaVersion);
        \tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded);
        \tobjectTypes = \(objectTypes.map { "[" + $0.map { "\($0)" }.joined(separator: ", ") + "]" } ?? "nil");
        }
        """
    }
}
