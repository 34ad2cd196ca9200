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
    /// A value; changing it does not change realms that are open. Settings that contradict each
    /// other are refused when a realm is opened, with a ``Realm/Error`` of the code
    /// `invalidInput`.
    @frozen
    public struct Configuration: Sendable {
        /// The file; nil for a realm in memory. Setting it clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }

        /// The name of a realm in memory; nil for a file. Setting it clears ``fileURL``.
        ///
        /// Realms of one process with the same name share their content, which is gone when the
        /// last of them is closed.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }

        /// The 64 bytes that the file is encrypted with; nil for a file that is not encrypted.
        ///
        /// A new file is encrypted with it; one that exists must have been. Everything in the
        /// file that is data is then encrypted and authenticated with AES-256-GCM: objects, the
        /// keys of indexes, the names of classes and properties. Make it of 64 random bytes,
        /// and protect it like the data: without it nobody can read the file. To
        /// change it: ``Realm/changeEncryptionKey(of:to:)``.
        ///
        /// Opening throws `invalidInput` for another number of bytes and for a realm in memory,
        /// and `invalidDatabase` for a wrong key, for a missing one, and for a key of a file
        /// that is not encrypted; `encryptionUnavailable` for any key where the package's trait
        /// "Encryption" is off. See <doc:EncryptingFiles> for what it protects from, and what
        /// not.
        ///
        /// ```swift
        /// var key = Data(count: 64)
        /// key.withUnsafeMutableBytes { bytes in for index in bytes.indices { bytes[index] = .random(in: 0...255) } }
        /// let realm = try Realm(configuration: Realm.Configuration(fileURL: url, encryptionKey: key))
        /// ```
        public var encryptionKey: Data?

        /// Whether the realm can only be read. The file must exist and have all properties of
        /// the declared classes.
        public var readOnly: Bool

        /// The version of the declared classes. A file whose version is higher is refused; one
        /// whose version is lower is migrated: ``migrationBlock``.
        public var schemaVersion: UInt64

        /// What is called when a file's version rises to ``schemaVersion``; nil to leave it at
        /// what needs no program: properties are added and removed, and values converted where
        /// nothing is lost. Not called for new files.
        public var migrationBlock: MigrationBlock?

        /// Called now and then while a migration converts or enumerates many objects, on the
        /// thread that opens the realm. Keep it short. An addition to Realm.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Whether a file that would require a migration, or has a lower version, is deleted
        /// and made anew, without calling ``migrationBlock``. **All data is lost then**; for
        /// development only.
        public var deleteRealmIfMigrationNeeded: Bool

        /// Asked when the file is opened for the first time in this process: true compacts it
        /// before anybody reads it. Nil: never.
        ///
        /// It is given the bytes of the file, and how many of these are in use. The file is
        /// left as it is where another process has it open.
        ///
        /// ```swift
        /// configuration.shouldCompactOnLaunch = { total, used in total > 100 << 20 && used < total / 2 }
        /// ```
        ///
        /// Called on the thread that opens the realm. ``Realm/compact()`` compacts a file that
        /// is open.
        public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?

        /// The classes that the realm manages; nil for all of the program's model classes.
        public var objectTypes: [ObjectBase.Type]?

        /// The largest number of versions, from the oldest one that anybody reads to the
        /// newest, beyond which a commit fails. Nil: any number.
        ///
        /// Whoever keeps an old version, as frozen objects do and threads that do not refresh,
        /// keeps the space of all that was overwritten since from being used again. With a
        /// limit, the commit that finds more versions throws a ``Realm/Error`` of the code
        /// `tooManyReaders`, and nothing of it is written. Versions that other processes read
        /// count as those of this one.
        public var maximumNumberOfActiveVersions: UInt?

        /// A realm's file to begin with, copied into place if ``fileURL`` does not exist.
        /// Ignored if it does.
        ///
        /// The copy gets its name when it is whole and on the disk. A seed that is missing,
        /// damaged or no realm is an error, and leaves nothing.
        public var seedFilePath: URL?

        /// The file that it must be (``Realm/fileIdentifier``); nil for any. Not in Realm.
        ///
        /// Another file is refused with the code `unexpectedFile`, one that is encrypted with
        /// the same key, too; where there is none, none is created (`fileNotFound`).
        public var expectedFileIdentifier: UUID?

        /// The oldest state of the file that is accepted, a number that ``Realm/version`` once
        /// was; 0 for any. Not in Realm.
        ///
        /// A file whose newest commit is older is refused with the code `outdatedFile`:
        /// somebody has put an old copy in its place. Keep the number where who can replace the
        /// file cannot. Where there is no file, none is created (`fileNotFound`).
        public var minimumVersion: UInt64 = 0

        /// What a commit promises when the power fails. Not in Realm.
        public var durability: Realm.Durability = .full

        /// How long a write waits for other writers, of this process and of others; nil, as in
        /// Realm: as long as it takes. Not in Realm.
        ///
        /// A write that waited for longer throws a ``Realm/Error`` of the code
        /// `writeLockTimeout`, whose text names who holds the lock; nothing has changed then.
        /// `write` and `asyncWrite` throw it, the completion of `writeAsync` gets it;
        /// `beginWrite()`, which cannot throw, ends the process; `beginAsyncWrite` and opening
        /// a realm wait as long as it takes. ``Realm/changeEncryptionKey(of:to:)`` throws it,
        /// too. Zero: a write that would have to wait fails at once.
        ///
        /// The time that an asynchronous write waits for its own thread, queue or actor does
        /// not count. Realms that are one instance have the time of the one that was opened
        /// first.
        ///
        /// ```swift
        /// configuration.writeTimeout = .seconds(5)
        /// ```
        public var writeTimeout: Duration?

        /// A configuration with the given settings.
        ///
        /// - Parameters:
        ///   - fileURL: See ``fileURL``; `default.realm` in the working directory if left out.
        ///     Ignored if `inMemoryIdentifier` is given.
        ///   - inMemoryIdentifier: See ``inMemoryIdentifier``.
        ///   - encryptionKey: See ``encryptionKey``.
        ///   - readOnly: See ``readOnly``.
        ///   - schemaVersion: See ``schemaVersion``.
        ///   - migrationBlock: See ``migrationBlock``.
        ///   - deleteRealmIfMigrationNeeded: See ``deleteRealmIfMigrationNeeded``.
        ///   - shouldCompactOnLaunch: See ``shouldCompactOnLaunch``.
        ///   - objectTypes: See ``objectTypes``.
        ///   - seedFilePath: See ``seedFilePath``.
        public init(
            fileURL: URL? = URL(fileURLWithPath: "default.realm"),
            inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
            readOnly: Bool = false, schemaVersion: UInt64 = 0,
            migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
            shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
        ) {
            self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
            self.inMemoryIdentifier = inMemoryIdentifier
            self.encryptionKey = encryptionKey
            self.readOnly = readOnly
            self.schemaVersion = schemaVersion
            self.migrationBlock = migrationBlock
            self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
            self.shouldCompactOnLaunch = shouldCompactOnLaunch
            self.objectTypes = objectTypes
            self.seedFilePath = seedFilePath
        }
    }
}

extension Realm.Configuration {
    private static let shared = Locked(processWide: Realm.Configuration())

    /// What realms are opened with that name no configuration. Any thread may read and set it.
    public static var defaultConfiguration: Realm.Configuration {
        get { shared.withLock { $0 } }
        set { _ = shared.exchange(newValue) }
    }
}

extension Realm.Configuration: Equatable {
    /// Whether both name the same file and open it in the same way: what names the file,
    /// ``readOnly`` and ``schemaVersion`` are compared, as in Realm.
    public static func == (a: Realm.Configuration, b: Realm.Configuration) -> Bool {
        a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier
            && a.encryptionKey == b.encryptionKey
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
        \tshouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "nil" : "a closure");
        \tmaximumNumberOfActiveVersions = \(maximumNumberOfActiveVersions.map { "\($0)" } ?? "nil");
        \tseedFilePath = \(seedFilePath?.absoluteString ?? "nil");
        \texpectedFileIdentifier = \(expectedFileIdentifier?.uuidString ?? "nil");
        \tminimumVersion = \(minimumVersion);
        \tdurability = \(durability);
        \twriteTimeout = \(writeTimeout.map { "\($0)" } ?? "nil");
        \tobjectTypes = \(objectTypes.map { "[" + $0.map { "\($0)" }.joined(separator: ", ") + "]" } ?? "nil");
        }
        """
    }
}
