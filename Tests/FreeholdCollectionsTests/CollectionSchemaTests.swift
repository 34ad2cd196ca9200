import Foundation
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

private enum Invalid {
    final class OptionalElements: Object {
        @Persisted var dogs: List<CollectionModels.Dog?>
        @Persisted var set: MutableSet<CollectionModels.Dog?>
        @Persisted var map: Map<String, CollectionModels.Dog>
        @Persisted var any: AnyRealmValue?
        @Persisted var anys: List<AnyRealmValue?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Keys: Object {
        @Persisted var numbers: List<Int>
        @Persisted var tags: MutableSet<String>
        @Persisted var any: AnyRealmValue
        override class func primaryKey() -> String? { "numbers" }
        override class func indexedProperties() -> [String] { ["tags", "any"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

@Suite struct CollectionSchemaTests {
    typealias Person = CollectionModels.Person

    @Test func propertiesOfTheSchema() throws {
        let schema = Person().objectSchema
        func facts(_ name: String) throws -> String {
            let property = try #require(schema[name])
            let shape =
                property.isArray
                ? "array" : property.isSet ? "set" : property.isMap ? "map" : "single"
            return
                """
                \(shape) \(property.type)\(property.isOptional ? "?" : "") \
                \(property.objectClassName ?? "")
                """
        }
        let expected = [
            "numbers": "array int ", "names": "array string? ", "moods": "array string ",
            "heats": "array double ",
            "dogs": "array object CollectionModels_Dog", "tags": "set string ",
            "friends": "set object CollectionModels_Person", "scores": "map double ",
            "notes": "map string? ", "pets": "map object? CollectionModels_Dog",
            "any": "single mixed ", "anys": "array mixed ",
        ]
        for (name, expected) in expected { #expect(try facts(name) == expected, "\(name)") }
        #expect(schema["numbers"]?.description.contains("array = YES") == true)
    }

    @Test func wrongQuestionMarks() {
        #expect(
            throws: SchemaValidationError(messages: [
                "List<CollectionModels_Dog> property 'dogs' must not be marked as optional.",
                "MutableSet<CollectionModels_Dog> property 'set' must not be marked as optional.",
                "Map<String, CollectionModels_Dog> property 'map' must be marked as optional.",
                """
                AnyRealmValue property 'any' must not be marked as optional: nil values \
                are represented as AnyRealmValue.none
                """,
                """
                AnyRealmValue property 'anys' must not be marked as optional: nil values \
                are represented as AnyRealmValue.none
                """,
            ])
        ) { try ClassSchema.shared(for: Invalid.OptionalElements.self) }
    }

    @Test func keysAndIndexes() {
        #expect(
            throws: SchemaValidationError(
                messages: [
                    "Property 'Keys.numbers' of type 'array' cannot be made the primary key.",
                    "Property 'Keys.tags' of type 'set' cannot be indexed.",
                ].map { $0.replacing("Keys", with: Invalid.Keys.className()) })
        ) { try ClassSchema.shared(for: Invalid.Keys.self) }
    }

    /// The classes that collections hold belong to the schema like those of links.
    @Test func classesOfElementsAreNeeded() throws {
        #expect {
            try withTemporaryRealm([CollectionModels.Record.self]) { _ in }
        } throws: { error in
            let error = error as? Realm.Error
            return error?.code == .invalidInput
                && error?.message == """
                    Schema validation failed due to the following errors:
                    - Property 'CollectionModels_Record.dogs' of type 'array' has unknown object \
                    type 'CollectionModels_Dog'
                    - Property 'CollectionModels_Record.pets' of type 'dictionary' has unknown \
                    object type 'CollectionModels_Dog'
                    """
        }
    }

    /// A file whose property is another kind of collection, or one of other elements, needs a
    /// migration.
    @Test func changedCollections() throws {
        enum Before {
            final class Article: Object {
                @Persisted var tags: List<String>
                @Persisted var notes: MutableSet<Int>
                @Persisted var marks: Map<String, Int>
                @Persisted var plain = ""
                override class func className() -> String { "Article" }
                override class func shouldIncludeInDefaultSchema() -> Bool { false }
            }
        }
        enum After {
            final class Article: Object {
                @Persisted var tags: MutableSet<String>
                @Persisted var notes: MutableSet<Int?>
                @Persisted var marks: Map<String, String>
                @Persisted var plain: List<String>
                override class func className() -> String { "Article" }
                override class func shouldIncludeInDefaultSchema() -> Bool { false }
            }
        }
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        _ = try Realm(
            configuration: Realm.Configuration(
                fileURL: directory.file(), objectTypes: [Before.Article.self]))
        let error = #expect(throws: Realm.Error.self) {
            _ = try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [After.Article.self]))
        }
        #expect(error?.code == .schemaMismatch)
        #expect(
            error?.message == """
                Migration is required due to the following errors:
                - Property 'Article.tags' has been changed from 'array<string>' to 'set<string>'.
                - Property 'Article.notes' has been changed from 'set<int>' to 'set<int?>'.
                - Property 'Article.marks' has been changed from \
                'dictionary<string, int>' to 'dictionary<string, string>'.
                - Property 'Article.plain' has been changed from 'string' to 'array<string>'.
                """)
    }

    @Test func keyPathsOverCollections() {
        #expect(KeyPathNames.names(of: \Person.dogs, from: Person.self) == ["dogs"])
        #expect(KeyPathNames.names(of: \Person.tags, from: Person.self) == ["tags"])
        #expect(KeyPathNames.names(of: \Person.pets, from: Person.self) == ["pets"])
        #expect(KeyPathNames.names(of: \Person.any, from: Person.self) == ["any"])
    }
}
