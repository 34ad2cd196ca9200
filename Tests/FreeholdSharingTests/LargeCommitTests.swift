import Foundation
import Freehold
@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// Commits of more bytes than a value of a property can have.
@Suite struct LargeCommitTests {
    private static let text = String(repeating: "x", count: 1_000_000)

    /// Names of suppliers with 18 MB of texts.
    private static let names = (0..<18).map { "n\($0)" }

    private func addSuppliers(_ realm: Realm) {
        for name in Self.names {
            realm.create(ShopSupplier.self, value: ["name": name, "city": Self.text])
        }
    }

    /// The contents of a file become commits of about a push each.
    @Test func contentsOfAFile() async throws {
        let shop = try await Shop()
        let configuration = shop.configuration("one")
        try shop.write(configuration) { realm in
            let city = String(repeating: "x", count: 20_000)
            for number in 0..<1000 {
                realm.create(ShopSupplier.self, value: ["name": "n\(number)", "city": city])
            }
        }
        let (one, two) = (try await shop.open(configuration), try await shop.open("two"))
        try await one.synchronize()
        try await two.synchronize()
        let sizes = shop.upstream.commits(of: Shop.name).map(\.payload.count)
        #expect(sizes.count > 15 && sizes.allSatisfy { $0 < 2 << 20 }, "\(sizes)")
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    /// What takes a deletion back has all that it deletes, and is written again where others
    /// change one of the objects.
    @Test func aDeletionMeetsAChange() async throws {
        let shop = try await Shop()
        var one = try await shop.open("one")
        let two = try await shop.open("two")
        try one.write { addSuppliers($0) }
        try await one.synchronize()
        try await two.synchronize()
        await one.close()
        try shop.write(one.configuration) { $0.delete($0.objects(ShopSupplier.self)) }
        try two.write { $0.object(ofType: ShopSupplier.self, forPrimaryKey: "n3")?.city = "Ulm" }
        try await two.synchronize()
        one = try await shop.open("one")
        try await one.synchronize()
        try await two.synchronize()
        #expect(one.status.pending == 0)
        #expect(try two.read { $0.objects(ShopSupplier.self).count } == 0)
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    /// A commit waits while its file takes a snapshot.
    @Test func aPendingCommitMeetsASnapshot() async throws {
        let shop = try await Shop()
        var one = try await shop.open("one")
        let two = try await shop.open("two")
        try await one.synchronize()
        await one.close()
        try shop.write(one.configuration) { addSuppliers($0) }
        try two.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
        try await two.beginEpoch()
        one = try await shop.open("one")
        try await one.synchronize()
        try await two.synchronize()
        #expect(one.status.epoch == 2 && one.status.pending == 0)
        #expect(try two.read { $0.objects(ShopSupplier.self).count } == Self.names.count + 1)
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    /// Long records are read, checked and copied as others, and get shorter again.
    @Test(arguments: [false, true]) func records(isEncrypted: Bool) throws {
        let folder = try StoreFolder()
        let key = isEncrypted ? EncryptionKey(Data(repeating: 7, count: 64)) : nil
        let store = try folder.open("a", key: key)
        let file = try SharedFile(store, name: "r", key: key)
        let table = try file.tables(of: try store.newestSnapshot()).rejections
        for count in [17_000_000, 20_000_000, 3] {
            let bytes = ContiguousArray(repeating: UInt8(count % 251), count: count)
            try file.write { SharingTables.put(bytes, 1, of: table, in: $0) }
            let snapshot = try store.newestSnapshot()
            #expect(SharingTables.bytes(1, of: table, in: snapshot) == bytes)
            #expect(try store.check(snapshot).isEmpty)
        }
        let copy = store.draft(on: try store.newestSnapshot())
        let id = copy.createRecordTable(named: TableDefinition.internalPrefix + "Test")
        let bytes = ContiguousArray(repeating: 5 as UInt8, count: 17_000_000)
        SharingTables.put(bytes, 1, of: id, in: copy)
        try store.copy(try store.newestSnapshot(), with: copy, to: folder.path("b"), key: key)
        let opened = try folder.open("b", key: key)
        let snapshot = try opened.newestSnapshot()
        #expect(SharingTables.bytes(1, of: id, in: snapshot) == bytes)
        #expect(try opened.check(snapshot).isEmpty)
    }
}
