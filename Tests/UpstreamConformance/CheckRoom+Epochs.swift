import Foundation
import FreeholdSharing
import Testing

extension CheckRoom {
    func epochsFromNothing() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        let state = try await connection.beginEpoch(1, expecting: 5, head: 0)
        #expect(
            state
                == UpstreamState(epoch: 2, head: 0, floor: 0, lastClientSequence: 0, snapshot: nil))
        #expect(try await connection.commits(after: 0, in: 2, upTo: 1000).isEmpty)
        // What the epoch's snapshot may lack is pushed again.
        #expect(try await connection.push(5...6, in: 2) == .appended(last: 2))
        #expect(try await connection.allCommits(in: 2).map(\.clientSequence) == [5, 6])
        await connection.close()
    }

    func epochsFromSnapshots() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        try await connection.writeSnapshot(sequence: 3, pieces: [Data("old".utf8)])
        // The number of the epoch is the caller's: a server that was restored may have had others.
        let state = try await connection.beginEpoch(
            1, expecting: 5, epoch: 4, head: 8, pieces: [Data("n".utf8), Data("ew".utf8)])
        #expect(
            state == UpstreamState(epoch: 4, head: 8, floor: 8, lastClientSequence: 0, snapshot: 8))
        let snapshot = try #require(try await connection.newestSnapshot())
        #expect(try await connection.readSnapshot(snapshot) == Data("new".utf8))
        await expectError(.logGone) {
            _ = try await connection.commits(after: 7, in: 4, upTo: 1000)
        }
        #expect(try await connection.push(6...7, in: 4, expecting: 8) == .appended(last: 10))
        #expect(try await connection.allCommits(after: 8, in: 4).map(\.clientSequence) == [6, 7])
        await connection.close()
    }

    /// An epoch that does not begin leaves nothing of its snapshot, and one that fails neither.
    func epochsThatDoNotBegin() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        try await connection.writeSnapshot(sequence: 3, pieces: [Data("old".utf8)])
        let new = [Data("new".utf8)]
        #expect(try await connection.beginEpoch(1, expecting: 4, head: 4, pieces: new) == nil)
        #expect(try await connection.beginEpoch(2, expecting: 5, head: 5, pieces: new) == nil)
        #expect(
            try await connection.beginEpoch(
                1, expecting: 5, head: 5, onlyIfUnseeded: true, pieces: new) == nil)
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            _ = try await connection.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: 5, epoch: 2, head: 5),
                with: UpstreamSnapshot(epoch: 2, sequence: 5, byteCount: 3, isEncrypted: false)
            ) { throw Refusal() }
        }
        // A snapshot of another commit, and one of another size.
        for (sequence, byteCount): (Int64, Int64) in [(4, 3), (5, 4), (5, 2)] {
            let pieces = Pieces(new)
            await expectError(.damagedPayload) {
                _ = try await connection.beginEpoch(
                    UpstreamEpochRequest(endedEpoch: 1, expectedHead: 5, epoch: 2, head: 5),
                    with: UpstreamSnapshot(
                        epoch: 2, sequence: sequence, byteCount: byteCount, isEncrypted: false)
                ) { await pieces.next() }
            }
        }
        let state = try await connection.state()
        #expect(
            state == UpstreamState(epoch: 1, head: 5, floor: 0, lastClientSequence: 5, snapshot: 3))
        #expect(try await connection.push(6...6) == .appended(last: 6))
        #expect(try await connection.allCommits().count == 6)
        // Nobody sees a snapshot before its epoch.
        await expectError(.newEpoch) {
            try await connection.writeSnapshot(epoch: 2, sequence: 6, pieces: new)
        }
        #expect(try await connection.newestSnapshot()?.sequence == 3)
        await connection.close()
    }

    /// Of several that begin an epoch at the same time one does, and its snapshot is there.
    func epochsBegunAtOnce() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        let others = [try await connect(), try await connect(), try await connect()]
        for epoch: Int64 in 1...5 {
            let begun = try await withThrowingTaskGroup(of: Int?.self) { group in
                for (number, other) in others.enumerated() {
                    group.addTask {
                        let pieces = [Data(repeating: UInt8(number), count: 200_000)]
                        return try await other.beginEpoch(
                            epoch, expecting: 5, head: 5, pieces: pieces) == nil ? nil : number
                    }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(begun.count == 1)
            let snapshot = try #require(try await connection.newestSnapshot())
            #expect(snapshot.epoch == epoch + 1)
            #expect(try await connection.readSnapshot(snapshot).first.map(Int.init) == begun.first)
        }
        for other in others + [connection] { await other.close() }
    }

    func epochsBegunTwice() async throws {
        let connection = try await begin()
        let other = try await connect()
        try await connection.push(1...5)
        // A commit that the caller does not know.
        #expect(try await other.beginEpoch(1, expecting: 4, head: 4) == nil)
        #expect(try await other.state().epoch == 1)
        #expect(try await connection.allCommits().count == 5)
        _ = try await connection.beginEpoch(1, expecting: 5, head: 3)
        try await connection.push(6...6, in: 2)
        #expect(try await other.beginEpoch(1, expecting: 4, head: 7) == nil)
        let state = try await other.state()
        #expect(
            state
                == UpstreamState(epoch: 2, head: 4, floor: 3, lastClientSequence: 0, snapshot: nil))
        #expect(try await other.allCommits(after: 3, in: 2).map(\.clientSequence) == [6])
        await connection.close()
        await other.close()
    }

    func unseededEpochs() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        _ = try await connection.beginEpoch(1, expecting: 5, head: 5)
        #expect(
            try await connection.beginEpoch(1, expecting: 5, head: 5, onlyIfUnseeded: true) == nil)
        #expect(
            try await connection.beginEpoch(2, expecting: 4, head: 5, onlyIfUnseeded: true) == nil)
        let state = try await connection.beginEpoch(2, expecting: 5, head: 5, onlyIfUnseeded: true)
        #expect(state?.epoch == 3)
        try await connection.writeSnapshot(epoch: 3, sequence: 5, pieces: [Data("new".utf8)])
        #expect(
            try await connection.beginEpoch(3, expecting: 5, head: 5, onlyIfUnseeded: true) == nil)
        #expect(try await connection.state().epoch == 3)
        // At once: either the epoch has its snapshot, or there is another epoch.
        let other = try await connect()
        var epoch: Int64 = 3
        for _ in 0..<20 {
            epoch = try #require(
                try await connection.beginEpoch(epoch, expecting: 5, head: 5)?.epoch)
            let begun = epoch
            async let written: Bool = {
                do {
                    try await connection.writeSnapshot(
                        epoch: begun, sequence: 5, pieces: [Data("new".utf8)])
                    return true
                } catch let error as SharingError where error.code == .newEpoch {
                    return false
                }
            }()
            let replaced = try await other.beginEpoch(
                begun, expecting: 5, head: 5, onlyIfUnseeded: true)
            #expect(try await written == (replaced == nil))
            epoch = try await connection.state().epoch
            #expect(epoch == (replaced == nil ? begun : begun + 1))
        }
        await connection.close()
        await other.close()
    }

    func oldEpochsRefuse() async throws {
        let connection = try await begin()
        try await connection.push(1...5)
        _ = try await connection.beginEpoch(1, expecting: 5, head: 5)
        await expectError(.newEpoch) { try await connection.push(6...6, in: 1) }
        await expectError(.newEpoch) { try await connection.push(6...6, in: 1, expecting: 5) }
        await expectError(.newEpoch) { try await connection.push(6...6, in: 3) }
        await expectError(.newEpoch) {
            _ = try await connection.commits(after: 5, in: 1, upTo: 1000)
        }
        #expect(try await connection.state().head == 5)
        // The connection goes on.
        #expect(try await connection.push(6...6, in: 2) == .appended(last: 6))
        await connection.close()
    }

    func trims() async throws {
        try await upstream.create(name)
        let client = UpstreamClient.random()
        let connection = try await connect(as: client)
        try await connection.push(1...10)
        let stamps = try await connection.allCommits().map(\.appendStamp)
        try await connection.trim(olderThan: .zero)
        #expect(try await connection.state().floor == 0, "Nothing goes without a snapshot.")
        try await connection.writeSnapshot(sequence: 4, pieces: [Data("four".utf8)])
        try await connection.writeSnapshot(sequence: 7, pieces: [Data("seven".utf8)])
        let old = UpstreamSnapshot(epoch: 1, sequence: 4, byteCount: 4, isEncrypted: false)
        #expect(try await connection.readSnapshot(old) == Data("four".utf8))
        try await connection.trim(olderThan: .zero)
        let state = try await connection.state()
        let last = UpstreamCommitIdentity(
            client: client.id, clientSequence: 7, appendStamp: stamps[6])
        #expect(
            state
                == UpstreamState(
                    epoch: 1, head: 10, floor: 7, lastClientSequence: 10, snapshot: 7,
                    floorCommit: last))
        await expectError(.logGone) {
            _ = try await connection.commits(after: 6, in: 1, upTo: 1000)
        }
        #expect(try await connection.allCommits(after: 7).map(\.sequence) == [8, 9, 10])
        await expectError(.logGone) { _ = try await connection.readSnapshot(old) }
        let snapshot = try #require(try await connection.newestSnapshot())
        #expect(try await connection.readSnapshot(snapshot) == Data("seven".utf8))
        #expect(try await connection.push(10...11) == .appended(last: 11))
        // Again, and then an epoch that begins at the number of the floor.
        try await connection.writeSnapshot(sequence: 9, pieces: [Data("nine".utf8)])
        try await connection.trim(olderThan: .zero)
        #expect(
            try await connection.state().floorCommit
                == UpstreamCommitIdentity(
                    client: client.id, clientSequence: 9, appendStamp: stamps[8]))
        #expect(try await connection.allCommits(after: 9).map(\.sequence) == [10, 11])
        let request = UpstreamEpochRequest(endedEpoch: 1, expectedHead: 11, epoch: 2, head: 9)
        let begun = try await connection.beginEpoch(request, with: nil) { nil }
        #expect(begun?.floor == 9 && begun?.floorCommit == nil)
        #expect(try await connection.push(1...1, in: 2) == .appended(last: 10))
        #expect(try await connection.allCommits(after: 9, in: 2).map(\.sequence) == [10])
        await connection.close()
    }

    func trimsNothingYoung() async throws {
        let connection = try await begin()
        try await connection.push(1...10)
        try await connection.writeSnapshot(sequence: 4, pieces: [Data("four".utf8)])
        try await connection.writeSnapshot(sequence: 7, pieces: [Data("seven".utf8)])
        try await connection.trim(olderThan: .seconds(3600))
        #expect(try await connection.state().floor == 0)
        #expect(try await connection.allCommits().count == 10)
        let old = UpstreamSnapshot(epoch: 1, sequence: 4, byteCount: 4, isEncrypted: false)
        #expect(try await connection.readSnapshot(old) == Data("four".utf8))
        await connection.close()
    }
}
