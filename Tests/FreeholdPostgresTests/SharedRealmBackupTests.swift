import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import PostgresServer
import SharingProgram
import Testing

/// Backups with `pg_dump`, restored into another database, from which clients go on.
@Suite(.needsPostgres, .timeLimit(.minutes(10)))
struct SharedRealmBackupTests {
    private let schema: PostgresSchema
    private let directory: TemporaryDirectory

    init() async throws {
        schema = try await PostgresSchema()
        try await schema.upstream.create("entries")
        directory = try TemporaryDirectory()
    }

    private func open(_ file: String, _ upstream: PostgresUpstream) async throws -> SharedRealm {
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.1)
        return try await SharedRealm(
            Realm.Configuration(
                fileURL: directory.file(file), objectTypes: Entries.classes),
            upstream: upstream, name: "entries", options: options)
    }

    private func write(_ keys: ClosedRange<Int>, _ shared: SharedRealm) async throws {
        try await MainActor.run {
            let realm = try shared.realm()
            for key in keys { try realm.write { Entries.write(key, in: realm) } }
        }
        try await shared.synchronize()
    }

    private func keys(_ shared: SharedRealm) async throws -> [Int] {
        try await shared.synchronize()
        return try await MainActor.run {
            try shared.realm().objects(Entry.self).map(\.key).sorted()
        }
    }

    /// - Returns: The restored realms.
    private func restore(_ options: [String] = []) async throws -> PostgresUpstream {
        let url = try await schema.server.restore(
            schema: schema.name, into: "restored_" + schema.name, options)
        return .postgres(url, schema: schema.name)
    }

    /// Nothing was committed since.
    @Test func anotherServer() async throws {
        let one = try await open("one", schema.upstream)
        try await one.writeShared { Entries.begin(in: $0) }
        try await write(1...3, one)
        try await one.makeSnapshot()
        try await write(4...5, one)
        await one.close()
        let restored = try await restore()
        let again = try await open("one", restored)
        try await write(6...6, again)
        let new = try await open("new", restored)
        #expect(try await keys(new) == Array(1...6))
        #expect(try await restored.realms().first?.epoch == 1)
        await again.close()
        await new.close()
        directory.delete()
    }

    /// Commits since the backup are in the files. The newest one connects first.
    @Test func olderThanTheFiles() async throws {
        let (one, two) = (
            try await open("one", schema.upstream), try await open("two", schema.upstream)
        )
        try await one.writeShared { Entries.begin(in: $0) }
        try await write(1...3, one)
        try await write(4...4, two)
        // All logs reach back to 0.
        let restored = try await restore([
            "--exclude-table-data=\(schema.name).snapshot",
            "--exclude-table-data=\(schema.name).piece",
        ])
        try await write(5...6, one)
        try await write(7...8, two)
        await one.close()
        await two.close()
        let newest = try await open("two", restored)
        #expect(try await keys(newest) == Array(1...8))
        let other = try await open("one", restored)
        try await write(9...9, other)
        #expect(try await keys(newest) == Array(1...9))
        let new = try await open("new", restored)
        #expect(try await keys(new) == Array(1...9))
        let rejected = try await MainActor.run {
            try SharedFileStatus(of: other.realm())?.rejected
        }
        #expect(rejected == 0)
        #expect(try await restored.realms().first?.epoch == 2)
        for shared in [newest, other, new] { await shared.close() }
        directory.delete()
    }
}
