import Foundation
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// Commits that a server acknowledged and lost, and what files tell of them.
@Suite struct LostCommitTests {
    private static func rejections(of client: SteppedClient) throws -> [SharedRejectionRecord] {
        try client.core.file.rejections().map(\.record)
    }

    private static func damaged(_ commits: [PushedCommit]) -> [PushedCommit] {
        commits.map {
            PushedCommit(
                clientSequence: $0.clientSequence, format: $0.format,
                payload: Data($0.payload.dropLast()))
        }
    }

    /// A restored server takes commits of a client; then one that has more begins an epoch.
    @Test func commitsAfterARestore() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try one.write(3)
        try SteppedClient.settle(one)
        server.log = backup
        two.disconnect()
        let written = try two.insert("two")
        try SteppedClient.settle(two)
        #expect(server.head == 2 && two.core.pendingCount == 0)
        one.disconnect()
        try SteppedClient.settle(one, two)
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
        #expect(try two.number == .integer(3))
        #expect(try two.store.model().objects[written] == nil)
        let told = try Self.rejections(of: two)
        #expect(told.map(\.reason) == [.lostByServer] && told[0].clientSequence == 1)
        #expect(try Self.rejections(of: one).isEmpty)
    }

    /// Another client's commit took the number: the server's log is what counts.
    @Test(arguments: [false, true]) func anotherCommitOfTheNumber(isTrimmed: Bool) throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try SteppedClient.settle(one)
        server.log = backup
        two.disconnect()
        try two.write(5)
        try SteppedClient.settle(two)
        if isTrimmed {
            try two.write(6)
            two.core.requestSnapshot()
            try SteppedClient.settle(two)
            try server.log.trim(SteppedServer.realm)
        }
        one.disconnect()
        try SteppedClient.settle(one, two)
        #expect(try one.number == two.number)
        let told = try Self.rejections(of: one)
        #expect(told.map(\.reason) == [.lostByServer] && told[0].clientSequence == 2)
        #expect(try Self.rejections(of: two).isEmpty)
    }

    /// The same, where that commit is the last one that was dropped from the log.
    @Test func anotherCommitOfTheFloor() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        try one.write(2)
        try SteppedClient.settle(one)
        server.log = backup
        two.disconnect()
        try two.write(5)
        two.core.requestSnapshot()
        try SteppedClient.settle(two)
        try two.insert("other")
        try SteppedClient.settle(two)
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.floor == 2 && realm.head == 3)
        one.disconnect()
        try SteppedClient.settle(one, two)
        #expect(try one.number == .integer(5) && two.number == .integer(5))
        #expect(try one.store.model() == two.store.model())
        #expect(try Self.rejections(of: one).map(\.reason) == [.lostByServer])
        // A client whose last commit it is goes on without the snapshot.
        try two.write(8)
        two.core.requestSnapshot()
        try SteppedClient.settle(two, one)
        #expect(server.log[SteppedServer.realm]?.floor == 4)
        var snapshots = 0
        one.fate = { call in
            if case .readSnapshot = call { snapshots += 1 }
            return .answered
        }
        one.disconnect()
        try SteppedClient.settle(one)
        #expect(snapshots == 0 && one.core.file.state.applied == 4)
    }

    /// After the restore the log gets the same commit under the number, because its client had no
    /// answer to the first push, but behind another one than before.
    @Test(arguments: [false, true]) func theSameCommitOfTheNumber(isTrimmed: Bool) throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let three = try server.client("three")
        try SteppedClient.settle(three)
        let backup = server.log
        try two.write(2)
        try two.run()
        one.fate = { call in
            switch call {
            case .push: .loseAnswer
            case .connect: .loseRequest
            default: .answered
            }
        }
        try one.insert("of one")
        try one.run()
        try SteppedClient.settle(two)
        #expect(server.head == 3 && two.core.file.state.applied == 3)
        server.log = backup
        three.disconnect()
        try three.insert("of three")
        try SteppedClient.settle(three)
        one.fate = { _ in .answered }
        try SteppedClient.settle(one)
        #expect(server.head == 3 && one.core.pendingCount == 0)
        if isTrimmed {
            one.core.requestSnapshot()
            try SteppedClient.settle(one)
            try server.log.trim(SteppedServer.realm)
        }
        two.disconnect()
        try SteppedClient.settle(two, one, three)
        #expect(try two.store.model() == one.store.model())
        #expect(try two.store.model() == three.store.model())
        #expect(try Self.rejections(of: two).map(\.reason) == [.lostByServer])
        #expect(try Self.rejections(of: one).isEmpty && Self.rejections(of: three).isEmpty)
    }

    /// The log has the number, and bytes that no client can read: every file leaves them out, and
    /// the author is told what it had written.
    @Test func aCommitThatTheServerDamaged() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        try one.write(2)
        var written: ContiguousArray<UInt8>?
        one.fate = { [unowned one] call in
            guard case .push(let commits, let epoch, _) = call, one.core.failures == 0 else {
                return .answered
            }
            written = commits.first.map { ContiguousArray($0.payload) }
            _ = try? server.log.push(
                Self.damaged(commits), of: one.core.file.state.client, to: SteppedServer.realm,
                in: epoch,
                expecting: nil)
            return .loseRequest
        }
        try SteppedClient.settle(one, two)
        #expect(server.head == 2 && one.core.pendingCount == 0)
        #expect(try one.number == .integer(1) && two.number == .integer(1))
        let told = try Self.rejections(of: one)
        #expect(told.map(\.reason) == [.damagedPayload] && told[0].clientSequence == 2)
        #expect(told.first?.commit == written)
        #expect(try Self.rejections(of: two).isEmpty)
    }

    /// The same for a shared write, whose call throws.
    @Test func aSharedWriteThatTheServerDamaged() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        one.block = { 7 }
        one.fate = { [unowned one] call in
            guard case .push(let commits, let epoch, let head) = call, one.core.failures == 0
            else { return .answered }
            _ = try? server.log.push(
                Self.damaged(commits), of: one.core.file.state.client, to: SteppedServer.realm,
                in: epoch,
                expecting: head)
            return .loseRequest
        }
        let id = one.core.request(deadline: 1000)
        try SteppedClient.settle(one, two)
        guard case .failure(let error)? = one.ended[id] else {
            Issue.record("The call returned.")
            return
        }
        #expect(error.code == .damagedPayload && error.remedy.contains("again"))
        #expect(server.head == 2 && one.core.requests.isEmpty)
        #expect(try one.number == .integer(1) && two.number == .integer(1))
        let told = try Self.rejections(of: one)
        #expect(told.map(\.reason) == [.damagedPayload] && told[0].commit.isEmpty)
    }

    /// The server loses a push that was answered while the next one is on its way, which it
    /// refuses: the log gets no gap, whether or not the client has applied the first.
    @Test(arguments: [false, true]) func noPushIsBehindAGap(isApplied: Bool) throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", pushing: 1), try server.client("two"))
        try one.run()
        let backup = server.log
        one.appliesWhileCalling = isApplied
        one.fate = { [unowned one] call in
            guard case .push(let commits, let epoch, _) = call, server.head == 1 else {
                return .answered
            }
            server.log = backup
            #expect(throws: SharingError.self) {
                try server.log.push(
                    commits, of: one.core.file.state.client, to: SteppedServer.realm, in: epoch,
                    expecting: nil, following: one.core.pushed)
            }
            one.fate = { _ in .answered }
            return .answered
        }
        for number in 1...3 { try one.write(Int64(number)) }
        try SteppedClient.settle(one, two)
        #expect(server.head == 3 && one.core.isSettled)
        #expect(try one.number == .integer(3) && two.number == .integer(3))
        #expect(try Self.rejections(of: one).isEmpty)
    }

    /// Nothing is lost, so nothing is told: what the server forgot is the number alone.
    @Test func anEpochTellsNothing() throws {
        let (_, one, two) = try SteppedServer.withTwoClients()
        two.core.requestEpoch()
        try SteppedClient.settle(two, one)
        try one.write(2)
        try SteppedClient.settle(one, two)
        #expect(one.core.file.state.epoch == 2)
        #expect(try Self.rejections(of: one).isEmpty && Self.rejections(of: two).isEmpty)
    }

    /// The server lost the client's last token with the commits: the client is no copy.
    @Test func tokensThatAreLost() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        let backup = server.log
        for client in [one, two, one, two] {
            client.disconnect()
            try SteppedClient.settle(client)
        }
        try one.write(2)
        try SteppedClient.settle(one, two)
        server.log = backup
        for client in [one, two] { client.disconnect() }
        try SteppedClient.settle(one, two)
        #expect(one.core.lastError == nil && two.core.lastError == nil)
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
        #expect(try two.number == .integer(2))
    }

    /// A commit is in the log behind the deletion of its object, and its author takes a snapshot
    /// before it has read that.
    @Test func aDeletionBehindASnapshot() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        one.fate = { call in if case .commits = call { .loseRequest } else { .answered } }
        var deletion = SharedCommit()
        deletion.deleted = [SteppedClient.counted]
        try two.apply(deletion)
        try SteppedClient.settle(two)
        var change = SharedCommit()
        change.updated = [.init(SteppedClient.counted, ["int": .assign(.integer(9))])]
        try one.apply(change)
        _ = try one.run()
        #expect(server.head == 3 && one.core.pendingCount == 1)
        two.core.headMayHaveMoved()
        two.core.requestEpoch()
        try SteppedClient.settle(two)
        one.fate = { _ in .answered }
        try SteppedClient.settle(one, two)
        #expect(one.core.file.state.epoch == 2 && one.core.pendingCount == 0)
        let told = try Self.rejections(of: one)
        #expect(told.map(\.reason) == [.objectDeleted])
        #expect(
            told.first.flatMap { SharedCommit(decoding: $0.commit) }?.updated.map(\.object)
                == [SteppedClient.counted])
        #expect(try one.number == nil && two.number == nil)
    }
}
