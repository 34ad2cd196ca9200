import Freehold
import FreeholdRealmTestSupport
import Testing

private final class UpdatedOwner: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var pet: UpdatedPet?
    @Persisted var pets: List<UpdatedPet>
    @Persisted var named: Map<String, UpdatedPet?>
    @Persisted var group: MutableSet<UpdatedPet>
    @Persisted var friend: UpdatedOwner?
}

private final class UpdatedPet: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var toy: UpdatedToy?

    convenience init(_ name: String, toy: String? = nil) {
        self.init()
        self.name = name
        self.toy = toy.map { UpdatedToy(value: [$0]) }
    }
}

private final class UpdatedToy: Object {
    @Persisted var name = ""
}

/// The policy `.modified` changes linked objects that have no primary key, and those of lists,
/// in their places, as Realm does.
@Suite struct UpdateInPlaceTests {
    /// How an object comes to be updated with what another one says.
    enum Way: CaseIterable {
        case add, createFromObject, createFromDictionary
    }

    private func withOwner(_ body: (Realm, UpdatedOwner) throws -> Void) throws {
        try withTemporaryRealm([UpdatedOwner.self, UpdatedPet.self, UpdatedToy.self]) { realm in
            let owner = UpdatedOwner(value: ["id": 1])
            owner.pet = UpdatedPet("Rex", toy: "ball")
            owner.pets.append(objectsIn: [UpdatedPet("a", toy: "x"), UpdatedPet("b")])
            owner.named["one"] = UpdatedPet("n")
            owner.group.insert(UpdatedPet("g"))
            try realm.write { realm.add(owner) }
            try body(realm, owner)
        }
    }

    private func update(
        _ realm: Realm, _ way: Way, _ policy: Realm.UpdatePolicy, pet: UpdatedPet?,
        pets: [UpdatedPet]
    ) throws {
        try realm.write {
            guard way == .createFromDictionary else {
                let owner = UpdatedOwner(value: ["id": 1])
                owner.pet = pet
                owner.pets.append(objectsIn: pets)
                owner.named["one"] = UpdatedPet("new")
                owner.group.insert(UpdatedPet("new"))
                if way == .add {
                    realm.add(owner, update: policy)
                } else {
                    realm.create(UpdatedOwner.self, value: owner, update: policy)
                }
                return
            }
            func literal(_ pet: UpdatedPet) -> [String: Any?] {
                ["name": pet.name, "toy": pet.toy.map { ["name": $0.name] }]
            }
            let value: [String: Any?] = [
                "id": 1, "pet": pet.map { literal($0) }, "pets": pets.map { literal($0) },
                "named": ["one": ["name": "new"]], "group": [["name": "new"]],
            ]
            realm.create(UpdatedOwner.self, value: value, update: policy)
        }
    }

    @Test(arguments: Way.allCases)
    func modifiedChangesWhatIsLinked(_ way: Way) throws {
        try withOwner { realm, owner in
            let pet = try #require(owner.pet), toy = try #require(pet.toy)
            let elements = Array(owner.pets), first = try #require(elements[0].toy)
            try update(
                realm, way, .modified, pet: UpdatedPet("Max", toy: "bone"),
                pets: [UpdatedPet("c", toy: "y"), UpdatedPet("d", toy: "z"), UpdatedPet("e")])
            #expect(
                pet.name == "Max" && toy.name == "bone" && owner.pet?.isSameObject(as: pet) == true)
            #expect(pet.toy?.isSameObject(as: toy) == true)
            #expect(
                elements.map(\.name) == ["c", "d"] && first.name == "y"
                    && elements[1].toy?.name == "z")
            #expect(
                owner.pets.map(\.name) == ["c", "d", "e"]
                    && owner.pets[0].isSameObject(as: elements[0]))
            // Objects of maps and sets are new ones; so are the third pet and the second pet's toy.
            #expect(owner.named["one"]??.name == "new" && owner.group.map(\.name) == ["new"])
            #expect(
                realm.objects(UpdatedPet.self).count == 8
                    && realm.objects(UpdatedToy.self).count == 3)
            try update(realm, way, .modified, pet: nil, pets: [UpdatedPet("f")])
            #expect(owner.pet == nil && elements[0].name == "f" && owner.pets.count == 1)
            #expect(
                !pet.isInvalidated && !elements[1].isInvalidated,
                "They are linked no more, and not deleted.")
        }
    }

    @Test(arguments: Way.allCases)
    func allAddsThemAnew(_ way: Way) throws {
        try withOwner { realm, owner in
            let pet = try #require(owner.pet)
            try update(realm, way, .all, pet: UpdatedPet("Max"), pets: [UpdatedPet("c")])
            #expect(
                pet.name == "Rex" && owner.pet?.name == "Max" && owner.pets.map(\.name) == ["c"])
            #expect(realm.objects(UpdatedPet.self).count == 9)
        }
    }

    /// What a literal does not name is as it was, and objects of the realm are linked as they are.
    @Test func literalsChangeWhatTheyName() throws {
        try withOwner { realm, owner in
            let pet = try #require(owner.pet), other = owner.pets[1]
            try realm.write { pet.age = 7 }
            try realm.write {
                realm.create(
                    UpdatedOwner.self,
                    value: ["id": 1, "pet": ["name": "Max"], "pets": [other, ["age": 5]]]
                        as [String: Any],
                    update: .modified)
            }
            #expect(pet.name == "Max" && pet.age == 7 && pet.toy?.name == "ball")
            #expect(
                owner.pets.map(\.name) == ["b", "b"] && other.age == 5
                    && realm.objects(UpdatedPet.self).count == 5)
            try realm.write {
                realm.create(
                    UpdatedOwner.self, value: ["id": 1, "pet": other] as [String: Any],
                    update: .modified)
            }
            #expect(owner.pet?.isSameObject(as: other) == true && pet.name == "Max")
        }
    }

    /// Through an object that is found by its primary key.
    @Test func behindLinks() throws {
        try withOwner { realm, owner in
            let pet = try #require(owner.pet)
            let (root, friend) = (UpdatedOwner(value: ["id": 2]), UpdatedOwner(value: ["id": 1]))
            friend.pet = UpdatedPet("Max")
            root.friend = friend
            try realm.write { realm.add(root, update: .modified) }
            #expect(pet.name == "Max" && pet.toy == nil && owner.pets.isEmpty && friend == owner)
            try realm.write {
                let value: [String: Any] = [
                    "id": 2, "friend": ["id": 1, "pet": ["name": "Tom"]] as [String: Any],
                ]
                realm.create(UpdatedOwner.self, value: value, update: .modified)
            }
            #expect(pet.name == "Tom" && realm.objects(UpdatedPet.self).count == 5)
        }
    }

    /// One object in a list twice is changed twice.
    @Test func repeatedElements() throws {
        try withOwner { realm, owner in
            let pet = owner.pets[0]
            try realm.write { owner.pets.replaceSubrange(0..<2, with: [pet, pet]) }
            try update(realm, .add, .modified, pet: nil, pets: [UpdatedPet("c"), UpdatedPet("d")])
            #expect(pet.name == "d" && owner.pets.map(\.name) == ["d", "d"])
        }
    }

    /// Equal contents of collections are left alone, whichever way they come.
    @Test func equalCollectionsAreNotWritten() throws {
        try withSailors { realm, first in
            let others = Array(first.friends)
            let value: [String: Any] = [
                "id": 1, "friends": others, "rivals": [others[1]], "crew": ["cook": others[0]],
                "numbers": [3, 1],
                "tags": ["a"], "scores": ["go": 5],
            ]
            try realm.write {}
            let written = realm.counters.bytesWritten
            try realm.write { realm.create(Dynamic.Sailor.self, value: value, update: .modified) }
            #expect(realm.counters.bytesWritten == written)
            let sailor = Dynamic.Sailor(value: first)
            try realm.write { realm.add(sailor, update: .modified) }
            #expect(realm.counters.bytesWritten == written && sailor == first)
        }
    }
}
