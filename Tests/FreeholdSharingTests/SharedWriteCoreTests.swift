@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// What the core knows of the attempts of a shared write.
@Suite struct SharedWriteCoreTests {
    private struct Refused: Error {}

    /// The answer is lost, and the log is cut behind the commit before the client is back.
    @Test func aSnapshotTellsThatAnAttemptArrived() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        var runs = 0
        one.block = {
            runs += 1
            return 7
        }
        var isAway = false
        one.fate = { call in
            if isAway { return .loseRequest }
            if call.isPush {
                isAway = true
                return .loseAnswer
            }
            return .answered
        }
        let id = one.core.request(deadline: 1000)
        try one.run()
        #expect(server.head == 1 && one.ended[id] == nil)
        try two.run()
        two.core.requestSnapshot()
        try two.run()
        #expect(server.log[SteppedServer.realm]?.floor == 1)
        isAway = false
        one.fate = { _ in .answered }
        one.now = 500
        try one.run()
        #expect(try one.ended[id]?.get() == 1 && runs == 1)
        #expect(try one.number == .integer(7) && server.head == 1)
    }

    /// A conflict is an answer: nothing was written, and the end of the task is no unknown
    /// outcome.
    @Test func aConflictIsKnown() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        var runs = 0
        one.block = {
            runs += 1
            if runs == 1 {
                try two.write(1)
                try two.run()
            } else {
                // The task is cancelled here.
                throw Refused()
            }
            return 7
        }
        let id = one.core.request(deadline: 1000)
        #expect(throws: Refused.self) { try one.run() }
        #expect(one.core.takeEvents().isEmpty && one.ended[id] == nil)
        #expect(server.head == 1 && one.pushes.count == 1)
    }

    /// A program that writes each time that the block runs: what it writes is pushed meanwhile, and
    /// the call comes to an end.
    @Test func ownWritesWithoutAnEnd() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.mostConflicts = 5
        let one = try server.client("one", options)
        try one.run()
        var runs: Int64 = 0
        one.block = {
            runs += 1
            try one.write(runs)
            return 700
        }
        let id = one.core.request(deadline: nil)
        try one.run()
        guard case .failure(let error)? = one.ended[id] else {
            Issue.record("The call did not fail.")
            return
        }
        #expect(error.code == .tooManyConflicts && runs == 6)
        #expect(server.head == 6 && one.core.isSettled)
        #expect(try one.number == .integer(6))
    }

    /// Once the program pauses, the block has seen all that it wrote.
    @Test func ownWritesThatPause() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        var seen: [SharedValue?] = []
        one.block = {
            seen.append(try one.number)
            if seen.count < 4 { try one.write(Int64(seen.count)) }
            return 7
        }
        let id = one.core.request(deadline: nil)
        try one.run()
        #expect(try one.ended[id]?.get() != nil)
        #expect(seen == [nil, .integer(1), .integer(2), .integer(3)])
        #expect(server.head == 4)
        #expect(try one.number == .integer(7))
    }

    /// What one push does not take is pushed before the block runs.
    @Test func aLongOutboxIsPushedBefore() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.pushBytes = 1
        let one = try server.client("one", options)
        try one.run()
        for number in 1...3 as ClosedRange<Int64> { try one.write(number) }
        one.block = { 7 }
        let id = one.core.request(deadline: nil)
        try one.run()
        #expect(try one.ended[id]?.get() != nil)
        #expect(one.pushes.map(\.commits.count) == [1, 1, 2])
        #expect(server.head == 4)
        #expect(try one.number == .integer(7))
    }

    /// A program that writes as fast as its commits are pushed, each as long as a push: the block
    /// waits for those that were pending, not for later ones.
    @Test func aWriterThatNeverPauses() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.pushBytes = 1
        let one = try server.client("one", options)
        try one.run()
        for number in 1...2 as ClosedRange<Int64> { try one.write(number) }
        one.block = { 700 }
        let id = one.core.request(deadline: nil)
        var (pushCount, endedAt) = (0, 0)
        one.whileAnswered = { [unowned one] call in
            guard call.isPush, pushCount < 50 else { return }
            pushCount += 1
            if one.ended[id] == nil { endedAt = pushCount }
            try one.write(Int64(100 + pushCount))
        }
        try one.run()
        #expect(try one.ended[id]?.get() != nil)
        #expect(endedAt < 6, "\(endedAt)")
    }

    /// Others commit during each attempt, and the program has written much meanwhile: that does
    /// not wait for the attempts to end.
    @Test func theOutboxDoesNotWaitForConflicts() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.pushBytes = 1
        let (one, two) = (try server.client("one", options), try server.client("two"))
        try one.run()
        one.block = { 7 }
        var attempts = 0
        var counts: [Int] = []
        one.fate = { [unowned one] call in
            guard case .push(let commits, _, .some) = call else { return .answered }
            counts.append(commits.count)
            attempts += 1
            if attempts > 3 { return .answered }
            do {
                if attempts == 1 { for number in 1...20 { try one.write(Int64(number)) } }
                try two.write(Int64(100 + attempts))
                try SteppedClient.settle(two)
            } catch {
                Issue.record(error)
            }
            return .answered
        }
        let id = one.core.request(deadline: nil)
        try one.run()
        #expect(try one.ended[id]?.get() != nil)
        #expect(counts.count == 4 && counts.allSatisfy { $0 <= 2 }, "\(counts)")
        #expect(server.head == 24)
    }

    /// What is pending and the block's commit are more than a push can have.
    @Test func moreThanAPush() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.mostPushedBytes = 200
        let one = try server.client("one", options)
        try one.run()
        for number in 1...3 as ClosedRange<Int64> { try one.write(number) }
        var runs = 0
        one.block = {
            runs += 1
            return 7
        }
        let id = one.core.request(deadline: nil)
        try one.run()
        #expect(try one.ended[id]?.get() != nil)
        #expect(runs == 2 && one.pushes.map(\.commits.count) == [3, 1])
        #expect(try one.number == .integer(7))
    }

    /// Nothing arrived, which the log tells; then the server is away.
    @Test func aLostRequestIsKnownOnceTheLogWasRead() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        var runs = 0
        one.block = {
            runs += 1
            return 7
        }
        one.fate = { call in call.isPush ? .loseRequest : .answered }
        let id = one.core.request(deadline: 100)
        // Its second block has run, so that what became of the first attempt is known.
        while runs < 2 { one.now = try #require(try one.run()) }
        #expect(server.head == 0)
        one.fate = { _ in .loseRequest }
        one.now = 101
        try one.run()
        // The second attempt may be under way still.
        guard case .failure(let error) = try #require(one.ended[id]) else {
            Issue.record("It was not pushed.")
            return
        }
        #expect(error.code == .outcomeUnknown)
    }

    /// A server that is full when the log is read says nothing of the push before.
    @Test func onlyTheRefusalOfAPushIsAnAnswer() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        var runs = 0
        one.block = {
            runs += 1
            return 7
        }
        let full = SharingError(.serverFull, "The server is full.", remedy: "")
        var pushCount = 0
        one.fate = { call in
            if call.isPush {
                pushCount += 1
                return .loseAnswer
            }
            return pushCount == 1 ? .fails(full) : .answered
        }
        let id = one.core.request(deadline: 1000)
        for _ in 0..<5 { one.now = try #require(try one.run()) }
        #expect(one.ended[id] == nil && runs == 1)
        one.fate = { _ in .answered }
        one.now += 100
        try one.run()
        #expect(try one.ended[id]?.get() == 1 && runs == 1)
        #expect(server.head == 1 && one.pushes.count == 1)
    }

    /// The block of a request that comes while the log is read, or while a push is under way, runs
    /// on what others had committed before the request.
    @Test(arguments: [true, false]) func anAnswerFromBeforeIsNotEnough(whilePushing: Bool) throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        var id: UInt64?
        var found: SharedValue?
        one.whileAnswered = { call in
            guard id == nil, whilePushing == call.isPush else { return }
            if !whilePushing { guard case .commits = call else { return } }
            try two.run()
            try two.write(2)
            try two.run()
            id = one.core.request(deadline: nil)
        }
        one.block = {
            found = try one.number
            return nil
        }
        if whilePushing { try one.write(1) } else { one.core.headMayHaveMoved() }
        try one.run()
        #expect(try one.ended[#require(id)]?.get() == 0 && found == .integer(2))
    }
}
