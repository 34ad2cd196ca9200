import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

private enum V1 {
    final class Pet: Versioned {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var friend: Pet?
        override class func className() -> String { "Pet" }
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] { ["id": "key"] }
    }

    final class Beast: Versioned {
        @Persisted(primaryKey: true) var key = 0
        @Persisted var label = ""
        @Persisted var years = 0
        @Persisted var friend: Beast?
        override class func className() -> String { "Beast" }
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] {
            ["label": "name", "years": "age"]
        }
    }
}

private enum V2 {
    final class Pet: Versioned {
        @Persisted(primaryKey: true) var id = ""
        @Persisted(indexed: true) var title = ""
        @Persisted var age: Double?
        @Persisted var friend: Pet?
        override class func className() -> String { "Pet" }
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] { ["id": "key"] }
    }

    final class Beast: Versioned {
        @Persisted(primaryKey: true) var key = ""
        @Persisted(indexed: true) var label = ""
        @Persisted var years: Double?
        @Persisted var friend: Pet?
        override class func className() -> String { "Beast" }
        override class func _realmObjectName() -> String? { "Animal" }
        override class func propertiesMapping() -> [String: String] {
            ["label": "title", "years": "age"]
        }
    }
}

/// Files whose classes have other names in the file, and of which several may be one table.
@Suite struct SharedTableMigrationTests {
    private func makeFile(_ file: MigratedFile) throws {
        try file.with([V1.Pet.self, V1.Beast.self], version: 1) { realm in
            try realm.write {
                let first = realm.create(
                    V1.Pet.self, value: ["id": 1, "name": "Rex", "age": 3] as [String: Any])
                realm.create(
                    V1.Pet.self, value: ["id": 2, "name": "Max", "friend": first] as [String: Any])
            }
        }
    }

    private func verify(_ realm: Realm) throws {
        let beast = try #require(realm.object(ofType: V2.Beast.self, forPrimaryKey: "2"))
        #expect(
            realm.objects(V2.Pet.self).count == 2 && beast.label == "Max"
                && beast.friend?.title == "Rex" && beast.friend?.age == 3)
        #expect(realm.objects(V2.Beast.self).where { $0.label == "Rex" }.count == 1)
    }

    /// By its own name, by another class's of the table, and by the name in the file.
    @Test(arguments: ["Pet", "Beast", "Animal"])
    func objectsAreMigratedOnce(name: String) throws {
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(
                [V2.Pet.self, V2.Beast.self], version: 2,
                migrating: { migration, _ in
                    #expect(
                        migration.oldSchema.objectSchema.map(\.className) == ["Animal"]
                            && migration.newSchema.objectSchema.map(\.className) == [
                                "Beast", "Pet",
                            ])
                    var count = 0
                    migration.renameProperty(onType: name, from: "name", to: "title")
                    migration.enumerateObjects(ofType: name) { old, new in
                        count += 1
                        let key = "\(old?["key"] ?? "")"
                        // The table's name stands for the first of its classes.
                        new?[name == "Pet" ? "id" : "key"] = key
                        #expect(
                            new?[name == "Pet" ? "title" : "label"] as? String
                                == (key == "1" ? "Rex" : "Max"))
                        if old?["age"] as? Int == 3 {
                            #expect(new?[name == "Pet" ? "age" : "years"] as? Double == 3)
                        }
                    }
                    #expect(count == 2)
                }, verify)
        }
    }

    @Test func creationAndDeletion() throws {
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(
                [V2.Pet.self, V2.Beast.self], version: 2,
                migrating: { migration, _ in
                    #expect(
                        migration.deleteData(forType: "Pet")
                            && !migration.deleteData(forType: "Elsewhere"))
                    let rex = migration.create(
                        "Pet", value: ["id": "1", "title": "Rex", "age": 3] as [String: Any])
                    migration.create(
                        "Beast",
                        value: ["key": "2", "label": "Max", "friend": rex] as [String: Any])
                }, verify)
        }
    }

    @Test func classesThatGoFromOneTableToTwo() throws {
        final class Other: Versioned {
            @Persisted(primaryKey: true) var key = 0
            @Persisted var label = ""
            override class func className() -> String { "Beast" }
        }
        try withMigratedFile { file in
            try makeFile(file)
            try file.with(
                [V1.Pet.self, Other.self], version: 2,
                migrating: { migration, _ in
                    migration.enumerateObjects(ofType: "Animal") { old, _ in
                        migration.create(
                            "Beast", value: ["key": old?["key"] ?? 0, "label": old?["name"] ?? ""])
                    }
                }
            ) { realm in
                #expect(
                    realm.objects(Other.self).map(\.label) == ["Rex", "Max"]
                        && realm.objects(V1.Pet.self).count == 2)
            }
        }
    }

    /// Once for all classes of a table.
    @Test func differencesAreNamedAsInTheFile() throws {
        try withMigratedFile { file in
            try makeFile(file)
            file.expectRefusal(
                """
                Migration is required due to the following errors:
                - Property 'Animal.key' has been changed from 'int' to 'string'.
                - Property 'Animal.years' has been changed from 'int' to 'double'.
                - Property 'Animal.name' has been removed.
                """, [V2.Pet.self, V2.Beast.self], version: 1)
        }
    }
}
