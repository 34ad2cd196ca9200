import Foundation
@testable import FreeholdSharing
import FreeholdStorage
import Testing

/// Epochs that begin together with their snapshot.
@Suite struct EpochSnapshotTests {
    private static func isEpoch(_ call: SharingCall) -> Bool {
        if case .beginEpoch = call { true } else { false }
    }

    @Test func nobodyFindsOneWithoutItsSnapshot() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        var calls = 0
        one.whileAnswered = { call in
            guard Self.isEpoch(call) else { return }
            calls += 1
            let realm = try #require(server.log[SteppedServer.realm])
            #expect(realm.epoch == 2 && realm.snapshot?.snapshot.epoch == 2)
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one, two)
        #expect(calls == 1 && one.core.epochRequest == nil && one.core.seededEpochCall > 0)
        #expect(one.core.file.state.epoch == 2 && two.core.file.state.epoch == 2)
        #expect(try two.number == .integer(1))
    }

    /// While a large snapshot is written others commit: in the end the epoch begins without it.
    @Test(arguments: [0, 2, 3, 5]) func commitsOfOthersMeanwhile(count: Int) throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        var (attempts, seeded) = (0, 0)
        one.whileEpochIsWritten = {
            attempts += 1
            if attempts > count { return }
            try two.write(Int64(attempts) + 1)
            try two.run()
        }
        one.fate = { call in
            if case .beginEpoch(_, withSnapshot: true) = call { seeded += 1 }
            return .answered
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one, two)
        #expect(attempts == count + 1 && seeded == min(count + 1, 3))
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.epoch == 2 && realm.snapshot?.snapshot.sequence == Int64(count) + 1)
        #expect(try one.number == .integer(Int64(count) + 1))
        #expect(try one.number == two.number)
    }

    /// The server lost a commit. Whoever has it ends for ever while it begins the epoch: another
    /// client, which lacks the commit, gets it all the same, or the epoch did not begin.
    @Test(arguments: [true, false]) func aClientThatEnds(isDone: Bool) throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try one.run()
        server.log = backup
        one.disconnect()
        var calls = 0
        one.fate = { call in
            guard Self.isEpoch(call) else { return calls == 0 ? .answered : .loseRequest }
            calls += 1
            return isDone ? .loseAnswer : .loseRequest
        }
        while calls == 0 { one.now = try one.run() ?? one.now + 1 }
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == (isDone ? 2 : 1))
        try SteppedClient.settle(two)
        #expect(try two.number == .integer(isDone ? 2 : 1))
        one.fate = { _ in .answered }
        try SteppedClient.settle(one, two)
        #expect(try one.number == .integer(2) && two.number == .integer(2))
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
    }

    /// A server that was restored from an old backup gets an epoch that no file has seen, at once.
    @Test func epochsThatTheServerForgot() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        for _ in 0..<3 {
            one.core.requestEpoch()
            try SteppedClient.settle(one, two)
        }
        server.log = backup
        for client in [one, two] { client.disconnect() }
        var calls = 0
        one.fate = { call in
            if Self.isEpoch(call) { calls += 1 }
            return .answered
        }
        try SteppedClient.settle(one, two)
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == 5)
        #expect(one.core.file.state.epoch == 5 && two.core.file.state.epoch == 5)
    }

    /// What the program asked for is not repeated, each time with a copy of the file; the rest
    /// goes on.
    @Test(arguments: [SharingError.Code.serverFull, .fileFailed])
    func withoutRoomTheRequestEnds(code: SharingError.Code) throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        var calls = 0
        one.fate = { call in
            guard Self.isEpoch(call) else { return .answered }
            calls += 1
            return .fails(SharingError(code, "There is no room.", remedy: ""))
        }
        one.core.requestEpoch()
        try one.write(2)
        try one.run()
        #expect(calls == 1 && one.core.epochRequest == nil && one.core.isConnected)
        try one.write(3)
        try SteppedClient.settle(one, two)
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == 1)
        #expect(try two.number == .integer(3))
    }

    /// Others take the snapshot and commit, before the client learns that its epoch has begun.
    @Test func commitsOfOthersAtOnce() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        one.whenEpochHasBegun = {
            one.whenEpochHasBegun = {}
            try two.write(2)
            try SteppedClient.settle(two)
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one, two)
        #expect(one.core.epochRequest == nil && one.core.seededEpochCall > 0)
        #expect(server.log[SteppedServer.realm]?.epoch == 2 && server.head == 2)
        #expect(try one.number == .integer(2))
    }

    /// And the next epoch has begun by then.
    @Test func anotherEpochAtOnce() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        one.whenEpochHasBegun = {
            one.whenEpochHasBegun = {}
            try SteppedClient.settle(two)
            two.core.requestEpoch()
            try SteppedClient.settle(two)
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one, two)
        #expect(one.core.epochRequest == nil && one.core.seededEpochCall > 0)
        #expect(server.log[SteppedServer.realm]?.epoch == 3)
        #expect(one.core.file.state.epoch == 3 && two.core.file.state.epoch == 3)
    }

    /// Only attempts in a row count: later epochs begin with their snapshots again.
    @Test func lostAttemptsAreForgotten() throws {
        let (_, one, two) = try SteppedServer.withTwoClients()
        for number: Int64 in 2...4 {
            one.whileEpochIsWritten = {
                one.whileEpochIsWritten = {}
                two.core.requestEpoch()
                try two.write(number)
                try SteppedClient.settle(two)
            }
            one.core.requestEpoch()
            try SteppedClient.settle(one, two)
        }
        one.fate = { call in
            if case .beginEpoch(_, let withSnapshot) = call { #expect(withSnapshot) }
            return .answered
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one, two)
        #expect(try one.number == .integer(4))
    }

    /// A copy that is gone is no empty snapshot.
    @Test func aMigratedCopyThatIsGone() throws {
        let (server, one, _) = try SteppedServer.withTwoClients()
        let path = server.folder.path("gone")
        let state = one.core.file.state
        one.core.requestEpoch(
            with: .init(
                path: path, epoch: state.epoch, sequence: state.applied, isEncrypted: false))
        #expect(try one.run() != nil)
        #expect(one.core.lastError?.code == .damagedPayload)
        #expect(server.log[SteppedServer.realm]?.epoch == 1)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// What a program asked for has all that it had committed, even if an epoch begins without.
    @Test func aSnapshotHasWhatWasPending() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try one.run()
        server.log = backup
        one.disconnect()
        try one.write(3)
        one.core.requestSnapshot()
        try SteppedClient.settle(one, two)
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.epoch == 2 && realm.snapshot?.snapshot.sequence == realm.head)
        #expect(try two.number == .integer(3))
    }

    /// Each attempt copies the file.
    @Test func refusedAttemptsPauseLonger() throws {
        let (server, one, _) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try one.run()
        server.log = backup
        server.log.isReadOnly = true
        var calls = 0
        one.fate = { call in
            if Self.isEpoch(call) { calls += 1 }
            return .answered
        }
        one.disconnect()
        let start = one.now
        while one.now < start + 600 { one.now = try #require(try one.run()) }
        #expect((20...60).contains(calls))
        server.log.isReadOnly = false
        try SteppedClient.settle(one)
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
    }

    /// A snapshot that cannot be read is tried again after a pause.
    @Test func anUnreadableSnapshotPauses() throws {
        let (_, one, two) = try SteppedServer.withTwoClients()
        one.core.requestEpoch()
        try SteppedClient.settle(one)
        var calls = 0
        two.fate = { call in
            guard case .readSnapshot = call else { return .answered }
            calls += 1
            return .fails(SharingError(.logGone, "A piece is missing.", remedy: ""))
        }
        two.core.headMayHaveMoved()
        let start = two.now
        while two.now < start + 600 { two.now = try #require(try two.run()) }
        #expect((10...100).contains(calls))
    }
}
