import Foundation
import FreeholdStorage
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

/// Declarations with mistakes, which belong to no default schema.
enum InvalidRelations {
    class Base: Object {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    class NoOrigin: Base {
        @Persisted var owners: LinkingObjects<Relations.Owner>
    }

    class Missing: Base {
        @Persisted(originProperty: "animal") var owners: LinkingObjects<Relations.Owner>
    }

    class NotALink: Base {
        @Persisted(originProperty: "age") var owners: LinkingObjects<Relations.Owner>
    }

    class OtherTarget: Base {
        @Persisted(originProperty: "pet") var owners: LinkingObjects<Relations.Owner>
    }

    class Computed: Base {
        @Persisted(originProperty: "admirers") var owners: LinkingObjects<Relations.Owner>
    }
}

/// ``Relations/Pet`` before its owners were declared.
private final class EarlierPet: Object {
    @Persisted(primaryKey: true) var tag = ""
    @Persisted var legs = 4
    override class func className() -> String { "Relations_Pet" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct LinkingObjectsSchemaTests {
    private func messages(_ types: ObjectBase.Type...) -> [String] {
        do {
            _ = try ClassSchema.schemas(for: types)
            return []
        } catch {
            return error.messages
        }
    }

    @Test func declarationErrors() {
        let others = [Relations.Owner.self, Relations.Pet.self] as [ObjectBase.Type]
        #expect(
            messages(InvalidRelations.NoOrigin.self, others[0], others[1]) == [
                """
                LinkingObjects<Relations_Owner> property 'owners' must set the origin \
                property name with @Persisted(originProperty: "name").
                """
            ])
        let origin = "declared as origin of linking objects property 'InvalidRelations"
        #expect(
            messages(InvalidRelations.Missing.self, others[0], others[1]) == [
                "Property 'Relations_Owner.animal' \(origin)_Missing.owners' does not exist"
            ])
        #expect(
            messages(InvalidRelations.NotALink.self, others[0], others[1]) == [
                "Property 'Relations_Owner.age' \(origin)_NotALink.owners' is not a link"
            ])
        #expect(
            messages(InvalidRelations.OtherTarget.self, others[0], others[1]) == [
                """
                Property 'Relations_Owner.pet' \(origin)_OtherTarget.owners' links to type \
                'Relations_Pet'
                """
            ])
        #expect(
            messages(InvalidRelations.Computed.self, others[0], others[1]) == [
                "Property 'Relations_Owner.admirers' \(origin)_Computed.owners' does not exist"
            ])
        #expect(
            messages(Relations.Pet.self) == [
                """
                Property 'Relations_Pet.owners' of type 'linking objects' has unknown \
                object type 'Relations_Owner'
                """
            ])
    }

    @Test func openingSaysWhatIsWrong() throws {
        try withTemporaryDirectory { directory in
            let types =
                [InvalidRelations.NotALink.self, Relations.Owner.self, Relations.Pet.self]
                as [ObjectBase.Type]
            let error = #expect(throws: Realm.Error.self) {
                try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: types))
            }
            #expect(
                error?.message.contains("'InvalidRelations_NotALink.owners' is not a link") == true)
        }
    }

    @Test func publicSchema() throws {
        try withTemporaryRealm(Relations.all) { realm in
            let schema = try #require(realm.schema["Relations_Pet"])
            // As in Realm: the list has what is stored, the subscript everything.
            #expect(schema.properties.map(\.name) == ["tag", "legs"])
            let property = try #require(schema["owners"])
            #expect(
                property.type == .linkingObjects && property.objectClassName == "Relations_Owner"
                    && property.isArray)
            #expect(
                !property.isOptional && !property.isIndexed && !property.isSet && !property.isMap
                    && property.columnName == "owners")
            #expect(
                property.description.contains("type = linking objects;")
                    && property.description.contains("linkOriginPropertyName = pet;"))
            #expect(schema == Relations.Pet().objectSchema)
        }
    }

    /// The property is no column: adding and removing it changes nothing in the file, and
    /// accessors are copied all the same.
    @Test func noColumn() throws {
        let schema = try ClassSchema.shared(for: Relations.Pet.self)
        #expect(
            schema.properties.map(\.ordinal) == [0, 1] && schema.computed.map(\.ordinal) == [2]
                && schema.hasOnlyPersistedState)
        #expect(
            KeyPathNames.names(of: \Relations.Pet.owners, from: Relations.Pet.self) == ["owners"])
        #expect(
            KeyPathNames.names(of: \Relations.Pet.owners.count, from: Relations.Pet.self) == [
                "owners"
            ])
        #expect(
            KeyPathNames.names(of: \Relations.Owner.pet?.owners, from: Relations.Owner.self) == [
                "pet", "owners",
            ])
        #expect(
            KeyPathNames.names(of: \Relations.Owner.pet?.legs, from: Relations.Owner.self) == [
                "pet", "legs",
            ])
        try withTemporaryRealm(Relations.all) { realm in
            let table = try #require(realm.core.currentSnapshot.catalog["Relations_Pet"])
            #expect(table.columns.map(\.name) == ["tag", "legs"])
        }
    }

    @Test func filesThatAreOlderThanTheProperty() throws {
        try withTemporaryDirectory { directory in
            func configuration(_ types: [ObjectBase.Type], readOnly: Bool = false)
                -> Realm.Configuration
            {
                Realm.Configuration(
                    fileURL: directory.file(), readOnly: readOnly, objectTypes: types)
            }
            do {
                let realm = try Realm(configuration: configuration([EarlierPet.self]))
                try realm.write { realm.add(EarlierPet(value: ["tag": "a"])) }
            }
            do {
                // A file that cannot get the class that links has no links.
                let realm = try Realm(configuration: configuration(Relations.all, readOnly: true))
                let pet = try #require(realm.objects(Relations.Pet.self).first)
                #expect(pet.owners.isEmpty && pet.owners.first == nil)
            }
            let realm = try Realm(configuration: configuration(Relations.all))
            let pet = try #require(realm.objects(Relations.Pet.self).first)
            #expect(pet.owners.isEmpty)
            try realm.write { realm.add(Relations.Owner(id: 3, pet: pet)) }
            #expect(pet.owners.map(\.id) == [3])
            #expect(try realm.check().isEmpty)
        }
    }
}
