import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct RealmAddTests {
    @Test func addingManagesInPlaceWithLinks() throws {
        try withTemporaryRealm { realm in
            let person = Fixture.Person(id: 1, name: "Ada")
            let dog = Fixture.Dog(name: "Rex")
            person.dog = dog
            try realm.write { realm.add(person) }
            #expect(person.realm == realm)
            #expect(dog.realm == realm)
            #expect(person.dog?.name == "Rex")
            #expect(dog.age == 3)
            try realm.write { realm.add(person) }
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.dog?.age == 3)
        }
    }

    @Test func assignedLinksAreAdded() throws {
        try withTemporaryRealm { realm in
            let person = Fixture.Person(id: 1)
            try realm.write {
                realm.add(person)
                let friend = Fixture.Person(id: 0, name: "before the first row")
                person.friend = friend
                person.name = "set after rows moved"
                #expect(friend.realm == realm)
            }
            #expect(person.friend?.name == "before the first row")
            #expect(person.name == "set after rows moved")
        }
    }

    @Test func cycles() throws {
        try withTemporaryRealm { realm in
            let (a, b) = (Fixture.Person(id: 1, name: "a"), Fixture.Person(id: 2, name: "b"))
            a.friend = b
            b.friend = a
            let own = Fixture.Person(id: 3, name: "own")
            own.friend = own
            try realm.write { realm.add([a, own]) }
            #expect(a.friend?.friend?.name == "a")
            #expect(b.friend?.friend?.name == "b")
            #expect(own.friend?.friend?.name == "own")
        }
    }

    @Test func longChainsNeedNoStack() throws {
        try withTemporaryRealm { realm in
            let count = 100_000
            let nodes = (0..<count).map { number in
                let node = Fixture.Node()
                node.number = number
                return node
            }
            for index in 1..<count { nodes[index - 1].next = nodes[index] }
            try realm.write { realm.add(nodes[0]) }
            var node: Fixture.Node? = nodes[0]
            var seen = 0
            while let current = node {
                #expect(current.number == seen)
                seen += 1
                node = current.next
            }
            #expect(seen == count)
            // Unlinked by hand: the chain would be released recursively.
            #expect(nodes[count - 1].realm == realm)
        }
    }

    @Test func updatePolicies() throws {
        try withTemporaryRealm { realm in
            try realm.write { realm.add(Fixture.Person(id: 1, name: "Ada", age: 36)) }
            let changed = Fixture.Person(id: 1, name: "Ada", age: 37)
            try realm.write { realm.add(changed, update: .modified) }
            #expect(changed.realm == realm)
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 1)?.age == 37)
            try realm.write { realm.add(Fixture.Person(id: 1), update: .all) }
            #expect(changed.name == "")
            #expect(changed.age == 0)
            try realm.write { realm.add(Fixture.Person(id: 2), update: .all) }
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: 2) != nil)
        }
    }

    @Test func updatesReachLinkedObjects() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                realm.add([Fixture.Tagged(tag: "a", value: 1), Fixture.Tagged(tag: nil, value: 2)])
            }
            let (b, a) = (Fixture.Tagged(tag: "b"), Fixture.Tagged(tag: "a", value: 10))
            b.other = a
            a.other = Fixture.Tagged(tag: nil, value: 20)
            try realm.write { realm.add(b, update: .modified) }
            #expect(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: "a")?.value == 10)
            #expect(
                realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: nil as String?)?.value
                    == 20)
            #expect(b.other?.other?.tag == nil)
            #expect(b.other?.other?.value == 20)
        }
    }

    @Test func sameKeyTwiceInOneGraph() throws {
        try withTemporaryRealm { realm in
            let (first, second) = (
                Fixture.Tagged(tag: "x", value: 1), Fixture.Tagged(tag: "x", value: 2)
            )
            first.other = second
            try realm.write { realm.add(first, update: .all) }
            #expect(first.value == second.value)
            #expect(first.isSameObject(as: second))
        }
    }

    @Test func lookups() throws {
        try withTemporaryRealm { realm in
            try realm.write {
                realm.add(Fixture.Tagged(tag: "a", value: 1))
                #expect(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: "a")?.value == 1)
                #expect(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: "b") == nil)
                realm.add(Fixture.Person(id: -7))
            }
            #expect(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: "a")?.value == 1)
            #expect(realm.object(ofType: Fixture.Tagged.self, forPrimaryKey: nil as String?) == nil)
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: -7) != nil)
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: Int.max) == nil)
            #expect(realm.object(ofType: Fixture.Person.self, forPrimaryKey: Int8(-7)) != nil)
        }
    }

    @Test func deleting() throws {
        try withTemporaryRealm { realm in
            let owner = Fixture.Person(id: 1)
            let dog = Fixture.Dog(name: "Rex")
            owner.dog = dog
            let others = (2..<10).map { Fixture.Person(id: $0) }
            try realm.write {
                realm.add(owner)
                realm.add(others)
            }
            try realm.write {
                realm.delete(dog)
                realm.delete(dog)
            }
            #expect(owner.dog == nil)
            #expect(dog.isInvalidated)
            try realm.write { realm.delete(others.dropFirst()) }
            #expect(others[1].isInvalidated)
            #expect(!others[0].isInvalidated)
            try realm.write {
                let added = Fixture.Dog(name: "Max")
                realm.add(added)
                realm.deleteAll()
                #expect(added.isInvalidated)
            }
            #expect(realm.isEmpty)
            #expect(owner.isInvalidated)
        }
    }
}
