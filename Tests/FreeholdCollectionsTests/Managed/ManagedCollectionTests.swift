import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Live collections, where they are more than plain ones.
@Suite struct ManagedCollectionTests {
    typealias Owner = ManagedModels.Owner
    typealias Pet = ManagedModels.Pet
    typealias Team = ManagedModels.Team

    /// A loop visits the elements that were there when it began, whatever it does to the list.
    @Test func changingWhileIterating() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write {
                realm.create(
                    Owner.self,
                    value: [
                        "numbers": [1, 2, 3], "pets": [["id": 1], ["id": 2], ["id": 3]],
                        "tags": ["a", "b"],
                    ])
            }
            try realm.write {
                for number in owner.numbers { owner.numbers.append(number * 10) }
                var names: [Bool] = []
                for pet in owner.pets {
                    if !pet.isInvalidated, pet.id == 1 {
                        realm.delete(realm.objects(Pet.self).where { $0.id == 2 })
                    }
                    names.append(pet.isInvalidated)
                }
                #expect(names == [false, true, false])
                for tag in owner.tags { owner.tags.insert(tag + tag) }
            }
            #expect(Array(owner.numbers) == [1, 2, 3, 10, 20, 30])
            #expect(owner.pets.map(\.id) == [1, 3])
            #expect(Set(owner.tags) == ["a", "b", "aa", "bb"])
            // Outside of a transaction, the walk goes on over the version that it began with.
            var seen: [Int] = []
            for number in owner.numbers {
                if seen.isEmpty { try realm.write { owner.numbers.removeAll() } }
                seen.append(number)
            }
            #expect(seen == [1, 2, 3, 10, 20, 30] && owner.numbers.isEmpty)
        }
    }

    /// An iterator gives the elements of the moment in which it was made, also if the list
    /// changes before the first one is asked for.
    @Test(arguments: [3, 2000])
    func changingBeforeTheFirstElement(count: Int) throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write {
                realm.create(
                    Owner.self,
                    value: ["numbers": Array(0..<count), "texts": (0..<count).map { "\($0)" }])
            }
            try realm.write {
                owner.numbers.append(count)
                var numbers = owner.numbers.makeIterator()
                var texts = owner.texts.makeIterator()
                owner.numbers.removeAll()
                owner.texts.replaceSubrange(0..<2, with: ["x"])
                for number in 0..<500 { realm.create(Owner.self, value: ["texts": ["\(number)"]]) }
                #expect(Array(IteratorSequence(numbers)) == Array(0...count) && numbers.next() == 0)
                #expect(
                    Array(IteratorSequence(texts)) == (0..<count).map { "\($0)" }
                        && texts.next() == "0")
            }
            #expect(owner.numbers.isEmpty && owner.texts.count == count - 1)
        }
    }

    /// One list by two accessors, and by an object that was found again.
    @Test func accessorsSeeEachOther() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write { realm.create(Owner.self) }
            let (first, second) = (owner.numbers, owner.numbers)
            try realm.write {
                first.append(1)
                #expect(second.count == 1 && second[0] == 1)
                second.append(2)
                #expect(Array(first) == [1, 2])
                first[0] = 7
                #expect(second.first == 7 && realm.objects(Owner.self).first?.numbers.last == 2)
            }
            #expect(first == second && Array(second) == [7, 2])
            realm.beginWrite()
            first.removeAll()
            #expect(second.isEmpty)
            realm.cancelWrite()
            #expect(Array(second) == [7, 2])
        }
    }

    /// What another thread commits is there after a refresh; frozen lists stay.
    @Test func versions() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write { realm.create(Owner.self, value: ["numbers": [1]]) }
            let list = owner.numbers
            let frozen = list.freeze()
            let configuration = realm.configuration
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    realm.objects(Owner.self).first?.numbers.append(objectsIn: 2...900)
                }
            }
            #expect(list.count == 1)
            realm.refresh()
            #expect(list.count == 900 && list[899] == 900 && list.last == 900)
            #expect(frozen.count == 1 && frozen.isFrozen && !list.isFrozen)
            #expect(frozen.thaw()?.count == 900 && list.freeze()[500] == 501)
            try realm.write { realm.delete(owner) }
            #expect(list.isInvalidated && frozen.thaw() == nil && Array(frozen) == [1])
        }
    }

    @Test func references() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            let owner = try realm.write {
                realm.create(
                    Owner.self, value: ["numbers": [1, 2], "tags": ["a"], "scores": ["x": 1.5]])
            }
            let list = ThreadSafeReference(to: owner.numbers)
            let set = ThreadSafeReference(to: owner.tags)
            let map = ThreadSafeReference(to: owner.scores)
            let any = ThreadSafeReference(to: AnyRealmCollection(owner.numbers))
            let frozen = Frozen(owner.numbers)
            let configuration = realm.configuration
            let found = try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.resolve(list)?.append(3) }
                return [
                    realm.resolve(set).map { Array($0).description },
                    realm.resolve(map).map { "\($0["x"] ?? 0)" },
                    realm.resolve(any).map { Array($0).description },
                    Array(frozen.unsafeValue).description,
                ]
            }
            #expect(found == ["[\"a\"]", "1.5", "[1, 2, 3]", "[1, 2]"])
            let gone = ThreadSafeReference(to: owner.numbers)
            try realm.write { realm.delete(owner) }
            #expect(realm.resolve(gone) == nil)
        }
    }

    /// Objects in collections are added with their owner, and are found by primary keys when it
    /// is updated.
    @Test func creating() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            try realm.write {
                realm.create(
                    Owner.self,
                    value: [
                        "name": "A", "pets": [["id": 1, "name": "Rex"], ["id": 2]],
                        "chosen": ["best": ["id": 3]],
                    ])
                realm.create(
                    Owner.self,
                    value: [
                        "name": "B", "pets": [realm.objects(Pet.self)[0], Pet(value: ["id": 4])],
                    ])
            }
            #expect(realm.objects(Pet.self).count == 4)
            #expect(realm.objects(Owner.self).last?.pets.first?.name == "Rex")
            let owner = Owner()
            owner.pets.append(Pet(value: ["id": 9]))
            owner.friends.insert(owner.pets[0])
            owner.chosen["x"] = owner.pets[0]
            let pets = owner.pets
            try realm.write { realm.add(owner) }
            #expect(pets.realm == realm && pets[0].realm == realm)
            #expect(owner.friends.contains(pets[0]) && owner.chosen["x"]??.id == 9)
            let copy = Owner(value: owner)
            #expect(copy.realm == nil && copy.pets.count == 1)
        }
    }

    /// Literals of elements update the objects that their primary keys name, as those of links do.
    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func updating(_ policy: Realm.UpdatePolicy) throws {
        try withTemporaryRealm([Team.self, Pet.self]) { realm in
            try realm.write {
                realm.create(
                    Team.self,
                    value: [
                        "id": 1, "pets": [["id": 1, "name": "Rex"]],
                        "byName": ["a": ["id": 2, "name": "Ivo"]], "numbers": [1, 2],
                    ])
                realm.create(
                    Team.self,
                    value: [
                        "id": 1, "pets": [["id": 1, "name": "Max"], ["id": 3]],
                        "byName": ["b": ["id": 2, "name": "Udo"], "c": nil as Any? as Any],
                    ],
                    update: policy)
            }
            let team = try #require(realm.objects(Team.self).first)
            #expect(
                team.pets.map(\.name) == ["Max", ""] && team.byName.keys == ["b", "c"]
                    && team.byName["b"]??.name == "Udo")
            #expect(Array(team.numbers) == [1, 2] && realm.objects(Pet.self).count == 3)
            try realm.write {
                let new = Team()
                new.id = 1
                new.pets.append(Pet(value: ["id": 3, "name": "Leo"]))
                realm.add(new, update: policy)
            }
            #expect(
                team.pets.map(\.name) == ["Leo"] && team.numbers.isEmpty && team.byName.count == 0)
        }
    }

    /// Properties of embedded-in-row size and of trees, side by side in one transaction.
    @Test func manySmallCollections() throws {
        try withTemporaryRealm(ManagedModels.all) { realm in
            try realm.write {
                for number in 0..<2000 {
                    let owner = Owner()
                    owner.name = "\(number)"
                    owner.numbers.append(objectsIn: 0..<(number % 7))
                    if number % 500 == 0 {
                        owner.texts.append(objectsIn: (0..<1500).map { "\($0)" })
                    }
                    realm.add(owner)
                }
            }
            let owners = realm.objects(Owner.self)
            #expect(
                owners.allSatisfy {
                    $0.numbers.count == Int($0.name)! % 7
                        && $0.texts.count == (Int($0.name)! % 500 == 0 ? 1500 : 0)
                })
            try realm.write {
                for owner in owners where !owner.numbers.isEmpty { owner.numbers.removeFirst() }
            }
            #expect(owners.allSatisfy { $0.numbers.count == Swift.max(Int($0.name)! % 7 - 1, 0) })
        }
    }
}
