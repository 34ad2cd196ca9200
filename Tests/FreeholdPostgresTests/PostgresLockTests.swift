import Foundation
import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// What a client locks on the server, and for how long.
@Suite(.needsPostgres)
struct PostgresLockTests {
    /// A client is gone while the server begins its epoch, which locks the realm until the commit.
    /// Others wait for that, and no longer: the server ends the transaction.
    @Test(.timeLimit(.minutes(10)), arguments: ["begin_epoch", "add_snapshot"])
    func aClientThatIsGone(at statement: String) async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("orders")
        let other = UpstreamClient.random()
        try await schema.upstream.connect(to: "orders", as: other).close()
        let proxy = try CuttingProxy(for: schema.server)
        let far = PostgresUpstream(
            schema.server.url(sockets: proxy.sockets), schema: schema.name)
        let gone = try await far.connect(to: "orders", as: .random())
        proxy.hold(.answers, at: statement)
        let call = Task {
            if statement == "begin_epoch" {
                _ = try await gone.beginEpoch(1, expecting: 0, head: 0, pieces: [Data("new".utf8)])
            } else {
                let piece = OnePiece()
                try await gone.write(
                    UpstreamSnapshot(epoch: 1, sequence: 0, byteCount: 3, isEncrypted: false)
                ) { await piece.next() }
            }
        }
        await proxy.waitForHold()
        let connection = try await schema.upstream.connect(to: "orders", as: other.again())
        #expect(
            try await connection.push([.numbered(1)], in: 1, expecting: nil) == .appended(last: 1))
        await connection.close()
        call.cancel()
        await gone.close()
        _ = try? await call.value
        proxy.close()
    }
}
