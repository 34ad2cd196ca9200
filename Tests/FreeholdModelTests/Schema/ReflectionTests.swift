import Foundation
import FreeholdStorage
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Lets a model's initial value ask for its own schema.
enum ClassSchemaProbe {
    static func propertyCount(of type: ObjectBase.Type) throws -> Int {
        try ClassSchema.shared(for: type).properties.count
    }
}

@Suite struct ReflectionTests {
    @Test func namesTypesAndRoles() throws {
        let schema = try ClassSchema.shared(for: ObjectModels.Person.self)
        #expect(schema.className == "ObjectModels_Person")
        #expect(
            schema.properties.map(\.name) == ["_id", "name", "born", "portrait", "dog", "friend"])
        #expect(
            schema.properties.map(\.type) == [.objectId, .string, .date, .data, .object, .object])
        #expect(
            schema.properties.map(\.columnType) == [
                .fixed12, .text, .timestamp, .bytes, .link, .link,
            ])
        #expect(schema.properties.map(\.isOptional) == [false, false, false, true, true, true])
        #expect(schema.properties.map(\.isIndexed) == [true, true, false, false, false, false])
        #expect(
            schema.properties.map(\.targetClassName) == [
                nil, nil, nil, nil, "ObjectModels_Dog", "ObjectModels_Person",
            ])
        #expect(schema.primaryKeyProperty?.name == "_id")
        #expect(schema.hasOnlyPersistedState)
        #expect(schema.property(named: "dog")?.ordinal == 4)
        #expect(schema.property(named: "_dog") == nil)
    }

    @Test func offsetsAreThoseOfTheWrappers() throws {
        let object = ObjectModels.AllTypes()
        object.int16 = 77
        object.optionalString = "here"
        let schema = try ClassSchema.shared(for: ObjectModels.AllTypes.self)
        let int16 = try #require(schema.property(named: "int16"))
        let text = try #require(schema.property(named: "optionalString"))
        #expect(Persisted<Int16>.unsafeUnmanagedValue(at: object.unsafeWrapper(of: int16)) == 77)
        #expect(
            Persisted<String?>.unsafeUnmanagedValue(at: object.unsafeWrapper(of: text)) == "here")
        withExtendedLifetime(object) {}
    }

    @Test func superclassesComeFirst() throws {
        let schema = try ClassSchema.shared(for: ObjectModels.Employee.self)
        #expect(
            schema.properties.map(\.name) == [
                "_id", "name", "born", "portrait", "dog", "friend", "salary",
            ])
        #expect(!schema.hasOnlyPersistedState)
    }

    @Test func overriddenClassFunctions() throws {
        let schema = try ClassSchema.shared(for: RenamedModel.self)
        #expect(schema.className == "Renamed")
        #expect(schema.properties.map(\.name) == ["title", "date", "count"])
        #expect(schema.properties.map(\.columnName) == ["headline", "date", "count"])
        #expect(schema.properties.map(\.isIndexed) == [true, true, true])
        #expect(schema.primaryKey == 0)
    }

    @Test func instancesOfGenericClasses() throws {
        let schema = try ClassSchema.shared(for: InstanceOfGenericModel.self)
        #expect(schema.properties.map(\.name) == ["text", "number"])
    }

    @Test func schemaIsOneInstanceFromManyThreads() async throws {
        let schemas = try await withThrowingTaskGroup(of: ClassSchema.self) { group in
            for _ in 0..<32 {
                group.addTask { try ClassSchema.shared(for: ObjectModels.Note.self) }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) {
                $0.insert(ObjectIdentifier($1))
            }
        }
        #expect(schemas.count == 1)
    }

    @Test(arguments: [
        (
            InvalidModels.NoProperties.self as ObjectBase.Type,
            [
                """
                No properties are defined for 'InvalidModels_NoProperties'. Did you \
                remember to mark them with '@objc' or '@Persisted' in your model?
                """
            ]
        ),
        (InvalidModels.RequiredLink.self, ["Object property 'dog' must be marked as optional."]),
        (
            InvalidModels.TwoPrimaryKeys.self,
            [
                """
                Properties 'b' and 'a' are both marked as the primary key of \
                'InvalidModels_TwoPrimaryKeys'
                """
            ]
        ),
        (
            InvalidModels.TwoPrimaryKeysInDifferentWays.self,
            [
                """
                Properties 'b' and 'a' are both marked as the primary key of \
                'InvalidModels_TwoPrimaryKeysInDifferentWays'
                """
            ]
        ),
        (
            InvalidModels.BoolPrimaryKey.self,
            [
                """
                Property 'InvalidModels_BoolPrimaryKey.flag' of type 'bool' cannot be made \
                the primary key.
                """
            ]
        ),
        (
            InvalidModels.WrongNames.self,
            [
                "Property 'InvalidModels_WrongNames.amount' of type 'double' cannot be indexed.",
                "Specified primary key 'InvalidModels_WrongNames.id' does not exist.",
                """
                Property 'InvalidModels_WrongNames.size', which indexedProperties() names, \
                does not exist.
                """,
                """
                Property 'InvalidModels_WrongNames.colour', which propertiesMapping() \
                names, does not exist.
                """,
            ]
        ),
        (
            InvalidModels.Aliases.self,
            [
                """
                Property 'InvalidModels_Aliases.a' has an alias 'b' that conflicts with a \
                property of the same name.
                """,
                "Alias 'x' appears more than once in the schema for type 'InvalidModels_Aliases'.",
            ]
        ),
    ])
    func mistakesAreReported(type: ObjectBase.Type, messages: [String]) {
        // Twice: the second time from the cache.
        for _ in 0..<2 {
            #expect(throws: SchemaValidationError(messages: messages)) {
                try ClassSchema.shared(for: type)
            }
        }
    }

    @Test func allMistakesAreCollected() {
        let types: [ObjectBase.Type] = [
            ObjectModels.Person.self, InvalidModels.NoProperties.self,
            InvalidModels.BoolPrimaryKey.self,
        ]
        #expect {
            try ClassSchema.schemas(for: types)
        } throws: {
            "\($0)" == """
                Schema validation failed due to the following errors:
                - No properties are defined for 'InvalidModels_NoProperties'. Did you remember to \
                mark them with '@objc' or '@Persisted' in your model?
                - Property 'InvalidModels_BoolPrimaryKey.flag' of type 'bool' cannot be made the \
                primary key.
                - Property 'ObjectModels_Person.dog' of type 'object' has unknown object type \
                'ObjectModels_Dog'
                """
        }
    }

    @Test func basesWithoutPropertiesAreNoModels() throws {
        class Base: Object {
            var isVisible: Bool { true }
            override class func primaryKey() -> String? { "id" }
        }
        class Middle: Base {}
        class Generic<Value>: Middle {}
        class One: Base { @Persisted var id = 0 }
        class Other: Generic<Int> { @Persisted var id = "" }
        let types = Set(try ClassSchema.discoverAll().map { ObjectIdentifier($0.type) })
        for type in [One.self, Other.self] as [ObjectBase.Type] {
            #expect(types.contains(ObjectIdentifier(type)))
        }
        for type in [Base.self, Middle.self] as [ObjectBase.Type] {
            #expect(!types.contains(ObjectIdentifier(type)))
        }
        // Who asks for one by name is told.
        #expect(throws: SchemaValidationError.self) {
            try ClassSchema.schemas(for: [Base.self, One.self])
        }
    }

    @Test func classesWithoutPropertiesAreReportedWithTheWayOut() {
        InvalidModels.NoPropertiesByDefault.$isIncluded.withValue(true) {
            #expect(
                throws: SchemaValidationError(messages: [
                    """
                    No properties are defined for 'InvalidModels_NoPropertiesByDefault'. Did \
                    you remember to mark them with '@objc' or '@Persisted' in your model?
                    """,
                    """
                    'InvalidModels_NoPropertiesByDefault' is in the schema because the \
                    configuration has no objectTypes. If the class is not meant to be stored, \
                    override shouldIncludeInDefaultSchema() in it to return false.
                    """,
                ])
            ) { try ClassSchema.discoverAll() }
        }
    }

    @Test func equalNamesAreReported() {
        class One: Object {
            @Persisted var x = 0
            override class func className() -> String { "Same" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        class Other: Object {
            @Persisted var y = 0
            override class func className() -> String { "Same" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        #expect {
            try ClassSchema.schemas(for: [One.self, Other.self, One.self])
        } throws: {
            "\($0)".contains("- Type 'Same' appears more than once in the schema.")
        }
    }

    @Test func schemasThatAskForThemselvesTrap() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ClassSchema.shared(for: InvalidModels.Recursive.self)
        }.mentions("Illegal recursive call of +[Recursive sharedSchema].")
    }
}
