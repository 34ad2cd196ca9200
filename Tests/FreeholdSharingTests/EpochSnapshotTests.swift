@testable import FreeholdSharing
import FreeholdStorage
import Testing

/// Epochs that begin together with their snapshot.
@Suite struct EpochSnapshotTests {
    private static func isEpoch(_ call: SharingCall) -> Bool {
        if case .beginEpoch = call { true } else { false }
    }

    private static func settle(_ clients: SteppedClient...) throws {
        for client in clients + clients {
            client.core.headMayHaveMoved()
            while let time = try client.run() { client.now = time }
        }
    }

    /// A server whose one commit two clients have.
    private static func begin(_ options: SharingOptions = SharingOptions()) throws
        -> (server: SteppedServer, one: SteppedClient, two: SteppedClient)
    {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", options), try server.client("two", options))
        try one.write(1)
        try settle(one, two)
        return (server, one, two)
    }

    @Test func nobodyFindsOneWithoutItsSnapshot() throws {
        let (server, one, two) = try Self.begin()
        var calls = 0
        one.whileAnswered = { call in
            guard Self.isEpoch(call) else { return }
            calls += 1
            let realm = try #require(server.log[SteppedServer.realm])
            #expect(realm.epoch == 2 && realm.snapshot?.snapshot.epoch == 2)
        }
        one.core.requestEpoch()
        try Self.settle(one, two)
        #expect(calls == 1 && one.core.epochRequest == nil && one.core.seededEpochCall > 0)
        #expect(one.core.file.state.epoch == 2 && two.core.file.state.epoch == 2)
        #expect(try two.number == .integer(1))
    }

    /// While a large snapshot is written others commit: in the end the epoch begins without it.
    @Test(arguments: [0, 2, 3, 5]) func commitsOfOthersMeanwhile(count: Int) throws {
        let (server, one, two) = try Self.begin()
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
        try Self.settle(one, two)
        #expect(attempts == count + 1 && seeded == min(count + 1, 3))
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.epoch == 2 && realm.snapshot?.snapshot.sequence == Int64(count) + 1)
        #expect(try one.number == .integer(Int64(count) + 1))
        #expect(try one.number == two.number)
    }

    /// The server lost a commit. Whoever has it ends for ever while it begins the epoch: another
    /// client, which lacks the commit, gets it all the same, or the epoch did not begin.
    @Test(arguments: [true, false]) func aClientThatEnds(isDone: Bool) throws {
        let (server, one, two) = try Self.begin()
        let backup = server.log
        try one.write(2)
        try one.run()
        server.log = backup
        one.core.disconnected(
            SharingError(.unreachable, "The connection broke.", remedy: ""), at: one.now)
        var calls = 0
        one.fate = { call in
            guard Self.isEpoch(call) else { return calls == 0 ? .answered : .loseRequest }
            calls += 1
            return isDone ? .loseAnswer : .loseRequest
        }
        while calls == 0 { one.now = try one.run() ?? one.now + 1 }
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == (isDone ? 2 : 1))
        try Self.settle(two)
        #expect(try two.number == .integer(isDone ? 2 : 1))
        one.fate = { _ in .answered }
        try Self.settle(one, two)
        #expect(try one.number == .integer(2) && two.number == .integer(2))
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
    }

    /// A server that was restored from an old backup gets an epoch that no file has seen, at once.
    @Test func epochsThatTheServerForgot() throws {
        let (server, one, two) = try Self.begin()
        let backup = server.log
        for _ in 0..<3 {
            one.core.requestEpoch()
            try Self.settle(one, two)
        }
        server.log = backup
        let broken = SharingError(.unreachable, "The connection broke.", remedy: "")
        for client in [one, two] { client.core.disconnected(broken, at: client.now) }
        var calls = 0
        one.fate = { call in
            if Self.isEpoch(call) { calls += 1 }
            return .answered
        }
        try Self.settle(one, two)
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == 5)
        #expect(one.core.file.state.epoch == 5 && two.core.file.state.epoch == 5)
    }

    /// What the program asked for is not repeated, each time with a copy of the file; the rest
    /// goes on.
    @Test(arguments: [SharingError.Code.serverFull, .fileFailed])
    func withoutRoomTheRequestEnds(code: SharingError.Code) throws {
        let (server, one, two) = try Self.begin()
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
        try Self.settle(one, two)
        #expect(calls == 1 && server.log[SteppedServer.realm]?.epoch == 1)
        #expect(try two.number == .integer(3))
    }
}
