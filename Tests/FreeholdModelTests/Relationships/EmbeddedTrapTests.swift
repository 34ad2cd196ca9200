import Freehold
import FreeholdRealmTestSupport
import Testing

/// What must not be done with embedded objects, and what the process says when it is.
@Suite struct EmbeddedTrapTests {
    private static let taken = "Can't set link to existing managed embedded object"

    @Test func assigningOneThatHasAnOwner() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let (a, b) = (
                    Relationships.Person(id: 1, home: Relationships.Address(city: "Rome")),
                    Relationships.Person(id: 2)
                )
                try realm.write {
                    realm.add([a, b])
                    b.home = a.home
                }
            }
        }
        expectMessage(
            result, Self.taken, "'Relationships_Address' that has an owner",
            "assign a copy, Address(value: object)")
    }

    @Test func assigningOneToTheSecondPropertyOfItsOwner() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1, home: Relationships.Address(city: "Rome"))
                try realm.write {
                    realm.add(person)
                    person["office"] = person.home
                }
            }
        }
        expectMessage(result, Self.taken)
    }

    @Test func addingOneTwice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1, home: Relationships.Address(city: "Rome"))
                person.office = person.home
                try realm.write { realm.add(person) }
            }
        }
        expectMessage(result, Self.taken)
    }

    @Test func addingOneThatAnotherOwnerHas() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let address = Relationships.Address(city: "Rome")
                try realm.write {
                    realm.add(Relationships.Person(id: 1, home: address))
                    realm.add(Relationships.Person(id: 2, home: address))
                }
            }
        }
        expectMessage(result, Self.taken)
    }

    @Test func oneThatIsInItself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let room = Relationships.Room(number: 1)
                room.inner = room
                try realm.write {
                    realm.add(
                        Relationships.Person(
                            id: 1, home: Relationships.Address(city: "Rome", room: room)))
                }
            }
        }
        expectMessage(result, Self.taken)
    }

    @Test func oneOfAnotherRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { other in
                let foreign = Relationships.Person(id: 1, home: Relationships.Address(city: "Rome"))
                try other.write { other.add(foreign) }
                try withTemporaryRealm(Relationships.embedded) { realm in
                    try realm.write {
                        realm.create(Relationships.Person.self, value: [2]).home = foreign.home
                    }
                }
            }
        }
        expectMessage(
            result,
            """
            Object is already managed by another Realm. Use create instead to copy it into \
            this Realm.
            """
        )
    }

    @Test func oneThatWasDeleted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1, home: Relationships.Address(city: "Rome"))
                try realm.write {
                    realm.add(person)
                    let old = person.home
                    person.home = nil
                    person.home = old
                }
            }
        }
        expectMessage(result, "Adding a deleted or invalidated object to a Realm is not permitted")
    }

    @Test func usingOneThatWasReplaced() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1, home: Relationships.Address(city: "Rome"))
                try realm.write {
                    realm.add(person)
                    let old = person.home
                    person.home = Relationships.Address(city: "Oslo")
                    print(old?.city ?? "")
                }
            }
        }
        expectMessage(
            result, "Object has been deleted or invalidated.", "'Relationships_Address.city'")
    }

    @Test func assigningOutsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1)
                try realm.write { realm.add(person) }
                person.home = Relationships.Address(city: "Rome")
            }
        }
        expectMessage(
            result, "Attempting to modify object outside of a write transaction",
            "'Relationships_Person.home'")
    }

    @Test func aSubclass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                let person = Relationships.Person(id: 1)
                try realm.write {
                    realm.add(person)
                    person.home = Villa()
                }
            }
        }
        expectMessage(
            result,
            """
            Invalid value 'EmbeddedTrapTests_Villa' of type 'Villa' for \
            'Relationships_Address?' property
            """
        )
    }

    class Villa: Relationships.Address {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func wrongLiterals() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                try realm.write {
                    realm.create(Relationships.Person.self, value: ["home": ["city": 7]])
                }
            }
        }
        expectMessage(
            result,
            "Invalid value '7' of type 'Int' for 'string' property 'Relationships_Address.city'.")
    }
}
