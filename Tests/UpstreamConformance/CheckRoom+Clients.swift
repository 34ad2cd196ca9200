import Foundation
import FreeholdSharing
import Testing

extension CheckRoom {
    func tokens() async throws {
        try await upstream.create(name)
        let first = UpstreamClient.random()
        try await connect(as: first).close()
        // The answer was lost: the same tokens again.
        try await connect(as: first).close()
        let second = first.again()
        try await connect(as: second).close()
        try await connect(as: second).close()
        // A file that was copied before the second connection.
        let copy = first.again()
        await expectError(.copiedClient) { _ = try await connect(as: copy) }
        // Whoever has more of the log than the server is no copy: the server lost its token.
        var ahead = first.again()
        for (epoch, applied): (Int64, Int64) in [(1, 0), (0, 9)] {
            (ahead.epoch, ahead.applied) = (epoch, applied)
            await expectError(.copiedClient) { _ = try await connect(as: ahead) }
        }
        (ahead.epoch, ahead.applied) = (1, 1)
        try await connect(as: ahead).close()
        await expectError(.copiedClient) { try await connect(as: second.again()).close() }
        ahead = ahead.again()
        (ahead.epoch, ahead.applied) = (2, 0)
        try await connect(as: ahead).close()
        try await connect(as: ahead.again()).close()
        // An epoch forgets the tokens.
        let connection = try await connect()
        #expect(try await connection.beginEpoch(1, expecting: 0, head: 0) != nil)
        await connection.close()
        try await connect(as: second.again()).close()
        await expectError(.copiedClient) { try await connect(as: first.again()).close() }
        // Other clients are not concerned.
        try await connect().close()
    }

    func waits() async throws {
        let connection = try await begin()
        let other = try await connect()
        // Beside a wait other calls are answered, and it ends after a push.
        for number in Int64(1)...10 {
            async let wait: Void = connection.waitForHead(above: number - 1)
            _ = try await connection.state()
            try await other.push(number...number)
            try await wait
            // Returns early at times: a look tells.
            while try await connection.commits(after: number - 1, in: 1, upTo: 100).isEmpty {
                try await connection.waitForHead(above: number - 1)
            }
        }
        // At once where the head is above already.
        try await connection.waitForHead(above: 3)
        // An epoch with smaller numbers ends the wait for larger ones.
        async let wait: Void = connection.waitForHead(above: 10)
        let head = try await other.state().head
        #expect(try await other.beginEpoch(1, expecting: head, head: 0) != nil)
        try await wait
        await connection.close()
        await other.close()
    }

    func cancelledWaits() async throws {
        let connection = try await begin()
        for _ in 1...10 {
            let wait = Task { try await connection.waitForHead(above: 0) }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        }
        // The connection goes on.
        #expect(try await connection.push(1...1) == .appended(last: 1))
        await connection.close()
    }

    /// Numbers without gaps, in the order in which they become visible.
    func pushesAtOnce() async throws {
        try await upstream.create(name)
        let clients: Int64 = 3
        let pushes: Int64 = 25
        let reader = try await connect()
        let total = clients * pushes * 2
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...clients {
                group.addTask {
                    let connection = try await connect()
                    var last: Int64 = 0
                    for push in 0..<pushes {
                        let answer = try await connection.push(push * 2 + 1...push * 2 + 2)
                        guard case .appended(let new) = answer else { throw Stop() }
                        #expect(new >= last + 2)
                        last = new
                        #expect(try await connection.state().head >= last)
                    }
                    await connection.close()
                }
            }
            group.addTask {
                var seen: Int64 = 0
                while seen < total {
                    let found = try await reader.commits(after: seen, in: 1, upTo: 1000)
                    if found.isEmpty { try await reader.waitForHead(above: seen) }
                    for commit in found {
                        #expect(commit.sequence == seen + 1)
                        seen += 1
                    }
                }
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }
        let all = try await reader.allCommits()
        #expect(all.map(\.sequence) == Array(1...total))
        for (_, commits) in Dictionary(grouping: all, by: \.client) {
            #expect(commits.map(\.clientSequence) == Array(1...pushes * 2))
        }
        await reader.close()
    }

    /// Each push that expects a head follows it directly.
    func comparesAndSets() async throws {
        try await upstream.create(name)
        let clients = 3
        let increments: Int64 = 10
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...clients {
                group.addTask {
                    let connection = try await connect()
                    var head: Int64 = 0
                    var number: Int64 = 1
                    while number <= increments {
                        switch try await connection.push(number...number, expecting: head) {
                        case .appended(let last):
                            #expect(last == head + 1)
                            head = last
                            number += 1
                        case .conflict(let other):
                            #expect(other > head)
                            head = other
                        }
                    }
                    await connection.close()
                }
            }
            // The first error ends the others, too.
            for try await _ in group {}
        }
        let reader = try await connect()
        #expect(try await reader.allCommits().count == clients * Int(increments))
        await reader.close()
    }
}
