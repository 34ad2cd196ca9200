package import Dispatch
package import Foundation
package import Freehold
package import FreeholdStorage

/// A realm file that is looked at without model classes: the file describes its own content.
///
/// Keeps the file open. Any thread may use it; the realms that it opens are confined as all are.
package struct InspectedFile: Sendable {
    package let store: Store
    /// For realms of the file.
    package let configuration: Realm.Configuration

    /// Opens an existing file, which may be in use by other processes.
    ///
    /// - Parameters:
    ///   - key: The 64 bytes of the key of an encrypted file.
    ///   - isWritable: Whether transactions may be begun. Otherwise nothing is ever written.
    /// - Throws: The reason, among them `fileNotFound`, `notAnEnvironment`, `truncated`,
    ///   `encryptionKeyMissing`, `encryptionKeyWrong` and `newerFormat`.
    package init(path: String, key: Data? = nil, isWritable: Bool = false) throws {
        try Self.checkExists(path)
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path), encryptionKey: key)
        configuration.readOnly = !isWritable
        configuration.objectTypes = []
        // A missing file is not created.
        configuration.minimumVersion = 1
        self.configuration = configuration
        var options = Store.Options(path: path)
        options.isReadOnly = !isWritable
        options.minimumVersion = 1
        if let key {
            guard let checked = EncryptionKey(key) else {
                throw InspectionError(
                    "A key has 64 bytes, and this one has \(key.count).",
                    remedy: "Give the file that the key was saved in, without line breaks.")
            }
            options.encryptionKey = checked
        }
        store = try Store.open(options)
    }

    /// Throws if there is no file. Opening it for writing would leave the files beside it behind.
    package static func checkExists(_ path: String) throws(StorageError) {
        if FileManager.default.fileExists(atPath: path) { return }
        throw StorageError(
            .fileNotFound, "\"\(path)\" does not exist. Check the path; nothing was created.",
            path: path)
    }

    package var path: String { store.path }

    /// The author of the command's transactions, for files that keep a history.
    package static let author = "freehold"

    /// The newest version.
    package func snapshot() throws -> Snapshot { try store.newestSnapshot() }

    /// A realm for the calling thread or queue, with the classes of the file.
    package func realm(queue: DispatchQueue? = nil) throws -> Realm {
        try Realm.withStoredClasses(configuration, queue: queue)
    }

    /// A realm for the caller's actor, with the classes of the file.
    package func realm(actor: isolated any Actor) throws -> Realm {
        try Realm.withStoredClasses(configuration, actor: actor)
    }
}

/// What a person did wrong, or a file does not allow: what happened and what to do.
package struct InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package let remedy: String?

    package init(_ message: String, remedy: String? = nil) {
        self.message = message
        self.remedy = remedy
    }

    package var description: String {
        [message, remedy].compactMap(\.self).joined(separator: "\n")
    }
}

extension Catalog {
    /// The class with a name.
    ///
    /// - Throws: An error that names the most similar class, or all of a few.
    package func inspected(_ name: String) throws(InspectionError) -> TableDefinition {
        if let found = self[name], !found.isInternal { return found }
        let names = classTables.map(\.name).sorted()
        let similar =
            names.first { $0.lowercased() == name.lowercased() }
            ?? names.first { $0.lowercased().hasPrefix(name.lowercased()) }
        let remedy: String
        if let similar {
            remedy = "Did you mean '\(similar)'?"
        } else if names.isEmpty {
            remedy = "The file has no classes."
        } else {
            remedy =
                "It has: " + names.prefix(20).joined(separator: ", ")
                + (names.count > 20 ? " and \(names.count - 20) more." : ".")
        }
        throw InspectionError("The file has no class '\(name)'.", remedy: remedy)
    }
}

extension TableDefinition {
    /// The property with a name.
    package func inspected(property name: String) throws(InspectionError) -> ColumnDefinition {
        if let found = self[name] { return found }
        let names = columns.map(\.name)
        let similar = names.first { $0.lowercased() == name.lowercased() }
        throw InspectionError(
            "\(self.name) has no property '\(name)'.",
            remedy: similar.map { "Did you mean '\($0)'?" }
                ?? "It has: \(names.joined(separator: ", ")).")
    }
}

extension Store {
    /// Begins a transaction by ``InspectedFile/author``. Waits for the write lock.
    package func beginCommandWrite() throws(StorageError) -> WriteSet {
        let writeSet = try beginWrite()
        writeSet.author = InspectedFile.author
        return writeSet
    }
}
