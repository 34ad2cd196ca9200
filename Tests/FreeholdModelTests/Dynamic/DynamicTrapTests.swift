import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct DynamicTrapTests {
    @Test func unknownClasses() async {
        let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in _ = realm.dynamicObjects("Pirate") }
        }
        expectMessage(
            objects,
            """
            Object type 'Pirate' is not managed by the Realm. If using a custom \
            `objectClasses` / `objectTypes` array in your configuration, add `Pirate`
            """
        )
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in
                _ = realm.dynamicObject(ofType: "Pirate", forPrimaryKey: 1)
            }
        }
        expectMessage(object, "Object type 'Pirate' is not managed by the Realm.")
        let created = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in try realm.write { _ = realm.dynamicCreate("Pirate") } }
        }
        expectMessage(created, "Object type 'Pirate' is not managed by the Realm.")
    }

    @Test func unknownProperties() async {
        let read = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in _ = realm.dynamicObjects("Dynamic_Sailor")[0].parrot }
        }
        expectMessage(read, "Invalid property name 'parrot' for class 'Dynamic_Sailor'.")
        let written = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in
                try realm.write { realm.dynamicObjects("Dynamic_Sailor")[0].parrot = 1 }
            }
        }
        expectMessage(written, "Invalid property name 'parrot' for class 'Dynamic_Sailor'.")
        let unmanaged = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = DynamicObject().name }
        expectMessage(unmanaged, "Invalid property name 'name' for class 'DynamicObject'.")
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { _, first in _ = first.dynamicList("tags") }
        }
        expectMessage(list, "Property 'Dynamic_Sailor.tags' is not a List.")
    }

    /// Collections of values are given as ones of objects, which their elements are not.
    @Test(arguments: ["list", "loop", "map", "append", "insert", "sort"])
    func valuesAreNoObjects(_ use: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [use = use as String] in
            try withSailors { realm, first in
                let numbers = first.dynamicList("numbers"), tags = first.dynamicMutableSet("tags")
                let scores: Map<String, DynamicObject?> = first.dynamicMap("scores")
                let other = realm.dynamicObjects("Dynamic_Sailor")[0]
                try realm.write {
                    switch use {
                    case "list": _ = numbers[0]
                    case "loop": for tag in tags { _ = tag.name }
                    case "map": _ = scores["go"]
                    case "append": numbers.append(other)
                    case "insert": tags.insert(other)
                    default: _ = numbers.sorted(byKeyPath: "name").count
                    }
                }
            }
        }
        if use == "sort" { return expectMessage(result, "Fatal error: ", "\n  Remedy: ") }
        expectMessage(result, "are no objects but values of type", "\n  Remedy: ")
    }

    @Test func unsuitableValues() async {
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in
                try realm.write { realm.dynamicObjects("Dynamic_Sailor")[0].age = "old" }
            }
        }
        expectMessage(
            text, "Invalid value 'old' of type 'String' for 'int' property 'Dynamic_Sailor.age'.")
        let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in
                try realm.write { realm.dynamicObjects("Dynamic_Sailor")[0].ship = 3 }
            }
        }
        expectMessage(
            link,
            "Invalid value '3' of type 'Int' for 'Dynamic_Ship?' property 'Dynamic_Sailor.ship'.")
        let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, first in
                try realm.write {
                    first.dynamicList("friends").append(realm.dynamicObjects("Dynamic_Ship")[0])
                }
            }
        }
        expectMessage(
            element,
            "Object of type 'Dynamic_Ship' does not match collection type 'Dynamic_Sailor'.")
        let homeless = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try withSailors { realm, first in
                try realm.write { first.dynamicList("friends").append(DynamicObject()) }
            }
        }
        expectMessage(
            homeless, "does not match collection type 'Dynamic_Sailor'.",
            "make it with Realm.dynamicCreate")
        let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in try realm.write { realm.add(DynamicObject()) } }
        }
        expectMessage(added, "Object type 'DynamicObject' is not managed by the Realm.")
    }

    @Test func embeddedObjects() async {
        let created = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Relationships.embedded) { realm in
                try realm.write {
                    realm.dynamicCreate("Relationships_Address", value: ["city": "Rome"])
                }
            }
        }
        expectMessage(created, "Embedded objects cannot be created directly", "\n  Remedy: ")
        let taken = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withTemporaryRealm(Relationships.embedded) { realm in
                try realm.write {
                    let owner = realm.dynamicCreate(
                        "Relationships_Person",
                        value: ["id": 1, "home": ["city": "Rome"]] as [String: Any])
                    realm.dynamicCreate("Relationships_Person", value: [2]).home = owner.home
                }
            }
        }
        expectMessage(taken, "Can't set link to existing managed embedded object", "\n  Remedy: ")
    }

    @Test func aggregates() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { _, first in
                _ = first.dynamicList("friends").sum(ofProperty: "parrots") as Int
            }
        }
        expectMessage(unknown, "Invalid property name 'parrots' for class 'Dynamic_Sailor'.")
        let text = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { _, first in
                _ = first.dynamicMutableSet("rivals").max(ofProperty: "name") as Int?
            }
        }
        expectMessage(
            text, "maxOfProperty: is not supported for string property 'Dynamic_Sailor.name'")
    }

    @Test func misuse() async {
        let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in realm.dynamicObjects("Dynamic_Sailor")[0].age = 3 }
        }
        expectMessage(
            outside, "Attempting to modify object outside of a write transaction",
            "Writing 'Dynamic_Sailor.age'")
        let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in
                try realm.write { realm.dynamicObjects("Dynamic_Sailor")[0].id = 3 }
            }
        }
        expectMessage(key, "Primary key can't be changed after an object is inserted.")
        let deleted = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, first in
                let dynamic = realm.dynamicObjects("Dynamic_Sailor")[0]
                try realm.write { realm.delete(first) }
                _ = dynamic.ship
            }
        }
        expectMessage(
            deleted, "Object has been deleted or invalidated.", "Using 'Dynamic_Sailor.ship'")
        let lookup = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in
                _ = realm.dynamicObject(ofType: "Dynamic_Ship", forPrimaryKey: 1)
            }
        }
        expectMessage(lookup, "'Dynamic_Ship' does not have a primary key defined")
        let query = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try withSailors { realm, _ in
                _ = realm.dynamicObjects("Dynamic_Sailor").where {
                    $0["age", as: String.self] == "a"
                }
            }
        }
        expectMessage(
            query, "Cannot compare value of type 'string' to property 'age' of type 'int'")
        let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in
                let sailor = realm.dynamicObjects("Dynamic_Sailor")[0]
                _ = realm.dynamicObjects("Dynamic_Sailor").where {
                    $0["ship", as: DynamicObject?.self] == sailor
                }
            }
        }
        expectMessage(
            object,
            """
            Cannot compare value 'Dynamic_Sailor' of type 'Dynamic_Sailor' to property \
            'ship' of type 'object'
            """
        )
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withSailors { realm, _ in
                _ = realm.dynamicObjects("Dynamic_Sailor").where { $0["parrot", as: Int.self] == 1 }
            }
        }
        expectMessage(unknown, "Property 'parrot' not found in object of type 'Dynamic_Sailor'")
    }
}
