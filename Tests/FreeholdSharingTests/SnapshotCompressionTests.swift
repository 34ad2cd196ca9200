import Foundation
import Freehold
import FreeholdSharing
import FreeholdStorage
import Testing

/// Snapshots on their way: one frame of Zstandard, with a checksum.
@Suite struct SnapshotCompressionTests {
    /// A shop with a snapshot of some hundred kilobytes, and who made it.
    private func makeShop(key: Data? = nil) async throws -> (Shop, SharedRealm) {
        let shop = try await Shop()
        let one = try await shop.open("one", key: key)
        for part in 0..<5 {
            try one.write { realm in
                for number in 0..<1000 {
                    let item = ShopItem()
                    item.name = "An item with the number \(part * 1000 + number)"
                    item.stock = number &* 2_654_435_761
                    realm.add(item)
                }
            }
        }
        try await one.synchronize()
        try await one.makeSnapshot()
        return (shop, one)
    }

    /// What the upstream has.
    private func storedBytes(_ shop: Shop) async throws -> Data {
        let connection = try await shop.upstream.connect(
            to: Shop.name,
            as: UpstreamClient(id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "test"))
        let snapshot = try #require(try await connection.newestSnapshot())
        let bytes = Locked(Data())
        try await connection.read(snapshot) { piece in bytes.withLock { $0 += piece } }
        await connection.close()
        #expect(bytes.withLock { $0.count } == Int(snapshot.byteCount))
        return bytes.withLock { $0 }
    }

    private func open(
        _ shop: Shop, _ name: String, changing change: @escaping @Sendable (Data) -> [Data]
    ) async throws -> SharedRealm {
        try await SharedRealm(
            shop.configuration(name), upstream: HookedUpstream(shop.upstream, changing: change),
            name: Shop.name)
    }

    @Test func upstreamsStoreOneSmallFrame() async throws {
        let (shop, one) = try await makeShop()
        await one.close()
        let bytes = try await storedBytes(shop)
        // RFC 8878, 3.1.1.
        #expect(bytes.prefix(4) == Data([0x28, 0xB5, 0x2F, 0xFD]))
        let file = try Data(contentsOf: shop.folder.appendingPathComponent("one"))
        #expect(bytes.count * 3 < file.count)
    }

    /// It becomes no smaller, and is readable.
    @Test func encryptedFiles() async throws {
        let key = Data((0..<64).map { UInt8($0) })
        let (shop, one) = try await makeShop(key: key)
        #expect(try await storedBytes(shop).prefix(4) == Data([0x28, 0xB5, 0x2F, 0xFD]))
        let two = try await shop.open("two", key: key)
        try await two.synchronize()
        try expectEqual(one, two)
    }

    /// However the upstream cuts them.
    @Test(arguments: [1, 1009, 65536]) func piecesOfAnySize(_ size: Int) async throws {
        let (shop, one) = try await makeShop()
        let two = try await open(shop, "two") { piece in
            stride(from: 0, to: piece.count, by: size).map {
                piece.dropFirst($0).prefix(size)
            }
        }
        try await two.synchronize()
        try expectEqual(one, two)
        await two.close()
    }

    enum Damage: CaseIterable {
        case nothing, cut, lastByteMissing, changedByte, more, secondFrame, file, largeWindow

        func apply(_ bytes: Data) -> Data {
            switch self {
            case .nothing: Data()
            case .cut: bytes.prefix(bytes.count / 2)
            case .lastByteMissing: bytes.dropLast()
            case .changedByte: changed(bytes)
            case .more: bytes + [0]
            case .secondFrame: bytes + bytes
            // As an upstream would have it that stores files as they are.
            case .file: Data(count: 4096)
            // Asks for 128 MB (RFC 8878, 3.1.1.1.2).
            case .largeWindow: Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 17 << 3]) + Data(count: 100)
            }
        }

        private func changed(_ bytes: Data) -> Data {
            var bytes = bytes
            // Of a text, most likely: nothing but the checksum tells.
            bytes[bytes.startIndex + bytes.count * 2 / 3] ^= 1
            return bytes
        }
    }

    /// The file's name stays free, and the next attempt finds a better one.
    @Test(arguments: Damage.allCases) func damage(_ damage: Damage) async throws {
        let (shop, one) = try await makeShop()
        let bytes = try await storedBytes(shop)
        let isSent = Locked(false)
        do {
            _ = try await open(shop, "two") { _ in
                isSent.exchange(true) ? [] : [damage.apply(bytes)]
            }
            Issue.record("A damaged snapshot was taken.")
        } catch let error as SharingError {
            #expect(error.code == .damagedPayload, "\(error)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path)
        #expect(left.filter { $0.hasPrefix("two") && $0 != "two.sharing" } == [])
        let two = try await shop.open("two")
        try await two.synchronize()
        try expectEqual(one, two)
    }
}
