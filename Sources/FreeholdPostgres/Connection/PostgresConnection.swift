import Foundation
import FreeholdSharing
import Synchronization

/// A connection to one realm of a server.
final class PostgresConnection: UpstreamConnection {
    let session: Session
    let realm: Int64
    /// For messages.
    let name: String
    let client: UpstreamClient
    let statements: Statements
    let acknowledged = Mutex(AcknowledgedCommit())

    init(
        _ session: Session, realm: Int64, name: String, client: UpstreamClient,
        _ statements: Statements
    ) {
        self.session = session
        self.realm = realm
        self.name = name
        self.client = client
        self.statements = statements
    }

    deinit { session.end() }

    func state() async throws -> UpstreamState {
        let state: UpstreamState? = try await session.run {
            [statements, realm, client] connection throws(ServerError) in
            let result = try connection.run(statements.state.with(.int64(realm), .uuid(client.id)))[
                0]
            return try result.rowCount == 0 ? nil : UpstreamState(result)
        }
        guard let state else { throw realmIsGone() }
        session.note(KnownHead(epoch: state.epoch, head: state.head))
        acknowledged.withLock { $0.note(state.lastClientSequence, in: state.epoch) }
        return state
    }

    func waitForHead(above sequence: Int64) async throws {
        try await session.waitForHead(above: sequence)
    }

    func close() async { await session.close() }

    func trim(olderThan age: Duration) async throws {
        let seconds = Double(age.components.seconds) + Double(age.components.attoseconds) / 1e18
        try await session.run { [statements, realm] connection throws(ServerError) in
            _ = try connection.run(statements.trim.with(.int64(realm), .float64(seconds)))
        }
    }

    func beginEpoch(
        _ request: UpstreamEpochRequest, with snapshot: UpstreamSnapshot?,
        _ nextPiece: @Sendable () async throws -> Data?
    ) async throws -> UpstreamState? {
        let isBegun: Bool
        if let snapshot {
            try request.check(snapshot)
            isBegun = try await store(snapshot, request, nextPiece)
        } else {
            isBegun = try await session.run {
                [statements, realm] connection throws(ServerError) in
                try connection.run(
                    statements.beginEpoch(request, of: realm),
                    after: connection.announcer?.announce())[0].bool(0, 0)
            }
        }
        return isBegun ? try await state() : nil
    }

    /// The realm that was connected to has no row that the user sees.
    func realmIsGone() -> SharingError {
        SharingError(
            .permissionDenied, "The realm \"\(name)\" is gone, or its grant was taken back.",
            remedy: "Ask the owner of the server's tables.")
    }

    func isInNewEpoch(_ epoch: Int64, not old: Int64) -> SharingError {
        SharingError(
            .newEpoch, "The realm \"\(name)\" is in epoch \(epoch), not \(old).",
            remedy: "Begin from the newest snapshot; what waits to be pushed is kept.")
    }
}

extension UpstreamState {
    fileprivate init(_ result: StatementResult) throws(ServerError) {
        self.init(
            epoch: try result.int64(0, 0), head: try result.int64(0, 1),
            floor: try result.int64(0, 2), lastClientSequence: try result.int64(0, 3),
            snapshot: try result.optionalInt64(0, 4),
            floorCommit: result.isNull(0, 5)
                ? nil
                : UpstreamCommitIdentity(
                    client: try result.uuid(0, 5), clientSequence: try result.int64(0, 6),
                    appendStamp: try result.int64(0, 7)))
    }
}
