import Foundation
import Freehold
import FreeholdStorage

/// A connection to one realm of an upstream's file.
final class RealmFileConnection: UpstreamConnection {
    let queue: RealmFileQueue
    let name: String
    let realm: Int
    let client: UUID
    private let token: UUID
    private let waits: RealmFileWaits
    private let acknowledged = Locked(AcknowledgedCommit())

    init(_ queue: RealmFileQueue, name: String, realm: Int, client: UpstreamClient) {
        self.queue = queue
        self.name = name
        self.realm = realm
        self.client = client.id
        token = client.nextToken
        waits = RealmFileWaits(queue, name: name)
    }

    deinit {
        waits.end()
        queue.close()
    }

    func close() async {
        waits.end()
        queue.close()
    }

    func state() async throws -> UpstreamState {
        let state = try await queue.read { [name, client] file in
            try file.state(of: name, for: client)
        }
        acknowledged.withLock { $0.note(state.lastClientSequence, in: state.epoch) }
        return state
    }

    func waitForHead(above sequence: Int64) async throws {
        try await waits.wait(above: Int(sequence))
    }

    func push(_ commits: [PushedCommit], in epoch: Int64, expecting head: Int64?) async throws
        -> PushAnswer
    {
        precondition(!commits.isEmpty, "A push has at least one commit.")
        let following = acknowledged.withLock { $0.clientSequence(in: epoch) }
        let answer = try await queue.write { [name, client, token] file -> PushAnswer in
            let realm = try file.upstreamRealm(name, in: epoch)
            let key = UpstreamFileClient.key(realm.number, client)
            let known = file.object(ofType: UpstreamFileClient.self, forPrimaryKey: key)
            if let newest = known?.token, newest != token {
                throw SharingError(
                    .unreachable, "The file has connected again: this connection is over.",
                    remedy: "Use the newest connection.")
            }
            let pushed = known?.lastSequence ?? 0
            if pushed < following { throw AcknowledgedCommit.isGone }
            let new = commits.filter { $0.clientSequence > pushed }
            guard let last = new.last else { return .appended(last: Int64(realm.head)) }
            if let head, head != realm.head { return .conflict(head: Int64(realm.head)) }
            for commit in new { file.addUpstreamCommit(commit, from: client, to: realm) }
            let entry = known ?? UpstreamFileClient()
            entry.lastSequence = Int(last.clientSequence)
            if known == nil {
                entry.key = key
                file.add(entry)
            }
            return .appended(last: Int64(realm.head))
        }
        if case .appended = answer {
            acknowledged.withLock { $0.note(commits, following: following, in: epoch) }
        }
        return answer
    }

    func commits(after sequence: Int64, in epoch: Int64, upTo byteCount: Int) async throws
        -> [LoggedCommit]
    {
        try await queue.read { [name] file in
            let realm = try file.upstreamRealm(name, in: epoch)
            guard sequence >= realm.floor else {
                throw SharingError(
                    .logGone,
                    "Commits of \"\(name)\" up to \(realm.floor) were dropped from the log.",
                    remedy: "Begin from the newest snapshot; what waits to be pushed is kept.")
            }
            var found: [LoggedCommit] = []
            var left = max(1, byteCount)
            var number = Int(sequence)
            while left > 0, number < realm.head {
                number += 1
                let commit = try file.loggedCommit(number, of: realm)
                found.append(commit)
                left -= commit.payload.count
            }
            return found
        }
    }

    func trim(olderThan age: Duration) async throws {
        try await queue.write { [name] file in
            file.trim(
                try file.upstreamRealm(name),
                before: Date(timeIntervalSinceNow: -Double(age.components.seconds)))
        }
    }
}
