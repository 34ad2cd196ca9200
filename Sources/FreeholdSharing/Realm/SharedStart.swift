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
    /// - Returns: The identity that the file gets; nil for one that is shared now.
    func prepare() async throws -> SharingState? {
        let (path, key) = try configuration.sharedFile()
        let isThere = FileManager.default.fileExists(atPath: path)
        if isThere {
            let catalog = try configuration.withStoredRealm {
                try $0.sharedStore.newestSnapshot().catalog
            }
            if catalog[TableDefinition.sharingName] != nil { return nil }
        }
        var identity = SharingState(name: name)
        let connection = try await upstream.connect(
            to: name,
            as: UpstreamClient(
                id: identity.client, previousToken: identity.previousToken,
                nextToken: identity.nextToken, name: options.clientName))
        identity.previousToken = identity.nextToken
        do {
            let isShared =
                isThere ? false : try await download(from: connection, to: path, key, identity)
            await connection.close()
            return isShared ? nil : identity
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Creates the file from a snapshot. The file gets its name once it is shared, so that its
    /// outbox has everything that programs write to it.
    ///
    /// - Returns: Whether there was a snapshot.
    private func download(
        from connection: any UpstreamConnection, to path: String, _ key: EncryptionKey?,
        _ identity: SharingState
    ) async throws -> Bool {
        guard let snapshot = try await connection.newestSnapshot() else { return false }
        if snapshot.isEncrypted != (key != nil) {
            throw SharingError(
                .damagedPayload,
                "The snapshot of '\(name)' is \(snapshot.isEncrypted ? "" : "not ")encrypted.",
                remedy: "Open all files of a shared realm with one key.")
        }
        let version = options.usesStoredClasses ? nil : configuration.schemaVersion
        try SharedFile.check(snapshot.schemaVersion, version, name)
        let temporary = try SharingLock.snapshotPath(besideFileAt: path)
        try await SnapshotFile.read(snapshot, from: connection, to: temporary) { done in
            options.onFirstSnapshot?(.init(done: done, total: snapshot.byteCount))
        }
        defer { SnapshotFile.delete(temporary) }
        try share(temporary, key, identity)
        try SharingError.onFile {
            try FileManager.default.moveItem(atPath: temporary, toPath: path)
        }
        return true
    }

    private func share(_ path: String, _ key: EncryptionKey?, _ identity: SharingState) throws {
        do {
            try begin(path, key, identity)
        } catch {
            if SharingError.isFull(error) { throw SharingError(ofFile: error) }
            throw SharingError(
                .damagedPayload, "The snapshot of '\(name)' cannot be read.",
                remedy: """
                    Give the key of the other files of the realm, or make another snapshot \
                    (makeSnapshot(), freehold share seed).
                    """, cause: "\(error)")
        }
    }

    /// Makes the snapshot a shared file. It is closed when this returns.
    private func begin(_ path: String, _ key: EncryptionKey?, _ identity: SharingState) throws {
        var options = Store.Options(path: path)
        // Of a file that is there.
        (options.minimumVersion, options.encryptionKey) = (1, key)
        let store = try Store.open(options)
        let snapshot = try store.newestSnapshot()
        if SharedSnapshotMark(in: snapshot) == nil {
            throw StorageError(.corrupted, "The file is no snapshot.", path: path)
        }
        // Programs of later versions have only added to it.
        if !self.options.usesStoredClasses,
            snapshot.catalog.schemaVersion ?? 0 > configuration.schemaVersion
        {
            let writeSet = try store.beginWrite(as: WriterIdentity())
            writeSet.isFromUpstream = true
            writeSet.setSchemaVersion(configuration.schemaVersion)
            _ = try store.commit(writeSet)
        }
        _ = try SharedFile(store, name: name, key: key, identity: identity)
    }
}
