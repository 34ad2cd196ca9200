import Foundation
import Freehold
import FreeholdStorage

/// Gets what a file begins with.
struct SharedStart {
    private let configuration: Realm.Configuration
    private let upstream: any Upstream
    private let name: String
    private let options: SharingOptions

    init(
        _ configuration: Realm.Configuration, _ upstream: any Upstream, _ name: String,
        _ options: SharingOptions
    ) {
        self.configuration = configuration
        self.upstream = upstream
        self.name = name
        self.options = options
    }

    /// Makes the file of the newest snapshot, if there is no file and there is one.
    ///
    /// - Returns: The identity that the file gets; nil for one that is shared already.
    func prepare() async throws -> SharingState? {
        let (path, key) = try configuration.sharedFile()
        let isThere = FileManager.default.fileExists(atPath: path)
        if isThere {
            let realm = try Realm.withStoredClasses(
                configuration, queue: nil)
            let isShared =
                try realm.sharedStore.newestSnapshot().catalog[TableDefinition.sharingName] != nil
            if isShared { return nil }
        }
        var identity = SharingState(name: name)
        let connection = try await upstream.connect(
            to: name,
            as: UpstreamClient(
                id: identity.client, previousToken: identity.previousToken,
                nextToken: identity.nextToken, name: options.clientName))
        identity.previousToken = identity.nextToken
        do {
            if !isThere { try await download(from: connection, to: path, key) }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return identity
    }

    private func download(
        from connection: any UpstreamConnection, to path: String, _ key: EncryptionKey?
    ) async throws {
        guard let snapshot = try await connection.newestSnapshot() else { return }
        if snapshot.isEncrypted != (key != nil) {
            throw SharingError(
                .damagedPayload,
                "The snapshot of '\(name)' is \(snapshot.isEncrypted ? "" : "not ")encrypted.",
                remedy: "Open all files of a shared realm with one key.")
        }
        let temporary = try SharingLock.snapshotPath(besideFileAt: path)
        try await SnapshotFile.read(snapshot, from: connection, to: temporary) { _ in }
        do {
            try FileManager.default.moveItem(atPath: temporary, toPath: path)
        } catch {
            SnapshotFile.delete(temporary)
            throw error
        }
        do {
            try checkSnapshot()
        } catch {
            // Otherwise it would be taken for the program's own file from now on.
            SnapshotFile.delete(path)
            throw SharingError(
                .damagedPayload, "The snapshot of '\(name)' cannot be read.",
                remedy: """
                    Give the key of the other files of the realm, or make another snapshot \
                    (makeSnapshot(), freehold share seed).
                    """, cause: "\(error)")
        }
    }

    private func checkSnapshot() throws {
        let realm = try Realm.withStoredClasses(configuration, queue: nil)
        let snapshot = try realm.sharedStore.newestSnapshot()
        if SharedSnapshotMark(in: snapshot) == nil {
            throw StorageError(
                .corrupted, "The file is no snapshot.", path: realm.sharedStore.path)
        }
    }
}
