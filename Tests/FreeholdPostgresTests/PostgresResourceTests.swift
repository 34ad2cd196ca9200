import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// The server's disk, and TLS.
@Suite(.needsPostgres)
struct PostgresResourceTests {
    /// The tables on a small file system of their own; the server goes on.
    @Test(.enabled(if: SmallDisk.isPossible, "Only root can mount a small file system."))
    func fullDisks() async throws {
        let server = try await PostgresServer()
        let disk = try await SmallDisk(for: server, byteCount: 24 << 20)
        try await server.query("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        let url = server.url() + "&options=-c%20default_tablespace%3Dsmall"
        let upstream = PostgresUpstream(url)
        try await upstream.prepare()
        try await upstream.create("orders")
        let connection = try await upstream.connect(to: "orders", as: .random())
        var acknowledged: Int64 = 0
        let failure = await #expect(throws: SharingError.self) {
            for number in Int64(1)...1000 {
                // Random, because the server compresses.
                let payload = Data(
                    (0..<16_384).map { _ in UInt64.random(in: 0 ... .max) }.flatMap {
                        withUnsafeBytes(of: $0, Array.init)
                    })
                let commit = PushedCommit(clientSequence: number, format: 1, payload: payload)
                _ = try await connection.push([commit], in: 1, expecting: nil)
                acknowledged = number
            }
        }
        #expect(failure?.code == .serverFull, "\(failure.map { "\($0)" } ?? "")")
        #expect(acknowledged > 0)
        // The connection goes on, and what was acknowledged is there.
        #expect(try await connection.state().head == acknowledged)
        #expect(try await connection.allCommits().map(\.sequence) == Array(1...acknowledged))
        let snapshot = UpstreamSnapshot(
            epoch: 1, sequence: 1, byteCount: 40 << 20, isEncrypted: false)
        await expectError(.serverFull) {
            try await connection.write(snapshot) { Data(count: 1 << 20) }
        }
        #expect(try await connection.newestSnapshot() == nil)
        // With room again everything goes on.
        try await disk.grow(to: 200 << 20)
        let next = PushedCommit.numbered(acknowledged + 1)
        #expect(
            try await connection.push([next], in: 1, expecting: nil)
                == .appended(last: acknowledged + 1))
        await connection.close()
        await server.stop()
        try await disk.unmount()
        await server.delete()
    }

    @Test func certificates() async throws {
        let server = try await PostgresServer(withTCP: true)
        let upstream = PostgresUpstream(server.url())
        try await upstream.prepare()
        try await upstream.create("orders")
        let address = "postgresql://owner@localhost:\(server.port ?? 0)/postgres?hostaddr=127.0.0.1"
        // Before the server has one.
        await expectError(.authenticationFailed) {
            _ = try await PostgresUpstream("\(address)&sslmode=require")
                .connect(to: "orders", as: .random())
        }
        let certificate = try await server.enableTLS(host: "localhost")
        let trusted = "\(address)&sslmode=verify-full&sslrootcert=\(certificate.path)"
        let connection = try await PostgresUpstream(trusted).connect(to: "orders", as: .random())
        _ = try await connection.push([.numbered(1)], in: 1, expecting: nil)
        let count = try await server.query("SELECT count(*) FROM pg_stat_ssl WHERE ssl")
        #expect(count == "1")
        await connection.close()
        // Another name, another certificate, none.
        let other = try await server.makeCertificate("other", host: "localhost")
        for url in [
            trusted.replacing("@localhost", with: "@elsewhere"),
            trusted.replacing(certificate.path, with: other.path),
            trusted.replacing(certificate.path, with: "/nonexistent"),
        ] {
            let error = await #expect(throws: SharingError.self) {
                _ = try await PostgresUpstream(url).connect(to: "orders", as: .random())
            }
            #expect(error?.code == .authenticationFailed, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.remedy.contains("certificates") == true)
        }
        await server.delete()
    }
}
