import Dispatch
import Foundation
import Freehold
import FreeholdStorage

/// Runs a migration that does more than to add classes and properties, or that changes objects:
/// once for all machines, when a program with a higher schema version opens a shared file.
///
/// The client gets all of the log, pushes what is pending, migrates a copy of S(n), and begins an
/// epoch with it, unless somebody has committed meanwhile. Other machines take the copy as their
/// S(n). So no two machines convert values, or make objects, each in its way, and the order of
/// commits stays that of the log.
///
/// Whatever fails, and wherever the program ends, the file is as before, or has the migrated epoch.
struct SharedMigration {
    private let configuration: Realm.Configuration
    private let upstream: any Upstream
    private let name: String
    private let options: SharingOptions
    private let lock: SharingLock

    init(
        _ configuration: Realm.Configuration, _ upstream: any Upstream, _ name: String,
        _ options: SharingOptions, _ lock: SharingLock
    ) {
        self.configuration = configuration
        self.upstream = upstream
        self.name = name
        self.options = options
        self.lock = lock
    }

    /// Migrates the file if it is shared and needs that.
    func run() async throws {
        if options.usesStoredClasses { return }
        var attempts = 0
        while let reason = try await reasonToMigrate(isFirst: attempts == 0) {
            attempts += 1
            if attempts - 1 > options.mostConflicts {
                throw SharingError(
                    .tooManyConflicts,
                    "Others committed each time that a migration of '\(name)' was tried.",
                    remedy: "Try again when there are fewer writes.", cause: "\(reason)")
            }
            var options = options
            // Commits of others come while the snapshot is written, each time.
            if attempts > options.seededEpochAttempts { options.seededEpochAttempts = 0 }
            let agent = SharingAgent(
                configuration, upstream, name, options, lock, usesStoredClasses: true,
                // Programs that open the file again and again would wait anew each time.
                isPatient: true)
            try await agent.open(nil)
            let work = Task.detached { await agent.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await migrate(agent))
            } catch {
                result = .failure(error)
            }
            agent.close()
            await work.value
            try result.get()
        }
    }

    /// Why the program cannot open the file as it is; nil if it can. A migration that only adds is
    /// done here.
    private func reasonToMigrate(isFirst: Bool) async throws -> (any Error)? {
        guard let version = try sharedSchemaVersion() else { return nil }
        do {
            let queue = DispatchQueue(label: "Freehold.sharing.migration")
            // Threads of the library may still have the file with the former classes: the agent of
            // the last attempt was closed a moment ago.
            try Environment.patiently(
                for: isFirst ? .zero : .seconds(5), { ($0 as? Realm.Error)?.code == .alreadyOpen }
            ) { try queue.sync { _ = try Realm(configuration: configuration, queue: queue) } }
            return nil
        } catch let error as Realm.Error
            where error.code == .schemaMismatch && version < configuration.schemaVersion
        {
            return error
        }
    }

    /// The schema version of a file that is shared; nil for others.
    private func sharedSchemaVersion() throws -> UInt64? {
        if !FileManager.default.fileExists(atPath: try configuration.sharedFile().path) {
            return nil
        }
        let catalog = try configuration.withStoredRealm {
            try $0.sharedStore.newestSnapshot().catalog
        }
        return catalog[TableDefinition.sharingName] == nil ? nil : catalog.schemaVersion ?? 0
    }

    // MARK: One attempt

    private func migrate(_ agent: SharingAgent) async throws {
        let former = try await agent.onQueue { agent.core?.file.state.schemaVersion }
        try await agent.synchronize()
        // Another machine was first.
        if try await agent.onQueue({ agent.core?.file.state.schemaVersion }) != former { return }
        let path = try SharingLock.migrationPath(
            besideFileAt: try configuration.sharedFile().path)
        SnapshotFile.delete(path)
        defer { SnapshotFile.delete(path) }
        let made = try await agent.onQueue { try agent.core?.makeSnapshot(at: path) }
        guard let made else { throw SharingAgent.closed }
        try await agent.onQueue { [self] in try migrate(made, at: path, on: agent.queue) }
        try await agent.beginEpoch(
            with: .init(
                path: path, epoch: made.epoch, sequence: made.sequence,
                isEncrypted: try configuration.sharedFile().key != nil))
        // Until the snapshot of the epoch is written, by this client or another.
        try await agent.synchronize()
    }

    private func migrate(
        _ made: SharedFile.MadeSnapshot, at path: String, on queue: DispatchQueue
    ) throws {
        var copy = configuration
        (copy.fileURL, copy.seedFilePath) = (URL(fileURLWithPath: path), nil)
        (copy.history, copy.shouldCompactOnLaunch) = (nil, nil)
        copy.deleteRealmIfMigrationNeeded = false
        var options = Store.Options(path: path)
        options.encryptionKey = try configuration.sharedFile().key
        let store = try Store.open(options)
        if try store.newestSnapshot().catalog.schemaVersion == nil {
            let writeSet = try store.beginWrite(as: WriterIdentity())
            writeSet.setSchemaVersion(made.schemaVersion)
            _ = try store.commit(writeSet)
        }
        let realm = try Realm(configuration: copy, queue: queue)
        try realm.checkClassesAreShareable()
        try SharedSnapshotMark.setSchemaVersion(
            configuration.schemaVersion, in: realm.sharedStore)
    }
}
