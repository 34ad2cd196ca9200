import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct CustomPersistableTests {
    typealias Reading = CustomModels.Reading

    @Test func unmanagedDefaults() {
        let reading = Reading()
        #expect(reading.inside == Temperature(0) && reading.outside == nil && reading.note == nil)
        #expect(reading.ticket == reading.ticket, "made with the object")
        #expect(reading.ticket != Reading().ticket)
        #expect(reading["inside"] as? Double == 0, "by name: what is stored")
        #expect(
            reading.objectSchema["outside"]?.type == .double
                && reading.objectSchema["outside"]?.isOptional == true)
    }

    @Test func throughTheFile() throws {
        try withTemporaryRealm([Reading.self]) { realm in
            let ticket = UUID()
            try realm.write {
                let reading = Reading("abcd", inside: 1.5, outside: 2)
                reading.ticket = Ticket(persistedValue: ticket)
                realm.add(reading)
                realm.create(
                    Reading.self,
                    value: ["code": "efgh", "inside": Temperature(3), "outside": 4, "note": "wxyz"]
                        as [String: Any])
            }
            let reading = try #require(realm.object(ofType: Reading.self, forPrimaryKey: "abcd"))
            #expect(
                realm.object(ofType: Reading.self, forPrimaryKey: Code(persistedValue: "abcd"))
                    == reading)
            #expect(
                reading.inside == Temperature(1.5) && reading.outside == Temperature(2)
                    && reading.ticket.id == ticket && reading.note == nil)
            try realm.write {
                reading.inside = Temperature(7)
                reading.outside = nil
                reading["note"] = "1234"
            }
            #expect(
                reading.inside.kelvin == 7 && reading.outside == nil && reading.note?.text == "1234"
            )
            #expect(reading.freeze().inside.kelvin == 7)
        }
    }

    @Test func queriesSortingAndAggregatesUseWhatIsStored() throws {
        try withTemporaryRealm([Reading.self]) { realm in
            try realm.write {
                for (index, code) in ["aaaa", "bbbb", "cccc"].enumerated() {
                    realm.add(Reading(code, inside: Double(2 - index)))
                }
            }
            let readings = realm.objects(Reading.self)
            #expect(readings.where { $0.inside > Temperature(0.5) }.count == 2)
            #expect(readings.where { $0.inside.persistableValue >= 1 }.count == 2)
            #expect(
                readings.where { $0.code == Code(persistedValue: "bbbb")! }.first?.inside.kelvin
                    == 1)
            #expect(readings.where { $0.outside == nil }.count == 3)
            #expect(readings.sorted(by: \.inside).map(\.code.text) == ["cccc", "bbbb", "aaaa"])
            #expect(readings.sorted(by: \.code, ascending: false).first?.code.text == "cccc")
            #expect(readings.max(of: \.inside) == Temperature(2))
            #expect(readings.sum(of: \.inside) == Temperature(3))
            #expect(readings.average(of: \.inside) == Temperature(1))
        }
    }

    @Test func valuesThatDoNotConvert() throws {
        try withTemporaryRealm([Reading.self]) { realm in
            try realm.write { realm.create(Reading.self, value: ["code": "abcd", "note": "wxyz"]) }
            // A key path over a property whose stored zero does not convert.
            #expect(realm.objects(Reading.self).sorted(by: \.code).count == 1)
        }
    }

    @Test func refusedLiteral() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = CustomModels.Reading(value: ["code": "too long"])
        }
        expectMessage(result, "Could not convert value 'too long' to type 'Code'.")
    }

    @Test func defaultThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            _ = CustomModels.WithoutDefault().code
        }
        expectMessage(
            result,
            """
            Failed to default construct a Code using the default value for persisted type String. \
            This conversion must either succeed, \
            the property must be optional, or you must explicitly specify a default value for the \
            property.
            """)
    }

    @Test func storedValueThatDoesNotConvert() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            func writePlainText() throws {
                let realm = try Realm(
                    configuration: .init(
                        fileURL: directory.file(), objectTypes: [CustomModels.PlainText.self]))
                try realm.write {
                    _ = realm.create(CustomModels.PlainText.self, value: ["code": "five5"])
                }
            }
            try writePlainText()
            let realm = try Realm(
                configuration: .init(
                    fileURL: directory.file(), objectTypes: [CustomModels.WithoutDefault.self]))
            _ = realm.objects(CustomModels.WithoutDefault.self).first?.code
        }
        expectMessage(
            result,
            "Failed to convert persisted value 'five5' to type 'Code' in a non-optional context.",
            "An object of class 'CustomModels_WithoutDefault' holds a value")
    }
}
