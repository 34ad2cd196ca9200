import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import Testing

/// The files beside a shared file in which snapshots are made and received.
@Suite struct SnapshotFileTests {
    private func files(_ shop: Shop) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: shop.folder.path).sorted()
    }

    /// What a process left that ended while it read or wrote a snapshot, or opened the file of one.
    private static let left = [
        "one.sharing-snapshot", "one.sharing-snapshot-lock", "one.sharing-snapshot.control",
        "one.sharing-snapshot.copying", "one.sharing-snapshot.zst",
    ]

    private func leave(_ shop: Shop) throws {
        for name in Self.left + ["one.sharing-snapshot.backup", "two.sharing-snapshot"] {
            try Data("left".utf8).write(to: shop.folder.appendingPathComponent(name))
        }
    }

    private let others = ["one.sharing-snapshot.backup", "two.sharing-snapshot"]

    @Test func openingRemovesWhatIsLeft() async throws {
        let shop = try await Shop()
        try leave(shop)
        let one = try await shop.open("one")
        try await one.synchronize()
        try #expect(
            files(shop) == ["one", "one-lock", "one.control", "one.sharing"] + others)
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        try await one.makeSnapshot()
        await one.close()
        #expect(try files(shop).filter { $0.contains("snapshot") } == others)
    }

    /// The one of another process that shares the file is in use.
    @Test func whatIsInUseStays() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try leave(shop)
        await #expect {
            _ = try await shop.open("one")
        } throws: { ($0 as? SharingError)?.code == .alreadyShared }
        #expect(try files(shop).contains("one.sharing-snapshot"))
        await one.close()
    }

    @Test func deletingARealmDeletesWhatIsLeft() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        await one.close()
        try leave(shop)
        #expect(try Realm.deleteFiles(for: shop.configuration("one")))
        #expect(try files(shop) == others)
    }

    /// They lie beside the file, not beside a link to it.
    @Test func linksAreFollowed() async throws {
        let shop = try await Shop()
        let link = shop.folder.appendingPathComponent("link")
        try await shop.open("one").close()
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: shop.folder.appendingPathComponent("one"))
        try leave(shop)
        let names = Locked<[String]>([])
        let upstream = HookedUpstream(
            shop.upstream,
            onPiece: {
                let all = try? FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
                names.withLock { $0 = all ?? [] }
            })
        let shared = try await SharedRealm(
            shop.configuration("link"), upstream: upstream, name: Shop.name)
        #expect(try files(shop).filter { $0.contains("snapshot") } == others)
        try await shared.synchronize()
        try await shared.makeSnapshot()
        #expect(names.withLock { $0 }.contains("one.sharing-snapshot"))
        #expect(names.withLock { $0 }.contains("one.sharing-snapshot.zst"))
        await shared.close()
        #expect(try files(shop).filter { $0.contains("snapshot") } == others)
    }

    /// A process that ends while it writes a snapshot, and one that begins with one.
    @Test(arguments: [true, false]) func processesThatEnd(writing: Bool) async throws {
        let shop = try await Shop()
        let child = await ChildThatWaits.turn()
        await #expect(processExitsWith: .exitCode(9)) {
            [path = shop.folder.path as String, writing = writing as Bool] in
            let shop = try await Shop(folder: URL(fileURLWithPath: path))
            let ending = HookedUpstream(shop.upstream, onPiece: { _exit(9) })
            if writing {
                let one = try await SharedRealm(
                    shop.configuration("one"), upstream: ending, name: Shop.name)
                try await one.synchronize()
                try await one.makeSnapshot()
            } else {
                let two = try await shop.open("two")
                try await two.synchronize()
                try await two.makeSnapshot()
                _ = try await SharedRealm(
                    shop.configuration("one"), upstream: ending, name: Shop.name)
            }
        }
        child.end()
        #expect(try files(shop).contains("one.sharing-snapshot"))
        let one = try await shop.open("one")
        try await one.synchronize()
        #expect(try files(shop).filter { $0.contains("one.sharing-") } == [])
        await one.close()
    }
}
