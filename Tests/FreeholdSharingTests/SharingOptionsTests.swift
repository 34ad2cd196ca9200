import Freehold
@testable import FreeholdSharing
import Testing

/// Options out of their ranges.
@Suite struct SharingOptionsTests {
    private func set(_ whole: Int, _ fraction: Double) -> SharingOptions {
        var options = SharingOptions()
        options.snapshotBytes = Int64(whole)
        options.retention = fraction
        options.pushCount = whole
        options.pushBytes = whole
        options.pullBytes = whole
        options.shortestRetry = fraction
        options.longestRetry = fraction
        options.mostConflicts = whole
        options.snapshotPatience = fraction
        return options
    }

    /// With the longest commit such a push is as long as a server takes.
    @Test func aPushHasAnEnd() {
        #expect(set(Int.max, 1).pushBytes == 100_000_000)
        #expect(set(100_000_000, 1).pushBytes == 100_000_000)
    }

    @Test(arguments: [(0, 0), (-1, -1), (Int.min, -Double.infinity), (Int.min, .nan)])
    func smallValuesAreTheSmallest(whole: Int, fraction: Double) {
        let options = set(whole, fraction)
        #expect(options.snapshotBytes == 1)
        #expect(options.retention == 0)
        #expect(options.pushCount == 1 && options.pushBytes == 1 && options.pullBytes == 1)
        #expect(options.shortestRetry == 0.001 && options.longestRetry == 0.001)
        #expect(options.mostConflicts == 0)
        #expect(options.snapshotPatience == 0)
    }

    @Test func largeValuesStay() {
        let options = set(.max, .infinity)
        #expect(options.snapshotBytes == .max && options.pushCount == .max)
        // Ever, for people; a number that every upstream can count with.
        #expect(options.retention == 1e10)
        #expect(options.shortestRetry == .infinity && options.longestRetry == .infinity)
        #expect(options.snapshotPatience == .infinity)
    }

    @Test func namesOfClientsHaveNoZeroByte() {
        var options = SharingOptions()
        options.clientName = "a\0b"
        #expect(options.clientName == "ab")
    }

    /// The smallest and the largest options do all that others do.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func clientsWorkAtTheEnds(smallest: Bool) async throws {
        let shop = try await Shop()
        var options = smallest ? set(.min, .nan) : set(.max, .infinity)
        // Otherwise a test would wait for ever.
        if !smallest { (options.shortestRetry, options.longestRetry) = (0.01, 0.05) }
        func open(_ machine: String) async throws -> SharedRealm {
            try await SharedRealm(
                shop.configuration(machine), upstream: shop.upstream, name: Shop.name,
                options: options)
        }
        let (one, two) = (try await open("one"), try await open("two"))
        for number in 0..<5 {
            try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "a\(number)"]) }
            try two.write { _ = $0.create(ShopSupplier.self, value: ["name": "b\(number)"]) }
        }
        try await one.synchronize()
        try await two.synchronize()
        try await two.writeShared(timeout: .seconds(600)) { realm in
            _ = realm.create(ShopSupplier.self, value: ["name": "c"])
        }
        shop.upstream.breakConnections()
        try await one.makeSnapshot()
        try await one.synchronize()
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(try one.read { $0.objects(ShopSupplier.self).count } == 11)
        await one.close()
        await two.close()
    }
}
