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
    /// - Returns: The identity that the file gets; nil for one that is shared already.
    func prepare() async throws -> SharingState? {
        let (path, key) = try configuration.sharedFile()
        let isThere = FileManager.default.fileExists(atPath: path)
        if isThere {
            let isShared = try withNewestSnapshot {
                $0.catalog[TableDefinition.sharingName] != nil
            }
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
        let temporary = SnapshotFile.path(for: path)
        try await SnapshotFile.read(snapshot, from: connection, to: temporary) { _ in }
        do {
            try SharingError.onFile {
                try FileManager.default.moveItem(atPath: temporary, toPath: path)
            }
        } catch {
            SnapshotFile.delete(temporary)
            throw error
        }
        do {
            try checkSnapshot()
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

    private func checkSnapshot() throws {
        if try withNewestSnapshot({ SharedSnapshotMark(in: $0) }) == nil {
            throw StorageError(.corrupted, "The file is no snapshot.")
        }
    }

    /// Looks at the file with the classes that it has. On a queue of its own: where the program
    /// calls, it may have the file open with its own classes.
    private func withNewestSnapshot<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        let queue = DispatchQueue(label: "Freehold.sharing.start")
        return try queue.sync {
            let realm = try Realm.withStoredClasses(configuration, queue: queue)
            do { return try body(realm.sharedStore.newestSnapshot()) } catch let error
                as StorageError
            {
                throw Realm.Error(error)
            }
        }
    }
}
