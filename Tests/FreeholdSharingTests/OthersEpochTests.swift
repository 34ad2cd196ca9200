import Foundation
import Freehold
@testable import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Testing
import UpstreamConformance

/// Clients go on by themselves while others begin epochs: no call of the program hears of it.
@Suite struct OthersEpochTests {
    /// One client begins an epoch before each of the first pushes of another one.
    private static func beginEpochs(
        _ count: Int, by one: SteppedClient, beforePushesOf two: SteppedClient
    ) {
        var epochs = 0
        two.fate = { call in
            guard call.isPush, epochs < count else { return .answered }
            epochs += 1
            one.core.requestEpoch()
            _ = try? one.run()
            return .answered
        }
    }

    /// Another client begins an epoch before each push.
    @Test func epochsBegunBeforeEachPush() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        Self.beginEpochs(12, by: one, beforePushesOf: two)
        try two.write(2)
        two.core.headMayHaveMoved()
        #expect(try two.run() == nil)
        #expect(server.log[SteppedServer.realm]?.epoch == 13)
        #expect(two.core.isSettled && two.core.connectionCount == 1 && two.core.lastError == nil)
        try SteppedClient.settle(one)
        #expect(try one.number == .integer(2))
    }

    /// The same, for a shared write without a timeout.
    @Test func epochsBegunBeforeEachSharedWrite() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        Self.beginEpochs(12, by: one, beforePushesOf: two)
        two.block = { 2 }
        let id = two.core.request(deadline: nil)
        #expect(try two.run() == nil)
        #expect(server.log[SteppedServer.realm]?.epoch == 13 && two.core.connectionCount == 1)
        guard case .success = two.ended[id] else {
            Issue.record("\(String(describing: two.ended[id]))")
            return
        }
        try SteppedClient.settle(one)
        #expect(try one.number == .integer(2))
    }

    /// One that waits for the snapshot of an epoch keeps its connection, looks once a second, and
    /// says why. A shared write waits as long as its timeout.
    @Test func aSnapshotThatIsBeingWritten() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        #expect(
            try server.log.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1),
                in: SteppedServer.realm))
        two.core.headMayHaveMoved()
        two.block = { 2 }
        let patient = two.core.request(deadline: nil)
        let impatient = two.core.request(deadline: two.now + 2.5)
        let start = two.now
        var looks = 0
        two.fate = { call in
            if case .state = call { looks += 1 }
            return .answered
        }
        while two.now < start + 5 { two.now = try #require(try two.run()) }
        #expect((5...7).contains(looks))
        #expect(two.core.isConnected && two.core.connectionCount == 1)
        #expect(two.core.lastError?.code == .logGone)
        guard case .failure(let error) = two.ended[impatient] else {
            Issue.record("The shared write is still waiting.")
            return
        }
        #expect(error.code == .logGone && two.ended[patient] == nil)
        // The one that writes it.
        try SteppedClient.settle(one, two)
        #expect(two.core.connectionCount == 1 && two.core.lastError == nil)
        guard case .success = two.ended[patient] else {
            Issue.record("\(String(describing: two.ended[patient]))")
            return
        }
        #expect(try two.number == .integer(2))
    }

    /// The answer to the call that begins an epoch without its snapshot is lost: its client does
    /// not wait for others to write it.
    @Test func anEpochWithoutAnAnswer() throws {
        var options = SharingOptions()
        options.seededEpochAttempts = 0
        let server = try SteppedServer()
        let (one, two) = (try server.client("one", options), try server.client("two", options))
        try one.write(1)
        try SteppedClient.settle(one, two)
        var isLost = false
        one.fate = { call in
            guard case .beginEpoch = call, !isLost else { return .answered }
            isLost = true
            return .loseAnswer
        }
        one.core.requestEpoch()
        one.now = try #require(try one.run())
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
        #expect(server.log[SteppedServer.realm]?.snapshot == nil)
        #expect(try one.run() == nil)
        #expect(one.now < 1 && one.core.isSettled && one.core.epochRequest == nil)
        #expect(server.log[SteppedServer.realm]?.snapshot?.snapshot.epoch == 3)
        try SteppedClient.settle(two)
        #expect(two.core.file.state.epoch == 3)
        #expect(try two.number == .integer(1))
    }

    /// It was refused, and somebody else began it: that client is about to write the snapshot.
    @Test func anEpochThatOthersBegan() throws {
        var options = SharingOptions()
        (options.seededEpochAttempts, options.longestRetry) = (0, 1)
        let server = try SteppedServer()
        let one = try server.client("one", options)
        try one.write(1)
        try SteppedClient.settle(one)
        var refusals = 0
        one.fate = { call in
            guard case .beginEpoch = call, refusals == 0 else { return .answered }
            refusals += 1
            return .fails(SharingError(.serverFull, "No room.", remedy: ""))
        }
        one.core.requestEpoch()
        try one.run()
        #expect(refusals == 1 && server.log[SteppedServer.realm]?.epoch == 1)
        #expect(
            try server.log.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1),
                in: SteppedServer.realm))
        one.core.headMayHaveMoved()
        let start = one.now
        while one.now < start + 15 { one.now = try #require(try one.run()) }
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
    }

    /// The snapshot of an epoch is there, and the answer was lost: that is the epoch that the
    /// program asked for.
    @Test func aSnapshotWithoutAnAnswer() throws {
        var options = SharingOptions()
        options.seededEpochAttempts = 0
        let server = try SteppedServer()
        let one = try server.client("one", options)
        try one.write(1)
        try SteppedClient.settle(one)
        var isLost = false
        one.fate = { call in
            guard case .writeSnapshot = call, !isLost else { return .answered }
            isLost = true
            return .loseAnswer
        }
        one.core.requestEpoch()
        try SteppedClient.settle(one)
        #expect(isLost && server.log[SteppedServer.realm]?.epoch == 2)
        #expect(one.core.epochRequest == nil && one.core.epochCall == nil)
        #expect(one.core.seededEpochCall > 0)
    }

    /// A shared write whose push was refused because of an epoch is known not to be in the log.
    @Test func aRefusedSharedWriteIsNotDone() throws {
        let (server, one, two) = try SteppedServer.withTwoClients()
        two.fate = { call in
            if call.isPush {
                let request = UpstreamEpochRequest(
                    endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1)
                _ = try? server.log.beginEpoch(request, in: SteppedServer.realm)
            }
            return .answered
        }
        two.block = { 2 }
        let id = two.core.request(deadline: two.now + 3)
        while two.ended[id] == nil { two.now = try #require(try two.run()) }
        guard case .failure(let error) = two.ended[id] else {
            Issue.record("It was done.")
            return
        }
        #expect(error.code == .logGone)
        try SteppedClient.settle(one, two)
        #expect(try two.number == .integer(1))
    }

    /// Whether a snapshot takes too long is not known anew before the server was asked.
    @Test func anOverdueSnapshotIsAskedForAgain() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try two.run()
        try one.write(1)
        try SteppedClient.settle(one)
        #expect(
            try server.log.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1),
                in: SteppedServer.realm))
        two.core.headMayHaveMoved()
        while two.now < 60 { two.now = try #require(try two.run()) }
        #expect(two.core.overdueSnapshot != nil)
        two.disconnect()
        #expect(two.core.overdueSnapshot == nil)
        two.fate = { call in
            if case .state = call { #expect(two.core.overdueSnapshot == nil) }
            return .answered
        }
        try SteppedClient.settle(one, two)
        #expect(two.core.overdueSnapshot == nil && two.core.isSettled)
    }

    /// A server that contradicts itself is left alone for longer and longer.
    @Test(arguments: [SharingError.Code.newEpoch, .logGone])
    func aServerThatContradictsItself(code: SharingError.Code) throws {
        let (_, _, two) = try SteppedServer.withTwoClients()
        var calls = 0
        two.fate = { call in
            guard call.isPush else { return .answered }
            calls += 1
            return .fails(SharingError(code, "Another one.", remedy: ""))
        }
        try two.write(2)
        two.core.headMayHaveMoved()
        var pauses: [Double] = []
        while pauses.count < 8 {
            let time = try #require(try two.run())
            if time > two.now { pauses.append(time - two.now) }
            #expect(two.core.lastError?.code == code && !two.core.isConnected)
            two.now = time
        }
        #expect(calls == 11 && pauses[7] > 4 * pauses[0])
        two.fate = { _ in .answered }
        try SteppedClient.settle(two)
        #expect(two.core.lastError == nil && two.core.pendingCount == 0)
    }

    /// The server lost a commit of an epoch without a snapshot, and got another one in its place:
    /// the client that has the lost one must not make the snapshot of this epoch.
    @Test func anotherCommitInAnEpochWithoutSnapshot() throws {
        var options = SharingOptions()
        options.seededEpochAttempts = 0
        let server = try SteppedServer()
        let one = try server.client("one", options)
        try one.write(1)
        try SteppedClient.settle(one)
        one.fate = { if case .writeSnapshot = $0 { .loseRequest } else { .answered } }
        one.core.requestEpoch()
        one.now = try #require(try one.run())
        var former = server.log
        one.fate = { _ in .answered }
        try one.write(2)
        try SteppedClient.settle(one)
        let other = UpstreamClient(
            id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "other", epoch: 2,
            applied: 1)
        try former.connect(other, to: SteppedServer.realm)
        let commit = SteppedClient.commit(3, try one.store.newestSnapshot().catalog)
        _ = try former.push(
            [
                PushedCommit(
                    clientSequence: 1, format: SharedCommit.format, payload: Data(commit.encoded()))
            ], of: other.id, to: SteppedServer.realm, in: 2, expecting: nil)
        #expect(former[SteppedServer.realm]?.snapshot == nil)
        server.log = former
        one.disconnect()
        try SteppedClient.settle(one)
        #expect(server.log[SteppedServer.realm]?.epoch == 3)
        let two = try server.client("two")
        try SteppedClient.settle(two)
        #expect(try one.number == two.number)
    }

    /// A shared realm that is closed while it writes the snapshot of its epoch writes it first,
    /// also on another connection, but takes no longer than its patience.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func closingBeforeTheSnapshotIsWritten(isPatient: Bool) async throws {
        let shop = try await Shop()
        let toClose = Locked<SharedRealm?>(nil)
        let upstream = HookedUpstream(
            shop.upstream,
            onPiece: {
                guard let shared = toClose.withLock({ $0.take() }) else { return }
                shared.agent.close(patience: isPatient ? .seconds(300) : .zero)
                shared.agent.queue.sync {}
                shop.upstream.breakConnections()
            })
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        options.seededEpochAttempts = 0
        let shared = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name, options: options)
        try await shared.synchronize()
        toClose.withLock { $0 = shared }
        do {
            try await shared.beginEpoch()
            #expect(isPatient)
        } catch let error as SharingError {
            #expect([.closed, .unreachable].contains(error.code))
        }
        await shared.close(patience: .seconds(300))
        #expect(shared.status.connection == .closed)
        let connection = try await shop.upstream.connect(to: Shop.name, as: .random())
        let state = try await connection.state()
        await connection.close()
        #expect(state.epoch == 2 && (state.snapshot != nil) == isPatient)
    }

    /// Calls of the program wait for the snapshot of an epoch while somebody may be writing it.
    @Test(.timeLimit(.minutes(10)), arguments: [300, 6])
    func callsWhileASnapshotIsWritten(patience: Double) async throws {
        let shop = try await Shop()
        let (one, behind) = (try await shop.open("one"), try await shop.open("two"))
        try await behind.synchronize()
        await behind.close()
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        await one.close()
        let other = try await shop.upstream.connect(to: Shop.name, as: .random())
        let request = UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1)
        #expect(try await other.beginEpoch(request, with: nil) { nil } != nil)
        await other.close()
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        options.snapshotPatience = patience
        let two = try await SharedRealm(
            shop.configuration("two"), upstream: shop.upstream, name: Shop.name, options: options)
        let call = Task { try await two.synchronize() }
        if patience < 10 {
            await expectError(.logGone) { try await call.value }
            await expectError(.logGone) {
                try await two.writeShared { _ = $0.create(ShopSupplier.self, value: ["name": "B"]) }
            }
        } else {
            while two.status.lastError?.code != .logGone { await Task.yield() }
        }
        options.snapshotPatience = 0
        let again = try await SharedRealm(
            shop.configuration("one"), upstream: shop.upstream, name: Shop.name, options: options)
        try await again.synchronize()
        if patience > 10 { try await call.value }
        while !two.status.isCaughtUp { await Task.yield() }
        try expectEqual(again, two)
        await again.close()
        await two.close()
    }
}
