import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Connections by way of PgBouncer.
@Suite(
    .needsPostgres, .timeLimit(.minutes(10)),
    .enabled(if: PgBouncer.isInstalled, "PgBouncer is missing: apt-get install pgbouncer"))
struct PostgresPoolerTests {
    @Test func pooledSessions() async throws {
        let schema = try await PostgresSchema()
        let pooler = try await PgBouncer(for: schema.server, mode: "session")
        let upstream = PostgresUpstream(pooler.url, schema: schema.name)
        try await upstream.create("orders")
        // Sessions of former clients are taken again.
        for round in Int64(0)..<3 {
            let writer = try await upstream.connect(to: "orders", as: .random())
            let reader = try await upstream.connect(to: "orders", as: .random())
            async let seen: Void = reader.waitForHead(above: round * 2)
            let answer = try await writer.push(
                [.numbered(1), .numbered(2)], in: 1, expecting: round * 2)
            #expect(answer == .appended(last: round * 2 + 2))
            try await seen
            #expect(try await reader.allCommits().count == Int(round) * 2 + 2)
            await writer.close()
            await reader.close()
        }
        await pooler.delete()
    }

    /// Sessions change with each transaction: told as what it is.
    @Test func pooledTransactions() async throws {
        let schema = try await PostgresSchema()
        let pooler = try await PgBouncer(for: schema.server, mode: "transaction")
        let upstream = PostgresUpstream(pooler.url, schema: schema.name)
        let error = await #expect(throws: SharingError.self) {
            for number in 1...20 {
                try await upstream.create("orders \(number)")
                let connection = try await upstream.connect(
                    to: "orders \(number)", as: .random())
                _ = try await connection.push([.numbered(1)], in: 1, expecting: nil)
                await connection.close()
            }
        }
        #expect(error?.code == .serverFailed)
        #expect(error?.remedy.contains("pool_mode = session") == true)
        await pooler.delete()
    }
}
