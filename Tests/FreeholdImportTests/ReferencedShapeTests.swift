import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Exports with `$refId` and `$ref`, as `JsonSerializationReplacer` of Realm JS makes them.
@Suite struct ReferencedShapeTests {
    @Test func circlesAreClosed() throws {
        try withImport(
            json: """
                {
                  "Dog": [
                    {"$refId": "Dog#0", "name": "Rex", "age": 1, "owner": {"$refId": "Person#7", \
                    "id": 7, "name": "Ada", "dog": {"$ref": "Dog#0"}, "friends": [{"$ref": \
                    "Person#7"}]}},
                    {"$refId": "Dog#1", "name": "Rex", "age": 1, "owner": null, \
                    "friend": {"$refId": "Dog#0", "name": "Rex", "age": 1, "owner":
                      {"$refId": "Person#7", "id": 7, "name": "Ada", "dog": {"$ref": "Dog#0"}, \
                      "friends": [{"$ref": "Person#7"}]}}}
                  ],
                  "Person": [
                    {"$refId": "Person#7", "id": 7, "name": "Ada", "dog": {"$refId": "Dog#0", \
                    "name": "Rex", "age": 1, "owner": {"$ref": "Person#7"}}, "friends": [{"$ref": \
                    "Person#7"}]}
                  ]
                }
                """
        ) { realm, summary in
            #expect(summary.created == ["Dog": 2, "Person": 1] && summary.unlisted.isEmpty)
            let dogs = realm.objects(Model.Dog.self)
            let ada = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 7))
            #expect(
                ada.dog.map { $0.isSameObject(as: dogs[0]) } == true && dogs[0].owner?.id == 7
                    && ada.friends.first?.id == 7)
            #expect(
                dogs[1].friend.map { $0.isSameObject(as: dogs[0]) } == true && dogs[1].owner == nil)
        }
    }

    /// Equal content does not confuse what has a name.
    @Test func equalObjectsAreToldApart() throws {
        try withImport(
            json: """
                {"Dog": [
                  {"$refId": "Dog#a", "name": "x", "friend": {"$refId": "Dog#b", "name": "x", \
                  "friend": {"$ref": "Dog#a"}}},
                  {"$refId": "Dog#b", "name": "x", "friend": {"$refId": "Dog#a", "name": "x", \
                  "friend": {"$ref": "Dog#b"}}},
                  {"$ref": "Dog#a"}
                ]}
                """
        ) { realm, summary in
            let dogs = realm.objects(Model.Dog.self)
            #expect(summary.created == ["Dog": 2])
            #expect(
                dogs[0].friend.map { $0.isSameObject(as: dogs[1]) } == true
                    && dogs[1].friend.map { $0.isSameObject(as: dogs[0]) } == true)
        }
    }

    @Test func mixedValuesAndEmbeddedObjects() throws {
        try withImport(
            json: """
                {"Person": [
                  {"$refId": "Person#1", "id": 1, "any": {"$ref": "Person#1"}, \
                  "anys": [{"$refId": "Dog#3", "name": "d"}, {"name": "d"}, {"$refId": "City#9", \
                  "_id": "0000000000000000000000c9"}],
                   "address": {"$refId": "Address#4", "street": "s", "dog": {"$ref": "Dog#3"}}}],
                 "Dog": [{"$refId": "Dog#3", "name": "d"}]}
                """
        ) { realm, summary in
            let person = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(
                person.any.object(Model.Person.self)?.id == 1
                    && person.anys[0].object(Model.Dog.self)?.name == "d")
            #expect(person.anys[1].dictionaryValue?["name"]?.stringValue == "d")
            #expect(
                person.anys[2].object(Model.City.self)?._id == ObjectId("0000000000000000000000c9")
                    && summary.unlisted == ["City": 1])
            #expect(
                person.address?.street == "s" && person.address?.dog?.name == "d"
                    && realm.objects(Model.Dog.self).count == 1)
        }
    }

    @Test func referencesToNothingAreRefused() throws {
        try expectRefusal(
            json: #"{"Dog": [{"$refId": "Dog#0", "name": "a",\#n "friend": {"$ref": "Dog#1"}}]}"#,
            #"""
            notAnExport: line 2: expected a reference to an object of the file whose '$refId' \#
            is 'Dog#1', found {"$ref": …}.
            """#
        )
    }

    @Test func referencesToAnotherClassAreRefused() throws {
        try expectRefusal(
            json:
                #"""
                {"Person": [{"$refId": "Person#1", "id": 1}], "Dog": [{"$refId": "Dog#0", \#
                "name": "a", "friend": {"$ref": "Person#1"}}]}
                """#,
            """
            invalidValue: line 1: Dog.friend, object 1: expected an object of class 'Dog' \
            or null, found an object of class 'Person'.
            """
        )
    }
}
