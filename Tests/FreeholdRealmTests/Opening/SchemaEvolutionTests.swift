import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Versions of one model: classes with the same name in the file.
private enum Version1 {
    final class Item: Object {
        override class func className() -> String { "Evolution_Item" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var count: Int?
    }
}

private enum Version2 {
    final class Item: Object {
        override class func className() -> String { "Evolution_Item" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var name = ""
        @Persisted var count: Int?
        @Persisted var added = 7
        @Persisted var note: String?
        @Persisted var part: Part?
    }

    final class Part: Object {
        override class func className() -> String { "Evolution_Part" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var title = ""
    }
}

private enum Incompatible {
    final class Item: Object {
        override class func className() -> String { "Evolution_Item" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        @Persisted var id = 0
        @Persisted var name: Int = 0
        @Persisted var count = 0
    }
}

@Suite struct SchemaEvolutionTests {
    private func configuration(
        _ directory: TemporaryDirectory, _ types: [ObjectBase.Type], version: UInt64 = 0
    ) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(), schemaVersion: version, objectTypes: types)
    }

    private func makeVersion1(_ directory: TemporaryDirectory) throws {
        let realm = try Realm(configuration: configuration(directory, [Version1.Item.self]))
        try realm.write {
            for id in 0..<1_000 {
                realm.create(
                    Version1.Item.self, value: ["id": id, "name": "item \(id)"] as [String: Any])
            }
        }
    }

    @Test func additionsNeedNoMigration() throws {
        try withTemporaryDirectory { directory in
            try makeVersion1(directory)
            let new = configuration(directory, [Version2.Item.self, Version2.Part.self])
            do {
                let realm = try Realm(configuration: new)
                let item = try #require(
                    realm.object(ofType: Version2.Item.self, forPrimaryKey: 500))
                #expect(item.name == "item 500")
                #expect(item.added == 0)
                #expect(item.note == nil)
                #expect(item.part == nil)
                try realm.write {
                    item.note = "new"
                    item.part = Version2.Part()
                    realm.create(Version2.Item.self, value: ["id": 5_000])
                }
                #expect(realm.object(ofType: Version2.Item.self, forPrimaryKey: 5_000)?.added == 7)
                #expect(item.note == "new")
                #expect(try realm.check().isEmpty)
            }
            try expectSound(new)
        }
    }

    @Test func undeclaredClassesAreLeftAlone() throws {
        try withTemporaryDirectory { directory in
            try makeVersion1(directory)
            do {
                let realm = try Realm(configuration: configuration(directory, [Fixture.Dog.self]))
                try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            }
            let realm = try Realm(configuration: configuration(directory, [Version1.Item.self]))
            #expect(
                realm.object(ofType: Version1.Item.self, forPrimaryKey: 999)?.name == "item 999")
        }
    }

    @Test func removedPropertiesAndIndexes() throws {
        try withTemporaryDirectory { directory in
            do {
                _ = try Realm(
                    configuration: configuration(
                        directory, [Version2.Item.self, Version2.Part.self]))
            }
            expectMismatch(
                configuration(directory, [Version1.Item.self]),
                """
                Migration is required due to the following errors:
                - Property 'Evolution_Item.added' has been removed.
                - Property 'Evolution_Item.note' has been removed.
                - Property 'Evolution_Item.part' has been removed.
                """)
        }
    }

    @Test func differencesThatNeedAMigration() throws {
        try withTemporaryDirectory { directory in
            try makeVersion1(directory)
            expectMismatch(
                configuration(directory, [Incompatible.Item.self]),
                """
                Migration is required due to the following errors:
                - Property 'Evolution_Item.name' has been changed from 'string' to 'int'.
                - Property 'Evolution_Item.count' has been made required.
                - Primary Key for class 'Evolution_Item' has been removed.
                """)
            // Nothing was changed by the attempt.
            let realm = try Realm(configuration: configuration(directory, [Version1.Item.self]))
            #expect(realm.object(ofType: Version1.Item.self, forPrimaryKey: 1)?.name == "item 1")
        }
    }

    @Test func deletingInsteadOfMigrating() throws {
        try withTemporaryDirectory { directory in
            try makeVersion1(directory)
            var configuration = configuration(directory, [Incompatible.Item.self])
            configuration.deleteRealmIfMigrationNeeded = true
            let realm = try Realm(configuration: configuration)
            #expect(realm.isEmpty)
            try realm.write { realm.create(Incompatible.Item.self, value: ["name": 5]) }
            #expect(try realm.check().isEmpty)
        }
    }

    @Test func schemaVersionsOnlyRise() throws {
        try withTemporaryDirectory { directory in
            do {
                _ = try Realm(
                    configuration: configuration(directory, [Fixture.Dog.self], version: 5))
            }
            expectMismatch(
                configuration(directory, [Fixture.Dog.self], version: 4),
                "Provided schema version 4 is less than last set version 5.")
            _ = try Realm(configuration: configuration(directory, [Fixture.Dog.self], version: 6))
        }
    }

    @Test func readOnlyFilesMustHaveAllProperties() throws {
        try withTemporaryDirectory { directory in
            try makeVersion1(directory)
            var new = configuration(directory, [Version2.Item.self, Version2.Part.self])
            new.readOnly = true
            #expect { _ = try Realm(configuration: new) } throws: { error in
                (error as? Realm.Error)?.message.contains(
                    "- Property 'Evolution_Item.added' has been added.") == true
            }
        }
    }

    @Test func linkedClassesMustBeDeclared() throws {
        _ = try withTemporaryDirectory { directory in
            #expect {
                _ = try Realm(configuration: configuration(directory, [Fixture.Person.self]))
            } throws: { error in
                "\(error)".contains(
                    """
                    Property 'Fixture_Person.dog' of type 'object' has unknown object type \
                    'Fixture_Dog'
                    """
                )
            }
        }
    }

    private func expectMismatch(
        _ configuration: Realm.Configuration, _ message: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(sourceLocation: sourceLocation) {
            _ = try Realm(configuration: configuration)
        } throws: { error in
            (error as? Realm.Error)
                == Realm.Error(.schemaMismatch, message, fileURL: configuration.fileURL)
        }
    }
}
