import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// Exports as the package `flatted` writes them: texts are positions in the outermost array.
@Suite struct FlattedShapeTests {
    @Test func positionsAreFollowed() throws {
        try withImport(
            json: """
                [{"Person":"1","Dog":"2"},["3"],["4","5"],
                 {"id":1,"name":"6","dog":"4","friends":"7","nick_name":null,"any":"8","anys":"9",\
                 "address":"10"},
                 {"name":"6","age":4,"owner":"3","friend":"5"},{"name":"11","age":5,"owner":null,\
                 "friend":"4"},
                 "1",["3"],"2021-01-01",["5",7,"12"],{"street":"13","city":null},"Rex",{"k":"8"},""]
                """
        ) { realm, summary in
            #expect(summary.created == ["Person": 1, "Dog": 2])
            let dogs = realm.objects(Model.Dog.self)
            let person = try #require(realm.objects(Model.Person.self).first)
            // The text of element 6 is a text, although it looks like a position.
            #expect(person.name == "1" && person.nickname == nil && person.friends.first?.id == 1)
            #expect(
                person.dog.map { $0.isSameObject(as: dogs[0]) } == true
                    && dogs[0].friend.map { $0.isSameObject(as: dogs[1]) } == true)
            #expect(
                dogs[1].friend.map { $0.isSameObject(as: dogs[0]) } == true && dogs[1].name == "Rex"
                    && dogs[0].owner?.id == 1)
            #expect(
                person.any.stringValue == "2021-01-01"
                    && person.anys[0].object(Model.Dog.self)?.name == "Rex"
                    && person.anys[1] == .int(7))
            #expect(
                person.anys[2].dictionaryValue?["k"]?.stringValue == "2021-01-01"
                    && person.address?.street == "")
        }
    }

    /// Each class's list is made on its own, so an object stands in the file once for each list
    /// that leads to it.
    @Test func copiesOfOtherListsAreTheSameObjects() throws {
        try withImport(
            json: """
                [{"Person":"1","Dog":"2"},["3"],["4","5"],
                 {"id":1,"name":"8","dog":"6"},
                 {"name":"9","age":4,"owner":"7","friend":"5"},{"name":"9","age":5,"owner":null,\
                 "friend":"4"},
                 {"name":"9","age":4,"owner":"3","friend":"10"},
                 {"id":1,"name":"8","dog":"4"},
                 "Ada","Rex",{"name":"9","age":5,"owner":null,"friend":"6"}]
                """
        ) { realm, summary in
            #expect(summary.created == ["Person": 1, "Dog": 2] && summary.unlisted.isEmpty)
            let dogs = realm.objects(Model.Dog.self)
            let person = try #require(realm.objects(Model.Person.self).first)
            #expect(
                person.dog.map { $0.isSameObject(as: dogs[0]) } == true && dogs[0].owner?.id == 1)
            #expect(
                dogs[0].friend.map { $0.isSameObject(as: dogs[1]) } == true
                    && dogs[1].friend.map { $0.isSameObject(as: dogs[0]) } == true)
        }
    }

    @Test func anEmptyExport() throws {
        try withImport(json: "[{}]") { _, summary in
            #expect(summary.objectCount == 0 && summary.created.isEmpty)
        }
        try withImport(json: #"[{"Dog":"1"},[]]"#) { _, summary in #expect(summary.objectCount == 0)
        }
    }

    @Test func wrongPositionsAreRefused() throws {
        try expectRefusal(
            json: #"[{"Dog":"1"},["2"],{"name":"3"}]"#,
            #"""
            notAnExport: line 1: expected the position of one of the 3 elements of the array, \#
            as the package 'flatted' writes it, found "3".
            """#
        )
        try expectRefusal(
            json: #"[{"Dog":"1"},["2"],{"name":"Rex"}]"#,
            #"""
            notAnExport: line 1: expected the position of one of the 3 elements of the array, \#
            as the package 'flatted' writes it, found "Rex".
            """#
        )
        try expectRefusal(
            json: "[1, 2]",
            """
            notAnExport: line 1: expected an object with an array of objects for each \
            class, as Realm Studio's 'Save data > JSON' writes it, found an array of 2.
            """
        )
        try expectRefusal(
            json: #"[{"Dog":"0"}]"#,
            #"""
            notAnExport: line 1: Dog: expected an array of the objects of the class, \#
            found {"Dog": …}.
            """#
        )
    }

    /// An embedded object that is inside of itself is no data that a realm can have.
    @Test func endlessEmbeddedObjectsAreRefused() throws {
        try expectRefusal(
            json: #"[{"Person":"1"},["2"],{"id":1,"address":"3"},{"annex":"3"}]"#,
            """
            invalidValue: line 1: \
            Person.address.\(Array(repeating: "annex", count: 100).joined(separator: ".")), \
            object 1: 
            """
                + #"""
                expected embedded objects that are nested at most 100 deep, found {"annex": …}.
                """#
        )
        try expectRefusal(
            json: #"[{"Person":"1"},["2"],{"id":1,"any":"3"},["3"]]"#,
            """
            invalidValue: line 1: Person.any, object 1: expected lists and dictionaries \
            that are nested at most 100 deep, found an array of 1.
            """
        )
    }
}
