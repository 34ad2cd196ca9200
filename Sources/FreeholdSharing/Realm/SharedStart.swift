import Dispatch
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
        var isSnapshot = false
        if isThere {
            let catalog = try configuration.withStoredRealm {
                try $0.sharedStore.newestSnapshot().catalog
            }
            if catalog[TableDefinition.sharingName] != nil { return nil }
            // The program ended between its arrival and its use.
            isSnapshot = catalog.isSharedSnapshot
        }
        var identity = SharingState(name: name)
        let connection = try await upstream.connect(
            to: name,
            as: UpstreamClient(
                id: identity.client, previousToken: identity.previousToken,
                nextToken: identity.nextToken, name: options.clientName))
        identity.previousToken = identity.nextToken
        do {
            if !isThere { isSnapshot = try await download(from: connection, to: path, key) }
            if isSnapshot { try useSnapshot(at: path, key, identity) }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
        return isSnapshot ? nil : identity
    }

    /// Whether there was a snapshot.
    private func download(
        from connection: any UpstreamConnection, to path: String, _ key: EncryptionKey?
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
        do {
            try SharingError.onFile {
                try FileManager.default.moveItem(atPath: temporary, toPath: path)
            }
        } catch {
            SnapshotFile.delete(temporary)
            throw error
        }
        return true
    }

    private func useSnapshot(at path: String, _ key: EncryptionKey?, _ identity: SharingState)
        throws
    {
        do {
            try begin(key, identity)
        } catch {
            // Otherwise it would be taken for the program's own file from now on.
            SnapshotFile.delete(path)
            if SharingError.isFull(error) { throw SharingError(ofFile: error) }
            throw SharingError(
                .damagedPayload, "The snapshot of '\(name)' cannot be read.",
                remedy: """
                    Give the key of the other files of the realm, or make another snapshot \
                    (makeSnapshot(), freehold share seed).
                    """, cause: "\(error)")
        }
    }

    /// Makes the snapshot a shared file.
    private func begin(_ key: EncryptionKey?, _ identity: SharingState) throws {
        try configuration.withStoredRealm { realm in
            let store = realm.sharedStore
            let snapshot = try store.newestSnapshot()
            if SharedSnapshotMark(in: snapshot) == nil {
                throw StorageError(.corrupted, "The file is no snapshot.", path: store.path)
            }
            // Programs of later versions have only added to it.
            if !options.usesStoredClasses,
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
}
