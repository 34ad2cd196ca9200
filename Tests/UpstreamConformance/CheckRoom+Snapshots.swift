import Foundation
import FreeholdSharing
import Testing

extension CheckRoom {
    func snapshots() async throws {
        let connection = try await begin()
        let other = try await connect()
        try await connection.push(1...9)
        // Small ones, one of several megabytes, none.
        let pieces = (0..<7).map { piece in
            Data.patterned(byteCount: piece == 3 ? 2_500_000 : 999, UInt8(piece))
        }
        try await connection.writeSnapshot(
            sequence: 5, pieces: pieces, isEncrypted: true, schemaVersion: 7)
        let snapshot = try #require(try await other.newestSnapshot())
        let byteCount = 2_500_000 + 6 * 999
        #expect(
            snapshot
                == UpstreamSnapshot(
                    epoch: 1, sequence: 5, byteCount: Int64(byteCount), isEncrypted: true,
                    schemaVersion: 7))
        #expect(try await other.readSnapshot(snapshot) == pieces.reduce(Data(), +))
        // The largest number is the newest, not the last that came.
        try await other.writeSnapshot(sequence: 2, pieces: [Data("two".utf8)])
        #expect(try await other.newestSnapshot()?.sequence == 5)
        #expect(try await other.state().snapshot == 5)
        try await other.writeSnapshot(sequence: 9, pieces: [])
        let empty = try #require(try await connection.newestSnapshot())
        #expect(empty.sequence == 9 && empty.byteCount == 0)
        #expect(try await connection.readSnapshot(empty).isEmpty)
        // An error of the receiver ends the reading and nothing else.
        await #expect(throws: Stop.self) {
            try await connection.read(snapshot) { _ in throw Stop() }
        }
        #expect(try await connection.state().head == 9)
        await connection.close()
        await other.close()
    }

    func snapshotsThatAreCut() async throws {
        let connection = try await begin()
        try await connection.push(1...9)
        let claimed = UpstreamSnapshot(epoch: 1, sequence: 9, byteCount: 4000, isEncrypted: false)
        let pieces = Pieces([Data(count: 1000), Data(count: 1000)])
        await #expect(throws: Stop.self) {
            try await connection.write(claimed) {
                guard let piece = await pieces.next() else { throw Stop() }
                return piece
            }
        }
        #expect(try await connection.newestSnapshot() == nil)
        for count in [3999, 4001] {
            let wrong = Pieces([Data(count: count)])
            await expectError(.damagedPayload) {
                try await connection.write(claimed) { await wrong.next() }
            }
        }
        #expect(try await connection.newestSnapshot() == nil)
        #expect(try await connection.state().snapshot == nil)
        await expectError(.logGone) { _ = try await connection.readSnapshot(claimed) }
        // The connection goes on.
        #expect(try await connection.push(10...10) == .appended(last: 10))
        try await connection.writeSnapshot(sequence: 9, pieces: [Data(count: 4000)])
        #expect(try await connection.newestSnapshot() == claimed)
        await connection.close()
    }

    func snapshotsOfOtherEpochs() async throws {
        let connection = try await begin()
        try await connection.push(1...9)
        _ = try await connection.beginEpoch(1, expecting: 9, head: 9)
        await expectError(.newEpoch) {
            try await connection.writeSnapshot(epoch: 1, sequence: 9, pieces: [Data(count: 10)])
        }
        #expect(try await connection.newestSnapshot() == nil)
        try await connection.writeSnapshot(epoch: 2, sequence: 9, pieces: [Data(count: 10)])
        #expect(try await connection.state().snapshot == 9)
        await connection.close()
    }

    /// Of a log that the server lost: what is trimmed by it would be missing for ever.
    func snapshotsAboveTheHead() async throws {
        let connection = try await begin()
        try await connection.push(1...9)
        await expectError(.newEpoch) {
            try await connection.writeSnapshot(sequence: 10, pieces: [Data(count: 10)])
        }
        #expect(try await connection.newestSnapshot() == nil)
        try await connection.trim(olderThan: .zero)
        #expect(try await connection.push(10...10) == .appended(last: 10))
        #expect(try await connection.allCommits(after: 9).map(\.sequence) == [10])
        try await connection.writeSnapshot(sequence: 10, pieces: [Data(count: 10)])
        #expect(try await connection.state().snapshot == 10)
        await connection.close()
    }

    func cancelledSnapshots() async throws {
        let connection = try await begin()
        try await connection.push(1...9)
        let snapshot = UpstreamSnapshot(epoch: 1, sequence: 9, byteCount: 3000, isEncrypted: false)
        let writer = Task {
            try await connection.write(snapshot) {
                // Ends with the task alone.
                try await Task.sleep(for: .seconds(3600))
                return nil
            }
        }
        writer.cancel()
        await #expect(throws: CancellationError.self) { try await writer.value }
        let other = try await connect()
        #expect(try await other.newestSnapshot() == nil)
        #expect(try await other.push(1...1) == .appended(last: 10))
        await connection.close()
        await other.close()
    }
}

/// Of a test's closure.
struct Stop: Error {}
