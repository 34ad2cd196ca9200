import Foundation
@testable import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// What goes wrong before anything is shared: a typed error that says what to do.
@Suite(.needsPostgres)
struct PostgresRefusalTests {
    @Test func noServer() async throws {
        for url in [
            "postgresql://owner@/postgres?host=/nonexistent",
            "postgresql://owner@127.0.0.1:1/postgres", "host=/nonexistent user=owner",
        ] {
            await expectError(.unreachable) { try await PostgresUpstream(url).create("orders") }
        }
    }

    @Test func addressesThatAreNone() async throws {
        for url in ["postgresql://a:secret%zz@host/db", "http://secret", "user=a secret"] {
            let error = await #expect(throws: SharingError.self) {
                try await PostgresUpstream(url).create("orders")
            }
            #expect(error?.code == .serverFailed)
            #expect(error.map { !"\($0)".contains("secret") } == true)
            #expect(!"\(PostgresUpstream(url))".contains("secret"))
        }
    }

    /// libpq ends a password at the first "@", and knows none behind a "/": the rest of it would be
    /// a host, a port or a database. The error says what to write, and nothing of the address.
    @Test(arguments: [
        "postgresql://u:a@secret@host/db", "postgresql://u:secret/x@host/db",
        "postgresql://u:12/secret@host/db", "postgresql://secret@u:pw@host/db",
        "postgresql://u:secret%40host/db", "postgresql://u:secret/db",
        "postgres://u:@@secret@host:5432", "postgresql://u:[secret]/@host/db",
        "postgresql://u@host:70000/secret", "postgresql://u@host:0/secret",
        "postgresql://u:s,secret/t@host:5/db?sslmode=require", "host=h port=secret",
        "dbname=postgresql://u:secret@host/db",
    ])
    func ambiguousAddresses(_ url: String) async {
        let upstream = PostgresUpstream(url)
        let error = await #expect(throws: SharingError.self) { try await upstream.create("orders") }
        #expect(error?.code == .serverFailed)
        #expect(error?.cause.contains("%40") == true)
        #expect(!"\(upstream) \(String(reflecting: upstream))".contains("secret"))
        #expect(error.map { "\($0)".contains("secret") || "\($0)".contains("host/") } == false)
    }

    /// What has a meaning of its own may be where it means that.
    @Test(arguments: [
        "postgresql://u:a%40b%2Fc@host/db", "postgresql://u@host/db?application_name=a@b",
        "postgresql://u:a:b@host:5/db", "postgresql://u:a?b@host,other:6/db", "postgresql:///db",
        "host=@abstract user=a@b password=c@d/e", "postgresql://%2Ftmp/db",
    ])
    func addressesThatAreClear(_ url: String) throws { _ = try ServerAddress(url) }

    @Test func wrongPasswords() async throws {
        let server = try await SharedServer.server()
        let role = try await SharedServer.securedRole()
        for password in ["wr0ng-secret", nil] {
            let url = server.url(user: role, password: password)
            let error = await #expect(throws: SharingError.self) {
                try await PostgresUpstream(url).create("orders")
            }
            #expect(error?.code == .authenticationFailed)
            #expect(error.map { !"\($0)".contains("wr0ng-secret") } == true)
        }
        let upstream = PostgresUpstream(server.url(user: role, password: "right"))
        #expect(!"\(upstream) \(String(reflecting: upstream))".contains("right"))
        var dumped = ""
        dump(upstream, to: &dumped)
        #expect(!dumped.contains("right"))
        await expectError(.notPrepared) { try await upstream.create("orders") }
        await expectError(.authenticationFailed) {
            try await PostgresUpstream(server.url(user: "nobody_there")).create("orders")
        }
        await expectError(.notPrepared) {
            try await PostgresUpstream(server.url(database: "nothing")).create("orders")
        }
    }

    @Test func missingTables() async throws {
        let server = try await SharedServer.server()
        let upstream = PostgresUpstream(server.url(), schema: "no tables' \"here\"")
        await expectError(.notPrepared) { try await upstream.create("orders") }
        await expectError(.notPrepared) {
            _ = try await upstream.connect(to: "orders", as: .random())
        }
        // Any name of a schema will do, and preparing twice is once.
        async let first: Void = upstream.prepare()
        async let second: Void = upstream.prepare()
        _ = try await (first, second)
        try await upstream.create("orders")
        try await upstream.prepare()
        let connection = try await upstream.connect(to: "orders", as: .random())
        #expect(try await connection.state().epoch == 1)
        await connection.close()
    }

    @Test func newerTables() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        try await schema.server.query("UPDATE \(schema.name).version SET number = 2")
        await expectError(.unsupportedVersion) { try await schema.upstream.prepare() }
        await expectError(.unsupportedVersion) { try await schema.upstream.create("bills") }
        await expectError(.unsupportedVersion) {
            _ = try await schema.upstream.connect(to: "orders", as: .random())
        }
        try await schema.server.query("DELETE FROM \(schema.name).version")
        await expectError(.notPrepared) { try await schema.upstream.create("bills") }
    }

    /// A program with a version that is made up here, and tables of a program of today.
    @Test func olderTables() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let steps =
            Schema.steps + [{ ["ALTER TABLE \($0).realm ADD COLUMN note text DEFAULT 'new'"] }]
        // Also in a schema that is new.
        let new = "new_" + schema.name
        for name in [schema.name, schema.name, new, new] {
            let version = try await schema.upstream.withSession { session in
                try await session.run { connection throws(ServerError) in
                    try Schema(Statements(schema: name), name: name, steps: steps)
                        .prepare(connection)
                }
            }
            #expect(version == 2)
        }
        let query = "SELECT name || ' ' || note FROM \(schema.name).realm"
        #expect(try await schema.server.query(query) == "orders new")
        #expect(
            try await schema.server.query("SELECT number FROM \(schema.name).version") == "2")
        await #expect {
            _ = try await schema.upstream.connect(to: "orders", as: .random())
        } throws: {
            let error = $0 as? SharingError
            return error?.code == .unsupportedVersion && error?.remedy.contains("newer") == true
        }
    }

    @Test func preparingNeedsRights() async throws {
        let schema = try await PostgresSchema.shared()
        let role = try await schema.makeRole()
        let url = schema.server.url(user: role)
        await expectError(.permissionDenied) {
            try await PostgresUpstream(url, schema: "of_\(role)").prepare()
        }
        // The owner may have made the schema for it.
        try await schema.server.query("CREATE SCHEMA of_\(role) AUTHORIZATION \(role)")
        let upstream = PostgresUpstream(url, schema: "of_\(role)")
        try await upstream.prepare()
        try await UpstreamCheck.appends(upstream)
    }

    /// Only the owner of a schema can let others use it: to anybody else `GRANT` is a warning.
    @Test func preparingInASchemaOfAnotherOwner() async throws {
        let schema = try await PostgresSchema.shared()
        let (server, administrator) = (schema.server, try await schema.makeRole())
        let (role, other) = (try await schema.makeRole(), try await schema.makeRole())
        let name = "of_\(role)"
        try await server.query("CREATE SCHEMA \(name) AUTHORIZATION \(administrator)")
        try await server.query("GRANT CREATE, USAGE ON SCHEMA \(name) TO \(role)")
        let upstream = PostgresUpstream(server.url(user: role), schema: name)
        let error = await #expect(throws: SharingError.self) { try await upstream.prepare() }
        #expect(error?.code == .permissionDenied)
        let statement = "GRANT USAGE ON SCHEMA \"\(name)\" TO PUBLIC"
        for text in [administrator, statement] {
            #expect(error?.remedy.contains(text) == true, "\(error?.remedy ?? "")")
        }
        #expect(try await server.query("SELECT to_regclass('\(name).version') IS NULL") == "t")
        try await server.query(statement, at: server.url(user: administrator))
        try await upstream.prepare()
        try await upstream.grant(nil, to: other, canWrite: true)
        try await UpstreamCheck.appends(PostgresUpstream(server.url(user: other), schema: name))
    }

    @Test func tooManyConnections() async throws {
        let server = try await PostgresServer(settings: [
            "max_connections": "4", "superuser_reserved_connections": "0",
            "max_wal_senders": "0",
        ])
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        var open: [any UpstreamConnection] = []
        for _ in 1...4 {
            open.append(try await upstream.connect(to: "orders", as: .random()))
        }
        let error = await #expect(throws: SharingError.self) {
            _ = try await upstream.connect(to: "orders", as: .random())
        }
        #expect(error?.code == .unreachable)
        #expect(error?.remedy.contains("max_connections") == true)
        for connection in open { await connection.close() }
        await server.delete()
    }

    /// As behind a pooler of transactions, which gives a connection another session of the server
    /// for each of them: what was prepared in one is missing in the next.
    @Test func statementsThatAreMissing() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        try await schema.server.query(
            """
            CREATE FUNCTION \(schema.name).forget() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN EXECUTE 'DEALLOCATE ALL'; RETURN NEW; END $$;
            CREATE TRIGGER forget AFTER INSERT ON \(schema.name).commit
                FOR EACH ROW EXECUTE FUNCTION \(schema.name).forget()
            """)
        let connection = try await schema.upstream.connect(to: "orders", as: .random())
        _ = try await connection.state()
        let commit = PushedCommit(clientSequence: 1, format: 1, payload: Data([1]))
        _ = try await connection.push([commit], in: 1, expecting: nil)
        let error = await #expect(throws: SharingError.self) { try await connection.state() }
        #expect(error?.code == .serverFailed && error?.cause.contains("[26000]") == true)
        #expect(error?.remedy.contains("pooler") == true)
        await connection.close()
    }
}
