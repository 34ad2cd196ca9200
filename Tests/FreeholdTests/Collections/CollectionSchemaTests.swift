import Foundation
import Testing

@testable import Freehold

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
            let shape = property.isArray ? "array" : property.isSet ? "set" : property.isMap ? "map" : "single"
            return "\(shape) \(property.type)\(property.isOptional ? "?" : "") \(property.objectClassName ?? "")"
        }
        let expected = [
            "numbers": "array int ", "names": "array string? ", "moods": "array string ", "heats": "array double ",
            "dogs": "array object CollectionModels_Dog", "tags": "set string ", "friends": "set object CollectionModels_Person", "scores": "map double ",
            "notes": "map string? ", "pets": "map object? CollectionModels_Dog", "any": "single mixed ", "anys": "array mixed ",
        ]
        for (name, expected) in expected { #expect(try facts(name) == expected, "\(name)") }
        #expect(schema["numbers"]?.description.contains("array = YES") == true)
    }

    @Test func wrongQuestionMarks() {
        #expect(throws: SchemaValidationError(messages: [
            "List<CollectionModels_Dog> property 'dogs' must not be marked as optional.",
            "MutableSet<CollectionModels_Dog> property 'set' must not be marked as optional.",
            "Map<String, CollectionModels_Dog> property 'map' must be marked as optional.",
            "AnyRealmValue property 'any' must not be marked as optional: nil values are represented as AnyRealmValue.none",
            "AnyRealmValue property 'anys' must not be marked as optional: nil values are represented as AnyRealmValue.none",
        ])) { try ClassSchema.shared(for: Invalid.OptionalElements.self) }
    }

    @Test func keysAndIndexes() {
        #expect(throws: SchemaValidationError(messages: [
            "Property 'Keys.numbers' of type 'array' cannot be made the primary key.",
            "Property 'Keys.tags' of type 'set' cannot be indexed.",
            "Property 'Keys.any' of type 'mixed' cannot be indexed.",
        ].map { $0.replacing("Keys", with: Invalid.Keys.className()) })) { try ClassSchema.shared(for: Invalid.Keys.self) }
    }

    /// Until realms store collections, opening one says which properties it cannot store.
    @Test func realmsRefuseWhatTheyCannotStore() throws {
        #expect {
            try withTemporaryRealm([CollectionModels.Record.self]) { _ in }
        } throws: { error in
            let error = error as? Realm.Error
            return error?.code == .invalidInput && error?.message == """
                Schema validation failed due to the following errors:
                - Property 'CollectionModels_Record.numbers' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.texts' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.moods' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.dogs' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.dogs' of type 'array' has unknown object type 'CollectionModels_Dog'
                - Property 'CollectionModels_Record.tags' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.scores' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.pets' is of a type that cannot be stored.
                - Property 'CollectionModels_Record.pets' of type 'dictionary' has unknown object type 'CollectionModels_Dog'
                """
        }
    }

    @Test func keyPathsOverCollections() {
        #expect(KeyPathNames.names(of: \Person.dogs, from: Person.self) == ["dogs"])
        #expect(KeyPathNames.names(of: \Person.tags, from: Person.self) == ["tags"])
        #expect(KeyPathNames.names(of: \Person.pets, from: Person.self) == ["pets"])
        #expect(KeyPathNames.names(of: \Person.any, from: Person.self) == ["any"])
    }
}
