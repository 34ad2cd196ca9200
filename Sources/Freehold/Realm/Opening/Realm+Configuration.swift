public import Foundation
import FreeholdStorage

extension Realm {
    /// The file of a realm and the settings to open it with.
    ///
    /// ```swift
    /// var configuration = Realm.Configuration(fileURL: url, objectTypes: [Person.self, Dog.self])
    /// configuration.schemaVersion = 2
    /// let realm = try Realm(configuration: configuration)
    /// ```
    ///
    /// Changing a configuration does not affect open realms. Opening a realm throws a
    /// ``Realm/Error`` with the code `invalidInput` if settings contradict each other.
    @frozen
    public struct Configuration: Sendable {
        /// The file; nil for an in-memory realm. Setting it clears ``inMemoryIdentifier``.
        public var fileURL: URL? {
            didSet { if fileURL != nil { inMemoryIdentifier = nil } }
        }

        /// The name of an in-memory realm; nil for a file. Setting it clears ``fileURL``.
        ///
        /// Realms with the same name share their content within one process. The content is gone
        /// when the last of them is closed.
        public var inMemoryIdentifier: String? {
            didSet { if inMemoryIdentifier != nil { fileURL = nil } }
        }

        /// The 64-byte key of the file; nil for an unencrypted file.
        ///
        /// A new file is encrypted with it; an existing file must have been. All data in the
        /// file is then encrypted and authenticated with AES-256-GCM: objects, the keys of
        /// indexes, the names of classes and properties. Use 64 random bytes, and protect them
        /// like the data: the file cannot be read without the key.
        /// ``Realm/changeEncryptionKey(of:to:)`` changes it.
        ///
        /// Opening throws `invalidInput` for another number of bytes and for an in-memory realm.
        /// It throws `invalidDatabase` for a wrong key, a missing key, and a key for an
        /// unencrypted file. It throws `encryptionUnavailable` for any key if the package's
        /// trait "Encryption" is off. See <doc:EncryptingFiles> for what encryption protects
        /// from, and what not.
        ///
        /// ```swift
        /// var key = Data(count: 64)
        /// key.withUnsafeMutableBytes { bytes in
        ///     for index in bytes.indices { bytes[index] = .random(in: 0...255) }
        /// }
        /// let configuration = Realm.Configuration(fileURL: url, encryptionKey: key)
        /// let realm = try Realm(configuration: configuration)
        /// ```
        public var encryptionKey: Data?

        /// Whether the realm is read-only. The file must then exist and have all properties of
        /// the declared classes.
        public var readOnly: Bool

        /// The version of the declared classes. Opening rejects a file with a higher version,
        /// and migrates one with a lower version: see ``migrationBlock``.
        public var schemaVersion: UInt64

        /// The block to call when a file's version rises to ``schemaVersion``. Nil for the
        /// automatic changes only: properties are added and removed, and values are converted
        /// where nothing is lost. Not called for new files.
        public var migrationBlock: MigrationBlock?

        /// Called now and then while a migration converts or enumerates many objects, on the
        /// thread that opens the realm. Keep it short. Not in Realm.
        public var migrationProgress: (@Sendable (MigrationProgress) -> Void)?

        /// Whether opening deletes and recreates a file that requires a migration or has a lower
        /// version, without calling ``migrationBlock``. **All data is then lost.** For
        /// development only.
        public var deleteRealmIfMigrationNeeded: Bool

        /// Decides whether to compact the file when this process first opens it. Returning true
        /// compacts it before any reader. Nil never compacts.
        ///
        /// The arguments are the size of the file and its bytes in use. The file is not
        /// compacted while another process has it open.
        ///
        /// ```swift
        /// configuration.shouldCompactOnLaunch = { totalBytes, usedBytes in
        ///     totalBytes > 100 << 20 && usedBytes < totalBytes / 2
        /// }
        /// ```
        ///
        /// Called on the thread that opens the realm. ``Realm/compact()`` compacts an open file.
        public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?

        /// The classes that the realm manages; nil for all model classes of the program.
        public var objectTypes: [ObjectBase.Type]?

        /// The largest number of versions, from the oldest that has a reader to the newest. A
        /// commit beyond it fails. Nil for no limit.
        ///
        /// Frozen objects and threads that do not refresh keep old versions. Space that has been
        /// overwritten since the oldest one cannot be reused. With a limit, a commit that finds
        /// more versions throws a ``Realm/Error`` with the code `tooManyReaders` and writes
        /// nothing. Versions that other processes read count, too.
        public var maximumNumberOfActiveVersions: UInt?

        /// The initial file of the realm, copied to ``fileURL`` if no file exists there,
        /// otherwise ignored.
        ///
        /// The copy gets its name only when it is complete and on the disk. Opening throws if
        /// the seed is missing, damaged or not a realm, and leaves no file.
        public var seedFilePath: URL?

        /// The identifier that the file must have (``Realm/fileIdentifier``); nil for any. Not
        /// in Realm.
        ///
        /// Opening throws `unexpectedFile` for another file, even if it is encrypted with the
        /// same key, and `fileNotFound` if there is no file: none is created.
        public var expectedFileIdentifier: UUID?

        /// The oldest accepted state of the file: an earlier value of ``Realm/version``; 0 for
        /// any. Not in Realm.
        ///
        /// Opening throws `outdatedFile` if the file's newest commit is older: an old copy has
        /// replaced the file. Keep the number where those who can replace the file cannot change
        /// it. Throws `fileNotFound` if there is no file: none is created.
        public var minimumVersion: UInt64 = 0

        /// Which commits survive a power failure. Not in Realm.
        public var durability: Realm.Durability = .full

        /// How long a write waits for other writers of this and other processes. Nil, as in
        /// Realm, waits without a limit. Not in Realm.
        ///
        /// A write that waits longer throws a ``Realm/Error`` with the code `writeLockTimeout`.
        /// The error's text names the holder of the lock, and nothing has changed. A timeout of
        /// zero makes a write fail at once if it would have to wait.
        ///
        /// - `write`, `asyncWrite` and ``Realm/changeEncryptionKey(of:to:)`` throw the error.
        /// - The completion of `writeAsync` receives it.
        /// - `beginWrite()`, which cannot throw, ends the process.
        /// - `beginAsyncWrite` and opening a realm wait without a limit.
        ///
        /// The time that an asynchronous write waits for its own thread, queue or actor does not
        /// count. When opening returns an existing instance, that instance keeps its own
        /// timeout.
        ///
        /// ```swift
        /// configuration.writeTimeout = .seconds(5)
        /// ```
        public var writeTimeout: Duration?

        /// The history of transactions that the file is to keep; nil leaves the file's as it is.
        /// Not in Realm. See <doc:KeepingHistory>.
        ///
        /// The policy is stored in the file when a realm is opened for writing, and applies to the
        /// commits of all processes from then on. The configuration that was opened last counts,
        /// also where opening returns an existing instance. In a write transaction of that
        /// instance, opening with another policy throws `alreadyOpen`.
        ///
        /// ```swift
        /// configuration.history = .kept(for: .days(7))
        /// ```
        public var history: Realm.HistoryPolicy?

        /// Creates a configuration with the given settings.
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
        ///   - history: See ``history``.
        public init(
            fileURL: URL? = URL(fileURLWithPath: "default.realm"),
            inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
            readOnly: Bool = false, schemaVersion: UInt64 = 0,
            migrationBlock: MigrationBlock? = nil, deleteRealmIfMigrationNeeded: Bool = false,
            shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)? = nil,
            objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil,
            history: Realm.HistoryPolicy? = nil
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
            self.history = history
        }
    }
}

extension Realm.Configuration {
    private static let shared = Locked(processWide: Realm.Configuration())

    /// The configuration of realms that are opened without one. Any thread may read and set it.
    public static var defaultConfiguration: Realm.Configuration {
        get { shared.withLock { $0 } }
        set { _ = shared.exchange(newValue) }
    }
}

extension Realm.Configuration: Equatable {
    /// Whether both name the same file and open it in the same way. As in Realm, compares only
    /// the file's names, ``encryptionKey``, ``readOnly`` and ``schemaVersion``.
    public static func == (a: Realm.Configuration, b: Realm.Configuration) -> Bool {
        a.fileURL == b.fileURL && a.inMemoryIdentifier == b.inMemoryIdentifier
            && a.encryptionKey == b.encryptionKey
            && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The settings, one per line.
    public var description: String {
        let activeVersions = maximumNumberOfActiveVersions.map { "\($0)" } ?? "nil"
        let typeNames = objectTypes?.map { "\($0)" }.joined(separator: ", ")
        return """
            Realm.Configuration {
            \tfileURL = \(fileURL?.absoluteString ?? "nil");
            \tinMemoryIdentifier = \(inMemoryIdentifier ?? "nil");
            \tencryptionKey = \(encryptionKey.map { "\($0.count) bytes" } ?? "nil");
            \treadOnly = \(readOnly);
            \tschemaVersion = \(schemaVersion);
            \tdeleteRealmIfMigrationNeeded = \(deleteRealmIfMigrationNeeded);
            \tshouldCompactOnLaunch = \(shouldCompactOnLaunch == nil ? "nil" : "a closure");
            \tmaximumNumberOfActiveVersions = \(activeVersions);
            \tseedFilePath = \(seedFilePath?.absoluteString ?? "nil");
            \texpectedFileIdentifier = \(expectedFileIdentifier?.uuidString ?? "nil");
            \tminimumVersion = \(minimumVersion);
            \tdurability = \(durability);
            \twriteTimeout = \(writeTimeout.map { "\($0)" } ?? "nil");
            \thistory = \(history.map { "\($0)" } ?? "nil");
            \tobjectTypes = \(typeNames.map { "[\($0)]" } ?? "nil");
            }
            """
    }
}
