import Foundation
@testable import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Addresses with several hosts: whichever answers is found.
@Suite(.needsPostgres)
struct PostgresHostsTests {
    private func url(_ ports: Int..., options: String = "") -> String {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        return "postgresql://owner@\(hosts)/postgres?connect_timeout=2\(options)"
    }

    /// It takes connections, as a kernel does whose program hangs, and never says anything.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func aSilentHost(isFirst: Bool) async throws {
        let schema = try await PostgresSchema.shared()
        let port = try #require(schema.server.port)
        let silent = try SilentServer()
        let url = isFirst ? url(silent.port, port) : url(port, silent.port)
        try await PostgresUpstream(url, schema: schema.name).create("realm \(UUID())")
        #expect(silent.hasClient == isFirst)
    }

    @Test func hostsInAnyOrder() async throws {
        let schema = try await PostgresSchema.shared()
        let port = try #require(schema.server.port)
        // The library knows it from version 16 on.
        guard let url = try? ServerAddress(url(1, port, 1, options: "&load_balance_hosts=random"))
        else { return }
        #expect(Set(url.ordered(url.hosts)) == Set(url.hosts))
    }

    @Test(.timeLimit(.minutes(10))) func noHostAnswers() async throws {
        let (first, second) = (try SilentServer(), try SilentServer())
        let error = await #expect(throws: SharingError.self) {
            _ = try await PostgresUpstream(url(first.port, 1, second.port)).realms()
        }
        #expect(error?.code == .unreachable)
        let cause = error?.cause ?? ""
        for text in ["\(first.port): no answer in 2 s", "refused", "\(second.port): no answer"] {
            #expect(cause.contains(text), "\(cause)")
        }
    }

    /// A server that refuses the user ends the search: the next one might be anybody's.
    @Test(.timeLimit(.minutes(10))) func aHostThatRefuses() async throws {
        let server = try await SharedServer.server()
        let role = try await SharedServer.securedRole()
        let silent = try SilentServer()
        let socket = server.sockets.path.replacing("/", with: "%2F")
        let url = """
            postgresql://\(role):wr0ng@/postgres?host=\(socket),127.0.0.1\
            &port=\(server.port ?? 0),\(silent.port)&connect_timeout=2
            """
        await expectError(.authenticationFailed) { _ = try await PostgresUpstream(url).realms() }
        #expect(!silent.hasClient)
    }

    /// The library refuses a server without proof that it is the one, and values that no option
    /// has. Other hosts would be no better, or anybody's.
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            ("channel_binding=require", .authenticationFailed),
            ("channel_binding=maybe", .serverFailed), ("sslmode=maybe", .serverFailed),
            ("target_session_attrs=maybe", .serverFailed),
            ("keepalives_idle=maybe", .serverFailed),
        ] as [(String, SharingError.Code)])
    func optionsThatEndTheSearch(_ option: String, code: SharingError.Code) async throws {
        let port = try #require(try await SharedServer.server().port)
        let silent = try SilentServer()
        let error = await #expect(throws: SharingError.self) {
            _ = try await PostgresUpstream(url(port, silent.port, options: "&\(option)")).realms()
        }
        #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.message.contains("address") == (code == .serverFailed))
        #expect(!silent.hasClient)
    }

    /// Longer than a number of milliseconds can tell.
    @Test(arguments: [9_999_999_999_999_999, Int.max, Int.min])
    func timesThatNobodyWaits(_ seconds: Int) async throws {
        let url = "postgresql://owner@127.0.0.1:1/postgres?connect_timeout=\(seconds)"
        await expectError(.unreachable) { _ = try await PostgresUpstream(url).realms() }
    }

    /// A server without a connection to give away is passed over.
    @Test(.timeLimit(.minutes(10))) func aHostWithoutRoom() async throws {
        let full = try await PostgresServer(settings: [
            "max_connections": "1", "superuser_reserved_connections": "0", "max_wal_senders": "0",
        ])
        let upstream = PostgresUpstream(full.url())
        try await upstream.prepare()
        // The connection before, which was closed, may be there for a moment.
        try await persist { try await upstream.create("orders") }
        let only = try await persist { try await upstream.connect(to: "orders", as: .random()) }
        let schema = try await PostgresSchema.shared()
        let sockets = [full, schema.server].map { $0.sockets.path.replacing("/", with: "%2F") }
        let url = """
            postgresql://owner@/postgres?host=\(sockets.joined(separator: ","))\
            &port=5432,\(schema.server.port ?? 0)
            """
        try await PostgresUpstream(url, schema: schema.name).create("realm \(UUID())")
        await only.close()
        await full.delete()
    }

    private func persist<Value>(_ body: () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch let error as SharingError where error.code == .unreachable {
                await Task.yield()
            }
        }
    }

    /// A connection that breaks while TLS begins is no matter of certificates.
    @Test(.timeLimit(.minutes(10))) func tlsThatBreaks() async throws {
        let server = try SilentServer()
        let call = Task { try await PostgresUpstream(server.url + "?sslmode=require").realms() }
        let client = try await server.accept()
        // Yes to the request for TLS.
        await client.answer("S")
        client.end()
        await expectError(.unreachable) { _ = try await call.value }
    }

    @Test func listsOfHosts() throws {
        func hosts(_ url: String) throws -> [ServerHost] { try ServerAddress(url).hosts }
        #expect(
            try hosts("postgresql://u@a,b:2,c/d").map(\.name) == ["a", "b", "c"])
        #expect(
            try hosts("postgresql://u@a:1,[::1]:2/d")
                == [ServerHost(name: "a", port: "1"), ServerHost(name: "::1", port: "2")])
        #expect(
            try hosts("host=a,b hostaddr=10.0.0.1,10.0.0.2 port=7")
                == [
                    ServerHost(name: "a", address: "10.0.0.1", port: "7"),
                    ServerHost(name: "b", address: "10.0.0.2", port: "7"),
                ])
        #expect(try hosts("hostaddr=10.0.0.1").map(\.address) == ["10.0.0.1"])
        #expect(try hosts("user=u").count == 1)
        for url in ["host=a,b port=1,2,3", "host=a,b hostaddr=10.0.0.1", "host=a port=1,2"] {
            let error = #expect(throws: ServerError.self) { try hosts(url) }
            #expect(error?.kind == .address)
        }
        // Certificates and the file of passwords are of the name, not of the address.
        let host = ServerHost(name: "db", port: "7")
        #expect(
            host.resolved { _ in ["10.0.0.1", "10.0.0.2"] }.map { $0.keywords.map(\.value) }
                == [["db", "10.0.0.1", "7"], ["db", "10.0.0.2", "7"]])
        #expect(host.resolved { _ in [] } == [host])
        for name in ["/tmp", "@abstract"] {
            let socket = ServerHost(name: name, port: "7")
            #expect(socket.resolved { _ in ["10.0.0.1"] } == [socket])
        }
        #expect(!ServerHost.addresses(of: "localhost").isEmpty)
        #expect(ServerHost.addresses(of: "127.0.0.1") == ["127.0.0.1"])
    }

    /// Failures of the library itself, by its texts.
    @Test(
        arguments: [
            ("SSL error: unexpected eof while reading", .unreachable),
            ("SSL SYSCALL error: EOF detected", .unreachable),
            ("SSL SYSCALL error: Connection timed out", .unreachable),
            ("SSL connection has been closed unexpectedly", .unreachable),
            ("invalid connection state, probably indicative of memory corruption", .unreachable),
            ("SSL error: certificate verify failed", .authenticationFailed),
            ("SSL error: tlsv1 alert unknown ca", .authenticationFailed),
            ("server does not support SSL, but SSL was required", .authenticationFailed),
            (
                "server certificate for \"a\" does not match host name \"b\"",
                .authenticationFailed
            ),
            ("fe_sendauth: no password supplied", .authenticationFailed),
            (
                "channel binding required, but server authenticated client without channel binding",
                .authenticationFailed
            ),
            (
                "channel binding required but not supported by server's authentication request",
                .authenticationFailed
            ),
            ("channel binding is required, but client does not support it", .authenticationFailed),
            (
                "authentication method requirement \"none\" failed: server requested SASL",
                .authenticationFailed
            ),
            ("incorrect server signature", .authenticationFailed),
            ("malformed SCRAM message (invalid server signature)", .authenticationFailed),
            ("invalid channel_binding value: \"maybe\"", .serverFailed),
            ("invalid target_session_attrs value: \"maybe\"", .serverFailed),
            ("invalid sslmode value: \"maybe\"", .serverFailed),
            ("invalid gssencmode value: \"maybe\"", .serverFailed),
            ("invalid require_auth value: \"maybe\"", .serverFailed),
            ("invalid ssl_min_protocol_version value: \"maybe\"", .serverFailed),
            ("invalid SSL protocol version range", .serverFailed),
            ("invalid port number: \"maybe\"", .serverFailed),
            (
                "invalid integer value \"a\" for connection option \"keepalives_idle\"",
                .serverFailed
            ),
        ] as [(String, SharingError.Code)])
    func failuresWithoutState(_ text: String, code: SharingError.Code) {
        let places = ["closed", "certificate.eof", "alert", "invalid port number"].map {
            "connection to server at \"\($0)\" (10.0.0.1), port 1 failed: "
        }
        for place in places + ["", "connection to server on socket \"/tmp/alert\" failed: "] {
            let error = ServerError(.connecting, message: place + text)
            #expect(SharingError.code(of: error) == code, "\(error.message)")
        }
        // A connection that was made.
        #expect(SharingError.code(of: ServerError(.connection, message: text)) == .unreachable)
    }
}
