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

    /// As one value: the later one in the log, whatever the other one is.
    @Test(arguments: [false, true]) func nestedValues(otherIsNested: Bool) async throws {
        let shop = try await Shop()
        let id = ObjectId.generate()
        func set(_ machine: String, _ value: AnyRealmValue) throws {
            try shop.write(shop.configuration(machine)) { realm in
                realm.object(ofType: ShopItem.self, forPrimaryKey: id)?.extra = value
            }
        }
        func synchronize(_ machine: String) async throws {
            let shared = try await shop.open(machine)
            try await shared.synchronize()
            await shared.close()
        }
        try shop.write(shop.configuration("one")) { realm in
            let item = ShopItem()
            item.id = id
            item.extra = .fromDictionary(["a": .int(1), "b": .fromArray([.int(1), .int(2)])])
            realm.add(item)
        }
        for machine in ["one", "two"] { try await synchronize(machine) }
        try set("one", .fromDictionary(["a": .int(2), "b": .fromArray([.int(1)])]))
        try set("two", otherIsNested ? .fromDictionary(["c": .int(3)]) : .int(5))
        for machine in ["two", "one", "two"] { try await synchronize(machine) }
        func judge(_ machine: String) throws {
            let realm = try Realm(configuration: shop.configuration(machine))
            let extra = realm.object(ofType: ShopItem.self, forPrimaryKey: id)?.extra
            #expect(extra?.dictionaryValue?.keys.sorted() == ["a", "b"])
            #expect(extra?.dictionaryValue?["a"] == .int(2))
            let rejected = try SharedFileStatus(of: realm)?.rejected
            #expect(rejected == 0)
        }
        for machine in ["one", "two"] { try judge(machine) }
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
