import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Misuse ends the process with Realm's text on the first line and a diagnosis below.
@Suite struct TransactionTrapTests {
    @Test func writingAPropertyOutsideOfATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                dog.name = "Rex"
            }
        }
        expectMessage(
            result,
            """
            Attempting to modify object outside of a write transaction - call \
            beginWriteTransaction on an RLMRealm instance first.\n
            """,
            "Writing 'Fixture_Dog.name' in the realm at '",
            "opened at FreeholdRealmTestSupport/TemporaryRealm.swift:")
    }

    @Test(arguments: ["add", "create", "delete", "deleteAll"])
    func changingOutsideOfATransaction(_ operation: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [operation] in
            try withTemporaryRealm { realm in
                switch operation {
                case "add": realm.add(Fixture.Dog())
                case "create": realm.create(Fixture.Dog.self)
                case "delete": realm.delete(try realm.write { realm.create(Fixture.Dog.self) })
                default: realm.deleteAll()
                }
            }
        }
        expectMessage(
            result,
            """
            Can only add, remove, or create objects in a Realm in a write transaction - call \
            beginWriteTransaction on an RLMRealm instance first.
              What: Realm.\(operation)
            """)
    }

    @Test func nestedTransactions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in try realm.write { try realm.write {} } }
        }
        expectMessage(result, "The Realm is already in a write transaction\n")
    }

    @Test func commitWithoutBegin() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in try realm.commitWrite() }
        }
        expectMessage(result, "Can't commit a non-existing write transaction\n")
    }

    @Test func cancelWithoutBegin() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in realm.cancelWrite() }
        }
        expectMessage(result, "Can't cancel a non-existing write transaction\n")
    }

    @Test func writingAReadOnlyRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryDirectory { directory in
                var configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: Fixture.all)
                do { _ = try Realm(configuration: configuration) }
                configuration.readOnly = true
                try Realm(configuration: configuration).write {}
            }
        }
        expectMessage(result, "Can't perform transactions on read-only Realms.\n")
    }
}

@Suite struct ObjectTrapTests {
    @Test(arguments: ["read", "write", "freeze", "add"])
    func usingADeletedObject(_ operation: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [operation] in
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                try realm.write { realm.delete(dog) }
                switch operation {
                case "read": print(dog.name)
                case "write": try realm.write { dog.name = "Rex" }
                case "freeze": _ = dog.freeze()
                default: try realm.write { realm.add(dog) }
                }
            }
        }
        switch operation {
        case "add":
            expectMessage(
                result, "Adding a deleted or invalidated object to a Realm is not permitted\n")
        case "freeze":
            expectMessage(
                result, "Object has been deleted or invalidated.\n",
                "Object.freeze() of 'Fixture_Dog'")
        default:
            expectMessage(
                result, "Object has been deleted or invalidated.\n", "Using 'Fixture_Dog.name'")
        }
    }

    @Test func usingAnObjectOfAnInvalidatedRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }
                realm.invalidate()
                print(dog.name)
            }
        }
        expectMessage(result, "Object has been deleted or invalidated.\n")
    }

    @Test(arguments: ["add", "link", "nested", "delete", "deleteSeveral", "deleteUnmanaged"])
    func objectsOfAnotherRealm(_ operation: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [operation] in
            try withTemporaryRealm { other in
                let foreign = try other.write { other.create(Fixture.Dog.self) }
                try withTemporaryRealm { realm in
                    try realm.write {
                        switch operation {
                        case "add": realm.add(foreign)
                        case "link": realm.create(Fixture.Person.self).dog = foreign
                        case "nested":
                            let person = Fixture.Person(id: 1)
                            person.dog = foreign
                            person.friend = Fixture.Person(id: 2)
                            realm.add(person)
                        case "delete": realm.delete(foreign)
                        case "deleteSeveral": realm.delete([foreign])
                        default: realm.delete(Fixture.Dog())
                        }
                    }
                }
            }
        }
        switch operation {
        case "delete", "deleteUnmanaged":
            expectMessage(result, "Can only delete an object from the Realm it belongs to.\n")
        case "deleteSeveral":
            expectMessage(result, "Can only delete objects from the Realm they belong to.\n")
        default:
            expectMessage(
                result,
                """
                Object is already managed by another Realm. Use create instead to copy it \
                into this Realm.\n
                """
            )
        }
    }

    @Test func duplicatePrimaryKeys() async {
        let integer = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                try realm.write { realm.add([Fixture.Person(id: 5), Fixture.Person(id: 5)]) }
            }
        }
        expectMessage(
            integer,
            """
            Attempting to create an object of type 'Fixture_Person' with an existing \
            primary key value\(EncryptedSuite.inPlain(" '5'")).\n
            """
        )
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm { realm in
                try realm.write { realm.add(Fixture.Tagged(tag: "x")) }
                try realm.write { realm.create(Fixture.Tagged.self, value: ["tag": "x"]) }
            }
        }
        expectMessage(
            text,
            """
            Attempting to create an object of type 'Fixture_Tagged' with an existing \
            primary key value\(EncryptedSuite.inPlain(" 'x'")).\n
            """
        )
        let null = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm { realm in
                try realm.write { realm.add([Fixture.Tagged(tag: nil), Fixture.Tagged(tag: nil)]) }
            }
        }
        expectMessage(
            null,
            """
            Attempting to create an object of type 'Fixture_Tagged' with an existing \
            primary key value\(EncryptedSuite.inPlain(" 'null'")).\n
            """
        )
    }

    @Test func changedPrimaryKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                try realm.write { realm.create(Fixture.Person.self).id = 5 }
            }
        }
        expectMessage(result, "Primary key can't be changed after an object is inserted.\n")
    }

    @Test func updatingWithoutAPrimaryKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                try realm.write { realm.add(Fixture.Dog(), update: .modified) }
            }
        }
        expectMessage(result, "'Fixture_Dog' does not have a primary key and can not be updated\n")
    }

    @Test func lookingUpWithoutAPrimaryKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                _ = realm.object(ofType: Fixture.Dog.self, forPrimaryKey: 5)
            }
        }
        expectMessage(result, "'Fixture_Dog' does not have a primary key defined\n")
    }

    @Test func lookingUpAnotherType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                _ = realm.object(ofType: Fixture.Person.self, forPrimaryKey: "five")
            }
        }
        expectMessage(
            result, "Invalid value 'five' of type 'String' for 'int' property 'Fixture_Person.id'.")
    }

    @Test func classThatIsNotInTheSchema() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm([Fixture.Dog.self]) { realm in
                try realm.write { realm.add(Fixture.Tagged(tag: "a")) }
            }
        }
        expectMessage(
            result,
            """
            Object type 'Fixture_Tagged' is not managed by the Realm. If using a custom \
            `objectClasses` / `objectTypes` array in your configuration, \
            add `Fixture_Tagged` to the list of `objectClasses` / `objectTypes`.

            """)
    }

    @Test func valuesThatDoNotFit() async {
        let type = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm { realm in
                try realm.write { realm.create(Fixture.Dog.self, value: ["age": "old"]) }
            }
        }
        expectMessage(
            type, "Invalid value 'old' of type 'String' for 'int' property 'Fixture_Dog.age'.\n")
        let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm { realm in
                try realm.write { realm.create(Fixture.Dog.self, value: ["Rex", 5, 6] as [Any]) }
            }
        }
        expectMessage(count, "Invalid array input: more values (3) than properties (2).\n")
    }
}

@Suite struct FrozenTrapTests {
    @Test func freezingUnmanagedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Fixture.Dog().freeze() }
        expectMessage(result, "Unmanaged objects cannot be frozen.\n")
    }

    @Test func thawingUnmanagedObjects() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Fixture.Dog().thaw() }
        expectMessage(result, "Unmanaged objects cannot be thawed.\n")
    }

    @Test func freezingInTheTransactionThatCreated() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                try realm.write { _ = realm.create(Fixture.Dog.self).freeze() }
            }
        }
        expectMessage(
            result, "Cannot freeze an object in the same write transaction as it was created in.\n")
    }

    @Test func writingAFrozenObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in
                let dog = try realm.write { realm.create(Fixture.Dog.self) }.freeze()
                dog.name = "Rex"
            }
        }
        expectMessage(
            result,
            "Attempting to modify a frozen object - call thaw on the Object instance first.\n",
            "Writing 'Fixture_Dog.name'")
    }

    @Test func writingAFrozenRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in try realm.freeze().write {} }
        }
        expectMessage(result, "Can't perform transactions on a frozen Realm\n")
    }

    @Test func addingToAFrozenRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in realm.freeze().add(Fixture.Dog()) }
        }
        expectMessage(result, "Can't perform transactions on a frozen Realm\n")
    }

    @Test func autorefreshOfAFrozenRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm { realm in realm.freeze().autorefresh = true }
        }
        expectMessage(result, "Auto-refresh cannot be enabled for frozen Realms.\n")
    }
}
