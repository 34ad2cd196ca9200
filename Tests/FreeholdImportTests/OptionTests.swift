import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct OptionTests {
    @Test func unknownNamesAreListed() throws {
        let options = ImportOptions(ignoresUnknownClasses: true, ignoresUnknownProperties: true)
        try withImport(
            json:
                #"""
                {"Zoo": [{"a": 1}], "Cat": [], "Dog": [{"name": "a", "x": 1}, {"name": "b", \#
                "x": 2}], "Person": [{"id": 1, "address": {"lane": 1, "street": "s"}, \#
                "w": {"$y": 1}}]}
                """#,
            options: options
        ) { realm, summary in
            #expect(
                summary.ignoredClasses == ["Cat", "Zoo"]
                    && summary.ignoredProperties == ["Address.lane", "Dog.x", "Person.w"])
            #expect(
                summary.created == ["Dog": 2, "Person": 1]
                    && realm.objects(Model.Person.self).first?.address?.street == "s")
        }
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func existingObjectsAreChanged(policy: Realm.UpdatePolicy) throws {
        try withTemporaryRealm(Model.all) { realm in
            try realm.write {
                let dog = realm.create(Model.Dog.self, value: ["name": "old"])
                realm.create(
                    Model.Person.self,
                    value: [
                        "id": 1, "name": "old", "nickname": "kept", "dog": dog,
                        "address": ["street": "old"],
                    ])
            }
            let export = try RealmStudioImport(
                json: Data(
                    #"""
                    {"Person": [{"id": 1, "name": "new", "friends": [{"id": 2}, {"id": 1}], \#
                    "address": {"street": "new"}}, {"id": 2, "any": {"id": 2}}]}
                    """#
                    .utf8))
            let summary = try export.importAll(
                into: realm, options: ImportOptions(existingObjects: policy))
            #expect(
                summary.created == ["Person": 1] && summary.updated == ["Person": 1]
                    && summary.objectCount == 2)
            let person = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
            #expect(
                person.name == "new" && person.nickname == "kept" && person.dog?.name == "old"
                    && person.friends.map(\.id) == [2, 1] && person.address?.street == "new")
            #expect(realm.objects(Model.Person.self).count == 2)
            // Once more: everything is there.
            #expect(
                try export.importAll(into: realm, options: ImportOptions(existingObjects: policy))
                    .updated == ["Person": 2])
            #expect(
                person.friends.map(\.id) == [2, 1] && realm.objects(Model.Person.self).count == 2)
        }
    }

    /// A realm's observers are notified of what differs.
    @Test func whatIsTheSameIsNotModified() throws {
        try withTemporaryRealm(Model.all) { realm in
            let export = try RealmStudioImport(
                json: Data(
                    #"""
                    {"City": [{"_id": "0000000000000000000000c1", "name": "a"}], \#
                    "Everything": [{"key": "k", "ints": [1], "city": \#
                    "0000000000000000000000c1", "cities": ["0000000000000000000000c1"]}]}
                    """#
                    .utf8))
            try export.importAll(into: realm)
            let version = realm.counters.bytesWritten
            try export.importAll(into: realm, options: ImportOptions(existingObjects: .modified))
            #expect(realm.counters.bytesWritten == version)
        }
    }

    @Test func progressIsTold() throws {
        try withTemporaryRealm(Model.all) { realm in
            let people = (1...2500).map { #"{"id": \#($0)}"# }.joined(separator: ",")
            let export = try RealmStudioImport(json: Data("{\"Person\": [\(people)]}".utf8))
            #expect(export.objectCounts == ["Person": 2500])
            var told: [ImportProgress] = []
            try export.importAll(into: realm) { told.append($0) }
            #expect(
                told.map { $0.storedObjects + $0.linkedObjects } == [
                    1000, 2000, 3000, 4000, 5000, 5000,
                ])
            #expect(
                told.last?.fractionCompleted == 1 && told.first?.fractionCompleted == 0.2
                    && told.allSatisfy { $0.totalObjects == 2500 })
        }
    }

    @Test func whatProgressThrowsCancels() throws {
        struct Enough: Error {}
        try withTemporaryRealm(Model.all) { realm in
            let people = (1...2500).map { #"{"id": \#($0)}"# }.joined(separator: ",")
            let export = try RealmStudioImport(json: Data("{\"Person\": [\(people)]}".utf8))
            #expect(throws: Enough.self) {
                try export.importAll(into: realm) { if $0.linkedObjects > 0 { throw Enough() } }
            }
            #expect(realm.objects(Model.Person.self).isEmpty)
        }
    }

    @Test func deepEmbeddedObjects() throws {
        let depth = 100
        let address =
            String(repeating: #"{"street": "s", "annex": "#, count: depth - 1)
            + #"{"street": "last"}"# + String(repeating: "}", count: depth - 1)
        let found = try onNewThread {
            try withTemporaryRealm(Model.all) { realm in
                try RealmStudioImport(
                    json: Data(#"{"Person": [{"id": 1, "address": \#(address)}]}"#.utf8)
                ).importAll(into: realm)
                var current = realm.objects(Model.Person.self).first?.address
                var count = 0
                while let next = current {
                    count += 1
                    current = next.annex
                }
                return count
            }
        }
        #expect(found == depth)
    }

    /// On a thread with a small stack: nothing recurses along a chain.
    @Test func longChains() throws {
        let count = 20_000
        var text = ""
        for number in 0..<count { text += #"{"name": "\#(number)", "friend": "# }
        text += "null" + String(repeating: "}", count: count)
        let nested = "{\"Dog\": [\(text)]}"
        let places: String = (0..<count).map { "\"\($0 + 2)\"" }.joined(separator: ",")
        let dogs: String = (0..<count).map { number -> String in
            #"{"age":\#(number),"friend":"\#((number + 1) % count + 2)"}"#
        }.joined(separator: ",")
        let flatted = "[{\"Dog\":\"1\"},[\(places)],\(dogs)]"
        let counts = try onNewThread {
            try [nested, flatted].map { json in
                try withTemporaryRealm(Model.all) { realm in
                    try RealmStudioImport(json: Data(json.utf8)).importAll(into: realm)
                    return realm.objects(Model.Dog.self).where { $0.friend != nil }.count
                }
            }
        }
        #expect(counts == [count - 1, count])
    }
}
