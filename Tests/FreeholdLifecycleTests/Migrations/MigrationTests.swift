import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private enum V1 {
    final class Person: Versioned {
        override class func className() -> String { "Person" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var firstName = ""
        @Persisted var lastName = ""
        @Persisted var age = 0
        @Persisted var dogs: List<Dog>
        @Persisted var address: Address?
        @Persisted var notes: List<Note>
        @Persisted var long = ""
        @Persisted var any: AnyRealmValue
    }

    final class Dog: Versioned {
        override class func className() -> String { "Dog" }
        @Persisted var name = ""
    }

    final class Address: VersionedEmbedded {
        override class func className() -> String { "Address" }
        @Persisted var street = ""
        @Persisted var notes: List<Note>
    }

    final class Note: VersionedEmbedded {
        override class func className() -> String { "Note" }
        @Persisted var text = ""
    }

    static let all: [ObjectBase.Type] = [Person.self, Dog.self, Address.self, Note.self]
}

private enum V2 {
    final class Person: Versioned {
        override class func className() -> String { "Person" }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var fullName = ""
        @Persisted var age = ""
        @Persisted var dogs: List<Dog>
        @Persisted var pet: Dog?
        @Persisted var any: AnyRealmValue
    }

    final class Dog: Versioned {
        override class func className() -> String { "Dog" }
        @Persisted(indexed: true) var title = ""
    }

    static let all: [ObjectBase.Type] = [Person.self, Dog.self]
}

@Suite struct MigrationTests {
    private func makeFile(_ file: MigratedFile, count: Int = 1_200) throws {
        try file.with(V1.all, version: 1) { realm in
            try realm.write {
                for id in 0..<count {
                    let person = realm.create(
                        V1.Person.self,
                        value: [
                            "id": id * 2, "firstName": "first \(id)", "lastName": "last \(id % 7)",
                            "age": id,
                        ] as [String: Any])
                    if id % 3 == 0 { person.dogs.append(V1.Dog(value: ["name": "dog \(id)"])) }
                    if id % 5 == 0 {
                        person.address = V1.Address(
                            value: [
                                "street": "street \(id)", "notes": [["text": "a"], ["text": "b"]],
                            ] as [String: Any])
                    }
                    if id % 11 == 0 {
                        person.notes.append(
                            objectsIn: (0..<(id % 20)).map { V1.Note(value: ["text": "\($0)"]) })
                    }
                    if id % 50 == 0 { person.long = String(repeating: "long \(id) ", count: 300) }
                    person.any =
                        id % 2 == 0 ? .int(id) : person.dogs.first.map { .object($0) } ?? .none
                }
            }
        }
    }

    @Test func enumerationSeesOldAndNewObjects() throws {
        try withMigratedFile { file in
            try makeFile(file)
            let seen = Locker<[UInt64]>([])
            try file.with(
                V2.all, version: 2,
                migrating: { migration, oldVersion in
                    seen.update { $0.append(oldVersion) }
                    #expect(
                        migration.oldSchema["Person"]?.properties.map(\.name).contains("firstName")
                            == true)
                    #expect(migration.oldSchema["Person"]?.primaryKeyProperty?.name == "id")
                    #expect(migration.oldSchema["Address"]?.isEmbedded == true)
                    #expect(migration.newSchema["Person"]?["fullName"]?.isIndexed == true)
                    #expect(migration.newSchema["Address"] == nil)
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        guard let old, let new else {
                            Issue.record("Both versions have the class.")
                            return
                        }
                        let id = old["id"] as? Int ?? -1
                        #expect(new["id"] as? Int == id)
                        new["fullName"] =
                            """
                            \(old["firstName"] as? String ?? "") \
                            \(old["lastName"] as? String ?? "")
                            """
                        // Converted before the block.
                        #expect(new["age"] as? String == "\(old["age"] as? Int ?? -1)")
                        let dogs = old["dogs"] as? List<DynamicObject>
                        #expect(dogs?.count == (id % 6 == 0 ? 1 : 0))
                        if let dog = new.dynamicList("dogs").first {
                            #expect(dog["title"] as? String == "")
                            dog["title"] = dogs?.first?["name"]
                            new["pet"] = dog
                        }
                        if id % 10 == 0 {
                            let address = old.address as? DynamicObject
                            #expect(address?["street"] as? String == "street \(id / 2)")
                            #expect(
                                (address?["notes"] as? List<DynamicObject>)?.map {
                                    $0["text"] as? String
                                } == ["a", "b"])
                        }
                        if id % 100 == 0 {
                            #expect(
                                (old["long"] as? String)?.count == "long \(id / 2) ".count * 300)
                        }
                    }
                }
            ) { realm in
                let people = realm.objects(V2.Person.self)
                #expect(people.count == 1_200)
                for person in people {
                    let id = person.id / 2
                    #expect(person.fullName == "first \(id) last \(id % 7)")
                    #expect(person.age == "\(id)")
                    #expect(person.pet?.title == (id % 3 == 0 ? "dog \(id)" : nil))
                    if id % 2 == 0 { #expect(person.any == .int(id)) }
                }
                #expect(
                    realm.objects(V2.Person.self).where { $0.fullName == "first 6 last 6" }.count
                        == 1)
                #expect(realm.objects(V2.Dog.self).where { $0.title == "dog 600" }.count == 1)
                #expect(realm.object(ofType: V2.Person.self, forPrimaryKey: 600)?.age == "300")
            }
            #expect(seen.value == [1])
            #expect(try schemaVersionAtURL(file.directory.file()) == 2)
            // Not again.
            try file.with(
                V2.all, version: 2,
                migrating: { _, _ in _ = Issue.record("The version did not rise.") }
            ) { _ in }
            try expectSound(file.configuration(V2.all, version: 2))
        }
    }

    @Test func withoutABlock() throws {
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(V2.all, version: 2) { realm in
                #expect(
                    realm.objects(V2.Person.self).allSatisfy {
                        $0.age == "\($0.id / 2)" && $0.fullName == "" && $0.pet == nil
                    })
                // Written afterwards: what was removed goes with the clusters.
                try realm.write {
                    for person in realm.objects(V2.Person.self) { person.fullName = "x" }
                    realm.delete(realm.objects(V2.Person.self).where { $0.id > 1_000 })
                }
            }
        }
    }

    @Test func aHigherVersionWithoutChangesCallsTheBlock() throws {
        try withMigratedFile { file in
            try makeFile(file, count: 10)
            let count = Locker(0)
            try file.with(
                V1.all, version: 7,
                migrating: { migration, version in
                    #expect(version == 1)
                    migration.enumerateObjects(ofType: "Person") { _, _ in count.update { $0 += 1 }
                    }
                }
            ) { _ in }
            #expect(count.value == 10)
        }
    }

    @Test func newFilesAreNotMigrated() throws {
        try withMigratedFile { file in
            try file.with(
                V1.all, version: 3,
                migrating: { _, _ in _ = Issue.record("There is nothing to migrate.") }
            ) { realm in #expect(realm.isEmpty) }
        }
    }

    // MARK: Creating and deleting

    @Test func objectsAreCreatedAndDeleted() throws {
        try withMigratedFile { file in
            try makeFile(file, count: 100)
            try file.with(
                V2.all, version: 2,
                migrating: { migration, _ in
                    var visited = 0
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        guard let old, let new, let id = old["id"] as? Int else { return }
                        visited += 1
                        if id % 4 == 0 { migration.delete(new) }
                        if id == 2 {
                            let created = migration.create(
                                "Person",
                                value: [
                                    "id": 1_001, "fullName": "created",
                                    "dogs": [["title": "its dog"]],
                                ] as [String: Any])
                            #expect(created["fullName"] as? String == "created")
                            // Not visited yet, so it is left out.
                            migration.enumerateObjects(ofType: "Person") { other, another in
                                if other?["id"] as? Int == 6, let another {
                                    migration.delete(another)
                                }
                            }
                        }
                    }
                    // All but the one that was deleted before its turn.
                    #expect(visited == 99)
                    migration.enumerateObjects(ofType: "Person") { _, new in
                        // What a class without the file's objects would give.
                        #expect(new?.isInvalidated == false)
                    }
                    migration.create("Dog", value: ["title": "alone"])
                }
            ) { realm in
                #expect(realm.objects(V2.Person.self).count == 50)
                #expect(
                    realm.object(ofType: V2.Person.self, forPrimaryKey: 1_001)?.dogs.first?.title
                        == "its dog")
                #expect(realm.object(ofType: V2.Person.self, forPrimaryKey: 6) == nil)
                #expect(realm.objects(V2.Dog.self).where { $0.title == "alone" }.count == 1)
                try realm.write { realm.create(V2.Person.self, value: ["id": 1_002]) }
            }
        }
    }

    @Test func oldObjectsAreCopied() throws {
        try withMigratedFile { file in
            try makeFile(file, count: 11)
            try file.with(
                V1.all, version: 2,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Person") { old, _ in
                        guard let old, old["id"] as? Int == 0 else { return }
                        let copy = migration.create("Person", value: old)
                        // Its primary key can be set until the block ends.
                        copy["id"] = 7
                        #expect(copy["age"] as? Int == 0)
                    }
                }
            ) { realm in
                #expect(realm.objects(V1.Person.self).count == 12)
                let copy = try #require(realm.object(ofType: V1.Person.self, forPrimaryKey: 7))
                #expect(copy.dogs.count == 1)
                #expect(copy.address?.notes.map(\.text) == ["a", "b"])
                #expect(copy.long.count == "long 0 ".count * 300)
                #expect(realm.object(ofType: V1.Person.self, forPrimaryKey: 0)?.dogs.count == 1)
                #expect(realm.objects(V1.Dog.self).count == 5)
            }
        }
    }

    @Test func deletingData() throws {
        try withMigratedFile { file in
            try makeFile(file, count: 200)
            try file.with(
                V2.all, version: 2,
                migrating: { migration, _ in
                    #expect(migration.deleteData(forType: "Dog"))
                    #expect(!migration.deleteData(forType: "Cat"))
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        #expect(new?.dynamicList("dogs").count == 0)
                        #expect(old?["id"] != nil)
                    }
                    migration.enumerateObjects(ofType: "Dog") { _, _ in
                        _ = Issue.record("All were deleted.")
                    }
                    migration.enumerateObjects(ofType: "Cat") { _, _ in
                        _ = Issue.record("There is no such class.")
                    }
                }
            ) { realm in #expect(realm.objects(V2.Dog.self).isEmpty) }
            // The embedded objects went with their property; their classes are still there.
            try file.with(
                [V2.Dog.self], version: 3,
                migrating: { migration, _ in
                    #expect(migration.oldSchema["Address"] != nil)
                    var count = 0
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        #expect(old != nil)
                        #expect(new == nil)
                        count += 1
                    }
                    #expect(count == 200)
                    #expect(migration.deleteData(forType: "Person"))
                    #expect(migration.deleteData(forType: "Address"))
                    #expect(migration.deleteData(forType: "Note"))
                }
            ) { _ in }
            try file.with(
                [V2.Dog.self], version: 4,
                migrating: { migration, _ in
                    #expect(migration.oldSchema.objectSchema.map(\.className) == ["Dog"])
                }
            ) { _ in }
        }
    }

    @Test func classesThatAreNotDeclaredKeepTheirData() throws {
        try withMigratedFile { file in
            try makeFile(file, count: 20)
            try file.with([V1.Dog.self], version: 2) { _ in }
            try file.with(V1.all, version: 3) { realm in
                #expect(realm.objects(V1.Person.self).count == 20)
                #expect(
                    realm.object(ofType: V1.Person.self, forPrimaryKey: 0)?.address?.street
                        == "street 0")
            }
        }
    }
}
