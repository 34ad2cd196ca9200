import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdPostgres
import FreeholdSharing

struct ShareStatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the realms of a server, or what a file waits for.",
        discussion: """
            Examples:
              freehold share status postgresql://app@localhost/app
              freehold share status postgresql://app@localhost/app orders
              freehold share status orders.realm

            Of a server: the realms that the user may read, with the size of their logs. Of one \
            realm: its clients, too, and how far each has pushed. Of a file: which realm it is \
            shared as, the commit of the log that it has, and what it has not pushed.

            Exits with 1 if the file is not shared.
            """)

    @Argument(
        help: ArgumentHelp("The server (postgresql://…), or a realm's file.", valueName: "where"))
    var place: String

    @Argument(help: ArgumentHelp("The realm of the server.", valueName: "realm"))
    var name: String?

    @OptionGroup var tables: SchemaOption
    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    private var isServer: Bool {
        // Any scheme: what is taken for a file is printed, and a URL may have a password.
        place.contains("://")
            || (place.contains("=") && !FileManager.default.fileExists(atPath: place))
    }

    func run() throws {
        if isServer { return try showServer() }
        if name != nil { throw ValidationError("A file is of one realm: leave the name out.") }
        try showFile()
    }

    // MARK: A server

    private struct RealmJSON: Encodable {
        var realm: String
        var epoch: Int64
        var head: Int64
        var floor: Int64
        var commitCount: Int64
        var byteCount: Int64
        var snapshot: Int64?
        var snapshotByteCount: Int64?
        var clients: [ClientJSON]?
    }

    private struct ClientJSON: Encodable {
        var id: String
        var name: String
        var lastSequence: Int64
        var seen: String
    }

    private func showServer() throws {
        let (upstream, name) = (tables.upstream(place), name)
        var realms = try waiting { try await upstream.realms() }
        if let name { realms.removeAll { !RealmName.areEqual($0.name, name) } }
        let clients = try name.map { name in
            try waiting { try await upstream.clients(of: name) }
        }
        if let name, realms.isEmpty {
            throw SharingError(
                .unknownRealm, "The server has no realm \"\(name)\" that this user may read.",
                remedy: "freehold share init URL \(name) makes it.")
        }
        let output = Output(options)
        if options.json {
            for realm in realms { try output.json(json(realm, clients)) }
            return try output.finish()
        }
        var table = TextTable(
            [
                .init(title: "realm"), .init(title: "epoch", isRight: true),
                .init(title: "head", isRight: true), .init(title: "commits", isRight: true),
                .init(title: "log", isRight: true), .init(title: "snapshot", isRight: true),
                .init(title: "of", isRight: true),
            ], output, options)
        for realm in realms {
            try table.add([
                realm.name, "\(realm.epoch)", grouped(Int(realm.head)),
                grouped(Int(realm.commitCount)), bytesText(Int(realm.byteCount)),
                realm.snapshot.map { grouped(Int($0.sequence)) } ?? "none",
                realm.snapshot.map { bytesText(Int($0.byteCount)) } ?? "",
            ])
        }
        try table.finish()
        if let clients { try show(clients, output) }
        try output.finish()
    }

    private func json(
        _ realm: PostgresUpstream.RealmEntry, _ clients: [PostgresUpstream.ClientEntry]?
    ) -> RealmJSON {
        RealmJSON(
            realm: realm.name, epoch: realm.epoch, head: realm.head, floor: realm.floor,
            commitCount: realm.commitCount, byteCount: realm.byteCount,
            snapshot: realm.snapshot?.sequence, snapshotByteCount: realm.snapshot?.byteCount,
            clients: clients?.map {
                ClientJSON(
                    id: $0.id.uuidString, name: $0.name, lastSequence: $0.lastSequence,
                    seen: $0.seen.formatted(.iso8601))
            })
    }

    private func show(_ clients: [PostgresUpstream.ClientEntry], _ output: Output) throws {
        try output.line()
        var table = TextTable(
            [
                .init(title: "client"), .init(title: "pushed", isRight: true),
                .init(title: "connected"), .init(title: "id"),
            ], output, options)
        for client in clients {
            try table.add([
                client.name, grouped(Int(client.lastSequence)),
                client.seen.formatted(.iso8601), client.id.uuidString.lowercased(),
            ])
        }
        try table.finish()
    }

    // MARK: A file

    private struct FileJSON: Encodable {
        var realm: String
        var epoch: Int64
        var applied: Int64
        var pending: Int
        var rejected: Int
        var client: String
    }

    private func showFile() throws {
        let file = try InspectedFile(path: place, key: try key.data())
        guard let shared = try SharedFileStatus(of: file.realm()) else {
            printError("\(place): the file is not shared.")
            throw ExitCode.no
        }
        let output = Output(options)
        if options.json {
            try output.json(
                FileJSON(
                    realm: shared.name, epoch: shared.epoch, applied: shared.applied,
                    pending: shared.pending, rejected: shared.rejected,
                    client: shared.client.uuidString))
        } else {
            try output.line(
                """
                \(place) is shared as '\(shared.name)': it has commit \
                \(grouped(Int(shared.applied))) of epoch \(shared.epoch)
                """)
            try output.line(
                """
                \(counted(shared.pending, "commit")) to be pushed, \
                \(counted(shared.rejected, "rejection")) that no program has read
                """)
            try output.line(options.style.dim("client \(shared.client.uuidString.lowercased())"))
        }
        try output.finish()
    }
}
