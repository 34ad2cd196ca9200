import Foundation
import Freehold
import FreeholdSharing
import Testing

/// Each way to write a realm is shared, and copies of its file are not.
@Suite struct SharedWaysOfWritingTests {
    private func withTwo(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Shop, SharedRealm, SharedRealm) async throws -> Void
    ) async throws {
        let shop = try await Shop()
        let (one, two) = (try await shop.open("one"), try await shop.open("two"))
        try await body(shop, one, two)
        try await one.synchronize()
        try await two.synchronize()
        try expectEqual(one, two)
        await one.close()
        await two.close()
    }

    @MainActor @Test func asynchronousWrites() async throws {
        try await withTwo { _, one, two in
            let realm = try await Realm.open(configuration: one.configuration)
            for number in 0..<5 {
                try await realm.asyncWrite {
                    _ = realm.create(ShopSupplier.self, value: ["name": "n\(number)"])
                }
            }
            try await one.synchronize()
            try await two.synchronize()
            #expect(try two.read { $0.objects(ShopSupplier.self).count } == 5)
        }
    }

    @Test func draftsAndTheirIncrements() async throws {
        try await withTwo { shop, one, two in
            let id = ObjectId.generate()
            try one.write {
                $0.create(ShopItem.self, value: ["id": id, "stock": 10] as [String: Any])
            }
            try await one.synchronize()
            try await two.synchronize()
            shop.upstream.setReachable(false)
            for (shared, amount) in [(one, 3), (two, 4)] {
                try shared.read { realm in
                    let draft = try realm.draft()
                    let item = draft.realm.object(ofType: ShopItem.self, forPrimaryKey: id)
                    item?.increment(\.stock, by: amount)
                    try draft.save()
                }
            }
            shop.upstream.setReachable(true)
            try await one.synchronize()
            try await two.synchronize()
            try await one.synchronize()
            #expect(try one.read { $0.objects(ShopItem.self).first?.stock } == 17)
        }
    }

    @Test func deletingEverything() async throws {
        try await withTwo { _, one, two in
            try one.write { realm in
                let supplier = realm.create(ShopSupplier.self, value: ["name": "Ada"])
                let item = ShopItem()
                item.supplier = supplier
                item.size = ShopSize(value: ["width": 1])
                realm.add(item)
            }
            try await one.synchronize()
            try await two.synchronize()
            try two.write { $0.deleteAll() }
            try await two.synchronize()
            try await one.synchronize()
            #expect(try one.read { $0.isEmpty })
            // The file is shared all the same.
            try one.write { $0.create(ShopSupplier.self, value: ["name": "Eve"]) }
        }
    }

    @Test func copiesAreNotShared() async throws {
        try await withTwo { shop, one, _ in
            try one.write { $0.create(ShopSupplier.self, value: ["name": "Ada"]) }
            let copy = shop.folder.appendingPathComponent("copy")
            try one.read { try $0.writeCopy(toFile: copy) }
            try shop.write(shop.configuration("copy")) { realm in
                let status = try SharedFileStatus(of: realm)
                #expect(status == nil)
                #expect(realm.objects(ShopSupplier.self).count == 1)
            }
            let name = try one.read { try SharedFileStatus(of: $0)?.name }
            #expect(name == Shop.name)
        }
    }
}
