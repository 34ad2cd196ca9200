import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage
import Testing

/// What a caller of `writeShared` is told after a push whose answer was lost.
@Suite struct SharedWriteOutcomeTests {
    private struct Refused: Error {}

    /// Where the first push gets lost.
    private enum Loss { case request, answer }

    /// Opens a file whose first push after the call gets no answer.
    private func open(_ shop: Shop, _ loss: Loss) async throws -> SharedRealm {
        let isLost = Locked(false)
        let upstream = HookedUpstream(
            shop.upstream,
            aroundPush: { push in
                if isLost.exchange(true) { return try await push() }
                if loss == .answer { _ = try await push() }
                throw SharingError(.unreachable, "The test cuts it.", remedy: "None.")
            })
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.05)
        return try await SharedRealm(
            shop.configuration("one"), upstream: upstream, name: Shop.name, options: options)
    }

    /// Runs a block that counts its runs, writes in the first one, and throws in the others.
    private func count(_ shared: SharedRealm) async -> (result: Result<Int, any Error>, runs: Int) {
        let runs = Locked(0)
        do {
            let value = try await shared.writeShared(timeout: .seconds(600)) { realm in
                let run = runs.withLock {
                    $0 += 1; return $0
                }
                if run > 1 { throw Refused() }
                _ = realm.create(ShopSupplier.self, value: ["name": "once"])
                return run
            }
            return (.success(value), runs.withLock { $0 })
        } catch {
            return (.failure(error), runs.withLock { $0 })
        }
    }

    /// The push is in the log: the block is not run again, so it cannot throw.
    @Test func aLostAnswerIsASuccess() async throws {
        let shop = try await Shop()
        let one = try await open(shop, .answer)
        try await one.synchronize()
        let outcome = await count(one)
        #expect(try outcome.result.get() == 1)
        #expect(outcome.runs == 1)
        #expect(shop.upstream.commits(of: Shop.name).count == 1)
        await one.close()
    }

    /// The push is not in the log, which is known when the block runs again: what it throws is
    /// the whole truth.
    @Test func aLostRequestIsNoWrite() async throws {
        let shop = try await Shop()
        let one = try await open(shop, .request)
        try await one.synchronize()
        let outcome = await count(one)
        #expect(throws: Refused.self) { try outcome.result.get() }
        #expect(outcome.runs == 2)
        try await one.synchronize()
        #expect(shop.upstream.commits(of: Shop.name).isEmpty)
        await one.close()
    }

    /// A refusal is an answer: nobody has to look whether the write arrived.
    @Test func aFullServerIsNoWrite() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        shop.upstream.setFull(true)
        do {
            try await one.writeShared { realm in
                _ = realm.create(ShopSupplier.self, value: ["name": "once"])
            }
            Issue.record("A full server took a write.")
        } catch let error as SharingError {
            #expect(error.code == .serverFull, "\(error)")
        }
        shop.upstream.setFull(false)
        // As soon as there is room.
        try await one.writeShared(timeout: .seconds(600)) { realm in
            _ = realm.create(ShopSupplier.self, value: ["name": "twice"])
        }
        try await one.synchronize()
        #expect(try one.read { $0.objects(ShopSupplier.self).map(\.name) } == ["twice"])
        #expect(shop.upstream.commits(of: Shop.name).count == 1)
        await one.close()
    }
}
