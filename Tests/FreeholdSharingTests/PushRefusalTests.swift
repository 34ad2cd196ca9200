import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// Clients whose pushes are refused, and who are granted them later.
@Suite struct PushRefusalTests {
    /// Tries less and less often, and not on what others commit; goes on by itself.
    @Test func aRefusedClientTriesAgainByItself() throws {
        let server = try SteppedServer()
        let (one, two) = (try server.client("one"), try server.client("two"))
        try one.run()
        server.log.isReadOnly = true
        try one.write(1)
        while one.now < 600 {
            let time = try #require(try one.run(), "It never tries again.")
            #expect(time > one.now)
            #expect(one.core.isConnected && one.core.lastError?.code == .permissionDenied)
            // Wake-ups are no reason to push.
            for _ in 0..<3 {
                one.core.headMayHaveMoved()
                try one.run()
            }
            one.now = time
        }
        let times = one.pushes.map(\.time)
        // Ten minutes of 30 seconds, of which up to a half is left out.
        #expect((20...60).contains(times.count), "\(times)")
        for (first, second) in zip(times, times.dropFirst()) { #expect(second - first <= 30) }
        #expect(one.core.pendingCount == 1 && server.head == 0)
        server.log.isReadOnly = false
        #expect(try one.run() == nil)
        #expect(one.core.isSettled && one.core.lastError == nil && one.core.refusal == nil)
        try two.run()
        #expect(try two.number == .integer(1))
    }

    /// What the program asks for is tried at once, each time.
    @Test func theProgramCanAsk() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        server.log.isReadOnly = true
        try one.write(1)
        for count in 1...5 {
            one.core.retryNow()
            try one.run()
            #expect(one.pushes.count == count)
        }
    }

    /// A new connection does not begin with short pauses again.
    @Test func connectionsThatBreakAreNoReasonToHurry() throws {
        let server = try SteppedServer()
        let one = try server.client("one")
        try one.run()
        server.log.isReadOnly = true
        try one.write(1)
        for _ in 0..<10 { one.now = try #require(try one.run()) }
        let count = one.pushes.count
        one.core.disconnected(
            SharingError(.unreachable, "The connection broke.", remedy: ""), at: one.now)
        let start = one.now
        while one.now < start + 300 { one.now = try #require(try one.run()) }
        #expect((8...32).contains(one.pushes.count - count))
    }

    /// Through a program: `status` shows it, `synchronize` throws it, and a grant ends it.
    @Test(.timeLimit(.minutes(10))) func aGrantIsNoticed() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        try await one.synchronize()
        shop.upstream.setReadOnly(true)
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        for _ in 0..<3 {
            await #expect {
                try await one.synchronize()
            } throws: { ($0 as? SharingError)?.code == .permissionDenied }
        }
        #expect(one.status.connection == .online && one.status.pending == 1)
        #expect(one.status.lastError?.code == .permissionDenied)
        shop.upstream.setReadOnly(false)
        for await status in one.statusChanges where status.isCaughtUp && status.applied == 1 {
            #expect(status.lastError == nil)
            break
        }
        try await two.synchronize()
        try expectEqual(one, two)
        // Also what the program asks for.
        shop.upstream.setReadOnly(true)
        await #expect {
            try await one.writeShared { $0.deleteAll() }
        } throws: { ($0 as? SharingError)?.code == .permissionDenied }
        await #expect {
            try await one.makeSnapshot()
        } throws: { ($0 as? SharingError)?.code == .permissionDenied }
        shop.upstream.setReadOnly(false)
        try await one.writeShared(timeout: .seconds(600)) { $0.deleteAll() }
        try await one.makeSnapshot()
        await one.close()
        await two.close()
    }

    /// A snapshot by itself is tried again after a grant, and not before.
    @Test func snapshotsGoOnAfterAGrant() throws {
        let server = try SteppedServer()
        var options = SharingOptions()
        options.snapshotBytes = 1
        let (one, two) = (try server.client("one", options), try server.client("two"))
        try one.run()
        server.log.isReadOnly = true
        var snapshots = 0
        one.fate = { call in
            if case .writeSnapshot = call { snapshots += 1 }
            return .answered
        }
        server.log.isReadOnly = false
        try two.write(1)
        try two.run()
        server.log.isReadOnly = true
        for _ in 0..<20 { one.now = try one.run() ?? one.now + 30 }
        #expect(snapshots == 1)
        server.log.isReadOnly = false
        try one.write(2)
        for _ in 0..<3 { one.now = try one.run() ?? one.now + 30 }
        #expect(snapshots == 2)
        #expect(server.log[SteppedServer.realm]?.snapshot != nil)
    }
}
