import Foundation
import Freehold
import FreeholdSharing
import FreeholdTestSupport
import Testing
import UpstreamConformance

/// Programs test with it, so it follows the rules of the others.
struct SimulatedUpstreamTests {
    @Test(.timeLimit(.minutes(10)), arguments: UpstreamCheck.allCases)
    func conforms(_ check: UpstreamCheck) async throws {
        try await check(SimulatedUpstream())
    }

    /// What the server lost is told, and the files are equal again.
    @Test(.timeLimit(.minutes(10))) func aStandbyIsPromoted() async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await two.synchronize()
        await two.close()
        shop.upstream.keepStandby()
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Bob"]) }
        try await one.synchronize()
        await one.close()
        shop.upstream.promoteStandby()
        #expect(shop.upstream.commits(of: Shop.name).count == 1)
        let other = try await shop.open("two")
        try other.write { _ = $0.create(ShopSupplier.self, value: ["name": "Cleo"]) }
        try await other.synchronize()
        let again = try await shop.open("one")
        for try await rejection in again.rejections {
            #expect(rejection.reason == .lostByServer)
            break
        }
        for shared in [again, other] { try await shared.synchronize() }
        try expectEqual(again, other)
        let names = try other.read { $0.objects(ShopSupplier.self).map(\.name).sorted() }
        #expect(names == ["Ada", "Cleo"])
    }

    /// Another realm keeps what it has.
    @Test(.timeLimit(.minutes(10))) func oneRealmIsLost() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await shop.upstream.create("other")
        let other = try await shop.upstream.connect(to: "other", as: .random())
        let push = PushedCommit(clientSequence: 1, format: 1, payload: Data([1]))
        _ = try await other.push([push], in: 1, expecting: nil)
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        shop.upstream.loseEverything(of: Shop.name)
        shop.upstream.loseEverything(of: "missing")
        #expect(shop.upstream.commits(of: Shop.name).isEmpty)
        #expect(shop.upstream.commits(of: "other").count == 1)
        await #expect(throws: SharingError.self) { try await other.state() }
        // The file begins the next epoch, with what it has.
        while (try? await one.synchronize()) == nil { await Task.yield() }
        #expect(one.status.epoch == 2)
        let two = try await shop.open("two")
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(try two.read { $0.objects(ShopSupplier.self).count } == 1)
    }
}
