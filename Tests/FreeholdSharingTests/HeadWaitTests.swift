import Foundation
import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// The wait for the head of a connection.
@Suite struct HeadWaitTests {
    /// Stands for a wait for a head that does not move.
    private static func waitUntilCancelled() async throws {
        let (never, continuation) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }

    /// A wait of a connection that is over says nothing about the one that followed.
    @Test(.timeLimit(.minutes(10))) func anOldWaitBreaksNoNewConnection() async throws {
        let shop = try await Shop()
        let (waits, goOn) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let upstream = HookedUpstream(
            shop.upstream,
            onWait: { number in
                if number > 2 { return try await Self.waitUntilCancelled() }
                // Those of the first connection end when the test says so, and not before.
                begin.yield()
                let wait = Task.detached { for await _ in waits { break } }
                await wait.value
                defer { end.yield() }
                throw SharingError(.unreachable, "The connection broke.", remedy: "")
            })
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        // The first connection is that of the start.
        let shared = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name, options: options)
        try await shared.synchronize()
        for await _ in begun { break }
        let realm = try shared.realm()
        let store = realm.sharedStore
        // The file cannot be read for a while, which ends the connection from this side.
        let tables = try takeTables(store)
        while shared.status.connection == .online { await Task.yield() }
        try putBack(tables, store)
        // Calls may still meet the error.
        while (try? await shared.synchronize()) == nil { await Task.yield() }
        #expect(upstream.connections.withLock { $0 } == 3)
        goOn.yield()
        for await _ in ended { break }
        for _ in 0..<20 { try await shared.synchronize() }
        #expect(upstream.connections.withLock { $0 } == 3)
        await shared.close()
    }

    /// A wait that ends while a call is under way is followed by another one: the client goes on
    /// to hear of others.
    @Test(.timeLimit(.minutes(10))) func aWaitThatEndsDuringACallIsFollowed() async throws {
        let shop = try await Shop()
        let (waits, endWait) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let agent = Locked<SharingAgent?>(nil)
        let upstream = HookedUpstream(
            shop.upstream,
            onWait: { number in
                if number == 1 { return try await Self.waitUntilCancelled() }
                begin.yield()
                for await _ in waits { break }
            },
            onLook: {
                guard let agent = agent.exchange(nil) else { return }
                endWait.yield()
                while !agent.headWait.withLock({ $0.isOver }) { await Task.yield() }
            })
        let shared = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name)
        try await shared.synchronize()
        for await _ in begun { break }
        agent.withLock { $0 = shared.agent }
        try await shared.synchronize()
        // The next wait, which others end.
        for await _ in begun { break }
        let two = try await shop.open("two")
        try two.write { _ = $0.create(ShopSupplier.self, value: ["name": "new"]) }
        try await two.synchronize()
        endWait.yield()
        for await status in shared.statusChanges where status.applied == 1 { break }
        await shared.close()
        await two.close()
    }

    /// Takes the file's part in sharing away.
    private func takeTables(_ store: Store) throws -> [Int64: ContiguousArray<UInt8>] {
        let snapshot = try store.newestSnapshot()
        let tables = try #require(SharingTables(snapshot.catalog))
        let state = try #require(SharingTables.bytes(0, of: tables.state, in: snapshot))
        try store.write { $0.endSharing() }
        return [0: state]
    }

    private func putBack(_ rows: [Int64: ContiguousArray<UInt8>], _ store: Store) throws {
        try store.write { writeSet in
            writeSet.beginSharing()
            let tables = try #require(SharingTables(writeSet.catalog))
            for (row, bytes) in rows {
                SharingTables.put(bytes, row, of: tables.state, in: writeSet)
            }
        }
    }
}
