import ArgumentParser
import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing
import FreeholdStorage

struct ShareSeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Stores a snapshot of a shared realm, with which files begin.",
        discussion: """
            Examples:
              freehold share seed postgresql://app@localhost/app orders
              freehold share seed postgresql://app@localhost/app orders --trim 30
              freehold share seed postgresql://app@localhost/app orders --key-file orders.key

            Makes a temporary file from the newest snapshot and the log, and stores it as the new \
            snapshot. With a key the snapshot is encrypted; the server never has the key.

            With --trim, commits and snapshots below it that are older than so many days are \
            dropped. A client that was away for longer begins again from the snapshot, and keeps \
            what it has not pushed.
            """)

    @OptionGroup var server: ServerArgument

    @Argument(help: ArgumentHelp("The realm.", valueName: "realm"))
    var name: String

    @Option(help: ArgumentHelp("Drop what is older.", valueName: "days"))
    var trim: Int?

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if let trim, !(0...36_500).contains(trim) {
            throw ValidationError("--trim must be between 0 and 36500.")
        }
    }

    private struct Answer: Encodable {
        var realm: String
        var sequence: Int64
        var byteCount: Int64
    }

    func run() throws {
        let age = trim.map { Duration.seconds($0 * 86_400) }
        let (upstream, name) = (server.upstream, name)
        let realm = try TemporaryClient(upstream, name, key: try key.data(), options).use {
            shared in
            try await shared.makeSnapshot()
            if let age { try await upstream.trim(name, olderThan: age) }
        }
        let output = Output(options)
        if options.json {
            try output.json(
                Answer(
                    realm: name, sequence: realm.snapshot?.sequence ?? 0,
                    byteCount: realm.snapshot?.byteCount ?? 0))
        } else {
            try output.line(
                """
                The snapshot is of commit \(grouped(Int(realm.snapshot?.sequence ?? 0))): \
                \(bytesText(Int(realm.snapshot?.byteCount ?? 0)))
                """)
        }
        try output.finish()
    }
}

struct ShareRotateEpochCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-epoch",
        abstract: "Begins a new epoch of a shared realm: a snapshot, and an empty log.",
        discussion: """
            Examples:
              freehold share rotate-epoch postgresql://app@localhost/app orders

            For servers that were restored from a backup, or lost the tokens of clients. The \
            server's state counts then: let clients that may have more connect before. They \
            begin an epoch by themselves.
            """)

    @OptionGroup var server: ServerArgument

    @Argument(help: ArgumentHelp("The realm.", valueName: "realm"))
    var name: String

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    private struct Answer: Encodable {
        var realm: String
        var epoch: Int64
        var head: Int64
    }

    func run() throws {
        let realm = try TemporaryClient(server.upstream, name, key: try key.data(), options).use {
            shared in try await shared.beginEpoch()
        }
        let output = Output(options)
        if options.json {
            try output.json(Answer(realm: name, epoch: realm.epoch, head: realm.head))
        } else {
            try output.line(
                "'\(name)' is in epoch \(realm.epoch), from commit \(grouped(Int(realm.head)))")
        }
        try output.finish()
    }
}

/// A client for the time of one command, with a file that is deleted afterwards.
private struct TemporaryClient {
    private let upstream: PostgresUpstream
    private let name: String
    private let key: Data?
    private let options: OutputOptions

    init(_ upstream: PostgresUpstream, _ name: String, key: Data?, _ options: OutputOptions) {
        self.options = options
        self.upstream = upstream
        self.name = name
        self.key = key
    }

    /// Runs `body` with a client that has all of the log. Returns what the server has then.
    func use(_ body: @escaping @Sendable (SharedRealm) async throws -> Void) throws
        -> PostgresUpstream.RealmEntry
    {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("freehold-share-\(UUID().uuidString)")
        // Nobody else may read the copy.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Realm.Configuration(
            fileURL: folder.appendingPathComponent("shared.realm"), encryptionKey: key)
        configuration.objectTypes = []
        let (upstream, name, options) = (upstream, name, options)
        return try waiting { [configuration] in
            var sharing = SharingOptions()
            sharing.usesStoredClasses = true
            let line = ProgressLine(options)
            defer { line.clear() }
            sharing.onFirstSnapshot = { part in
                line.show(part: Double(part.done) / Double(max(part.total, 1)), "snapshot")
            }
            let shared = try await SharedRealm(
                configuration, upstream: upstream, name: name, options: sharing)
            let progress = Task {
                for await status in shared.statusChanges {
                    if let part = status.snapshotProgress, part.total > 0 {
                        line.show(part: Double(part.done) / Double(part.total), "snapshot")
                    } else if status.behind > 0 {
                        line.show("\(status.behind) commits to read")
                    }
                }
            }
            defer { progress.cancel() }
            do {
                try await shared.synchronize()
                try await body(shared)
                await shared.close()
            } catch {
                await shared.close()
                throw error
            }
            let realm = try await upstream.realms().first { RealmName.areEqual($0.name, name) }
            guard let realm else {
                throw SharingError(
                    .unknownRealm, "The realm \"\(name)\" is gone.", remedy: "Look at the server.")
            }
            return realm
        }
    }
}
