import Foundation
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// Numbers that no log has, from a server, a snapshot or a file.
@Suite struct BadNumberTests {
    private static let states: [UpstreamState] =
        [Int64.max, .min, -1].flatMap { number in
            [
                state(epoch: number), state(head: number), state(floor: number),
                state(snapshot: number),
            ]
        } + [state(last: .max)]

    private static func state(
        epoch: Int64 = 1, head: Int64 = 0, floor: Int64 = 0, last: Int64 = 0, snapshot: Int64? = nil
    ) -> UpstreamState {
        UpstreamState(
            epoch: epoch, head: head, floor: floor, lastClientSequence: last, snapshot: snapshot)
    }

    /// The client says what is wrong, and connects again.
    @Test(arguments: states) func ofAServer(_ state: UpstreamState) throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.write(1)
        func call() throws -> SharingCall {
            guard case .call(let call) = try one.core.next(at: one.now) else {
                throw SharingError(.serverFailed, "The client makes no call.", remedy: "")
            }
            return call
        }
        _ = try call()
        try one.core.received(.connected, at: 0)
        guard case .state = try call() else {
            Issue.record("The client does not ask for the state.")
            return
        }
        try one.core.received(.state(state), at: 0)
        #expect(one.core.lastError?.code == .serverFailed && !one.core.isConnected)
        one.now = 100
        try one.run()
        #expect(one.core.isSettled && server.head == 1)
    }

    /// A server that begins an epoch answers with another one's numbers.
    @Test func ofABegunEpoch() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        one.core.requestEpoch()
        guard case .call(.beginEpoch) = try one.core.next(at: 0) else {
            Issue.record("The client does not begin an epoch.")
            return
        }
        try one.core.received(.begun(Self.state(epoch: .max)), at: 0)
        #expect(one.core.lastError?.code == .serverFailed && one.core.file.state.epoch == 1)
        one.now = 100
        try one.run()
        #expect(one.core.isSettled)
    }

    /// A snapshot of an epoch that none has is not taken.
    @Test func ofASnapshot() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        one.core.requestEpoch()
        try SteppedClient.settle(one)
        let path = server.folder.path("snapshot")
        _ = try one.core.makeSnapshot(at: path)
        let snapshot = UpstreamSnapshot(
            epoch: .max, sequence: 1, byteCount: 1, isEncrypted: false)
        #expect(throws: SharingError.self) { try two.core.takeSnapshot(path, snapshot) }
        #expect(two.core.file.state.epoch == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [Int64.max, -1]) func ofAMark(_ number: Int64) throws {
        let folder = try StoreFolder()
        for (epoch, sequence) in [(number, 1), (1, number)] as [(Int64, Int64)] {
            let store = try folder.open("\(epoch) \(sequence)")
            try store.write {
                SharedSnapshotMark(
                    epoch: epoch, sequence: sequence, schemaVersion: 0, lastSequences: [:]
                ).add(to: $0)
            }
            #expect(SharedSnapshotMark(in: try store.newestSnapshot()) == nil)
        }
    }

    @Test func ofAFile() {
        for number in [Int64.max, -1] {
            for key in [\SharingState.epoch, \.applied, \.logBytes] {
                var state = SharingState(name: "r")
                state[keyPath: key] = number
                let bytes = state.encoded()
                #expect(bytes.withUnsafeBytes { SharingState(decoding: $0) } == nil)
            }
        }
    }
}
