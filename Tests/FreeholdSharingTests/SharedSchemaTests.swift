import Foundation
import Freehold
import FreeholdSharing
import Testing

/// Programs with other classes share a realm.
@Suite struct SharedSchemaTests {
    @MainActor @Test func propertiesThatAProgramLacksAreKept() async throws {
        let shop = try await Shop()
        let old = shop.configuration("old", [OldItem.self])
        let (one, two) = (try await shop.open(old), try await shop.open("new"))
        let id = ObjectId.generate()
        try one.write { realm in
            let item = OldItem()
            (item.id, item.name) = (id, "bolt")
            realm.add(item)
        }
        let kept = try one.realm()
        try await one.synchronize()
        try await two.synchronize()
        try two.write { realm in
            let item = try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
            (item.name, item.stock) = ("nut", 7)
            item.supplier = realm.create(ShopSupplier.self, value: ["name": "Ada"])
            item.size = ShopSize(value: ["width": 2])
        }
        try await two.synchronize()
        try await one.synchronize()
        #expect(try one.read { $0.objects(OldItem.self).first?.name } == "nut")
        // A realm that was open goes on, too.
        kept.refresh()
        #expect(kept.objects(OldItem.self).first?.name == "nut")
        try one.write { $0.objects(OldItem.self).first?.name = "screw" }
        try await one.synchronize()
        await one.close()
        // The program begins again, and its file has more than its classes.
        let again = try await shop.open(old)
        try again.write { realm in
            realm.objects(OldItem.self).first?.name = "rivet"
            realm.add(OldItem())
        }
        try await again.synchronize()
        try await two.synchronize()
        try two.read { realm in
            let item = try #require(realm.object(ofType: ShopItem.self, forPrimaryKey: id))
            #expect(item.name == "rivet")
            #expect(item.stock == 7)
            #expect(item.supplier?.name == "Ada")
            #expect(item.size?.width == 2)
            #expect(realm.objects(ShopItem.self).count == 2)
        }
    }
}

/// ``ShopItem`` as an older program has it.
final class OldItem: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""

    override class func _realmObjectName() -> String? { "ShopItem" }
}
