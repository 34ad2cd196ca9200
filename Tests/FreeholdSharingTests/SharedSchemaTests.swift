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

    /// Two programs add one property with different types. Each keeps its own, and is told.
    @Test func onePropertyOfTwoTypes() async throws {
        let shop = try await Shop()
        let one = try await shop.open(shop.configuration("one", [ItemWithText.self]))
        let two = try await shop.open(shop.configuration("two", [ItemWithNumber.self]))
        let (first, second) = (ObjectId.generate(), ObjectId.generate())
        try one.write { realm in
            realm.create(ItemWithText.self, value: ["id": first, "size": "M", "name": "a"])
        }
        try await one.synchronize()
        #expect(one.status.lastError == nil)
        try two.write { realm in
            realm.create(
                ItemWithNumber.self,
                value: ["id": second, "size": 42, "name": "b"] as [String: Any])
        }
        try await two.synchronize()
        try await one.synchronize()
        for (shared, types) in [
            (one, ["type Int?", "String here"]), (two, ["type String", "Int? here"]),
        ] {
            let error = try #require(shared.status.lastError)
            #expect(error.code == .unfitClass && error.message.contains("'ShopItem.size'"))
            #expect(types.allSatisfy { error.message.contains($0) }, "\(error)")
            #expect(shared.status.connection == .online && shared.status.isCaughtUp)
        }
        // What fits is there.
        try one.read { realm in
            let other = try #require(
                realm.object(ofType: ItemWithText.self, forPrimaryKey: second))
            #expect(other.name == "b" && other.size.isEmpty)
        }
        try two.read { realm in
            let other = try #require(
                realm.object(ofType: ItemWithNumber.self, forPrimaryKey: first))
            #expect(other.name == "a" && other.size == nil)
        }
        // Calls of the program are not disturbed.
        try await one.writeShared { $0.objects(ItemWithText.self).first?.name = "c" }
        try await two.synchronize()
        await one.close()
        await two.close()
    }

    /// One class with two primary keys.
    @Test func oneClassOfTwoKeys() async throws {
        let shop = try await Shop()
        let one = try await shop.open(shop.configuration("one", [ItemWithText.self]))
        let two = try await shop.open(shop.configuration("two", [ItemWithName.self]))
        try one.write { _ = $0.create(ItemWithText.self, value: ["size": "M"]) }
        try await one.synchronize()
        try await two.synchronize()
        let error = try #require(two.status.lastError)
        #expect(error.code == .unfitClass && error.message.contains("class 'ShopItem'"))
        #expect(try two.read { $0.objects(ItemWithName.self).count } == 0)
        await one.close()
        await two.close()
    }
}

final class ItemWithText: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""
    @Persisted var size: String

    override class func _realmObjectName() -> String? { "ShopItem" }
}

final class ItemWithNumber: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""
    @Persisted var size: Int?

    override class func _realmObjectName() -> String? { "ShopItem" }
}

final class ItemWithName: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var name: String
    @Persisted var size: String

    override class func _realmObjectName() -> String? { "ShopItem" }
}

/// ``ShopItem`` as an older program has it.
final class OldItem: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var name = ""

    override class func _realmObjectName() -> String? { "ShopItem" }
}
