import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Queries and sorts over the objects of lists, sets and maps.
@Suite struct CollectionQueryTests {
    typealias Owner = ManagedModels.Owner
    typealias Pet = ManagedModels.Pet

    private func owner(_ realm: Realm) throws -> Owner {
        try realm.write {
            let pets = [(3, "Rex"), (1, "Ada"), (2, "Max"), (4, "Ada")].map {
                realm.create(Pet.self, value: ["id": $0.0, "name": $0.1])
            }
            let owner = realm.create(Owner.self)
            owner.pets.append(objectsIn: pets + [pets[1]])
            owner.friends.insert(objectsIn: pets.dropLast())
            for pet in pets { owner.chosen["\(pet.name) \(pet.id)"] = pet }
            owner.chosen.updateValue(nil, forKey: "none")
            realm.create(Pet.self, value: ["id": 9, "name": "Ada"])
            return owner
        }
    }

    @Test func lists() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try owner(realm)
            let adas = owner.pets.where { $0.name == "Ada" }
            #expect(adas.map(\.id) == [1, 4, 1] && adas.count == 3)
            #expect(owner.pets.sorted(by: \.id).map(\.id) == [1, 1, 2, 3, 4])
            #expect(owner.pets.sorted(byKeyPath: "name").map(\.id) == [1, 4, 1, 2, 3])
            #expect(adas.sorted(by: \.id, ascending: false).map(\.id) == [4, 1, 1])
            #expect(owner.pets.index(matching: { $0.name == "Max" }) == 2)
            #expect(owner.pets.sum(of: \.id) == 11 && owner.pets.max(of: \.id) == 4)
            // Live, and exact inside of a transaction.
            try realm.write {
                owner.pets.remove(at: 1)
                #expect(adas.map(\.id) == [4, 1])
                owner.pets.insert(Pet(value: ["id": 7, "name": "Ada"]), at: 0)
                #expect(adas.map(\.id) == [7, 4, 1])
                realm.delete(owner.pets[0])
            }
            #expect(adas.map(\.id) == [4, 1])
            let frozen = adas.freeze()
            try realm.write { owner.pets.removeAll() }
            #expect(adas.isEmpty && frozen.map(\.id) == [4, 1])
            try realm.write { realm.delete(owner) }
            #expect(adas.isEmpty)
        }
    }

    @Test func setsAndMaps() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try owner(realm)
            #expect(owner.friends.where { $0.id > 1 }.sorted(by: \.id).map(\.id) == [2, 3])
            #expect(
                owner.friends.sorted(byKeyPath: "name", ascending: false).map(\.name) == [
                    "Rex", "Max", "Ada",
                ])
            #expect(owner.chosen.where { $0.name == "Ada" }.count == 2)
            #expect(owner.chosen.sorted(byKeyPath: "id").map { $0?.id } == [1, 2, 3, 4])
        }
    }

    /// Lists of dynamic objects give dynamic objects, queried and sorted by names, too.
    @Test func dynamicLists() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            _ = try owner(realm)
            let pets = try #require(realm.dynamicObjects("ManagedModels_Owner").first).dynamicList(
                "pets")
            #expect(
                pets.sorted(byKeyPath: "id", ascending: false).map { $0["id"] as? Int } == [
                    4, 3, 2, 1, 1,
                ])
            #expect(
                pets.where { $0["name", as: String.self] == "Ada" }.map { $0["id"] as? Int } == [
                    1, 4, 1,
                ])
            #expect(
                pets.map { $0["id"] as? Int } == [3, 1, 2, 4, 1]
                    && pets[0]["name"] as? String == "Rex")
        }
    }

    @Test func deletingWhatAListHolds() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try owner(realm)
            try realm.write { realm.delete(owner.pets.where { $0.name == "Ada" }) }
            #expect(owner.pets.map(\.id) == [3, 2] && owner.friends.count == 2)
            try realm.write { realm.delete(owner.pets) }
            #expect(
                owner.pets.isEmpty && owner.chosen.values.allSatisfy { $0 == nil }
                    && realm.objects(Pet.self).map(\.id) == [9])
        }
    }
}
