import Freehold
import FreeholdSharing
import FreeholdStorage
import Testing

/// What has happened when `synchronize` returns, and what `statusChanges` tells.
@Suite struct SynchronizationTests {
    /// Streams that begin while the status changes end with the newest one.
    @Test(.timeLimit(.minutes(10))) func streamsThatBeginMeanwhile() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        for round in 1...100 {
            try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "\(round)"]) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await one.synchronize() }
                for _ in 0..<20 {
                    group.addTask {
                        for await status in one.statusChanges where status.applied >= round {
                            return
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await one.close()
    }

    /// A look at the log that was under way at the call says nothing of what was written, here or
    /// elsewhere, before the call.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func looksUnderWayDoNotCount(writesHere: Bool) async throws {
        let shop = try await Shop()
        let isArmed = Locked(false)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        let upstream = HookedUpstream(
            shop.upstream,
            onLook: {
                guard isArmed.exchange(false) else { return }
                begin.yield()
                for await _ in ends { break }
            })
        let one = try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name)
        let two = try await shop.open("two")
        for round in 1...5 {
            try await one.synchronize()
            isArmed.withLock { $0 = true }
            async let first: Void = one.synchronize()
            for await _ in begun { break }
            let writer = writesHere ? one : two
            try writer.write { _ = $0.create(ShopSupplier.self, value: ["name": "\(round)"]) }
            if !writesHere { try await two.synchronize() }
            let second = Task { try await one.synchronize() }
            // So that the second call is there before the answer.
            for _ in 0..<100 { await Task.yield() }
            end.yield()
            try await second.value
            #expect(one.status.pending == 0 && one.status.applied == round)
            #expect(shop.upstream.commits(of: Shop.name).count == round)
            try await first
        }
        await one.close()
        await two.close()
    }
}
