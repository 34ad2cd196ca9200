import Foundation
import Freehold
import Testing

@Suite struct RealmCreateTests {
    @Test func literals() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                let person = realm.create(Fixture.Person.self, value: ["id": 1, "name": "Ada", "dog": ["name": "Rex"], "friend": ["id": 2]] as [String: Any])
                #expect(person.dog?.name == "Rex")
                #expect(person.dog?.age == 3)
                #expect(person.friend?.id == 2)
                let byOrder = realm.create(Fixture.Person.self, value: [3, "Bob", 40, ["Max"]] as [Any])
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
                realm.create(Fixture.Person.self, value: ["id": 1, "name": "Ada", "age": 36, "friend": ["id": 2, "name": "Eve"]] as [String: Any])
            }
            for policy in [Realm.UpdatePolicy.modified, .all] {
                try realm.write {
                    let person = realm.create(
                        Fixture.Person.self, value: ["id": 1, "age": 37, "friend": ["id": 2, "age": 5]] as [String: Any], update: policy)
                    #expect(person.name == "Ada")
                    #expect(person.age == 37)
                    #expect(person.friend?.name == "Eve")
                    #expect(person.friend?.age == 5)
                }
            }
            try realm.write { realm.create(Fixture.Person.self, value: ["id": 1, "friend": nil] as [String: Any?], update: .modified) }
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.friend == nil)
        }
    }

    @Test func linksToManagedObjects() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                let dog = realm.create(Fixture.Dog.self, value: ["name": "Rex"])
                let person = realm.create(Fixture.Person.self, value: ["id": 1, "dog": dog] as [String: Any])
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
