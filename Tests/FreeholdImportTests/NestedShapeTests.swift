import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Exports without references: linked objects stand in full.
@Suite struct NestedShapeTests {
    @Test func linkedObjectsAreThoseOfTheirClassesLists() throws {
        try withImport(
            json: """
                {
                  "Person": [
                    {"id": 1, "name": "Ada", "nick_name": "A", "dog": {"name": "Rex", "age": 4, \
                    "owner": null, "friend": null}, "friends": [
                      {"id": 2, "name": "Bo 🐕", "nick_name": null, "dog": null, "friends": []}
                    ]},
                    {"id": 2, "name": "Bo 🐕", "nick_name": null, "dog": null, "friends": []}
                  ],
                  "Dog": [
                    {"name": "Fido", "age": 1, "owner": null, "friend": null},
                    {"name": "Rex", "age": 4, "owner": null, "friend": null}
                  ]
                }
                """
        ) { realm, summary in
            #expect(summary.created == ["Person": 2, "Dog": 2])
            #expect(summary.objectCount == 4 && summary.updated.isEmpty && summary.unlisted.isEmpty)
            let ada = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(ada.nickname == "A" && ada.dog?.name == "Rex" && ada.dog?.age == 4)
            #expect(ada.dog.map { $0.isSameObject(as: realm.objects(Model.Dog.self).last) } == true)
            #expect(ada.friends.map(\.name) == ["Bo 🐕"])
            #expect(ada.friends.first?.admirers.map(\.id) == [1])
        }
    }

    @Test func contentIsComparedDeepAndInAnyOrder() throws {
        try withImport(
            json: """
                {"Dog": [
                  {"name": "a", "age": 1, "friend": {"age": 2, "name": "b", "friend": {"name": \
                  "c", "age": 3}}},
                  {"name": "b", "age": 2, "friend": {"name": "c", "age": 3}},
                  {"name": "b", "age": 2, "friend": {"name": "c", "age": 4}},
                  {"name": "c", "age": 4},
                  {"name": "c", "age": 3}
                ]}
                """
        ) { realm, summary in
            let dogs = realm.objects(Model.Dog.self)
            #expect(summary.created == ["Dog": 5] && dogs.count == 5)
            let first = try #require(dogs.first { $0.name == "a" })
            #expect(first.friend.map { $0.isSameObject(as: dogs[1]) } == true)
            #expect(first.friend?.friend.map { $0.isSameObject(as: dogs[4]) } == true)
            #expect(dogs[2].friend.map { $0.isSameObject(as: dogs[3]) } == true)
        }
    }

    /// It cannot be known which is meant.
    @Test func ofEqualObjectsTheFirstIsLinked() throws {
        try withImport(
            json:
                #"{"Dog": [{"name": "x"}, {"name": "x"}, {"name": "y", "friend": {"name": "x"}}]}"#
        ) { realm, summary in
            let dogs = realm.objects(Model.Dog.self)
            #expect(dogs.count == 3 && dogs[2].friend.map { $0.isSameObject(as: dogs[0]) } == true)
        }
    }

    /// As in JavaScript, where `é` and `e` with an accent are two texts.
    @Test func textsAreComparedByTheirBytes() throws {
        try withImport(
            json:
                #"""
                {"Dog": [{"name": "\u00e9"}, {"name": "e\u0301"}, {"name": "y", \#
                "friend": {"name": "e\u0301"}}], "Everything": [{"key": "\u00e9"}, \#
                {"key": "e\u0301"}]}
                """#
        ) { realm, summary in
            let dogs = realm.objects(Model.Dog.self)
            #expect(
                dogs[2].friend.map { $0.isSameObject(as: dogs[1]) } == true
                    && summary.created == ["Dog": 3, "Everything": 2])
        }
        try expectRefusal(
            json: #"{"Everything": [{"key": "k", "scores": {"\u00e9": 1, "e\u0301": 2}}]}"#,
            """
            invalidValue: line 1: Everything.scores, object 1: expected keys that differ \
            by more than the composition of their characters, found "e\u{301}".
            """
        )
    }

    @Test func objectsThatNoListHasAreCreated() throws {
        try withImport(
            json: """
                {"Person": [
                  {"id": 1, "dog": {"name": "Rex"}, "friends": [{"id": 2, "name": "Bo"}, \
                  {"id": 2}, {"id": 3, "friends": [{"id": 1}]}]}
                ]}
                """
        ) { realm, summary in
            #expect(
                summary.created == ["Person": 3, "Dog": 1]
                    && summary.unlisted == ["Person": 2, "Dog": 1])
            let first = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(first.friends.map(\.id) == [2, 2, 3])
            #expect(first.friends[2].friends.first?.id == 1 && first.friends[0].name == "Bo")
        }
    }

    @Test func embeddedObjectsBelongToTheirOwners() throws {
        try withImport(
            json: """
                {"City": [{"_id": "0000000000000000000000c1", "name": "Turin"}],
                 "Dog": [{"name": "Rex"}],
                 "Address": [{"street": "listed", "city": null}],
                 "Person": [{"id": 1,
                   "address": {"street": "Via Po", "city": {"_id": "0000000000000000000000c1", \
                   "name": "Turin"}, "dog": {"name": "Rex"}, "annex": {"street": "behind"}},
                   "others": [{"street": "a"}, {"street": "b", "city": "0000000000000000000000c1"}],
                   "rooms": {"x": {"street": "c"}, "none": null}}]}
                """
        ) { realm, summary in
            #expect(summary.created == ["City": 1, "Dog": 1, "Person": 1])
            let person = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(
                person.address?.street == "Via Po" && person.address?.city?.name == "Turin"
                    && person.address?.annex?.street == "behind")
            #expect(
                person.address?.dog.map { $0.isSameObject(as: realm.objects(Model.Dog.self).first) }
                    == true)
            #expect(
                person.others.map(\.street) == ["a", "b"] && person.others[1].city?.name == "Turin")
            #expect(person.rooms["x"]??.street == "c" && person.rooms.count == 2)
        }
    }

    @Test func linksInCollections() throws {
        try withImport(
            json: """
                {"Person": [{"id": 1, "pets": [{"name": "b"}, {"name": "a"}], "byName": {"Bo": \
                {"id": 2}, "none": null}}, {"id": 2}],
                 "Dog": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
                """
        ) { realm, summary in
            let person = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(
                person.pets.map(\.name) == ["a", "b"] && realm.objects(Model.Dog.self).count == 3)
            #expect(
                person.byName["Bo"]??.id == 2 && person.byName.keys.sorted() == ["Bo", "none"])
        }
    }

    @Test func mixedValuesAreLinksWhereAnObjectIsTheSame() throws {
        try withImport(
            json: """
                {"Dog": [{"name": "Rex", "age": 4}],
                 "Person": [{"id": 1, "any": {"name": "Rex", "age": 4}, "anys": [1, 1.5, true, \
                 "x", null, {"a": [1, {"b": {"name": "Rex", "age": 4}}]}, {"name": "Rex", "age": 5},
                   {"$oid": "0000000000000000000000c1"}, {"$date": "1970-01-01T00:00:01Z"}]}]}
                """
        ) { realm, _ in
            let person = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            let dog = try #require(realm.objects(Model.Dog.self).first)
            #expect(person.any.object(Model.Dog.self).map { $0.isSameObject(as: dog) } == true)
            let anys = person.anys
            #expect(
                anys[0] == .int(1) && anys[1] == .double(1.5) && anys[2] == .bool(true)
                    && anys[3] == .string("x") && anys[4] == .none)
            let inner = anys[5].dictionaryValue?["a"]?.listValue
            #expect(
                inner?[0] == .int(1)
                    && inner?[1].dictionaryValue?["b"]?.object(Model.Dog.self)?.name == "Rex")
            #expect(anys[6].dictionaryValue?["age"]?.intValue == 5)
            #expect(
                anys[7].objectIdValue == ObjectId("0000000000000000000000c1")
                    && anys[8].dateValue == Date(timeIntervalSince1970: 1))
        }
    }
}
