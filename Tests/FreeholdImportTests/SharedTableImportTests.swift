import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Exports have the names of the file, which classes may not have, and share.
@Suite struct SharedTableImportTests {
    final class Cat: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted var next: Cat?
        @Persisted var spot: Spot?
        override class func _realmObjectName() -> String? { "Feline" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Lion: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var title = ""
        @Persisted var next: Lion?
        @Persisted var place: Place?
        override class func _realmObjectName() -> String? { "Feline" }
        override class func propertiesMapping() -> [String: String] {
            ["number": "id", "title": "name", "place": "spot"]
        }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Spot: EmbeddedObject {
        @Persisted var city = ""
        override class func _realmObjectName() -> String? { "Location" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Place: EmbeddedObject {
        @Persisted var town = ""
        override class func _realmObjectName() -> String? { "Location" }
        override class func propertiesMapping() -> [String: String] { ["town": "city"] }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Zoo: Object {
        @Persisted var cat: Cat?
        @Persisted var lion: Lion?
        @Persisted var lions: List<Lion>
        @Persisted var place: Place?
        override class func _realmObjectName() -> String? { "Park" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func objectsAreImportedOnceForAllClassesOfATable() throws {
        try withTemporaryRealm([Cat.self, Lion.self, Spot.self, Place.self, Zoo.self]) { realm in
            let export = #"""
                {"Feline": [{"id": 1, "name": "a", "next": {"id": 2, "name": "b", "next": null, \#
                "spot": null}, "spot": {"city": "Rome"}}, {"id": 2, "name": "b", "next": null, \#
                "spot": null}],
                 "Park": [{"cat": 1, "lion": 1, "lions": [1, 2, 1], "place": {"city": "Oslo"}}]}
                """#
            #expect(
                try RealmStudioImport(json: Data(export.utf8)).importAll(into: realm).created == [
                    "SharedTableImportTests_Cat": 2, "SharedTableImportTests_Zoo": 1,
                ])
            let zoo = try #require(realm.objects(Zoo.self).first)
            #expect(
                zoo.lion?.title == "a" && zoo.cat?.name == "a"
                    && zoo.lions.map(\.number) == [1, 2, 1] && zoo.place?.town == "Oslo")
            #expect(
                zoo.lion?.next?.title == "b" && zoo.lion?.place?.town == "Rome"
                    && realm.objects(Cat.self).count == 2)
            let table = "id,name,next,spot\n3,c,1,\n"
            try RealmStudioImport(csv: Data(table.utf8), className: "Feline").importAll(into: realm)
            #expect(realm.object(ofType: Lion.self, forPrimaryKey: 3)?.next?.title == "a")
        }
    }
}
