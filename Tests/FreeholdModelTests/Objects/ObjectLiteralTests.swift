import Foundation
import Testing

@testable import Freehold
import FreeholdRealmTestSupport

@Suite struct ObjectLiteralTests {
    typealias AllTypes = ObjectModels.AllTypes
    typealias Dog = ObjectModels.Dog
    typealias Person = ObjectModels.Person

    @Test func dictionaries() {
        let person = Person(value: ["name": "Ann", "portrait": Data([1]), "unknown": 1])
        #expect(person.name == "Ann")
        #expect(person.portrait == Data([1]))
        #expect(person.dog == nil)
    }

    @Test func dictionariesOfOptionals() {
        let dog = Dog(value: ["name": "Bo", "age": nil] as [String: Any?])
        #expect(dog.name == "Bo")
        #expect(dog.age == nil)
    }

    @Test func missingKeysKeepDefaults() {
        let dog = Dog(value: [String: Any]())
        #expect(dog.name == "Rex" && dog.age == 5)
    }

    @Test func arraysGoInOrderOfDeclaration() {
        let dog = Dog(value: ["Bo", 3])
        #expect(dog.name == "Bo" && dog.age == 3 && dog.owner == nil)
        let id = ObjectId.generate()
        // Superclasses come first.
        let employee = ObjectModels.Employee(value: [
            id, "Eve", Date(timeIntervalSinceReferenceDate: 1), NSNull(), NSNull(), NSNull(), 9,
        ])
        #expect(employee._id == id && employee.name == "Eve" && employee.salary == 9)
    }

    @Test func nestedLiterals() {
        let person = Person(value: [
            "name": "Ann", "dog": ["name": "Bo", "owner": ["name": "Carl"]],
            "friend": ["dog": ["Rex", 1]],
        ])
        #expect(person.dog?.name == "Bo")
        #expect(person.dog?.owner?.name == "Carl")
        #expect(person.friend?.dog?.age == 1)
    }

    @Test func objects() {
        let dog = Dog(value: ["Bo", 3])
        let person = Person(value: ["name": "Ann", "dog": dog])
        let copy = Person(value: person)
        #expect(copy.name == "Ann" && copy._id == person._id)
        #expect(copy.dog === dog)
        // By the names that both have.
        let employee = ObjectModels.Employee(value: person)
        #expect(employee.name == "Ann" && employee.salary == 1.5)
    }

    @Test func jsonObjects() throws {
        let json =
            #"""
            {"int": 5, "double": 2.5, "bool": true, "string": "x", "optionalInt": null, \#
            "link": {"name": "Bo"}, "level": 10}
            """#
        let object = AllTypes(value: try JSONSerialization.jsonObject(with: Data(json.utf8)))
        #expect(object.int == 5 && object.double == 2.5 && object.bool && object.string == "x")
        #expect(object.optionalInt == nil && object.link?.name == "Bo" && object.level == .high)
    }

    @Test func tooLongArraysTrap() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectModels.Dog(value: ["a", 1, NSNull(), 4])
        }.mentions("Invalid array input: more values (4) than properties (3).")
    }

    @Test func otherValuesTrap() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectModels.Dog(value: 5)
        }.mentions("Invalid value '5' to initialize object of type 'ObjectModels_Dog'.")
    }

    @Test func nestedValuesThatDoNotFitTrap() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectModels.Person(value: ["dog": ["age": "old"]])
        }.mentions(
            "Invalid value 'old' of type 'String' for 'int?' property 'ObjectModels_Dog.age'.")
    }
}
