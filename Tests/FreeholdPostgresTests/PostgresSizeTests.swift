import Foundation
@testable import FreeholdPostgres
import FreeholdSharing
import PostgresServer
import Testing
import UpstreamConformance

/// Sizes that no message to a server can have. They are refused before anybody reads the zeros,
/// which therefore take no memory.
@Suite(.needsPostgres)
struct PostgresSizeTests {
    @Test(.timeLimit(.minutes(10)), arguments: [[1 << 30], [1 << 29, 1 << 29]])
    func pushesThatAreTooLarge(_ sizes: [Int]) async throws {
        let schema = try await PostgresSchema.shared()
        let name = "realm \(UUID())"
        try await schema.upstream.create(name)
        let connection = try await schema.upstream.connect(to: name, as: .random())
        let commits = sizes.enumerated().map { index, size in
            PushedCommit(
                clientSequence: Int64(index) + 1, format: 1, payload: Data(count: size))
        }
        let error = await #expect(throws: SharingError.self) {
            _ = try await connection.push(commits, in: 1, expecting: nil)
        }
        #expect(error?.code == .serverFull, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.remedy.contains("smaller transactions") == true)
        // The connection goes on, and nothing was appended.
        #expect(
            try await connection.push([.numbered(1)], in: 1, expecting: 0) == .appended(last: 1))
        await connection.close()
    }

    /// The library tells lengths in 32 bits.
    @Test(.timeLimit(.minutes(10))) func valuesThatAreTooLarge() async throws {
        let schema = try await PostgresSchema.shared()
        try await schema.upstream.withSession { session in
            let one = Statement(name: "one", text: "SELECT 1")
            await expectError(.serverFull) {
                try await session.run { connection throws(ServerError) in
                    let length = Statement(name: "length", text: "SELECT length($1)")
                    _ = try connection.run(one, length.with(.bytes(Data(count: 1 << 31))))
                }
            }
            // Nothing of the call was sent.
            let answer = try await session.run { connection throws(ServerError) in
                try connection.run(one)[0].int32(0, 0)
            }
            #expect(answer == 1)
        }
    }
}
