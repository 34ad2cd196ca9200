import Foundation
import FreeholdSharing
import Synchronization

extension PostgresConnection {
    /// Of the payloads of a push: a message has less than 1 GB (2^30), and other values beside
    /// them.
    private static let mostBytes = 1_000_000_000

    func push(_ commits: [PushedCommit], in epoch: Int64, expecting head: Int64?) async throws
        -> PushAnswer
    {
        precondition(!commits.isEmpty, "A push has at least one commit.")
        try Self.checkSize(of: commits)
        let following = acknowledged.withLock { $0.clientSequence(in: epoch) }
        let outcome: (code: Int32, number: Int64?) = try await session.run {
            [statements, realm, client] connection throws(ServerError) in
            // Encoded on the session's thread: a push may have many megabytes.
            let push = statements.push.with(
                .int64(realm), .uuid(client.id), .uuid(client.nextToken), .int64(epoch),
                .int64(head), .int64(following),
                .int64s(commits.map(\.clientSequence)), .int32s(commits.map(\.format)),
                .bytesArray(commits.map(\.payload)))
            let result = try connection.run(push, after: connection.announcer?.announce())[0]
            return (try result.int32(0, 0), try result.optionalInt64(0, 1))
        }
        let number = outcome.number ?? 0
        switch outcome.code {
        case 0:
            session.note(KnownHead(epoch: epoch, head: number))
            acknowledged.withLock { $0.note(commits, following: following, in: epoch) }
            return .appended(last: number)
        case 1: throw isInNewEpoch(number, not: epoch)
        case 2: return .conflict(head: number)
        case 4:
            await close()
            throw SharingError(
                .unreachable, "The file has connected again: this connection is over.",
                remedy: "Use the newest connection.")
        case 5:
            await close()
            throw AcknowledgedCommit.isGone
        default:
            throw SharingError(
                .permissionDenied, "The user may not write to the realm \"\(name)\".",
                remedy: "Have the owner grant it: PostgresUpstream.grant(_:to:canWrite:).")
        }
    }

    /// Refuses what the server does not take: it closes the connection where a message has 1 GB,
    /// which looks like a failure that trying again may mend.
    private static func checkSize(of commits: [PushedCommit]) throws(SharingError) {
        let size = commits.reduce(0) { $0 + $1.payload.count }
        guard size > mostBytes else { return }
        throw SharingError(
            .serverFull,
            "A push of \(size) bytes is too large: a server takes \(mostBytes) at most.",
            remedy: "Write it in smaller transactions.")
    }

    func commits(after sequence: Int64, in epoch: Int64, upTo byteCount: Int) async throws
        -> [LoggedCommit]
    {
        let answer: CommitsAnswer? = try await session.run {
            [statements, realm] connection throws(ServerError) in
            // The server looks at all rows up to here, and at the grants for each: small commits
            // come in more calls, large ones cost little more.
            let most = Int64(4096)
            let result = try connection.run(
                statements.commits.with(
                    .int64(realm), .int64(sequence), .int64(max(1, Int64(byteCount))),
                    .int64(most)))[0]
            return try result.rowCount == 0 ? nil : CommitsAnswer(result)
        }
        guard let answer else { throw realmIsGone() }
        session.note(KnownHead(epoch: answer.epoch, head: answer.head))
        if answer.epoch != epoch { throw isInNewEpoch(answer.epoch, not: epoch) }
        if sequence < answer.floor {
            throw SharingError(
                .logGone,
                "Commits of \"\(name)\" up to \(answer.floor) were dropped from the log.",
                remedy: "Begin from the newest snapshot; what waits to be pushed is kept.")
        }
        return answer.commits
    }
}

private struct CommitsAnswer: Sendable {
    let epoch: Int64
    let head: Int64
    let floor: Int64
    var commits: [LoggedCommit] = []

    init(_ result: StatementResult) throws(ServerError) {
        epoch = try result.int64(0, 0)
        head = try result.int64(0, 1)
        floor = try result.int64(0, 2)
        // The realm without commits: one row of nulls.
        guard !result.isNull(0, 3) else { return }
        commits.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount {
            commits.append(
                LoggedCommit(
                    sequence: try result.int64(row, 3), client: try result.uuid(row, 4),
                    clientSequence: try result.int64(row, 5), format: try result.int32(row, 6),
                    payload: result.data(row, 7), appendStamp: try result.int64(row, 8)))
        }
    }
}
