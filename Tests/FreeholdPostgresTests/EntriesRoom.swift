import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import PostgresServer
import SharingProgram
import Testing
import UpstreamConformance

/// A realm of entries, a proxy before its server, and files of machines: those of programs, and one
/// of the test's.
struct EntriesRoom {
    let schema: PostgresSchema
    let proxy: CuttingProxy
    let directory: TemporaryDirectory
    let name = "entries"

    /// - Parameter files: Those of machines that took part before.
    init(files: [String] = ["client.realm"]) async throws {
        schema = try await PostgresSchema()
        try await schema.upstream.create(name)
        proxy = try CuttingProxy(for: schema.server)
        directory = try TemporaryDirectory()
        let other = try await share("other.realm")
        try await other.writeShared { Entries.begin(in: $0) }
        await other.close()
        for file in files {
            let machine = try await share(file)
            try await machine.synchronize()
            await machine.close()
        }
    }

    func close() {
        proxy.close()
        directory.delete()
    }

    private var url: String { schema.server.url(sockets: proxy.sockets) }

    /// Starts a program by way of the proxy.
    func start(_ lines: [String]) throws -> ClientProcess {
        try ClientProcess(directory.file("client.realm"), at: url, schema, realm: name, lines)
    }

    /// Starts a program, and returns when it has opened its file.
    func open(_ file: String = "client.realm", clockOffset: Int = 0) async throws -> ClientProcess {
        try await ClientProcess.open(
            directory.file(file), at: url, schema, realm: name, clockOffset: clockOffset)
    }

    /// Starts a program that writes into a file, and does not share it.
    func openUnshared(_ file: String) async throws -> ClientProcess {
        try await ClientProcess.open(directory.file(file), at: "-", schema, realm: name)
    }

    /// Opens a file in this process, not by way of the proxy.
    func share(_ file: String) async throws -> SharedRealm {
        try await SharedRealm(
            Realm.Configuration(fileURL: directory.file(file), objectTypes: Entries.classes),
            upstream: schema.upstream, name: name)
    }

    /// The keys of entries in the log, in its order.
    func entriesOfLog() async throws -> [Int] {
        let reader = try await schema.upstream.connect(to: name, as: .random())
        let log = try await reader.allCommits()
        await reader.close()
        return try log.flatMap { entry in
            let commit = try #require(SharedCommit(decoding: entry.payload))
            return commit.inserted.compactMap { insertion -> Int? in
                guard insertion.object.className == "Entry",
                    case .integer(let key) = insertion.object.key
                else { return nil }
                return Int(key)
            }
        }
    }

    /// Expects that each write is done once, in the log and on all machines, and returns the
    /// places of entries by their keys.
    func judge(_ files: [String] = ["client.realm"]) async throws -> [Int: Int] {
        var machines: [SharedRealm] = []
        for file in files + ["other.realm"] { machines.append(try await share(file)) }
        for _ in 0..<2 {
            for machine in machines { try await machine.synchronize() }
        }
        let contents = try machines.map { try judgeContents(of: $0) }
        for others in contents.dropFirst() { #expect(others == contents[0]) }
        for machine in machines { await machine.close() }
        let log = try await entriesOfLog()
        #expect(log.count == Set(log).count, "An entry is in the log twice.")
        #expect(Set(log) == Set(contents[0].keys))
        if files.count == 1 { #expect(log == log.sorted(), "Not the order of the program.") }
        let places = log.compactMap { contents[0][$0] }.filter { $0 > 0 }
        #expect(places == places.sorted())
        return contents[0]
    }

    /// Expects that a file has each write once, and returns the places of entries by their keys.
    func judgeContents(of machine: SharedRealm) throws -> [Int: Int] {
        #expect(machine.status.isCaughtUp)
        let realm = try machine.realm()
        realm.refresh()
        #expect(try realm.check().isEmpty)
        let entries = Dictionary(
            realm.objects(Entry.self).map { ($0.key, $0.place) }, uniquingKeysWith: max)
        let shares = entries.values.filter { $0 > 0 }
        #expect(shares.sorted() == Array(1..<shares.count + 1))
        func count(_ kind: String) -> Int? {
            realm.object(ofType: Tally.self, forPrimaryKey: kind)?.count
        }
        #expect(count(Entries.shared) == shares.count)
        #expect(count(Entries.written) == entries.count - shares.count)
        return entries
    }
}
