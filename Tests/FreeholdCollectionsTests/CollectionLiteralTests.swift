import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Collections from literals, and by name.
@Suite struct CollectionLiteralTests {
    typealias Dog = CollectionModels.Dog
    typealias Person = CollectionModels.Person

    @Test func literalsOfObjects() {
        let rex = Dog("Rex")
        let person = Person(
            value: [
                "numbers": [1, 2 as Int8, NSNumber(value: 3)] as [Any],
                "names": ["a", nil, NSNull()] as [Any?],
                "moods": ["cross", Mood.calm] as [Any],
                "heats": [1, Temperature(2)] as [Any],
                "dogs": [rex, ["name": "Bo", "age": 2], ["Luna"], Dog("Max")] as [Any],
                "tags": Set(["x", "y"]),
                "scores": ["a": 1, "b": 2.5] as [String: Any],
                "notes": ["a": "text", "b": nil],
                "pets": ["first": rex, "second": ["name": "Bo"], "third": NSNull()]
                    as [String: Any],
                "anys": [1, "a", NSNull(), [2]] as [Any],
            ] as [String: Any])
        #expect(Array(person.numbers) == [1, 2, 3] && Array(person.names) == ["a", nil, nil])
        #expect(
            Array(person.moods) == [.cross, .calm]
                && Array(person.heats) == [Temperature(1), Temperature(2)])
        #expect(
            person.dogs.map(\.name) == ["Rex", "Bo", "Luna", "Max"] && person.dogs[0] === rex
                && person.dogs[1].age == 2)
        #expect(
            Set(person.tags) == ["x", "y"] && person.scores == makeMap(["a": 1, "b": 2.5])
                && person.notes == makeMap(["a": "text", "b": nil]))
        #expect(
            person.pets["first"] == .some(rex) && person.pets["second"]??.name == "Bo"
                && person.pets["third"] == .some(nil))
        #expect(Array(person.anys) == [.int(1), .string("a"), .none, .fromArray([.int(2)])])
    }

    @Test func anObjectsCollectionsAreCopied() {
        let source = Person()
        source.numbers.append(1)
        source.dogs.append(Dog("Rex"))
        source.scores["a"] = 1
        let copy = Person(value: source)
        #expect(
            copy.numbers !== source.numbers && copy.numbers == source.numbers
                && copy.dogs == source.dogs && copy.scores == source.scores)
    }

    @Test func byName() {
        let person = Person()
        let numbers = person.numbers
        #expect(person["numbers"] as? List<Int> === numbers)
        person["numbers"] = [1, 2]
        #expect(Array(numbers) == [1, 2] && person.numbers === numbers)
        person["numbers"] = numbers
        #expect(Array(numbers) == [1, 2], "itself")
        person["numbers"] = makeSet([7 as Int16])
        #expect(Array(numbers) == [7], "another kind of collection, another type of integers")
        person["tags"] = ["a", "a"]
        #expect(person.tags.count == 1)
        person["scores"] = makeMap(["x": 1 as Float])
        #expect(person.scores["x"] == 1)
        person["scores"] = nil
        person["numbers"] = NSNull()
        #expect(person.scores.count == 0 && numbers.isEmpty)
        person["numbers"] = (1...3).lazy.map { $0 * 2 }
        #expect(Array(numbers) == [2, 4, 6])
        person.setValue([Dog("a")], forKey: "dogs")
        #expect((person.value(forKey: "dogs") as? List<Dog>)?.first?.name == "a")
    }

    @Test(arguments: [
        (
            "numbers", "[1, \"a\"]",
            """
            Invalid value 'a' of type 'String' for 'int' array property \
            'CollectionModels_Person.numbers'.
            """
        ),
        (
            "numbers", "text",
            """
            Invalid value 'text' of type 'String' for 'int' array property \
            'CollectionModels_Person.numbers'.
            """
        ),
        (
            "numbers", "nil",
            """
            Invalid value '(null)' of type '(null)' for 'int' array property \
            'CollectionModels_Person.numbers'.
            """
        ),
        (
            "names", "[1]",
            """
            Invalid value '1' of type 'Int' for 'string?' array property \
            'CollectionModels_Person.names'.
            """
        ),
        (
            "dogs", "[1]",
            """
            Invalid value '1' of type 'Int' for 'CollectionModels_Dog' array property \
            'CollectionModels_Person.dogs'.
            """
        ),
        (
            "dogs", "nested",
            "Invalid value 'old' of type 'String' for 'int?' property 'CollectionModels_Dog.age'."
        ),
        (
            "tags", "[1]",
            """
            Invalid value '1' of type 'Int' for 'string' set property \
            'CollectionModels_Person.tags'.
            """
        ),
        (
            "scores", "text",
            """
            Invalid value 'text' of type 'String' for 'double' dictionary property \
            'CollectionModels_Person.scores'.
            """
        ),
        (
            "scores", "[a: x]",
            """
            Invalid value 'x' of type 'String' for 'double' dictionary property \
            'CollectionModels_Person.scores'.
            """
        ),
        ("scores", "$", "Dictionary::insert: key must not start with '$'"),
        ("scores", ".", "Dictionary::insert: key must not contain '.'"),
        ("any", "$", "Dictionary::insert: key must not start with '$'"),
    ])
    func refusedLiterals(name: String, literal: String, message: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name, literal] in
            let value: Any? =
                switch literal {
                case "text": "text"
                case "[1]": [1]
                case "nil": [nil] as [Int?]
                case "nested": [["name": "a", "age": "old"]]
                case "[a: x]": ["a": "x"]
                case "$": ["$a": 1]
                case ".": ["a.b": 1]
                default: [1, "a"] as [Any]
                }
            CollectionModels.Person()[name] = value
        }
        expectMessage(result, message)
    }

    @Test func nothingChangesWhereALiteralIsRefused() throws {
        let json =
            #"""
            {"numbers": [1], "texts": [], "moods": [], "dogs": [], "tags": [], \#
            "scores": {"a.b": 1}, "pets": {}}
            """#
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CollectionModels.Record.self, from: Data(json.utf8))
        }
    }
}
