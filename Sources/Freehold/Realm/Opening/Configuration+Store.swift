import Foundation
import FreeholdStorage

extension Realm.Configuration {
    /// The options that the storage layer is opened with.
    ///
    /// - Throws: ``Realm/Error`` with the code `invalidInput` if settings contradict each other.
    func storeOptions() throws(Realm.Error) -> Store.Options {
        if deleteRealmIfMigrationNeeded, readOnly {
            throw invalidInput("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
        }
        if shouldCompactOnLaunch != nil, readOnly {
            throw invalidInput("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
        }
        if let seedFilePath, !seedFilePath.isFileURL {
            throw invalidInput(
                "The seed '\(seedFilePath)' does not name a file: use URL(fileURLWithPath:).")
        }
        if schemaVersion == .max {
            throw invalidInput("Cannot set schema version to \(schemaVersion) (RLMNotVersioned)")
        }
        var options = Store.Options(path: try path())
        options.isReadOnly = readOnly
        options.isTemporary = inMemoryIdentifier != nil
        options.durability = Environment.Durability(durability)
        options.seedPath = seedFilePath?.path
        options.expectedIdentifier = expectedFileIdentifier.map { UniqueIdentifier($0) }
        options.minimumVersion = minimumVersion
        if inMemoryIdentifier != nil { options.encryptionKey = nil }
        if let encryptionKey {
            guard let key = EncryptionKey(encryptionKey) else {
                throw invalidInput("Encryption key must be exactly 64 bytes long")
            }
            if inMemoryIdentifier != nil {
                throw invalidInput("Encryption is not supported for in-memory realms")
            }
            options.encryptionKey = key
        }
        return options
    }

    private func invalidInput(_ message: String) -> Realm.Error {
        Realm.Error(.invalidInput, message, fileURL: fileURL)
    }

    /// The path of the file; in-memory realms have one, too.
    func path() throws(Realm.Error) -> String {
        if let inMemoryIdentifier {
            if inMemoryIdentifier.isEmpty {
                throw invalidInput("In-memory identifier must not be empty")
            }
            if readOnly {
                throw invalidInput(
                    """
                    A realm in memory starts empty and cannot be read-only: leave \
                    `readOnly` or `inMemoryIdentifier` out.
                    """)
            }
            return try Realm.Configuration.inMemoryPath(inMemoryIdentifier)
        }
        guard let fileURL else {
            throw invalidInput(
                "A Realm Configuration must specify a path or an in-memory identifier.")
        }
        guard fileURL.isFileURL else {
            throw invalidInput("'\(fileURL)' does not name a file: use URL(fileURLWithPath:).")
        }
        guard !fileURL.path.isEmpty else { throw invalidInput("Realm path must not be empty") }
        return fileURL.path
    }

    /// In-memory realms are files without syncing in a directory private to the user
    /// (``InMemoryDirectory``). The name contains the process's number, so that processes do not
    /// share them, and the identifier, in hexadecimal digits if it is not a plain word.
    private static func inMemoryPath(_ identifier: String) throws(Realm.Error) -> String {
        let directory = try InMemoryDirectory.path()
        removeLeftovers(directory)
        let process = ProcessInfo.processInfo.processIdentifier
        return "\(directory)/\(process)-\(fileNamePart(identifier)).realm"
    }

    private static let hasRemovedLeftovers = Locked(processWide: false)

    /// Removes the in-memory realms of killed processes, once in each process. The locks protect
    /// a realm that a process has open, even if that process's number is different here.
    private static func removeLeftovers(_ directory: String) {
        if hasRemovedLeftovers.withLock({ done in
            defer { done = true }; return done
        }) {
            return
        }
        let own = "\(ProcessInfo.processInfo.processIdentifier)-"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {
            guard name.hasSuffix(".realm"), !name.hasPrefix(own) else { continue }
            _ = try? Environment.removeFiles(at: directory + "/" + name)
        }
    }

    private static func fileNamePart(_ identifier: String) -> String {
        let isPlain =
            identifier.utf8.count <= 100
            && identifier.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
        if isPlain { return identifier }
        if identifier.utf8.count <= 100 {
            return "_"
                + identifier.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined()
        }
        // Longer than a file name may be: two independent 64-bit hashes (FNV-1a) instead.
        func hash(_ seed: UInt64) -> String {
            String(identifier.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
        }
        return "__" + hash(0xcbf2_9ce4_8422_2325) + hash(0x6c62_272e_07bb_0142)
    }
}
