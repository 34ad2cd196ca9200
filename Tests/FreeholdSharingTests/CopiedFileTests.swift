import Foundation
import Freehold
import FreeholdSharing
import Testing

/// Files that were copied with their identity, and then take another one.
@Suite(.timeLimit(.minutes(10))) struct CopiedFileTests {
    private let shop: Shop
    private let id = ObjectId.generate()

    init() async throws { shop = try await Shop() }

    private func item(_ realm: Realm) throws -> ShopItem {
        try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
    }

    /// A file of an item with a stock of 10, with pending commits that were not pushed yet.
    private func makeOriginal(_ pending: [(Realm) throws -> Void]) async throws {
        let one = try await shop.open("one")
        try one.write {
            $0.create(ShopItem.self, value: ["id": id, "stock": 10] as [String: Any])
        }
        try await one.synchronize()
        await one.close()
        try writeOffline("one", pending)
    }

    private func writeOffline(_ name: String, _ changes: [(Realm) throws -> Void]) throws {
        for change in changes { try shop.write(shop.configuration(name)) { try change($0) } }
    }

    private func copy(_ name: String, to other: String) throws {
        try FileManager.default.copyItem(
            at: shop.folder.appendingPathComponent(name),
            to: shop.folder.appendingPathComponent(other))
    }

    /// Opens a copy after its original was connected, and makes it a client of its own.
    private func openCopy(_ name: String) async throws -> SharedRealm {
        let shared = try await shop.open(name)
        await #expect {
            try await shared.synchronize()
        } throws: { ($0 as? SharingError)?.code == .copiedClient }
        try await shared.takeNewIdentity()
        try await shared.synchronize()
        return shared
    }

    private func expectStock(_ stock: Int, _ machines: [SharedRealm]) async throws {
        for _ in 0..<2 { for shared in machines { try await shared.synchronize() } }
        for shared in machines {
            #expect(try shared.read { try item($0).stock } == stock)
            try expectEqual(machines[0], shared)
        }
        // Also the fold of the log, which a new file has.
        let new = try await shop.open("new \(UUID())")
        try await new.synchronize()
        #expect(try new.read { try item($0).stock } == stock)
        await new.close()
        for shared in machines { await shared.close() }
    }

    private func add(_ amount: Int) -> (Realm) throws -> Void {
        { try item($0).increment(\.stock, by: amount) }
    }

    private func set(_ stock: Int) -> (Realm) throws -> Void { { try item($0).stock = stock } }

    /// What the original pushed before is in the log once.
    @Test func pendingCountersOfTheOriginal() async throws {
        try await makeOriginal([add(3), add(4)])
        try copy("one", to: "two")
        let one = try await shop.open("one")
        try await one.synchronize()
        let two = try await openCopy("two")
        try await expectStock(17, [one, two])
    }

    /// What both wrote after the copy is none of the other's, though it looks the same.
    @Test func equalCommitsAfterTheCopy() async throws {
        try await makeOriginal([add(3)])
        try copy("one", to: "two")
        try writeOffline("one", [add(1)])
        try writeOffline("two", [add(1)])
        let one = try await shop.open("one")
        try await one.synchronize()
        let two = try await openCopy("two")
        try await expectStock(15, [one, two])
    }

    /// Commits of equal numbers that differ: the last one in the log wins, in all files.
    @Test(arguments: [false, true]) func differentCommitsAfterTheCopy(more: Bool) async throws {
        try await makeOriginal([add(3)])
        try copy("one", to: "two")
        try writeOffline("one", [set(1)] + (more ? [add(1)] : []))
        try writeOffline("two", [set(20)])
        let one = try await shop.open("one")
        try await one.synchronize()
        let two = try await openCopy("two")
        try await expectStock(20, [one, two])
    }

    /// A copy of a copy knows all identities that its pending commits may have in the log.
    @Test func identitiesTakenTwice() async throws {
        try await makeOriginal([add(3)])
        try copy("one", to: "two")
        let one = try await shop.open("one")
        try await one.synchronize()
        let two = try await shop.open("two")
        for _ in 0..<3 { try await two.takeNewIdentity() }
        try await expectStock(13, [one, two])
    }

    /// Where the copy is connected, the original is not refused after it.
    @Test func anIdentityTakenWhileConnected() async throws {
        try await makeOriginal([])
        try copy("one", to: "two")
        let two = try await shop.open("two")
        try await two.synchronize()
        try await two.takeNewIdentity()
        try writeOffline("two", [add(2)])
        try await two.synchronize()
        let clients = Set(shop.upstream.commits(of: Shop.name).map(\.client))
        #expect(clients.count == 2, "It pushed as the client that it was.")
        try await expectStock(12, [two])
    }

    /// At any moment, also while a call is under way.
    @Test func identitiesTakenAtAnyTime() async throws {
        try await makeOriginal([])
        let one = try await shop.open("one")
        for number in 1...20 {
            try one.write { try item($0).increment(\.stock, by: 1) }
            try await one.takeNewIdentity()
            if number % 3 == 0 { try await one.synchronize() }
        }
        try await expectStock(30, [one])
    }
}
