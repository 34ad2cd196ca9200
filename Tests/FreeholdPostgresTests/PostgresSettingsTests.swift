import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Roles and databases whose sessions begin with other settings than PostgreSQL's.
@Suite(.needsPostgres)
struct PostgresSettingsTests {
    private static let isolations = ["repeatable read", "serializable"]

    /// A schema in a database whose transactions are isolated in another way.
    private struct OtherDatabase {
        let server: PostgresServer
        let url: String
        let schema = "s" + UUID().uuidString.lowercased().replacing("-", with: "")

        init(isolation: String) async throws {
            server = try await SharedServer.server()
            let name = "d" + schema.dropFirst()
            try await server.query("CREATE DATABASE \(name)")
            try await server.query(
                "ALTER DATABASE \(name) SET default_transaction_isolation = '\(isolation)'")
            url = server.url(database: name)
        }

        var upstream: PostgresUpstream { PostgresUpstream(url, schema: schema) }
        var blocker: Blocker { Blocker(server, schema: schema, at: url) }
    }

    @Test(.timeLimit(.minutes(10)), arguments: isolations)
    func preparingAtOnce(_ isolation: String) async throws {
        let database = try await OtherDatabase(isolation: isolation)
        let blocker = database.blocker
        try await blocker.lock("SELECT pg_advisory_xact_lock(7238540061)")
        async let first: Void = database.upstream.prepare()
        async let second: Void = database.upstream.prepare()
        try await blocker.waitUntilSomebodyWaits(inTurn: 2)
        try await blocker.unlock()
        _ = try await (first, second)
        try await database.upstream.create("orders")
    }

    @Test(.timeLimit(.minutes(10)), arguments: isolations)
    func pushingAtOnce(_ isolation: String) async throws {
        let database = try await OtherDatabase(isolation: isolation)
        try await database.upstream.prepare()
        try await database.upstream.create("orders")
        let first = try await database.upstream.connect(to: "orders", as: .random())
        let second = try await database.upstream.connect(to: "orders", as: .random())
        let blocker = database.blocker
        try await blocker.lock()
        async let one = first.push([.numbered(1)], in: 1, expecting: nil)
        async let two = second.push([.numbered(1)], in: 1, expecting: nil)
        try await blocker.waitUntilSomebodyWaits(count: 2)
        try await blocker.unlock()
        let answers = try await [one, two]
        #expect(answers.contains(.appended(last: 1)) && answers.contains(.appended(last: 2)))
        // A push after the first statement of a snapshot's transaction: the first piece is stored
        // when the third is asked for.
        let snapshot = UpstreamSnapshot(epoch: 1, sequence: 2, byteCount: 6, isEncrypted: false)
        let (piece, another) = (OnePiece(), OnePiece())
        try await first.write(snapshot) {
            if let next = await piece.next() { return next }
            if let next = await another.next() { return next }
            _ = try await second.push([.numbered(2)], in: 1, expecting: nil)
            return nil
        }
        #expect(try await first.newestSnapshot() == snapshot)
        await first.close()
        await second.close()
    }

    /// Whatever a role's settings are, all works as for others.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            "default_transaction_isolation = serializable", "client_min_messages = error",
            "row_security = off", "standard_conforming_strings = off",
            "search_path = #, pg_catalog", "synchronous_commit = off",
        ])
    func settingsOfRoles(_ setting: String) async throws {
        let schema = try await PostgresSchema.shared()
        let role = try await schema.makeRole()
        // Functions that would be found first.
        let other = "o" + role
        for statement in [
            "CREATE SCHEMA \(other)", "GRANT USAGE ON SCHEMA \(other) TO \(role)",
            """
            CREATE FUNCTION \(other).now() RETURNS timestamptz LANGUAGE plpgsql
                AS $$ BEGIN RAISE 'Another function was called.'; END $$
            """,
            "ALTER ROLE \(role) SET \(setting.replacing("#", with: other))",
        ] {
            try await schema.server.query(statement)
        }
        try await schema.upstream.grant(nil, to: role, canWrite: true)
        let upstream = schema.upstream(user: role)
        for check in [UpstreamCheck.appends, .conflicts, .epochsFromNothing, .trims] {
            try await check(upstream)
        }
    }

    /// An owner who lets others execute only what is granted.
    @Test func ownersWithOtherPrivileges() async throws {
        let server = try await SharedServer.server()
        let schema = try await PostgresSchema.shared()
        let (owner, role) = (try await schema.makeRole(), try await schema.makeRole())
        try await server.query("CREATE SCHEMA of_\(owner) AUTHORIZATION \(owner)")
        try await server.query(
            """
            ALTER DEFAULT PRIVILEGES FOR ROLE \(owner) REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
            ALTER DEFAULT PRIVILEGES FOR ROLE \(owner) REVOKE USAGE ON TYPES FROM PUBLIC
            """)
        let upstream = PostgresUpstream(server.url(user: owner), schema: "of_\(owner)")
        try await upstream.prepare()
        try await upstream.grant(nil, to: role, canWrite: true)
        let other = PostgresUpstream(server.url(user: role), schema: "of_\(owner)")
        for check in [UpstreamCheck.appends, .epochsFromNothing, .trims] {
            try await check(other)
        }
    }

    /// In FIPS mode a server has no MD5; here the roles may not call it.
    @Test func serversWithoutMD5() async throws {
        let database = try await OtherDatabase(isolation: "read committed")
        let role = try await PostgresSchema.shared().makeRole()
        try await database.server.query(
            "REVOKE EXECUTE ON FUNCTION pg_catalog.md5(text) FROM PUBLIC", at: database.url)
        try await database.upstream.prepare()
        try await database.upstream.grant(nil, to: role, canWrite: true)
        let url = database.url.replacing("//owner@", with: "//\(role)@")
        try await UpstreamCheck.appends(PostgresUpstream(url, schema: database.schema))
    }

    /// Characters that statements have a use for.
    @Test(arguments: [
        "team@x", "a#b\"c'd", "a$$b", "back\\slash", "%Ä 1",
        // Accents that make one Character with what is before them.
        "a\"\u{301}b", "it'\u{301}s", "a$$\u{301}b",
    ])
    func namesOfSchemas(_ name: String) async throws {
        let server = try await SharedServer.server()
        let upstream = PostgresUpstream(server.url(), schema: name)
        try await upstream.prepare()
        try await upstream.prepare()
        for check in [UpstreamCheck.appends, .epochsFromNothing, .trims] {
            try await check(upstream)
        }
        let role = try await PostgresSchema.shared().makeRole()
        try await server.query("ALTER ROLE \(role) SET standard_conforming_strings = off")
        try await upstream.grant(nil, to: role, canWrite: true)
        try await UpstreamCheck.appends(PostgresUpstream(server.url(user: role), schema: name))
    }
}
