import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct PublicSchemaTests {
    @Test func objectSchema() throws {
        let schema = ObjectModels.Person().objectSchema
        #expect(schema.className == "ObjectModels_Person")
        #expect(schema.primaryKeyProperty?.name == "_id")
        #expect(schema["dog"]?.objectClassName == "ObjectModels_Dog")
        #expect(schema["dog"]?.isOptional == true)
        #expect(schema["none"] == nil)
        #expect(schema.objectClass == ObjectModels.Person.self)
        #expect(!schema.isEmbedded)
        #expect(schema == ObjectModels.Person().objectSchema)
        #expect(schema != ObjectModels.Dog().objectSchema)
    }

    @Test func descriptions() throws {
        let schema = Schema([try ClassSchema.shared(for: ObjectModels.Numbered.self)])
        #expect(
            schema.description == """
                Schema {
                \tObjectModels_Numbered {
                \t\tnumber {
                \t\t\ttype = int;
                \t\t\tcolumnName = number;
                \t\t\tindexed = YES;
                \t\t\tisPrimary = YES;
                \t\t\tarray = NO;
                \t\t\tset = NO;
                \t\t\tdictionary = NO;
                \t\t\toptional = NO;
                \t\t}
                \t\ttext {
                \t\t\ttype = string;
                \t\t\tcolumnName = text;
                \t\t\tindexed = NO;
                \t\t\tisPrimary = NO;
                \t\t\tarray = NO;
                \t\t\tset = NO;
                \t\t\tdictionary = NO;
                \t\t\toptional = YES;
                \t\t}
                \t}
                }
                """)
        #expect(schema["ObjectModels_Numbered"] == ObjectModels.Numbered().objectSchema)
        #expect(schema["Other"] == nil)
    }

    @Test func invalidDeclarationTraps() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = InvalidModels.NoProperties().objectSchema
        }.mentions("No properties are defined for 'InvalidModels_NoProperties'.")
    }
}
