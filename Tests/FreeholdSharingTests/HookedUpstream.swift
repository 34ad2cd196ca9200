import Foundation
import FreeholdSharing
import FreeholdStorage

/// An upstream whose calls tests can hold up.
final class HookedUpstream: Upstream {
    private let upstream: any Upstream
    /// How many connections were made.
    let connections = Locked(0)
    /// Called with each piece of a snapshot that is read, and before each that is written.
    let onPiece: @Sendable () -> Void
    /// Calls what pushes, or does something else.
    let aroundPush: @Sendable (() async throws -> PushAnswer) async throws -> PushAnswer
    /// What arrives instead of a piece of a snapshot that is read.
    let change: @Sendable (Data) -> [Data]
    /// Takes the place of a wait for the head, of the connection with a number.
    let onWait: (@Sendable (Int) async throws -> Void)?
    /// Called with the answer to each look at the log, before the client has it.
    let onLook: @Sendable () async -> Void

    init(
        _ upstream: any Upstream, onPiece: @escaping @Sendable () -> Void = {},
        onWait: (@Sendable (Int) async throws -> Void)? = nil,
        onLook: @escaping @Sendable () async -> Void = {},
        aroundPush:
            @escaping @Sendable (() async throws -> PushAnswer) async throws
            -> PushAnswer = { try await $0() },
        changing change: @escaping @Sendable (Data) -> [Data] = { [$0] }
    ) {
        self.aroundPush = aroundPush
        self.change = change
        self.onLook = onLook
        self.upstream = upstream
        self.onPiece = onPiece
        self.onWait = onWait
    }

    func create(_ realm: String) async throws { try await upstream.create(realm) }

    func connect(to realm: String, as client: UpstreamClient) async throws
        -> any UpstreamConnection
    {
        let connection = try await upstream.connect(to: realm, as: client)
        return Connection(
            connection, self,
            number: connections.withLock {
                $0 += 1; return $0
            })
    }

    private final class Connection: UpstreamConnection {
        private let connection: any UpstreamConnection
        private let upstream: HookedUpstream
        private let number: Int

        init(_ connection: any UpstreamConnection, _ upstream: HookedUpstream, number: Int) {
            self.connection = connection
            self.upstream = upstream
            self.number = number
        }

        func state() async throws -> UpstreamState { try await connection.state() }

        func push(_ commits: [PushedCommit], in epoch: Int64, expecting head: Int64?) async throws
            -> PushAnswer
        {
            try await upstream.aroundPush {
                try await connection.push(commits, in: epoch, expecting: head)
            }
        }

        func commits(after sequence: Int64, in epoch: Int64, upTo byteCount: Int) async throws
            -> [LoggedCommit]
        {
            let found = try await connection.commits(after: sequence, in: epoch, upTo: byteCount)
            await upstream.onLook()
            return found
        }

        func waitForHead(above sequence: Int64) async throws {
            if let wait = upstream.onWait { return try await wait(number) }
            try await connection.waitForHead(above: sequence)
        }

        func newestSnapshot() async throws -> UpstreamSnapshot? {
            try await connection.newestSnapshot()
        }

        func read(
            _ snapshot: UpstreamSnapshot, _ receive: @Sendable (Data) async throws -> Void
        ) async throws {
            try await connection.read(snapshot) { [upstream] piece in
                for changed in upstream.change(piece) { try await receive(changed) }
                upstream.onPiece()
            }
        }

        func write(
            _ snapshot: UpstreamSnapshot, _ nextPiece: @Sendable () async throws -> Data?
        ) async throws {
            try await connection.write(snapshot) { [upstream] in
                upstream.onPiece()
                return try await nextPiece()
            }
        }

        func trim(olderThan age: Duration) async throws {
            try await connection.trim(olderThan: age)
        }

        func beginEpoch(
            _ request: UpstreamEpochRequest, with snapshot: UpstreamSnapshot?,
            _ nextPiece: @Sendable () async throws -> Data?
        ) async throws -> UpstreamState? {
            try await connection.beginEpoch(request, with: snapshot, nextPiece)
        }

        func close() async { await connection.close() }
    }
}
