import Foundation
import FreeholdSharing
import FreeholdTestSupport
import UpstreamConformance

/// A client that pushes on through failures, as the real one does: connects again, looks what
/// arrived, and repeats the rest.
actor PersistentClient {
    private let upstream: any Upstream
    private let realm: String
    private var identity = UpstreamClient.random()
    private var connection: (any UpstreamConnection)?
    private(set) var failureCount = 0
    /// The last number that was acknowledged.
    private(set) var acknowledged: Int64 = 0

    init(_ upstream: any Upstream, realm: String) {
        self.upstream = upstream
        self.realm = realm
    }

    var id: UUID { identity.id }

    func connect() async throws -> any UpstreamConnection {
        if let connection { return connection }
        let new = try await upstream.connect(to: realm, as: identity)
        identity = identity.again()
        connection = new
        return new
    }

    func disconnect() async {
        await connection?.close()
        connection = nil
    }

    /// Runs `body` until it ends without `unreachable`.
    func persist<Value: Sendable>(
        _ body: @Sendable (any UpstreamConnection) async throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await body(try await connect())
            } catch let error as SharingError where error.code == .unreachable {
                failureCount += 1
                await disconnect()
                await Task.yield()
            }
        }
    }

    /// Pushes commits up to a number, in batches.
    func push(upTo last: Int64, batch: Int64) async throws {
        while acknowledged < last {
            let next = try await persist { connection in
                // What arrived although its answer was lost.
                let arrived = try await connection.state().lastClientSequence
                guard arrived < last else { return arrived }
                let end = min(last, arrived + batch)
                _ = try await connection.push(
                    (arrived + 1...end).map { .numbered($0) }, in: 1, expecting: nil)
                return end
            }
            acknowledged = next
        }
    }
}
