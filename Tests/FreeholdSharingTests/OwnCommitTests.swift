@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// What a client reads of the log that it wrote itself.
@Suite struct OwnCommitTests {
    private func count(_ calls: [SharingCall]) -> (pushes: Int, reads: Int) {
        calls.reduce(into: (0, 0)) { counts, call in
            if case .push = call { counts.0 += 1 }
            if case .commits = call { counts.1 += 1 }
        }
    }

    /// Its own commits do not come back to it, as long as nobody else commits.
    @Test func ownCommitsAreNotReadBack() throws {
        let server = try SteppedServer()
        let one = try server.client("one", pushing: 3)
        try one.run()
        var calls: [SharingCall] = []
        one.fate = { call in
            calls.append(call)
            return .answered
        }
        for number in 1...9 { try one.write(Int64(number)) }
        try one.run()
        #expect(count(calls) == (3, 0))
        #expect(one.core.isSettled && one.core.file.state.applied == 9)
    }

    /// A push goes out before the file takes what the one before brought, and that is taken while
    /// the push is under way.
    @Test func pushesAreAppliedWhileTheNextOneIsUnderWay() throws {
        let server = try SteppedServer()
        let one = try server.client("one", pushing: 3)
        try one.run()
        var states: [(applied: Int64, pending: Int)] = []
        one.fate = { call in
            states.append((one.core.file.state.applied, one.core.pendingCount))
            return .answered
        }
        for number in 1...9 { try one.write(Int64(number)) }
        try one.run()
        #expect(states.map(\.applied) == [0, 0, 3] && states.map(\.pending) == [9, 9, 6])
        #expect(one.core.isSettled && one.core.file.state.applied == 9)
    }

    /// Whatever becomes of the push that is under way, what the one before brought is in the log
    /// once, and leaves the outbox.
    @Test(arguments: [false, true]) func pushesEndWhileTheOneBeforeIsApplied(isLost: Bool) throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", pushing: 3), try server.client("two"))
        try one.run()
        var pushCount = 0
        one.appliesWhileCalling = isLost
        one.fate = { call in
            guard case .push = call else { return .answered }
            pushCount += 1
            return pushCount == 2 ? isLost ? .loseAnswer : .loseRequest : .answered
        }
        for number in 1...9 { try one.write(Int64(number)) }
        let time = try #require(try one.run())
        #expect(one.core.file.state.applied == 3 && one.core.pendingCount == 6)
        one.now = time
        try one.run()
        try two.run()
        #expect(server.head == 9 && one.core.isSettled && one.core.file.state.applied == 9)
        #expect(try one.number == .integer(9) && two.number == .integer(9))
    }

    /// The program ends while a push is under way, and before the file has taken what the one
    /// before brought.
    @Test(arguments: [false, true]) func programsEndBetweenPushes(hasArrived: Bool) throws {
        struct Ended: Error {}
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", pushing: 3), try server.client("two"))
        try one.run()
        var pushCount = 0
        one.appliesWhileCalling = false
        one.fate = { call in
            guard case .push = call else { return .answered }
            pushCount += 1
            return pushCount == 2 && !hasArrived ? .loseRequest : .answered
        }
        one.whileAnswered = { _ in if pushCount == 2 { throw Ended() } }
        for number in 1...9 { try one.write(Int64(number)) }
        #expect(throws: Ended.self) { try one.run() }
        #expect(server.head == (hasArrived ? 6 : 3) && one.core.file.state.applied == 0)
        let again = try SteppedClient(restarting: one)
        try SteppedClient.settle(again, two)
        #expect(server.head == 9 && again.core.isSettled && again.core.file.state.applied == 9)
        #expect(try again.number == .integer(9) && two.number == .integer(9))
    }

    /// A shared write does not wait for the end of a long outbox: what was pushed is applied, and
    /// its block sees all of it.
    @Test func sharedWritesEndARowOfPushes() throws {
        let server = try SteppedServer()
        let one = try server.client("one", pushing: 3)
        try one.run()
        var (id, seen): (UInt64?, Int64?) = (nil, nil)
        one.fate = { call in
            if case .push = call, id == nil { id = one.core.request(deadline: nil) }
            return .answered
        }
        one.block = {
            seen = one.core.file.state.applied
            return 100
        }
        for number in 1...8 { try one.write(Int64(number)) }
        try one.run()
        let ended = try #require(id.flatMap { one.ended[$0] })
        #expect(throws: Never.self) { try ended.get() }
        #expect(seen == 6 && server.head == 9 && one.core.isSettled)
        #expect(try one.number == .integer(100))
    }

    /// Those of others between them are read.
    @Test func commitsOfOthersAreRead() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", pushing: 3), try server.client("two"))
        try one.run()
        var calls: [SharingCall] = []
        one.fate = { call in
            if case .push = call, server.head == 3 {
                try? two.write(100)
                _ = try? two.run()
            }
            calls.append(call)
            return .answered
        }
        for number in 1...9 { try one.write(Int64(number)) }
        try one.run()
        #expect(count(calls).pushes == 3 && count(calls).reads > 0)
        #expect(one.core.isSettled && one.core.file.state.applied == 10)
        #expect(try one.number == .integer(9))
        try two.run()
        #expect(try two.number == .integer(9))
    }

    /// A push that was repeated is read, because what was added is not known.
    @Test func repeatedPushesAreRead() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        var isLost = false
        one.fate = { call in
            if case .push = call, !isLost {
                isLost = true
                return .loseAnswer
            }
            return .answered
        }
        for number in 1...3 { try one.write(Int64(number)) }
        one.now = try one.run() ?? 0
        try one.run()
        #expect(server.head == 3 && one.core.isSettled)
        try two.run()
        #expect(try two.number == .integer(3))
    }
}
