@testable import FreeholdSharing
import FreeholdStorage
import Testing

/// Which calls fulfil the requests for snapshots and epochs.
@Suite struct EpochRequestTests {
    private static func isSnapshot(_ call: SharingCall) -> Bool {
        if case .writeSnapshot = call { true } else { false }
    }

    /// Epochs get their snapshots after they have begun.
    private static func unseeding(patience: Double) -> SharingOptions {
        var options = SharingOptions()
        (options.snapshotPatience, options.longestRetry) = (patience, 1)
        options.seededEpochAttempts = 0
        return options
    }

    /// Two clients without patience for snapshots, which have one commit.
    private static func impatientClients(of server: SteppedServer) throws
        -> (one: SteppedClient, two: SteppedClient)
    {
        let options = unseeding(patience: 0)
        let one = try server.client("one", options)
        let two = try server.client("two", options)
        try one.write(1)
        try one.run()
        try two.run()
        return (one, two)
    }

    /// Another client begins an epoch before the snapshot of the one that was asked for is there:
    /// there is another one then.
    @Test func anEpochThatOthersEnded() throws {
        let server = try SteppedServer()
        let (one, two) = try Self.impatientClients(of: server)
        var snapshots = 0
        one.fate = { call in
            if Self.isSnapshot(call) {
                snapshots += 1
                // It is without patience for the snapshot, and begins an epoch of its own.
                two.core.headMayHaveMoved()
                while snapshots == 1, let time = try? two.run() { two.now = time }
            }
            return .answered
        }
        one.core.requestEpoch()
        try one.run()
        #expect(snapshots == 2)
        #expect(one.core.epochRequest == nil && one.core.seededEpochCall > 0)
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.epoch == 4 && realm.snapshot?.snapshot.epoch == 4)
        two.core.headMayHaveMoved()
        while let time = try two.run() { two.now = time }
        #expect(one.core.file.state.epoch == 4 && two.core.file.state.epoch == 4)
        #expect(try two.number == .integer(1))
    }

    /// A request that comes while a snapshot is written is for a later one.
    @Test(arguments: [true, false]) func aSnapshotUnderWayIsNotEnough(isEpoch: Bool) throws {
        let server = try SteppedServer()
        let one = try server.client("one", Self.unseeding(patience: 20))
        try one.write(1)
        try one.run()
        var snapshots = 0
        one.whileAnswered = { call in
            guard Self.isSnapshot(call) else { return }
            snapshots += 1
            guard snapshots == 1 else { return }
            try one.write(2)
            if isEpoch { one.core.requestEpoch() } else { one.core.requestSnapshot() }
        }
        if isEpoch { one.core.requestEpoch() } else { one.core.requestSnapshot() }
        try one.run()
        #expect(snapshots == 2 && one.core.snapshotRequest == nil && one.core.epochRequest == nil)
        let realm = try #require(server.log[SteppedServer.realm])
        #expect(realm.snapshot?.snapshot.sequence == realm.head && realm.head == 2)
        #expect(realm.epoch == (isEpoch ? 3 : 1))
    }

    /// The snapshot comes just before a client without patience begins another epoch.
    @Test func aSnapshotInTheLastMoment() throws {
        let server = try SteppedServer()
        let (one, two) = try Self.impatientClients(of: server)
        var isSeeding = false
        one.fate = { call in
            guard Self.isSnapshot(call), !isSeeding else { return .answered }
            isSeeding = true
            return .loseRequest
        }
        one.core.requestEpoch()
        one.now = try #require(try one.run())
        #expect(server.log[SteppedServer.realm]?.snapshot == nil && isSeeding)
        var hasTried = false
        two.fate = { call in
            if case .beginEpoch(let request, _) = call {
                hasTried = request.onlyIfUnseeded
                _ = try? one.run()
            }
            return .answered
        }
        two.core.headMayHaveMoved()
        while let time = try two.run() { two.now = time }
        #expect(hasTried && server.log[SteppedServer.realm]?.epoch == 2)
        #expect(one.core.file.state.epoch == 2 && two.core.file.state.epoch == 2)
    }

    /// Each epoch without a snapshot is waited for anew: somebody is about to write it.
    @Test func patienceBeginsWithEachEpoch() throws {
        let server = try SteppedServer()
        let one = try server.client("one", Self.unseeding(patience: 10))
        try one.write(1)
        try one.run()
        for epoch: Int64 in 1...3 {
            #expect(
                try server.log.beginEpoch(
                    UpstreamEpochRequest(
                        endedEpoch: epoch, expectedHead: 1, epoch: epoch + 1, head: 1),
                    in: SteppedServer.realm))
            one.core.headMayHaveMoved()
            let start = one.now
            while one.now < start + 8 { one.now = try #require(try one.run()) }
            #expect(server.log[SteppedServer.realm]?.epoch == epoch + 1)
        }
        while let time = try one.run() { one.now = time }
        #expect(one.core.file.state.epoch == 5 && server.log[SteppedServer.realm]?.epoch == 5)
    }

    /// Without its snapshot others could not read what is pushed into it.
    @Test func anEpochFromNothingIsSeeded() throws {
        let server = try SteppedServer()
        let one = try server.client("one", Self.unseeding(patience: 20))
        try one.run()
        var isLost = false
        one.fate = { call in
            guard Self.isSnapshot(call), !isLost else { return .answered }
            isLost = true
            return .loseRequest
        }
        one.core.requestEpoch()
        while let time = try one.run() { one.now = time }
        #expect(isLost && server.log[SteppedServer.realm]?.snapshot?.snapshot.epoch == 2)
    }

    /// A client that lacks commits of the ended log leaves it to others for longer.
    @Test func whoLacksCommitsWaitsLonger() throws {
        let server = try SteppedServer()
        let options = Self.unseeding(patience: 10)
        let (one, two) = (try server.client("one", options), try server.client("two", options))
        try two.run()
        try one.write(1)
        try one.run()
        #expect(
            try server.log.beginEpoch(
                UpstreamEpochRequest(endedEpoch: 1, expectedHead: 1, epoch: 2, head: 1),
                in: SteppedServer.realm))
        two.core.headMayHaveMoved()
        while two.now < 50 { two.now = try #require(try two.run()) }
        #expect(server.log[SteppedServer.realm]?.epoch == 2)
        // One that has all of it does not wait as long.
        one.core.headMayHaveMoved()
        while let time = try one.run() { one.now = time }
        while let time = try two.run() { two.now = time }
        #expect(one.now < 20 && two.core.file.state.epoch == 3)
        #expect(try two.number == .integer(1))
    }
}
