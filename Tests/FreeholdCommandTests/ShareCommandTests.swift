import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing

private final class Book: Object {
    override class func _realmObjectName() -> String? { "Book" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var isbn = ""
    @Persisted var title = ""
    @Persisted var copies = 0
    @Persisted var tags: List<String>
}

/// `share`, with a server of PostgreSQL.
@Suite(
    .enabled(
        if: PostgresServer.isInstalled,
        "Needs Debian's package postgresql: apt-get install postgresql."))
struct ShareCommandTests {
    private func withServer(
        _ body: (Desk, PostgresServer, String) async throws -> Void
    ) async throws {
        let server = try await PostgresServer()
        let desk = try Desk()
        try await body(desk, server, server.url())
        desk.delete()
        await server.delete()
    }

    private func share(_ desk: Desk, _ name: String, _ url: String) async throws -> SharedRealm {
        try await SharedRealm(
            Realm.Configuration(
                fileURL: desk.directory.file(name), encryptionKey: desk.key,
                objectTypes: [Book.self]),
            upstream: .postgres(url), name: "books")
    }

    /// Three commits, of one client.
    private func fill(_ shared: SharedRealm) async throws {
        for (index, title) in ["Emma", "Persuasion"].enumerated() {
            try await shared.writeShared(timeout: .seconds(600), author: "clerk") { realm in
                _ = realm.create(Book.self, value: ["isbn": "\(index)", "title": title])
            }
        }
        try await shared.writeShared(timeout: .seconds(600)) { realm in
            let book = realm.object(ofType: Book.self, forPrimaryKey: "1")
            book?.copies = 3
            book?.tags.append("sea")
        }
        try await shared.synchronize()
    }

    /// A command blocks its thread, and the pool of tasks has two on a small machine.
    private func run(_ arguments: String...) async throws -> Command.Outcome {
        try await onThread { try Command.run(arguments: arguments) }
    }

    @Test func aRealmFromItsBeginning() async throws {
        try await withServer { desk, server, url in
            #expect(try await run("share", "status", url).status == 2)
            for name in ["", String(repeating: "x", count: 1025)] {
                let unfit = try await run("share", "init", url, name)
                #expect(unfit.status == 2)
                #expect(unfit.errors.hasPrefix("unfitName: "), "\(unfit.errors)")
            }
            // Nothing was made.
            let before = try await run("share", "status", url)
            #expect(before.errors.hasPrefix("notPrepared: "), "\(before.errors)")
            #expect(
                try await run("share", "seed", url, "books", "--trim", "\(Int.max)").status == 64)
            let made = try await run("share", "init", url, "books")
            #expect(made.status == 0, "\(made.errors)")
            let taken = try await run("share", "init", url, "books")
            #expect(taken.status == 2)
            #expect(taken.errors.hasPrefix("nameTaken: "), "\(taken.errors)")
            #expect(try await run("share", "init", url).status == 0)
            // Grants for a realm that is there.
            try await server.query("CREATE ROLE clerk")
            let granted = try await run("share", "init", url, "books", "--grant", "clerk")
            #expect(granted.status == 0, "\(granted.errors)")
            #expect(
                try await server.query("SELECT role || ' ' || can_write FROM freehold.grants")
                    == "clerk true")

            let shared = try await share(desk, "a.realm", url)
            try await fill(shared)
            let status = try await run("share", "status", url)
            #expect(status.status == 0, "\(status.errors)")
            #expect(status.output.contains("books") && status.output.contains("none"))
            let realm = try #require(
                try await run("share", "status", url, "books", "--json").objects().first)
            #expect(realm["head"] as? Int == 3 && realm["epoch"] as? Int == 1)
            let clients = try #require(realm["clients"] as? [[String: Any]])
            #expect(clients.count == 1 && clients[0]["lastSequence"] as? Int == 3)

            let log = try await run("share", "log", url, "books", "--json").objects()
            #expect(log.map { $0["sequence"] as? Int } == [1, 2, 3])
            #expect(log.map { $0["author"] as? String } == ["clerk", "clerk", nil])
            let changes = try #require(log[2]["changes"] as? [[String: Any]])
            #expect(changes.count == 1 && changes[0]["kind"] as? String == "updated")
            #expect((changes[0]["class"] as? String) == "Book")
            let last = try await run("share", "log", url, "books", "--last", "1")
            #expect(last.output.contains("~ Book \"1\"") && last.output.contains("copies 3"))
            #expect(last.output.hasSuffix("1 commit\n"), "\(last.output)")
            #expect(try await run("share", "log", url, "nothing").status == 2)

            await shared.close()
        }
    }

    /// What is wrong with an address may be the password in it.
    @Test(arguments: [
        "postgresql://u:a@secret@host/db", "postgresql://u:secret/x@host/db",
        "postgresql://u:12/secret@host/db", "Postgresql://u:secret@host/db",
        "postgress://u:secret@host/db",
    ])
    func passwordsInWrongAddresses(_ url: String) async throws {
        for arguments in [
            ["share", "status", url], ["share", "init", url, "books"],
            ["share", "log", url, "books"], ["share", "rotate-epoch", url, "books"],
        ] {
            let outcome = try await onThread { try Command.run(arguments: arguments) }
            #expect(outcome.status == 2, "\(arguments)")
            #expect(outcome.errors.contains("address"), "\(outcome.errors)")
            #expect(!(outcome.output + outcome.errors).contains("secret"), "\(outcome.errors)")
        }
    }

    @Test func snapshotsAndEpochs() async throws {
        try await withServer { desk, server, url in
            #expect(try await run("share", "init", url, "books").status == 0)
            let shared = try await share(desk, "a.realm", url)
            try await fill(shared)
            let key = desk.key == nil ? [] : ["--key-file", desk.keyFile.path]
            let arguments = ["share", "seed", url, "books", "--json", "--trim", "0"] + key
            let seed = try await onThread { try Command.run(arguments: arguments) }
            #expect(seed.status == 0, "\(seed.errors)")
            #expect(try seed.objects().first?["sequence"] as? Int == 3)
            let realm = try #require(
                try await run("share", "status", url, "books", "--json").objects().first)
            #expect(realm["snapshot"] as? Int == 3 && realm["floor"] as? Int == 3)
            #expect(realm["commitCount"] as? Int == 0)

            // A new file begins with the snapshot.
            let other = try await share(desk, "b.realm", url)
            try await other.synchronize()
            #expect(other.status.applied == 3)

            let rotate = ["share", "rotate-epoch", url, "books", "--json"] + key
            let rotated = try await onThread { try Command.run(arguments: rotate) }
            #expect(rotated.status == 0, "\(rotated.errors)")
            #expect(try rotated.objects().first?["epoch"] as? Int == 2)
            // The others go on by themselves.
            for client in [shared, other] {
                for await status in client.statusChanges where status.epoch == 2 { break }
                try await client.synchronize()
            }
            try await other.writeShared(timeout: .seconds(600)) { realm in
                realm.object(ofType: Book.self, forPrimaryKey: "0")?.copies = 9
            }
            try await shared.synchronize()
            let copies = try await MainActor.run {
                try shared.realm().object(ofType: Book.self, forPrimaryKey: "0")?.copies
            }
            #expect(copies == 9)
            await shared.close()
            await other.close()
        }
    }

    @Test func whatAFileWaitsFor() async throws {
        try await withServer { desk, server, url in
            #expect(try await run("share", "init", url, "books").status == 0)
            let shared = try await share(desk, "a.realm", url)
            try await fill(shared)
            await server.kill()
            try await MainActor.run {
                let realm = try shared.realm()
                try realm.write { realm.create(Book.self, value: ["isbn": "2"]) }
            }
            await shared.close()
            let file = desk.path("a.realm")
            let status = try desk.run("share", "status", file)
            #expect(status.status == 0, "\(status.errors)")
            #expect(status.output.contains("shared as 'books': it has commit 3 of epoch 1"))
            #expect(status.output.contains("1 commit to be pushed, 0 rejections"))
            let json = try #require(
                try desk.run("share", "status", file, "--json").objects().first)
            #expect(json["pending"] as? Int == 1 && json["realm"] as? String == "books")

            let away = try await run("share", "status", url)
            #expect(away.status == 2)
            #expect(away.errors.hasPrefix("unreachable: "), "\(away.errors)")
        }
    }

    @Test func aFileThatIsNotShared() throws {
        let desk = try Desk()
        try onNewThread {
            _ = try Realm(
                configuration: Realm.Configuration(
                    fileURL: desk.directory.file("a.realm"), encryptionKey: desk.key,
                    objectTypes: [Book.self]))
        }
        let status = try desk.run("share", "status", desk.path("a.realm"))
        #expect(status.status == 1 && status.errors.contains("is not shared"))
        #expect(try Command.run("share", "status", "postgresql://x", "a", "b").status == 64)
        desk.delete()
    }
}
