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
        var options = SharingOptions()
        options.pushCount = 3
        let one = try server.client("one", options)
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

    /// Those of others between them are read.
    @Test func commitsOfOthersAreRead() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.pushCount = 3
        let (one, two) = (try server.client("one", options), try server.client("two"))
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
