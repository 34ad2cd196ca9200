import Foundation
import Freehold
import FreeholdImport
import FreeholdRealmTestSupport
import Testing

@Suite struct ValueTests {
    @Test func eachTypeAsStudioWritesIt() throws {
        try withImport(
            json: #"""
                {"City": [{"_id": "5f5e7e1c1f1c1f1c1f1c1f1c", "name": "Łódź \#
                \"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}],
                 "Everything": [{"key": "k", "int": -9007199254740991, "int8": -128, \#
                 "bool": true, "string": "", "data": "AAEC/w==", "date": "2020-02-29T23:59:59.123Z",
                  "float": 0.1, "double": -1.5e-3, "objectId": "5f5e7e1c1f1c1f1c1f1c1f1c", \#
                  "decimal": {"$numberDecimal": "1.50"}, "uuid": \#
                  "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
                  "colour": "green", "grade": 2, "code": "abcd", "optionalInt": null, \#
                  "optionalBool": false, "optionalString": "s", "optionalData": "", \#
                  "optionalDate": null,
                  "optionalDouble": 2, "optionalUUID": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", \#
                  "optionalDecimal": "-3", "ints": [3, 1, 2], "optionalStrings": ["a", null],
                  "dates": ["1969-12-31T23:59:59.999Z"], "texts": ["b", "a"], "small": [1, 127], \#
                  "scores": {"a": 1, "b": 2.5}, "blobs": {"x": "AQ==", "y": null},
                  "any": "text", "city": {"_id": "5f5e7e1c1f1c1f1c1f1c1f1c", "name": "x"}, \#
                  "cities": null}]}
                """#
        ) { realm, _ in
            let all = try #require(realm.objects(Model.Everything.self).first)
            #expect(
                all.int == -9_007_199_254_740_991 && all.int8 == -128 && all.bool
                    && all.string == "" && all.data == Data([0, 1, 2, 255]))
            #expect(
                all.date == Date(timeIntervalSinceReferenceDate: 604_713_599.123)
                    && all.float == 0.1 && all.double == -0.0015)
            #expect(
                all.objectId == ObjectId("5f5e7e1c1f1c1f1c1f1c1f1c") && all.decimal == 1.5
                    && all.uuid.uuidString == "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6")
            #expect(all.colour == .green && all.grade == .bad && all.code?.text == "abcd")
            #expect(
                all.optionalInt == nil && all.optionalBool == false && all.optionalString == "s"
                    && all.optionalData == Data() && all.optionalDate == nil)
            #expect(
                all.optionalDouble == 2 && all.optionalUUID == all.uuid && all.optionalDecimal == -3
            )
            #expect(
                Array(all.ints) == [3, 1, 2] && Array(all.optionalStrings) == ["a", nil]
                    && all.dates.first?.timeIntervalSinceReferenceDate == -978_307_200.001)
            #expect(
                Array(all.texts) == ["a", "b"] && Array(all.small) == [1, 127]
                    && all.scores["a"] == 1 && all.scores["b"] == 2.5)
            #expect(
                all.blobs["x"] == Data([1]) && all.blobs.keys.sorted() == ["x", "y"]
                    && all.any.stringValue == "text")
            #expect(all.city?.name == "Łódź \"\\/\u{8}\u{C}\n\r\té😀" && all.cities.isEmpty)
        }
    }

    @Test func extendedJSON() throws {
        try withImport(
            json: #"""
                {"City": [{"_id": {"$oid": "0000000000000000000000c1"}, "name": "Rome"}],
                 "Everything": [{"key": "k", "int": {"$numberLong": "9223372036854775807"}, \#
                 "optionalInt": {"$numberInt": "5"}, "double": {"$numberDouble": "-Infinity"},
                  "float": {"$numberDouble": "1.5"}, "date": {"$date": {"$numberLong": "1500"}}, \#
                  "optionalDate": {"$date": "1970-01-01T01:00:00+01:00"}, "dates": [2500, \#
                  {"$date": 1}],
                  "data": {"$binary": {"base64": "AQI=", "subType": "00"}}, "uuid": {"$uuid": \#
                  "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"},
                  "optionalUUID": {"$binary": {"base64": "+B1Prn3sEdCnZQCgyR5r9g==", \#
                  "subType": "04"}}, "objectId": {"$oid": "0000000000000000000000c1"},
                  "decimal": 7, "city": {"$oid": "0000000000000000000000c1"}, "cities": \#
                  ["0000000000000000000000c1", {"_id": {"$oid": "0000000000000000000000c1"}}],
                  "any": {"$uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"}}]}
                """#
        ) { realm, summary in
            let all = try #require(realm.objects(Model.Everything.self).first)
            #expect(
                all.int == .max && all.optionalInt == 5 && all.double == -.infinity
                    && all.float == 1.5)
            #expect(
                all.date.timeIntervalSince1970 == 1.5
                    && all.optionalDate?.timeIntervalSince1970 == 0
                    && all.dates.map(\.timeIntervalSinceReferenceDate) == [
                        -978_307_197.5, -978_307_199.999,
                    ])
            #expect(
                all.data == Data([1, 2]) && all.uuid == all.optionalUUID
                    && all.any.uuidValue == all.uuid && all.objectId == all.city?._id
                    && all.decimal == 7)
            #expect(
                all.cities.map(\.name) == ["Rome", "Rome"]
                    && realm.objects(Model.City.self).count == 1 && summary.objectCount == 2)
        }
    }

    @Test func missingPropertiesKeepTheirDefaults() throws {
        try withImport(json: #"{"Everything": [{"key": "k"}]}"#) { realm, _ in
            let all = try #require(realm.objects(Model.Everything.self).first)
            #expect(
                all.int == 7 && all.string == "default" && all.date.timeIntervalSince1970 == 0
                    && all.colour == .red && all.optionalInt == nil)
        }
    }

    /// JavaScript writes null for what JSON has no number for.
    @Test func nullIsNoNumber() throws {
        try withImport(
            json:
                #"""
                {"Everything": [{"key": "k", "double": null, "float": null, "optionalDouble": \#
                null, "scores": {"a": null}}]}
                """#
        ) { realm, _ in
            let all = try #require(realm.objects(Model.Everything.self).first)
            #expect(
                all.double.isNaN && all.float.isNaN && all.optionalDouble == nil
                    && all.scores["a"]?.isNaN == true)
        }
    }

    @Test func linksBackAreNotStored() throws {
        try withImport(
            json:
                #"""
                {"Person": [{"id": 1, "admirers": [{"id": 2}], "nickname": "in the program's \#
                name"}]}
                """#
        ) { realm, summary in
            #expect(
                summary.objectCount == 1 && summary.ignoredProperties.isEmpty
                    && realm.objects(Model.Person.self).first?.nickname == "in the program's name")
        }
    }

    @Test(arguments: [
        ("2001-01-01T00:00:00Z", 0), ("2001-01-01", 0), ("2001-01-01T00:00Z", 0),
        ("2000-12-31T23:59:59.5Z", -0.5), ("2001-01-01 02:00:00+02:00", 0),
        ("2000-12-31T21:30:00-0230", 0), ("2001-01-01T00:00:00.123456789Z", 0.123456789),
        ("1970-01-01T00:00:00.000Z", -978_307_200), ("2000-02-29", -26_524_800),
        ("+012001-01-01T00:00:00Z", 315_569_520_000),
        ("-000001-12-31T00:00:00.000Z", -63_145_612_800), ("0001-01-01", -63_113_904_000),
        ("2016-12-31T23:59:60Z", 504_921_600),
    ])
    func dates(text: String, seconds: Double) throws {
        try withImport(json: #"{"Everything": [{"key": "k", "date": "\#(text)"}]}"#) { realm, _ in
            #expect(
                realm.objects(Model.Everything.self).first?.date.timeIntervalSinceReferenceDate
                    == seconds)
        }
    }

    @Test(arguments: [
        "", "2001", "2001-13-01", "2001-02-29", "1900-02-29", "2001-01-01T", "2001-01-01T24:00:00Z",
        "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00X", "2001-01-01T00:00:00Z ", "01.01.2001",
    ])
    func wrongDates(text: String) throws {
        try expectRefusal(
            json: #"{"Everything": [{"key": "k", "date": "\#(text)"}]}"#,
            """
            invalidValue: line 1: Everything.date, object 1: expected a date as ISO 8601 \
            or in milliseconds since 1970, found "\(text)".
            """
        )
    }
}
