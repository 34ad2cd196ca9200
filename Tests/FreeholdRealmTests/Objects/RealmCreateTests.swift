import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct RealmCreateTests {
    @Test func literals() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                let person = realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Ada", "dog": ["name": "Rex"], "friend": ["id": 2]]
                        as [String: Any])
                #expect(person.dog?.name == "Rex")
                #expect(person.dog?.age == 3)
                #expect(person.friend?.id == 2)
                let byOrder = realm.create(
                    Fixture.Person.self, value: [3, "Bob", 40, ["Max"]] as [Any])
                #expect(byOrder.name == "Bob")
                #expect(byOrder.age == 40)
                #expect(byOrder.dog?.name == "Max")
                #expect(realm.create(Fixture.Dog.self).name == "")
            }
        }
    }

    @Test func updatesKeepWhatIsNotNamed() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                realm.create(
                    Fixture.Person.self,
                    value: ["id": 1, "name": "Ada", "age": 36, "friend": ["id": 2, "name": "Eve"]]
                        as [String: Any])
            }
            for policy in [Realm.UpdatePolicy.modified, .all] {
                try realm.write {
                    let person = realm.create(
                        Fixture.Person.self,
                        value: ["id": 1, "age": 37, "friend": ["id": 2, "age": 5]] as [String: Any],
                        update: policy)
                    #expect(person.name == "Ada")
                    #expect(person.age == 37)
                    #expect(person.friend?.name == "Eve")
                    #expect(person.friend?.age == 5)
                }
            }
            try realm.write {
                realm.create(
                    Fixture.Person.self, value: ["id": 1, "friend": nil] as [String: Any?],
                    update: .modified)
            }
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.friend == nil)
        }
    }

    /// Objects without a primary key are changed by `.modified` and created anew by `.all`; the
    /// policy reaches through them, in literals as in objects.
    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func updatesReachThroughObjectsWithoutPrimaryKeys(_ policy: Realm.UpdatePolicy) throws {
        try withSailors { realm, first in
            func harbour() -> Dynamic.Harbour? {
                realm.object(ofType: Dynamic.Harbour.self, forPrimaryKey: "XA")
            }
            try realm.write {
                realm.create(
                    Dynamic.Sailor.self,
                    value: [
                        "id": 1, "ship": ["name": "New", "harbour": ["code": "XA", "depth": 11]],
                    ] as [String: Any], update: policy)
            }
            #expect(
                first.ship?.name == "New" && first.name == "Ada" && harbour()?.depth == 11
                    && realm.objects(Dynamic.Harbour.self).count == 1)
            #expect(realm.objects(Dynamic.Ship.self).count == (policy == .all ? 2 : 1))
            let ship = Dynamic.Ship(
                value: ["name": "Unmanaged", "harbour": ["code": "XA", "depth": 12]]
                    as [String: Any])
            try realm.write {
                realm.create(
                    Dynamic.Sailor.self, value: ["id": 1, "ship": ship] as [String: Any],
                    update: policy)
            }
            #expect(
                first.ship?.name == "Unmanaged" && harbour()?.depth == 12
                    && realm.objects(Dynamic.Harbour.self).count == 1)
            try withTemporaryRealm(Dynamic.all) { other in
                let ship = try other.write {
                    other.create(
                        Dynamic.Ship.self,
                        value: ["name": "Foreign", "harbour": ["code": "XA", "depth": 13]]
                            as [String: Any])
                }
                try realm.write {
                    realm.create(
                        Dynamic.Sailor.self, value: ["id": 1, "ship": ship] as [String: Any],
                        update: policy)
                }
            }
            #expect(
                first.ship?.name == "Foreign" && harbour()?.depth == 13
                    && realm.objects(Dynamic.Harbour.self).count == 1)
            // What the value does not name stays, there too.
            try realm.write {
                realm.create(
                    Dynamic.Sailor.self,
                    value: ["id": 4, "ship": ["harbour": ["code": "XA"]]] as [String: Any],
                    update: policy)
            }
            #expect(
                harbour()?.depth == 13 && realm.objects(Dynamic.Harbour.self).count == 1
                    && realm.objects(Dynamic.Ship.self).count == (policy == .all ? 5 : 2))
        }
    }

    /// Numbers of other types are converted to the property's type before they are compared.
    @Test func modifiedComparesInThePropertysType() throws {
        try withSailors { realm, first in
            try realm.write { first.height = 2 }
            let value: [String: Any] = [
                "id": 1, "age": Int8(10), "height": 2, "wealth": 7.0, "numbers": [Int16(3), 1],
            ]
            try realm.write { realm.create(Dynamic.Sailor.self, value: value, update: .modified) }
            #expect(
                first.age == 10 && first.height == 2 && first.wealth == 7
                    && Array(first.numbers) == [3, 1])
            try realm.write {
                realm.create(
                    Dynamic.Sailor.self,
                    value: ["id": 1, "age": Int64(11), "height": Int8(3), "wealth": Float(7.5)]
                        as [String: Any], update: .modified)
            }
            #expect(first.age == 11 && first.height == 3 && first.wealth == 7.5)
        }
    }

    @Test func linksToManagedObjects() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                let dog = realm.create(Fixture.Dog.self, value: ["name": "Rex"])
                let person = realm.create(
                    Fixture.Person.self, value: ["id": 1, "dog": dog] as [String: Any])
                #expect(person.dog?.isSameObject(as: dog) == true)
            }
        }
    }

    @Test func copiesOfUnmanagedObjects() throws {
        try withTemporaryRealm { realm in
            let source = Fixture.Person(id: 1, name: "Ada")
            source.friend = source
            source.dog = Fixture.Dog(name: "Rex")
            let copy = try realm.write { realm.create(Fixture.Person.self, value: source) }
            #expect(source.realm == nil)
            #expect(source.dog?.realm == nil)
            #expect(copy.name == "Ada")
            #expect(copy.friend?.isSameObject(as: copy) == true)
            #expect(copy.dog?.name == "Rex")
        }
    }

    @Test func deepCopiesFromAnotherRealm() throws {
        try withTemporaryRealm { source in
            let person = Fixture.Person(id: 1, name: "Ada")
            let friend = Fixture.Person(id: 2, name: "Eve")
            person.friend = friend
            friend.friend = person
            person.dog = Fixture.Dog(name: "Rex")
            try source.write { source.add(person) }
            try withTemporaryRealm { target in
                let copy = try target.write { target.create(Fixture.Person.self, value: person) }
                #expect(copy.realm == target)
                #expect(copy.friend?.friend?.isSameObject(as: copy) == true)
                #expect(copy.dog?.name == "Rex")
                #expect(target.object(ofType: Fixture.Person.self, forPrimaryKey: 2)?.name == "Eve")
                try target.write { copy.dog?.name = "Max" }
                #expect(person.dog?.name == "Rex")
            }
        }
    }
}
