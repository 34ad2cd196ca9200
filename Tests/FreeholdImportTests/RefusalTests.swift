import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

/// What an import refuses, word for word; the realm stays what it was.
@Suite struct RefusalTests {
    @Test(arguments: [
        ("", "line 1: expected a value, found the end of the file."),
        ("{", "line 1: expected a name in quotes, found the end of the file."),
        ("{\"Dog\": [\n{\"name\": \"a\"},\n]}", "line 3: expected a value, found ]}."),
        ("{\"Dog\": [\n{\"name\" 1}]}", "line 2: expected ':', found 1}]}."),
        ("{\"Dog\": [1 2]}", "line 1: expected ',' or ']', found 2]}."),
        ("{\"Dog\": []\n} x", "line 2: expected the end of the text, found x."),
        ("{\"Dog\": [{\"age\": 01}]}", "line 1: expected ',' or '}', found 1}]}."),
        ("{\"Dog\": [{\"age\": -}]}", "line 1: expected a digit, found }]}."),
        (
            "{\"Dog\": [{\"age\": 1e999}]}",
            "line 1: expected a number that a Double can hold, found 1e999}]}."
        ),
        (
            "{\"Dog\": [{\"name\": \"a\n\"}]}",
            "line 1: expected the end of the text in quotes, found a control character."
        ),
        (
            "{\"Dog\": [{\"name\": \"\\x\"}]}",
            "line 1: expected a letter that '\\' can stand before, found x\"}]}."
        ),
        (
            "{\"Dog\": [{\"name\": \"\\u12g4\"}]}",
            "line 1: expected four hexadecimal digits, found 12g4\"}]}."
        ),
        ("{\"Dog\": [tru]}", "line 1: expected a value, found tru]}."),
        (
            "{\"Dog\": [{\"name\": \"" + String(repeating: "y", count: 60),
            "line 1: expected the end of the text in quotes, found the end of the file."
        ),
    ])
    func malformedJSON(text: String, message: String) throws {
        try expectRefusal(json: text, "malformedJSON: " + message)
    }

    @Test func otherBytes() throws {
        let error = #expect(throws: ImportError.self) {
            try RealmStudioImport(json: Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]))
        }
        #expect(
            error?.description
                == "malformedJSON: line 1: expected text in UTF-8, found other bytes.")
    }

    @Test(arguments: [
        (
            "5",
            """
            line 1: expected an object with an array of objects for each class, as Realm \
            Studio's 'Save data > JSON' writes it, found 5.
            """
        ),
        (
            "[]",
            """
            line 1: expected an object with an array of objects for each class, as Realm \
            Studio's 'Save data > JSON' writes it, found [].
            """
        ),
        (#"{"Dog": 5}"#, "line 1: Dog: expected an array of the objects of the class, found 5."),
        (
            "{\"Dog\": [{\"name\": \"a\"},\n\n null]}",
            "line 3: Dog, object 2: expected an object, found null."
        ),
    ])
    func otherJSON(text: String, message: String) throws {
        try expectRefusal(json: text, "notAnExport: " + message)
    }

    @Test func unknownNames() throws {
        try expectRefusal(
            json: #"{"Cat": []}"#,
            """
            unknownClass: line 1: Cat: expected a class of the realm (Address, City, Dog, \
            Everything, Person), found 'Cat'. Add the class to the realm's object types, or \
            set ImportOptions.ignoresUnknownClasses.
            """
        )
        try expectRefusal(
            json: "{\"Dog\": [{\"name\": \"a\"},\n{\"name\": \"b\",\n\"colour\": 1}]}",
            """
            unknownProperty: line 3: Dog.colour, object 2: expected a property of 'Dog' (name, \
            age, owner, friend), found 'colour'. Declare the property, or set \
            ImportOptions.ignoresUnknownProperties.
            """)
        try expectRefusal(
            json: #"{"Person": [{"id": 1, "others": [{"street": "a"}, {"lane": "b"}]}]}"#,
            """
            unknownProperty: line 1: Person.others.lane, object 1: expected a property of \
            'Address' (street, city, dog, annex), found 'lane'. Declare the property, or set \
            ImportOptions.ignoresUnknownProperties.
            """)
    }

    @Test(arguments: [
        (#""int": "5""#, #"int, object 1: expected an integer, found "5"."#),
        (#""int": 1.5"#, "int, object 1: expected an integer, found 1.5."),
        (#""int": null"#, "int, object 1: expected an integer, found null."),
        (
            #""int": 9223372036854775808"#,
            "int, object 1: expected an integer, found 9.223372036854776e+18."
        ),
        (#""int8": 128"#, "int8, object 1: expected an integer from -128 to 127, found 128."),
        (
            #""small": [1, -129]"#,
            "small, object 1: expected an integer from -128 to 127, found -129."
        ),
        (#""bool": 1"#, "bool, object 1: expected true or false, found 1."),
        (
            #""string": {"a": 1, "b": 2}"#,
            #"string, object 1: expected a text, found {"a": …, "b": …}."#
        ),
        (#""data": "***""#, #"data, object 1: expected bytes as base64, found "***"."#),
        (
            #""data": {}"#,
            """
            data, object 1: expected bytes as base64, found {}. Early versions of Realm \
            Studio do not export bytes. Export the file with a newer one.
            """
        ),
        (#""float": 1e39"#, "float, object 1: expected a number, found 1e+39."),
        (
            #""objectId": "5f""#,
            #"objectId, object 1: expected an object id of 24 hexadecimal digits, found "5f"."#
        ),
        (#""decimal": "x""#, #"decimal, object 1: expected a decimal number, found "x"."#),
        (#""uuid": "x""#, #"uuid, object 1: expected a UUID, found "x"."#),
        (
            #""optionalInt": "x""#,
            #"optionalInt, object 1: expected an integer or null, found "x"."#
        ),
        (
            #""colour": "blue""#,
            #"""
            colour, object 1: expected the raw value of a case of 'Colour', as red, green, \#
            found "blue".
            """#
        ),
        (
            #""grade": 3"#,
            "grade, object 1: expected the raw value of a case of 'Grade', as 1, 2, found 3."
        ),
        (#""code": "abc""#, #"code, object 1: expected a value that 'Code' accepts, found "abc"."#),
        (#""ints": 5"#, "ints, object 1: expected an array, each element an integer, found 5."),
        (#""ints": [1, null]"#, "ints, object 1: expected an integer, found null."),
        (
            #""scores": [1]"#,
            "scores, object 1: expected an object with a number for each key, found an array of 1."
        ),
        (
            #""scores": {"a.b": 1}"#,
            #"""
            scores, object 1: expected keys that have no '.' in them and do not begin with '$', \#
            found "a.b".
            """#
        ),
        (
            #""any": {"$x": 1}"#,
            #"""
            any, object 1: expected keys that have no '.' in them and do not begin with '$', \#
            found "$x".
            """#
        ),
        (
            #""city": "x""#,
            #"""
            city, object 1: expected an object of class 'City' or null, or its primary key: an \#
            object id of 24 hexadecimal digits, found "x".
            """#
        ),
        (#""cities": [null]"#, "cities, object 1: expected an object of class 'City', found null."),
        (
            #""string": ["12345678901234567890", "12345678901234567890"]"#,
            "string, object 1: expected a text, found an array of 2."
        ),
        (
            #""date": "1234567890123456789012345678901234567890123""#,
            #"""
            date, object 1: expected a date as ISO 8601 or in milliseconds since 1970, \#
            found "123456789012345678901234567890123456789….
            """#
        ),
    ])
    func values(member: String, message: String) throws {
        try expectRefusal(
            json: #"{"Everything": [{"key": "k", \#(member)}]}"#,
            "invalidValue: line 1: Everything." + message)
    }

    @Test func primaryKeys() throws {
        try expectRefusal(
            json: #"{"Person": [{"name": "x"}]}"#,
            """
            invalidValue: line 1: Person.id, object 1: expected a primary key: an integer, \
            found none.
            """
        )
        try expectRefusal(
            json: #"{"Person": [{"id": 1}, {"id": 2}, {"id": 1}]}"#,
            """
            duplicatePrimaryKey: line 1: Person.id, object 3: expected each primary key \
            once, found 1, which object 1 has, too.
            """
        )
        try expectRefusal(
            json: #"{"City": [{"_id": "0000000000000000000000aa"}]}"#,
            """
            existingPrimaryKey: line 1: City._id, object 1: expected a primary key that the \
            realm does not have yet, found 0000000000000000000000aa. Set \
            ImportOptions.existingObjects to .modified or .all to change the objects that are \
            there.
            """
        )
        try expectRefusal(
            json: #"{"Everything": [{"key": "k", "city": "0000000000000000000000ab"}]}"#,
            """
            unknownObject: line 1: Everything.city, object 1: expected the primary key of \
            an object of class 'City' in the export or in the realm, found \
            "0000000000000000000000ab".
            """
        )
        try expectRefusal(
            json: #"{"Person": [{"id": 1, "dog": 5}]}"#,
            """
            invalidValue: line 1: Person.dog, object 1: expected an object of class 'Dog' \
            or null, found 5.
            """
        )
    }

    /// The last object is refused after thousands have been stored.
    @Test func whatWasStoredBeforeIsTakenBack() throws {
        let people = (1...3000).map { #"{"id": \#($0), "name": "n"}"# } + [#"{"id": "x"}"#]
        try expectRefusal(
            json: "{\"Person\": [\n" + people.joined(separator: ",\n") + "]}",
            #"invalidValue: line 3002: Person.id, object 3001: expected an integer, found "x"."#)
        let dogs =
            (1...1000).map { #"{"name": "d\#($0)", "owner": {"id": \#($0), "name": "n"}}"# } + [
                #"{"name": "x", "owner": 3001}"#
            ]
        try expectRefusal(
            json: "{\"Dog\": [" + dogs.joined(separator: ",") + "], \"Person\": ["
                + people.dropLast().joined(separator: ",") + "]}",
            """
            unknownObject: line 1: Dog.owner, object 1001: expected the primary key of an \
            object of class 'Person' in the export or in the realm, found 3001.
            """
        )
    }

    @Test func filesThatAreNotThere() throws {
        try withTemporaryDirectory { directory in
            let missing = directory.file("missing.json")
            var error = #expect(throws: ImportError.self) { try RealmStudioImport(json: missing) }
            #expect(
                error?.description
                    == "fileAccess: \(missing.path): expected a file that can be read."
                    && error?.underlying != nil && error?.file == missing.path)
            error = #expect(throws: ImportError.self) { try RealmStudioImport(csv: directory.url) }
            #expect(
                error?.description
                    == """
                    fileAccess: \(directory.url.path): expected a folder with files that \
                    are called 'ClassName.csv', found none.
                    """
            )
            let file = directory.file("bad.json")
            try Data("{\"Dog\":\n 1}".utf8).write(to: file)
            error = #expect(throws: ImportError.self) { try RealmStudioImport(json: file) }
            #expect(
                error?.description
                    == """
                    notAnExport: \(file.path):2: Dog: expected an array of the objects of \
                    the class, found 1.
                    """
                    && error?.line == 2 && error?.className == "Dog")
        }
    }

    @Test func importsInsideOfATransactionEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withTemporaryRealm(Model.all) { realm in
                try realm.write {
                    _ = try RealmStudioImport(json: Data("{}".utf8)).importAll(into: realm)
                }
            }
        }
        expectMessage(result, "The Realm is already in a write transaction")
    }
}
