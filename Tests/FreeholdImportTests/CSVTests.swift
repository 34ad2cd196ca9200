import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

@Suite struct CSVTests {
    @Test func quotesBreaksAndByteOrderMark() throws {
        let lines = [
            "\u{FEFF}name,age", "\"Rex, the \"\"first\"\"\",4", "", "\"two", "lines\",5", "\"\",6",
            ",7", "Łódź 🐕,8",
        ]
        for (separator, second) in [
            ("\n", "two\nlines"), ("\r\n", "two\r\nlines"), ("\r", "two\rlines"),
        ] {
            for end in ["", separator] {
                try withImport(csv: lines.joined(separator: separator) + end, of: "Dog") {
                    realm, summary in
                    #expect(summary.created == ["Dog": 5])
                    #expect(
                        realm.objects(Model.Dog.self).map(\.name) == [
                            "Rex, the \"first\"", second, "", "", "Łódź 🐕",
                        ])
                    #expect(realm.objects(Model.Dog.self).map(\.age) == [4, 5, 6, 7, 8])
                }
            }
        }
    }

    @Test func eachType() throws {
        try withImport(
            csv: """
                key,int,int8,bool,string,data,date,float,double,objectId,decimal,uuid,colour,grade,\
                optionalInt,optionalBool,optionalString,optionalDate,ints,texts,scores,any,\
                optionalStrings
                a,-5,127,TRUE,"x,y",AAE=,2001-01-01T00:00:00Z,0.5,1e3,0000000000000000000000c1,\
                1.50,f81d4fae-7dec-11d0-a765-00a0c91e6bf6,green,2,6,0,"",1500,"[1,2]","[""b"",\
                ""a""]","{""k"": 1.5}","{""x"": [1]}","[null,""z""]"
                b,,,,,,,,,,,,,,,,,,,,,,
                c,1.0,0,1,,,978307200000,nan,-inf,,,,red,,,,,,[],,,plain text,
                """, of: "Everything"
        ) { realm, _ in
            let all = realm.objects(Model.Everything.self).sorted(by: \.key)
            let a = all[0], b = all[1], c = all[2]
            #expect(
                a.int == -5 && a.int8 == 127 && a.bool && a.string == "x,y"
                    && a.data == Data([0, 1]) && a.date.timeIntervalSinceReferenceDate == 0)
            #expect(
                a.float == 0.5 && a.double == 1000
                    && a.objectId == ObjectId("0000000000000000000000c1") && a.decimal == 1.5
                    && a.colour == .green && a.grade == .bad)
            #expect(
                a.optionalInt == 6 && a.optionalBool == false && a.optionalString == ""
                    && a.optionalDate?.timeIntervalSince1970 == 1.5)
            #expect(
                Array(a.ints) == [1, 2] && Array(a.texts) == ["a", "b"] && a.scores["k"] == 1.5
                    && a.any.dictionaryValue?["x"]?.listValue?[0] == .int(1))
            #expect(Array(a.optionalStrings) == [nil, "z"])
            #expect(
                b.int == 7 && b.string == "default" && b.optionalInt == nil
                    && b.optionalString == nil && b.ints.isEmpty && b.any == .none && b.grade == nil
            )
            #expect(
                c.int == 1 && c.bool && c.float.isNaN && c.double == -.infinity
                    && c.date.timeIntervalSinceReferenceDate == 0
                    && c.any.stringValue == "plain text")
        }
    }

    @Test func aFolderOfClasses() throws {
        try withTemporaryDirectory { directory in
            try Data(
                """
                id,name,friends,address,nick_name\n1,Ada,"[2,1]","{""street"": ""s"", \
                ""city"": ""0000000000000000000000c1""}",A\n2,Bo,,,\n
                """
                .utf8
            )
            .write(to: directory.file("Person.csv"))
            try Data("name,owner\nRex,2\nFido,\n".utf8).write(to: directory.file("Dog.csv"))
            try Data("_id,name\n0000000000000000000000c1,Rome\n".utf8).write(
                to: directory.file("City.CSV"))
            try Data("no table".utf8).write(to: directory.file("notes.txt"))
            try withTemporaryRealm(Model.all) { realm in
                let export = try RealmStudioImport(csv: directory.url)
                #expect(export.objectCounts == ["Person": 2, "Dog": 2, "City": 1])
                let summary = try export.importAll(into: realm)
                #expect(summary.created == ["Person": 2, "Dog": 2, "City": 1])
                let ada = try #require(realm.object(ofType: Model.Person.self, forPrimaryKey: 1))
                #expect(
                    ada.friends.map(\.name) == ["Bo", "Ada"] && ada.address?.city?.name == "Rome"
                        && ada.nickname == "A")
                #expect(realm.objects(Model.Dog.self).map { $0.owner?.name } == ["Bo", nil])
                // Into what is there: links lead to the realm's objects.
                let more = try RealmStudioImport(csv: directory.file("Dog.csv")).importAll(
                    into: realm)
                #expect(
                    more.created == ["Dog": 2]
                        && realm.objects(Model.Dog.self).where { $0.owner.id == 2 }.count == 2)
            }
        }
    }

    @Test(arguments: [
        (
            "",
            """
            malformedCSV: Dog: expected a header with the names of properties, found an \
            empty file.
            """
        ),
        (
            "name,\n",
            """
            malformedCSV: line 1: Dog: expected a name for every column of the header, \
            found an empty one.
            """
        ),
        (
            "name,name\n",
            "malformedCSV: line 1: Dog: expected each name once in the header, found 'name' twice."
        ),
        (
            "name,age\na,1\n\nb\n",
            """
            malformedCSV: line 4: Dog, object 2: expected 2 fields, as in the header, \
            found 1. Commas and line breaks in a field need quotes around it.
            """
        ),
        ("name,age\n\"a\nb,1\n", "malformedCSV: line 2: Dog: expected a closing quote, found \"a."),
        (
            "name,age\na\"b,1\n",
            """
            malformedCSV: line 2: Dog: expected no quote inside of a field without quotes \
            around it, found "b,1.
            """
        ),
        (
            "name,age\n\"a\"b,1\n",
            """
            malformedCSV: line 2: Dog: expected a comma or the end of the line behind the \
            closing quote, found b,1.
            """
        ),
        ("name,tail\n", ""),
        (
            "name,tail\na,1\n",
            """
            unknownProperty: line 1: Dog.tail: expected a property of 'Dog' (name, age, owner, \
            friend), found 'tail'. Declare the property, or set \
            ImportOptions.ignoresUnknownProperties.
            """
        ),
        (
            "name,age\na,1\nb,old\n",
            "invalidValue: line 3: Dog.age, object 2: expected an integer, found old."
        ),
        (
            "name,owner\na,x\n",
            """
            invalidValue: line 2: Dog.owner, object 1: expected the primary key of an \
            object of class 'Person': an integer, found x.
            """
        ),
        (
            "name,owner\na,5\n",
            """
            unknownObject: line 2: Dog.owner, object 1: expected the primary key of an \
            object of class 'Person' in the export or in the realm, found 5.
            """
        ),
        (
            "name,friend\na,b\n",
            """
            invalidValue: line 2: Dog.friend, object 1: expected a class with a primary \
            key, by which CSV can link to 'Dog', found b.
            """
        ),
    ])
    func refusals(text: String, message: String) throws {
        if message.isEmpty {
            try withImport(
                csv: text, of: "Dog", options: ImportOptions(ignoresUnknownProperties: true)
            ) { _, summary in #expect(summary.objectCount == 0) }
        } else {
            try expectRefusal(csv: text, of: "Dog", message)
        }
    }

    @Test func refusalsOfOtherClasses() throws {
        try expectRefusal(
            csv: "key,ints\nk,\"[1,]\"\n", of: "Everything",
            """
            invalidValue: line 2: Everything.ints, object 1: expected JSON: a value \
            instead of ], found [1,].
            """
        )
        try expectRefusal(
            csv: "key,ints\nk,\"[1,\"\"a\"\"]\"\n", of: "Everything",
            "invalidValue: line 2: Everything.ints, object 1: expected an integer, found \"a\".")
        try expectRefusal(
            csv: "key,bool\nk,yes\n", of: "Everything",
            "invalidValue: line 2: Everything.bool, object 1: expected true or false, found yes.")
        try expectRefusal(
            csv: "key,int8\nk,300\n", of: "Everything",
            """
            invalidValue: line 2: Everything.int8, object 1: expected an integer from -128 \
            to 127, found 300.
            """
        )
        try expectRefusal(
            csv: "key,double\nk,1e999\n", of: "Everything",
            "invalidValue: line 2: Everything.double, object 1: expected a number, found 1e999.")
        try expectRefusal(
            csv: "id,friends\n1,\"[{\"\"id\"\": 1}]\"\n", of: "Person",
            """
            invalidValue: line 2: Person.friends, object 1: expected the primary key of an \
            object of class 'Person', found {"id": …}.
            """
        )
        try expectRefusal(
            csv: "id\n1\n1\n", of: "Person",
            """
            duplicatePrimaryKey: line 3: Person.id, object 2: expected each primary key \
            once, found 1, which object 1 has, too.
            """
        )
        try expectRefusal(
            csv: "name\na\n", of: "Person",
            """
            invalidValue: line 2: Person.id, object 1: expected a primary key: an integer, \
            found none.
            """
        )
        try expectRefusal(
            csv: "street\na\n", of: "Address",
            """
            unknownClass: Address: expected a class of objects of their own, found a class of \
            embedded objects. Write embedded objects as JSON into the field of the property \
            that has them.
            """)
    }
}
