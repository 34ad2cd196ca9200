import Foundation
import Freehold
import FreeholdSharing
import Testing

/// Files and logs that are not what a client expects.
@Suite struct BadInputTests {
    /// A device that was restored from another one's backup.
    @Test func aCopiedFileIsNoticed() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        await one.close()
        try FileManager.default.copyItem(
            at: shop.folder.appendingPathComponent("one"),
            to: shop.folder.appendingPathComponent("two"))
        let again = try await shop.open("one")
        try await again.synchronize()
        let two = try await shop.open("two")
        do {
            try await two.synchronize()
            Issue.record("The copy was not noticed.")
        } catch {
            #expect((error as? SharingError)?.code == .copiedClient, "\(error)")
        }
        // The file is usable, and keeps what it has.
        try two.write { _ = $0.create(ShopSupplier.self, value: ["name": "Zoë"]) }
        try await two.takeNewIdentity()
        try await two.synchronize()
        try await again.synchronize()
        try expectEqual(again, two)
        #expect(try two.read { $0.objects(ShopSupplier.self).count } == 2)
    }

    /// Somebody else wrote into the log.
    @Test func aDamagedPayloadIsLeftOut() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        let client = UpstreamClient(
            id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "vandal")
        let connection = try await shop.upstream.connect(to: Shop.name, as: client)
        let state = try await connection.state()
        for (index, bytes) in [Data(), Data([1, 2, 3]), Data(repeating: 255, count: 100)]
            .enumerated()
        {
            _ = try await connection.push(
                [PushedCommit(clientSequence: Int64(index + 1), format: 1, payload: bytes)],
                in: state.epoch, expecting: nil)
        }
        await connection.close()
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await one.synchronize()
        let two = try await shop.open("two")
        try await two.synchronize()
        try expectEqual(one, two)
        #expect(two.status.applied == 4)
        for shared in [one, two] {
            let error = try #require(shared.status.lastError)
            #expect(error.code == .damagedPayload)
            #expect(error.message.contains("commit 1 of"), "\(error)")
            #expect(error.cause.contains("\(client.id)"))
            #expect(error.fileURL == shared.configuration.fileURL)
            #expect((error as any Error).localizedDescription == error.message)
            if case SharingError.damagedPayload = error as any Error {
            } else {
                Issue.record("The error does not match its code.")
            }
        }
    }

    /// A program of tomorrow wrote into the log.
    @Test func aLaterFormatStopsAtItsCommit() async throws {
        let shop = try await Shop()
        let one = try await shop.open("one")
        try await one.synchronize()
        let client = UpstreamClient(
            id: UUID(), previousToken: UUID(), nextToken: UUID(), name: "later")
        let connection = try await shop.upstream.connect(to: Shop.name, as: client)
        _ = try await connection.push(
            [PushedCommit(clientSequence: 1, format: 99, payload: Data([1]))],
            in: try await connection.state().epoch, expecting: nil)
        await connection.close()
        try one.write { _ = $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        do {
            try await one.synchronize()
            Issue.record("A later format was read.")
        } catch {
            #expect((error as? SharingError)?.code == .unsupportedVersion, "\(error)")
        }
        #expect(try one.read { $0.objects(ShopSupplier.self).count } == 1)
        #expect(one.status.pending == 1)
    }
}
