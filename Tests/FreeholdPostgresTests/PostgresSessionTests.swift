import Foundation
@testable import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Sessions that end while somebody waits for them, and servers that say nothing.
@Suite(.needsPostgres)
struct PostgresSessionTests {
    /// The connection ends with the call, not when the server answers.
    @Test(.timeLimit(.minutes(10))) func cancelledWhileConnecting() async throws {
        let (server, next) = (try SilentServer(), try SilentServer())
        let url = "\(server.url)?connect_timeout=100000".replacing(
            "/postgres", with: ",127.0.0.1:\(next.port)/postgres")
        for _ in 1...3 {
            let call = Task { try await PostgresUpstream(url).realms() }
            let client = try await server.accept()
            call.cancel()
            await #expect(throws: CancellationError.self) { _ = try await call.value }
            await client.waitForEnd()
        }
        #expect(!next.hasClient)
    }

    /// In a process of its own, because it counts threads.
    @Test(.timeLimit(.minutes(10))) func cancelledCallsLeaveNothing() async throws {
        await #expect(processExitsWith: .success) {
            let server = try await PostgresServer()
            let upstream = PostgresUpstream(server.url() + "&application_name=cancelled")
            try await upstream.prepare()
            let count =
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'cancelled'"
            while try await server.query(count) != "0" {}
            let before = try Self.descriptorCount()
            for round in 1...40 {
                let call = Task { try await upstream.realms() }
                // At several moments: before the thread is there, and while it connects.
                for _ in 0..<(round % 4) * 10 { await Task.yield() }
                call.cancel()
                _ = try? await call.value
            }
            // For ever, if one is left.
            while try Self.sessionThreadCount() > 0 {}
            while try await server.query(count) != "0" {}
            while try Self.descriptorCount() > before {}
            await server.delete()
        }
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    private static func sessionThreadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            // One may end meanwhile.
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
                .hasPrefix("freehold-pq") == true
        }
    }

    /// Everybody who can connect to the database may send one.
    @Test(.timeLimit(.minutes(10))) func forgedNotifications() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let connection = try await schema.upstream.connect(to: "orders", as: .random())
        let session = try #require(connection as? PostgresConnection).session
        let other = try await schema.makeRole()
        for payload in ["1 9223372036854775807", "9223372036854775807 1", "1 2 3", "-1 -1", ""] {
            try await schema.server.query(
                """
                SELECT pg_notify('freehold_' || '\(schema.name)'::regnamespace::oid || '_'
                    || left(encode(sha256('orders'), 'hex'), 32), '\(payload)')
                """, at: schema.server.url(user: other))
            // It comes with the answer, or before.
            _ = try await connection.state()
            try await connection.waitForHead(above: 0)
            _ = try await connection.state()
            #expect(session.knownHead == KnownHead(epoch: 1, head: 0))
        }
        // True ones are noticed afterwards as before.
        let wait = Task { try await connection.waitForHead(above: 0) }
        let writer = try await schema.upstream.connect(to: "orders", as: .random())
        try await writer.push(1...1)
        try await wait.value
        while try await connection.commits(after: 0, in: 1, upTo: 100).isEmpty {
            try await connection.waitForHead(above: 0)
        }
        await writer.close()
        await connection.close()
    }

    /// A process of the server that is stopped: the kernel keeps the connection, and nothing comes.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func serversThatSayNothing(inLongCall: Bool) async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let name = "silent-\(schema.name)"
        var upstream = PostgresUpstream(
            schema.server.url() + "&application_name=\(name)", schema: schema.name)
        // The other limit is for the other calls.
        upstream.silence.usual = .seconds(inLongCall ? 100_000 : 3)
        upstream.silence.long = .seconds(inLongCall ? 1 : 100_000)
        var found: (any UpstreamConnection)?
        // A busy machine may be silent for as long.
        while found == nil { found = try? await upstream.connect(to: "orders", as: .random()) }
        let connection = try #require(found)
        // Those of attempts that were too slow may be there for a moment.
        var process: pid_t?
        while process == nil {
            process = pid_t(
                try await schema.server.query(
                    "SELECT pid FROM pg_stat_activity WHERE application_name = '\(name)'"))
        }
        let identifier = try #require(process)
        kill(identifier, SIGSTOP)
        defer { kill(identifier, SIGCONT) }
        let error = await #expect(throws: SharingError.self) {
            if inLongCall {
                try await connection.trim(olderThan: .zero)
            } else {
                _ = try await connection.state()
            }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.cause.contains("No answer in \(inLongCall ? 1 : 3) s") == true)
        await expectError(.unreachable) { _ = try await connection.state() }
        await connection.close()
    }

    /// A push waits for the standby, and the client not for ever. It counts once.
    @Test(.timeLimit(.minutes(10))) func aStandbyThatIsAway() async throws {
        let primary = try await PostgresServer()
        var upstream = PostgresUpstream(primary.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        let standby = try await primary.makeStandby()
        upstream.silence.usual = .seconds(3)
        let client = PersistentClient(upstream, realm: "orders")
        try await client.push(upTo: 1, batch: 1)
        await standby.kill()
        await expectError(.unreachable) {
            _ = try await client.connect().push([.numbered(2)], in: 1, expecting: nil)
        }
        await client.disconnect()
        try await standby.start()
        try await client.push(upTo: 3, batch: 1)
        let log = try await client.persist { try await $0.allCommits() }
        #expect(log.map(\.clientSequence) == [1, 2, 3])
        await client.disconnect()
        await standby.delete()
        await primary.delete()
    }

    /// Where the server wrote something, the connection was trusted: it broke.
    @Test(.timeLimit(.minutes(10))) func tlsConnectionsThatBreak() async throws {
        let server = try await PostgresServer(withTCP: true)
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        let certificate = try await server.enableTLS(host: "localhost")
        let url = """
            postgresql://owner@localhost:\(server.port ?? 0)/postgres?hostaddr=127.0.0.1\
            &sslmode=verify-full&sslrootcert=\(certificate.path)
            """
        let connection = try await PostgresUpstream(url).connect(to: "orders", as: .random())
        await server.kill()
        await expectError(.unreachable) { _ = try await connection.state() }
        await connection.close()
        await server.delete()
    }
}
