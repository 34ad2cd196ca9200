import Foundation
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct UnmanagedObjectTests {
    typealias AllTypes = ObjectModels.AllTypes
    typealias Dog = ObjectModels.Dog
    typealias Person = ObjectModels.Person

    @Test func defaultsAreThoseOfTheTypes() {
        let before = Date()
        let object = AllTypes()
        #expect(object.bool == false)
        #expect(
            object.int == 0 && object.int8 == 0 && object.int16 == 0 && object.int32 == 0
                && object.int64 == 0)
        #expect(object.float == 0 && object.double == 0)
        #expect(object.string.isEmpty && object.data.isEmpty)
        #expect(object.date >= before && object.date <= Date())
        #expect(object.decimal == 0)
        #expect(object.mood == .calm)
        #expect(object.level == .low)
        #expect(object.link == nil)
        let optionals: [Any?] = [
            object.optionalBool, object.optionalInt, object.optionalInt8, object.optionalInt16,
            object.optionalInt32, object.optionalInt64,
            object.optionalFloat, object.optionalDouble, object.optionalString, object.optionalData,
            object.optionalDate,
            object.optionalObjectId, object.optionalUuid, object.optionalDecimal,
            object.optionalMood, object.optionalLevel,
        ]
        #expect(optionals.allSatisfy { $0 == nil })
    }

    @Test func generatedDefaultsStayAndDiffer() {
        let one = AllTypes()
        let other = AllTypes()
        #expect(one.objectId == one.objectId && one.uuid == one.uuid && one.date == one.date)
        #expect(one.objectId != other.objectId)
        #expect(one.uuid != other.uuid)
    }

    @Test func declaredDefaultsAreUsed() {
        let dog = Dog()
        #expect(dog.name == "Rex")
        #expect(dog.age == 5)
        dog.age = nil
        #expect(dog.age == nil)
    }

    @Test func assignedValuesAreRead() {
        let object = AllTypes()
        let dog = Dog()
        object.int = .min
        object.string = "ß𝄞e\u{301}"
        object.optionalMood = .cross
        object.link = dog
        object.optionalDecimal = 1.5
        #expect(object.int == .min)
        #expect(object.string == "ß𝄞e\u{301}")
        #expect(object.optionalMood == .cross)
        #expect(object.link === dog)
        #expect(object.optionalDecimal == 1.5)
    }

    @Test func cyclesOfLinks() {
        let person = Person()
        let dog = Dog()
        person.dog = dog
        dog.owner = person
        #expect(person.dog?.owner?.dog === dog)
        person.dog = nil
        dog.owner = nil
    }

    @Test func enumsCompareByRawValue() {
        #expect(Level.low < Level.high)
        #expect(Mood.allCases.sorted() == [.calm, .cross, .curious])
    }
}

@Suite struct DynamicAccessTests {
    typealias AllTypes = ObjectModels.AllTypes
    typealias Dog = ObjectModels.Dog

    @Test func readsAndWritesByName() {
        let dog = Dog()
        #expect(dog["name"] as? String == "Rex")
        dog["age"] = 7
        #expect(dog.age == 7)
        dog.setValue(nil, forKey: "age")
        #expect(dog.age == nil)
        #expect(dog.value(forKey: "age") == nil)
    }

    @Test func enumsAreRawValuesByName() {
        let object = AllTypes()
        object["mood"] = "cross"
        #expect(object.mood == .cross)
        object["mood"] = Mood.curious
        #expect(object["mood"] as? String == "curious")
        object["optionalLevel"] = 10
        #expect(object.optionalLevel == .high)
        object["optionalLevel"] = nil
        #expect(object.optionalLevel == nil)
    }

    @Test func convertsNumbersThatFit() {
        let object = AllTypes()
        object["int8"] = 127
        object["double"] = 3
        object["float"] = 1.5
        object["bool"] = 1
        object["decimal"] = "12.50"
        object["int64"] = NSNumber(value: 5)
        object["optionalInt"] = Optional(Optional(4)) as Any
        object["optionalString"] = NSNull()
        #expect(
            object.int8 == 127 && object.double == 3 && object.float == 1.5 && object.bool
                && object.decimal == 12.5)
        #expect(object.int64 == 5 && object.optionalInt == 4 && object.optionalString == nil)
    }

    @Test(
        arguments: [
            (
                "int8", 128,
                "Invalid value '128' of type 'Int' for 'int' property 'ObjectModels_AllTypes.int8'."
            ),
            (
                "int", 1.5,
                """
                Invalid value '1.5' of type 'Double' for 'int' property \
                'ObjectModels_AllTypes.int'.
                """
            ),
            (
                "int", "1",
                "Invalid value '1' of type 'String' for 'int' property 'ObjectModels_AllTypes.int'."
            ),
            (
                "bool", 2,
                "Invalid value '2' of type 'Int' for 'bool' property 'ObjectModels_AllTypes.bool'."
            ),
            (
                "float", 1e300,
                """
                Invalid value '1e+300' of type 'Double' for 'float' property \
                'ObjectModels_AllTypes.float'.
                """
            ),
            (
                "string", Int?.none,
                """
                Invalid value '(null)' of type '(null)' for 'string' property \
                'ObjectModels_AllTypes.string'.
                """
            ),
            (
                "optionalInt", "x",
                """
                Invalid value 'x' of type 'String' for 'int?' property \
                'ObjectModels_AllTypes.optionalInt'.
                """
            ),
            ("mood", "glad", "Could not convert value 'glad' to type 'Mood'."),
            (
                "link", 3,
                """
                Invalid value '3' of type 'Int' for 'ObjectModels_Dog?' property \
                'ObjectModels_AllTypes.link'.
                """
            ),
        ] as [(String, any Sendable, String)])
    func refusesValuesThatDoNotFit(name: String, value: any Sendable, message: String) throws {
        let object = AllTypes()
        let property = try #require(ClassSchema.shared(for: AllTypes.self).property(named: name))
        #expect {
            try object.assign(value, to: property)
        } throws: {
            "\($0)" == message
        }
    }

    @Test func unknownNameTraps() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectModels.Dog()["nome"]
        }.mentions("Invalid property name 'nome' for class 'ObjectModels_Dog'.")
    }

    @Test func unfitValueTraps() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ObjectModels.Dog()["name"] = 5
        }.mentions("Invalid value '5' of type 'Int' for 'string' property 'ObjectModels_Dog.name'.")
    }
}

extension Optional where Wrapped == ExitTest.Result {
    /// Expects that the process said this before it ended.
    func mentions(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let output = String(decoding: self?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains(text), "the process said: \(output)", sourceLocation: sourceLocation)
    }
}
