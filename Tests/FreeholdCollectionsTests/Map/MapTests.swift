import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct MapTests {
    typealias Dog = CollectionModels.Dog
    typealias Person = CollectionModels.Person

    @Test func settingAndRemoving() {
        let map = makeMap(["b": 2, "a": 1])
        map["c"] = 3
        map.updateValue(10, forKey: "a")
        #expect(
            map["a"] == 10 && map["x"] == nil && map.count == 3 && map.realm == nil && !map.isFrozen
                && !map.isInvalidated)
        #expect(map.object(forKey: "b") == 2 && map.object(forKey: 5) == nil)
        map["b"] = nil
        map.removeObject(for: "x")
        #expect(map.keys == ["a", "c"] && map.values == [10, 3])
        map.removeAll()
        #expect(map.count == 0 && map.keys.isEmpty)
    }

    @Test func nilValuesAreStoredAndNilRemoves() {
        let map = Map<String, Int?>()
        map.updateValue(nil, forKey: "a")
        map["b"] = .some(nil)
        map["c"] = 5
        #expect(map.count == 3 && map["a"] == .some(nil) && map["b"] == .some(nil))
        map["a"] = nil
        #expect(map.keys == ["b", "c"])
        let (least, total): (Int?, Int) = (map.min(), map.sum())
        #expect(least == 5 && total == 5)
    }

    @Test func entriesComeInTheOrderOfTheBytesOfTheirKeys() {
        let map = makeMap(["é": 3, "z": 2, "a": 1, "𝄞": 5, "\u{FFFD}": 4])
        #expect(map.values == [1, 2, 3, 4, 5])
        #expect(map.map(\.value) == [1, 2, 3, 4, 5])
        #expect(map.asKeyValueSequence().map { $0.value } == [1, 2, 3, 4, 5])
        #expect(map[MapIndex(offset: 1)] == SingleMapEntry(key: "z", value: 2))
        #expect(
            makeMap(["f": 2, "e\u{301}": 1]).values == [1, 2],
            "not the order of Swift's strings, which compares é")
        var pairs: [String] = []
        for (key, value) in map.asKeyValueSequence() { pairs.append("\(key)\(value)") }
        #expect(pairs.first == "a1")
    }

    @Test func loopsVisitWhatWasThereAtTheStart() {
        let map = makeMap(["a": 1, "b": 2])
        var seen: [String] = []
        for entry in map {
            seen.append(entry.key)
            map[entry.key] = nil
            map[entry.key + "!"] = entry.value
        }
        #expect(seen == ["a", "b"] && map.keys == ["a!", "b!"])
    }

    @Test func merging() {
        let map = makeMap(["a": 1, "b": 2])
        map.merge([(key: "b", value: 10), (key: "c", value: 3), (key: "c", value: 4)]) { $0 + $1 }
        #expect(map == makeMap(["a": 1, "b": 12, "c": 7]))
        map.merge(makeMap(["a": 5, "d": 6])) { _, new in new }
        #expect(map == makeMap(["a": 5, "b": 12, "c": 7, "d": 6]))
        map.merge(map) { $0 + $1 }
        #expect(map.sum() == 60)
        #expect(
            map.contains { $0 == "d" && $1 == 12 } && !map.contains { $1 == 1 }
                && map.contains { entry in entry.value == 12 })
    }

    @Test func equality() {
        #expect(
            makeMap(["a": 1]) == makeMap(["a": 1])
                && makeMap(["a": 1]).hashValue == makeMap(["a": 1]).hashValue)
        #expect(makeMap(["a": 1]) != makeMap(["a": 2]) && makeMap(["a": 1]) != makeMap(["b": 1]))
        #expect(SingleMapEntry(key: "a", value: 1) != SingleMapEntry(key: "b", value: 1))
    }

    @Test func assigningCopies() {
        let (person, other) = (Person(), Person())
        let own = person.scores
        other.scores["a"] = 1
        person.scores = other.scores
        person.scores = person.scores
        other.scores["a"] = 2
        #expect(person.scores === own && own["a"] == 1)
    }

    @Test func aggregatesAndValues() {
        let map = makeMap(["a": 3, "b": 1])
        #expect(map.min() == 1 && map.max() == 3 && map.sum() == 4 && map.average() == 2.0)
        let dogs = makeMap(["a": Dog("x", age: 1), "b": Dog("y", age: 4), "c": nil])
        #expect(dogs.max(ofProperty: "age") as Int? == 4 && dogs.sum(ofProperty: "age") as Int == 5)
        #expect(map.value(forKey: "a") as? Int == 3 && map.value(forKey: "x") == nil)
        map.setValue(7 as Int16, forKey: "c")
        map.setValue(nil, forKey: "a")
        #expect(map == makeMap(["b": 1, "c": 7]))
    }

    @Test func descriptions() {
        let text = makeMap(["b": 2, "a": nil]).description.replacing(
            #/<0x[0-9a-f]+>/#, with: "<0x>")
        #expect(text == "Map<string, int> <0x> (\n[a]: <null>,\n[b]: 2\n)")
    }
}
