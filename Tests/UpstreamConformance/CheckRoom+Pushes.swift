package import Foundation
package import FreeholdSharing
import Testing

extension CheckRoom {
    func beginsEmpty() async throws {
        let connection = try await begin()
        #expect(
            try await connection.state()
                == UpstreamState(epoch: 1, head: 0, floor: 0, lastClientSequence: 0, snapshot: nil))
        #expect(try await connection.commits(after: 0, in: 1, upTo: 1000).isEmpty)
        #expect(try await connection.newestSnapshot() == nil)
        await connection.close()
    }

    func names() async throws {
        await expectError(.unknownRealm) { _ = try await connect() }
        let connection = try await begin()
        await expectError(.nameTaken) { try await upstream.create(name) }
        let other = CheckRoom(upstream)
        let otherConnection = try await other.begin()
        try await otherConnection.push(1...3)
        #expect(try await connection.state().head == 0)
        await connection.close()
        await otherConnection.close()
    }

    func appends() async throws {
        let client = UpstreamClient.random()
        try await upstream.create(name)
        let connection = try await connect(as: client)
        let reader = try await connect()
        #expect(try await connection.push(1...1) == .appended(last: 1))
        #expect(try await connection.push(2...4) == .appended(last: 4))
        // Numbers of a client may have gaps.
        #expect(try await connection.push(9...9) == .appended(last: 5))
        let empty = PushedCommit(clientSequence: 10, format: -1, payload: Data())
        #expect(try await connection.push([empty], in: 1, expecting: nil) == .appended(last: 6))
        let expected =
            zip(1...5, [1, 2, 3, 4, 9]).map { sequence, number in
                LoggedCommit(number: Int64(number), sequence: Int64(sequence), client: client.id)
            } + [
                LoggedCommit(
                    sequence: 6, client: client.id, clientSequence: 10, format: -1, payload: Data())
            ]
        let all = try await reader.allCommits()
        #expect(all.map(\.withoutStamp) == expected)
        // With their stamps.
        #expect(try await connection.allCommits(after: 4) == Array(all.dropFirst(4)))
        #expect(try await connection.state().lastClientSequence == 10)
        #expect(try await reader.state().lastClientSequence == 0)
        await connection.close()
        await reader.close()
    }

    func largePushes() async throws {
        let connection = try await begin()
        #expect(try await connection.push(1...1000) == .appended(last: 1000))
        let large = PushedCommit(
            clientSequence: 1001, format: 1,
            payload: .patterned(byteCount: 3_000_000))
        #expect(try await connection.push([large], in: 1, expecting: 1000) == .appended(last: 1001))
        let all = try await connection.allCommits()
        #expect(all.map(\.sequence) == Array(1...1001))
        #expect(all.last?.payload == large.payload)
        await connection.close()
    }

    func repeatedPushes() async throws {
        let connection = try await begin()
        let other = try await connect()
        try await connection.push(1...3)
        try await other.push(1...2)
        // All of it, a part of it, and more than before.
        #expect(try await connection.push(1...3) == .appended(last: 5))
        #expect(try await connection.push(2...2) == .appended(last: 5))
        #expect(try await connection.push(2...5) == .appended(last: 7))
        #expect(try await connection.allCommits().map(\.clientSequence) == [1, 2, 3, 1, 2, 4, 5])
        #expect(try await connection.state().lastClientSequence == 5)
        await connection.close()
        await other.close()
    }

    /// What a connection that broke has still under way cannot come later.
    func newerConnections() async throws {
        try await upstream.create(name)
        let client = UpstreamClient.random()
        let first = try await connect(as: client)
        try await first.push(1...2)
        let second = try await connect(as: client.again())
        await expectError(.unreachable) { try await first.push(3...3) }
        #expect(try await second.state().lastClientSequence == 2)
        #expect(try await second.push(2...4) == .appended(last: 4))
        let other = try await connect()
        #expect(try await other.push(1...1) == .appended(last: 5))
        #expect(try await second.allCommits().map(\.clientSequence) == [1, 2, 3, 4, 1])
        await first.close()
        await second.close()
        await other.close()
    }

    func conflicts() async throws {
        let connection = try await begin()
        let other = try await connect()
        #expect(try await connection.push(1...2, expecting: 0) == .appended(last: 2))
        #expect(try await other.push(1...3, expecting: 0) == .conflict(head: 2))
        #expect(try await other.push(1...3, expecting: 3) == .conflict(head: 2))
        #expect(try await other.state().lastClientSequence == 0)
        #expect(try await other.push(1...3, expecting: 2) == .appended(last: 5))
        // The answer was lost: the commits are there, so it is no conflict.
        #expect(try await other.push(1...3, expecting: 2) == .appended(last: 5))
        #expect(try await connection.allCommits().count == 5)
        await connection.close()
        await other.close()
    }

    func readsByBytes() async throws {
        let connection = try await begin()
        let commits = (1...20).map {
            PushedCommit(clientSequence: $0, format: 1, payload: Data(count: 1000))
        }
        _ = try await connection.push(commits, in: 1, expecting: nil)
        // At least one, about as many bytes as asked for.
        #expect(try await connection.commits(after: 0, in: 1, upTo: 1).count == 1)
        #expect((3...7).contains(try await connection.commits(after: 0, in: 1, upTo: 5000).count))
        #expect(try await connection.commits(after: 19, in: 1, upTo: 1 << 20).count == 1)
        #expect(try await connection.commits(after: 20, in: 1, upTo: 1 << 20).isEmpty)
        #expect(try await connection.allCommits(upTo: 1).map(\.sequence) == Array(1...20))
        #expect(try await connection.allCommits(upTo: 2500).map(\.sequence) == Array(1...20))
        await connection.close()
    }

    func closing() async throws {
        let connection = try await begin()
        let wait = Task { try await connection.waitForHead(above: 0) }
        try await connection.push(1...1)
        await connection.close()
        // Begun before or after the close.
        await expectError(.unreachable) {
            try await wait.value
            try await connection.waitForHead(above: 1)
        }
        await expectError(.unreachable) { _ = try await connection.state() }
        await expectError(.unreachable) { try await connection.push(2...2) }
        await connection.close()
    }
}

extension LoggedCommit {
    /// Stamps are the upstream's.
    fileprivate var withoutStamp: Self {
        var commit = self
        commit.appendStamp = nil
        return commit
    }

    /// The commit of ``PushedCommit/numbered(_:_:)`` in the log.
    package init(number: Int64, sequence: Int64, client: UUID) {
        let pushed = PushedCommit.numbered(number)
        self.init(
            sequence: sequence, client: client, clientSequence: number, format: pushed.format,
            payload: pushed.payload)
    }
}
