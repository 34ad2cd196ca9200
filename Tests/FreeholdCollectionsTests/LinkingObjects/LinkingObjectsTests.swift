import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct LinkingObjectsTests {
    @Test func unmanagedIsEmpty() {
        let pet = Relations.Pet(tag: "x")
        let owner = Relations.Owner(id: 1, pet: pet)
        #expect(
            pet.owners.isEmpty && pet.owners.count == 0 && pet.owners.first == nil
                && pet.owners.last == nil)
        #expect(
            Array(pet.owners).isEmpty && pet.owners.index(of: owner) == nil
                && pet.owners.index(matching: { $0.age == 0 }) == nil)
        #expect(pet.owners.objects(at: []).isEmpty)
        #expect(pet.owners.min(of: \.age) == nil)
        #expect(pet.owners.max(of: \.age) == nil)
        #expect(pet.owners.sum(of: \.age) == 0)
        #expect(pet.owners.average(of: \.age) == nil)
        #expect(pet.owners.realm == nil && !pet.owners.isInvalidated && !pet.owners.isFrozen)
        #expect((pet.owners.value(forKey: "age") as? [Any?])?.isEmpty == true)
        #expect(pet.owners.description.hasPrefix("LinkingObjects<Relations_Owner>"))
        #expect(pet.owners == Relations.Pet().owners)
        #expect(pet.owners != owner.admirers)
        // Assigning changes nothing, not even which property links.
        pet.owners = owner.admirers
        #expect(pet.owners == Relations.Pet().owners)
    }

    @Test(arguments: [0, 1, 3, 1300])
    func elements(count: Int) throws {
        try withOwners(count) { realm, first, second in
            let expected = (0..<count).filter { $0 % 2 == 0 }
            #expect(
                first.owners.count == expected.count && first.owners.isEmpty == expected.isEmpty)
            #expect(first.owners.map(\.id) == expected)
            #expect(
                first.owners.first?.id == expected.first && first.owners.last?.id == expected.last)
            for index in [0, expected.count / 2, expected.count - 1]
            where expected.indices.contains(index) {
                #expect(first.owners[index].id == expected[index])
            }
            #expect(
                second.owners.isEmpty && second.owners.first == nil && second.owners.last == nil)
            #expect(first.owners.realm == realm)
            guard count > 1 else { return }
            let other = try #require(realm.object(ofType: Relations.Owner.self, forPrimaryKey: 1))
            #expect(
                first.owners.index(of: other) == nil
                    && first.owners.index(of: Relations.Owner(id: 2)) == nil)
            #expect(first.owners.index(of: first.owners[1]) == 1)
            #expect(
                first.owners.index(matching: { $0.id == 2 }) == 1
                    && first.owners.index(matching: { $0.id == 1 }) == nil)
            #expect(first.owners.objects(at: [0, 1]).map(\.id) == [0, 2])
            #expect(first.owners[0...1].map(\.id) == [0, 2])
        }
    }

    @Test func followsEveryChangeInsideAndAfterTransactions() throws {
        try withOwners(900) { realm, first, second in
            var random = Seed.random()
            var model = Dictionary(
                uniqueKeysWithValues: (0..<900).map { ($0, $0 % 2 == 0 ? "a" : nil) })
            let held = [first.owners, second.owners]
            let derived = held.map { $0.where { $0.age < 25 }.sorted(by: \.age, ascending: false) }
            func check(_ comment: String) {
                for (pet, owners, derived) in [
                    (first, held[0], derived[0]), (second, held[1], derived[1]),
                ] {
                    let expected = model.filter { $0.value == pet.tag }.keys.sorted()
                    random.expect(owners.count == expected.count, comment)
                    random.expect(owners.map(\.id) == expected, comment)
                    random.expect(
                        pet.owners.count == expected.count && pet.owners.map(\.id) == expected,
                        comment)
                    random.expect(pet.owners.sum(of: \.id) == expected.reduce(0, +), comment)
                    let young = expected.filter { $0 % 50 < 25 }.sorted {
                        $0 % 50 != $1 % 50 ? $0 % 50 > $1 % 50 : $0 < $1
                    }
                    random.expect(
                        derived.map(\.id) == young && derived.count == young.count, comment)
                }
            }
            check("at the start")
            for number in 0..<12 {
                let saved = model
                realm.beginWrite()
                for step in 0..<random.int(1...6) {
                    let id = random.int(0...949)
                    let owner = realm.object(ofType: Relations.Owner.self, forPrimaryKey: id)
                    switch random.int(0...3) {
                    case 0:
                        if let owner {
                            realm.delete(owner)
                            model.removeValue(forKey: id)
                        }
                    case 1:
                        for owner in first.owners.where({ $0.id > id }) {
                            model[owner.id] = .some("b")
                            owner.pet = second
                        }
                    default:
                        let tag = random.pick(["a", "b", nil] as [String?])
                        let pet = tag.map { $0 == "a" ? first : second }
                        if let owner {
                            owner.pet = pet
                        } else {
                            realm.add(
                                Relations.Owner(id: id, name: "owner \(id)", age: id % 50, pet: pet)
                            )
                        }
                        model[id] = .some(tag)
                    }
                    check("transaction \(number), step \(step)")
                }
                if random.once(in: 3) {
                    realm.cancelWrite()
                    model = saved
                } else {
                    try realm.commitWrite()
                }
                check("after transaction \(number)")
            }
        }
    }

    @Test func derivedCollections() throws {
        try withOwners(200) { realm, first, second in
            let old = first.owners.where { $0.age >= 30 }
            let expected: [Int] = (0..<200).filter { $0 % 2 == 0 && $0 % 50 >= 30 }
            #expect(old.map(\.id) == expected)
            #expect(old.count == first.owners.filter { $0.age >= 30 }.count)
            #expect(first.owners.where { $0.pet == second }.isEmpty)
            let sorted = first.owners.sorted(byKeyPath: "age", ascending: false)
            #expect(sorted.first?.age == 48 && sorted.last?.age == 0)
            #expect(first.owners.min(of: \.age) == 0)
            #expect(first.owners.max(of: \.age) == 48)
            #expect(first.owners.average(of: \.age) == 24)
            let wealth: Decimal128 = first.owners.sum(of: \.wealth)
            #expect(wealth == 24_000)
            let richest: Decimal128? = first.owners.max(of: \.wealth)
            #expect(richest == 480)
            #expect(second.owners.max(of: \.age) == nil)
            #expect(second.owners.sum(of: \.age) == 0)
            #expect(
                (first.owners.value(forKey: "id") as? [Any?])?.compactMap { $0 as? Int }
                    == (0..<200).filter { $0 % 2 == 0 })
            try realm.write { first.owners.setValue("all", forKey: "name") }
            #expect(realm.objects(Relations.Owner.self).where { $0.name == "all" }.count == 100)
            let any = AnyRealmCollection(first.owners)
            #expect(any.count == 100 && any[1].id == 2)
        }
    }

    @Test func linksOfAClassToItself() throws {
        try withOwners(5) { realm, _, _ in
            let owners = realm.objects(Relations.Owner.self)
            try realm.write {
                for owner in owners { owner.friend = owners[0] }
            }
            #expect(owners[0].admirers.map(\.id) == [0, 1, 2, 3, 4] && owners[1].admirers.isEmpty)
            try realm.write { realm.delete(owners[0]) }
            #expect(owners.allSatisfy { $0.friend == nil && $0.admirers.isEmpty })
        }
    }

    /// Moving the links of what is gone over changes them while the loop runs.
    @Test func changingLinksInALoop() throws {
        try withOwners(1000) { realm, first, second in
            var visited = 0
            try realm.write {
                for owner in first.owners {
                    owner.pet = second
                    visited += 1
                }
                #expect(first.owners.isEmpty && second.owners.count == 500)
                realm.delete(second.owners)
                #expect(second.owners.isEmpty)
            }
            #expect(visited == 500 && realm.objects(Relations.Owner.self).count == 500)
        }
    }

    @Test func otherColumnNamesAndStateOfTheProgram() throws {
        try withTemporaryRealm([Relations.Kennel.self, Relations.Guest.self]) { realm in
            let kennel = try realm.write {
                let kennel = realm.create(Relations.Kennel.self, value: ["name": "k"])
                for number in 0..<3 {
                    realm.create(Relations.Guest.self, value: ["number": number, "kennel": kennel])
                }
                return kennel
            }
            #expect(kennel.guests.map(\.number) == [0, 1, 2])
            let found = try #require(realm.objects(Relations.Kennel.self).first)
            found.visits += 1
            #expect(found.guests.count == 3 && found.guests == kennel.guests)
        }
    }

    @Test func deletedObjectsHaveNone() throws {
        try withOwners(4) { realm, first, _ in
            let owners = first.owners
            let derived = owners.where { $0.age < 100 }
            try realm.write { realm.delete(first) }
            #expect(
                first.isInvalidated && owners.isEmpty && derived.isEmpty && !owners.isInvalidated)
        }
    }

    @Test func equality() throws {
        try withOwners(4) { realm, first, second in
            #expect(first.owners == first.owners && first.owners != second.owners)
            let again = try #require(realm.object(ofType: Relations.Pet.self, forPrimaryKey: "a"))
            let held = first.owners
            #expect(second.owners.isEmpty && held == again.owners)
            #expect(first.owners != Relations.Pet().owners)
            #expect(
                first.owners.freeze() != first.owners
                    && first.owners.freeze() == first.freeze().owners)
        }
    }

    @Test func byName() throws {
        try withOwners(4) { _, first, _ in
            let owners = try #require(first["owners"] as? LinkingObjects<Relations.Owner>)
            #expect(owners.map(\.id) == [0, 2])
            #expect((first.value(forKey: "owners") as? LinkingObjects<Relations.Owner>)?.count == 2)
            #expect(
                (Relations.Pet()["owners"] as? LinkingObjects<Relations.Owner>)?.isEmpty == true)
        }
    }

    @Test func descriptions() throws {
        try withOwners(300) { _, first, second in
            let text = first.owners.description
            #expect(text.hasPrefix("LinkingObjects<Relations_Owner> <0x"))
            #expect(
                text.contains("\t[0] Relations_Owner {\n\t\tid = 0;")
                    && text.hasSuffix("\n\t... 50 objects skipped.\n)"))
            #expect(second.owners.description.hasSuffix("> (\n\n)"))
            // What follows from other objects is not part of an object's own description.
            #expect(!first.description.contains("owners"))
        }
    }

    /// Copies, literals and arrays in the order of the declaration have no part for it.
    @Test func notPartOfValues() throws {
        try withOwners(3) { realm, first, _ in
            let made = Relations.Pet(value: ["c", 3] as [Any])
            #expect(made.tag == "c" && made.legs == 3)
            let copy = Relations.Pet(value: first)
            #expect(copy.owners.isEmpty)
            try realm.write {
                let created = realm.create(
                    Relations.Pet.self,
                    value: ["tag": "d", "owners": "ignored", "legs": 2] as [String: Any])
                #expect(created.legs == 2 && created.owners.isEmpty)
                realm.create(
                    Relations.Pet.self, value: ["tag": "a", "legs": 5] as [String: Any],
                    update: .modified)
            }
            #expect(first.legs == 5 && first.owners.count == 2)
        }
    }

    // MARK: Versions and other realms

    @Test func frozen() throws {
        try withOwners(600) { realm, first, second in
            let frozen = first.owners.freeze()
            let young = first.owners.where { $0.age < 10 }.sorted(by: \.name).freeze()
            let names = Array(young.map(\.name))
            try realm.write {
                for owner in first.owners { owner.pet = second }
                #expect(first.owners.freeze().count == 300)
            }
            #expect(
                frozen.isFrozen && frozen.count == 300
                    && frozen.map(\.id) == (0..<600).filter { $0 % 2 == 0 })
            #expect(frozen.freeze() == frozen && young.map(\.name) == names && !names.isEmpty)
            #expect(frozen.where { $0.id < 10 }.count == 5 && frozen.thaw()?.isEmpty == true)
            let live = try #require(second.owners.freeze().thaw())
            #expect(live == second.owners && live.thaw() == live)
            try realm.write { realm.delete(first) }
            #expect(frozen.thaw() == nil && frozen.count == 300)
        }
    }

    @Test func frozenOnManyThreads() throws {
        try withOwners(1200) { _, first, _ in
            let pet = Frozen(first)
            let owners = Frozen(first.owners)
            try runThreads(8) { _ in
                #expect(pet.owners.count == 600 && owners.count == 600)
                #expect(owners.map(\.id) == (0..<1200).filter { $0 % 2 == 0 })
                #expect(
                    pet.owners.where { $0.age < 10 }.count == owners.filter { $0.age < 10 }.count)
                #expect(owners.sorted(by: \.age).last?.age == 48)
                #expect(owners.sum(of: \.age) == pet.owners.sum(of: \.age))
            }
        }
    }

    @Test func references() throws {
        try withOwners(100) { realm, first, _ in
            let configuration = realm.configuration
            let owners = ThreadSafeReference(to: first.owners)
            let young = ThreadSafeReference(
                to: first.owners.where { $0.age < 10 }.sorted(by: \.age, ascending: false))
            let any = ThreadSafeReference(to: AnyRealmCollection(first.owners))
            let session = ThreadSafe(wrappedValue: first.owners)
            let lost = ThreadSafeReference(to: first.owners)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                let resolved = try #require(realm.resolve(owners))
                #expect(resolved.count == 50 && resolved[1].id == 2 && resolved.realm == realm)
                #expect(
                    try #require(realm.resolve(young)).map(\.age) == [8, 8, 6, 6, 4, 4, 2, 2, 0, 0])
                #expect(try #require(realm.resolve(any)).count == 50)
                #expect(session.wrappedValue?.count == 50)
                try realm.write {
                    realm.delete(
                        try #require(realm.object(ofType: Relations.Pet.self, forPrimaryKey: "a")))
                }
                #expect(realm.resolve(lost) == nil && session.wrappedValue == nil)
            }
        }
    }

    @Test func otherRealmsSeeCommits() throws {
        try withOwners(10) { realm, first, second in
            let configuration = realm.configuration
            #expect(second.owners.isEmpty)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write {
                    realm.objects(Relations.Owner.self)[1].pet = realm.object(
                        ofType: Relations.Pet.self, forPrimaryKey: "b")
                }
            }
            #expect(second.owners.isEmpty)
            realm.refresh()
            #expect(second.owners.map(\.id) == [1])
        }
    }
}
