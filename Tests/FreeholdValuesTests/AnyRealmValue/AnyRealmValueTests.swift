import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

@Suite struct AnyRealmValueTests {
    typealias Dog = CollectionModels.Dog
    typealias Person = CollectionModels.Person

    @Test func accessorsGiveExactlyTheirCase() {
        let (date, id, uuid, dog) = (Date(), ObjectId.generate(), UUID(), Dog("Rex"))
        let values: [AnyRealmValue] = [
            .none, .int(1), .bool(true), .float(2), .double(3), .string("s"), .data(Data([1])),
            .date(date), .objectId(id), .decimal128(4), .uuid(uuid),
            .object(dog), .fromDictionary(["a": .int(1)]), .fromArray([.int(1)]),
        ]
        #expect(AnyRealmValue() == .none)
        #expect(
            values.compactMap(\.intValue) == [1] && values.compactMap(\.boolValue) == [true]
                && values.compactMap(\.floatValue) == [2])
        #expect(
            values.compactMap(\.doubleValue) == [3] && values.compactMap(\.stringValue) == ["s"]
                && values.compactMap(\.dataValue) == [Data([1])])
        #expect(
            values.compactMap(\.dateValue) == [date] && values.compactMap(\.objectIdValue) == [id])
        #expect(
            values.compactMap(\.decimal128Value) == [4] && values.compactMap(\.uuidValue) == [uuid])
        #expect(
            values.compactMap { $0.object(Dog.self) } == [dog]
                && values.compactMap { $0.object(Person.self) }.isEmpty)
        #expect(
            values.compactMap(\.dictionaryValue).first?["a"] == .int(1)
                && values.compactMap(\.listValue).first?.first == .int(1))
    }

    @Test func oneOrderOfAllValues() {
        let values = AnyValueModels.ascending()
        for (i, row) in values.enumerated() {
            for (j, other) in values.enumerated() {
                for a in row {
                    for b in other {
                        #expect((a == b) == (i == j), "\(a) == \(b)")
                        #expect((a < b) == (i < j), "\(a) < \(b)")
                        if i == j { #expect(a.hashValue == b.hashValue, "\(a), \(b)") }
                    }
                }
            }
        }
        var random = Seed.random()
        #expect(
            values.flatMap { $0 }.shuffled(using: &random).sorted().map { value in
                values.firstIndex { $0.contains(value) } ?? -1
            }
                == values.enumerated().flatMap { index, row in row.map { _ in index } })
    }

    @Test func objectsAreOrderedSomehow() {
        let dogs = (0..<10).map { Dog("\($0)") }
        let values = dogs.map { AnyRealmValue.object($0) }
        var random = Seed.random()
        let sorted = values.shuffled(using: &random).sorted()
        #expect(sorted == values.shuffled(using: &random).sorted() && Set(sorted) == Set(values))
        #expect(sorted.allSatisfy { AnyRealmValue.uuid(UUID()) < $0 && $0 < .fromArray([]) })
    }

    @Test func properties() {
        let person = Person()
        #expect(person.any == .none && person["any"] == nil && person.anys.isEmpty)
        person.any = .fromArray([.string("a"), .fromDictionary(["b": .int(2)])])
        #expect(person.any.listValue?[1].dictionaryValue?["b"] == .int(2))
        person.any.listValue?.append(.none)
        #expect(person.any.listValue?.count == 3)
        person.anys.append(objectsIn: [.int(1), .double(1.5), .string("x"), .none])
        #expect(person.anys.index(of: .double(1)) == 0)
        #expect(
            person.anys.sum() == .decimal128(2.5) && person.anys.min() == .int(1)
                && person.anys.max() == .string("x"))
        #expect(
            makeSet([AnyRealmValue.int(1), .double(1), .none, .double(.nan), .float(.nan)]).count
                == 3)
    }

    @Test func byName() {
        let person = Person()
        person["any"] = 5 as Int16
        #expect(person.any == .int(5) && person["any"] as? Int == 5)
        person["any"] = ["a": [1, nil, "x"] as [Any?], "b": true] as [String: Any]
        #expect(
            person.any
                == .fromDictionary([
                    "a": .fromArray([.int(1), .none, .string("x")]), "b": .bool(true),
                ]))
        person["any"] = nil
        #expect(person.any == .none)
        person["any"] = Mood.cross
        #expect(person.any == .string("cross"))
        #expect(Person(value: ["any": NSNumber(value: 1)]).any == .int(1))
        person["any"] = Dog("Rex")
        #expect(person.any.object(Dog.self)?.name == "Rex")
    }

    @Test func descriptions() {
        let list = makeList([
            AnyRealmValue.int(1), .none, .string("x"), .fromArray([.bool(true)]),
            .object(Dog("Rex")),
        ])
        let person = Person()
        person.any = .list(list)
        let text = """
            List<mixed> <0x> (
            \t[0] 1,
            \t[1] <null>,
            \t[2] x,
            \t[3] List<mixed> <0x> (
            \t\t[0] 1
            \t),
            \t[4] CollectionModels_Dog {
            \t\tname = Rex;
            \t\tage = (null);
            \t}
            )
            """
        #expect(list.description.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>") == text)
        #expect(
            person.description.replacing(#/<0x[0-9a-f]+>/#, with: "<0x>").contains(
                "any = " + text.replacing("\n", with: "\n\t")))
    }

    @Test func nestedTooDeep() async {
        var literal: [Any] = []
        for _ in 0..<99 { literal = [literal] }
        #expect(CollectionModels.Person(value: ["any": literal]).any.listValue?.count == 1)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            var literal: [Any] = []
            for _ in 0..<100 { literal = [literal] }
            _ = CollectionModels.Person(value: ["any": literal])
        }
        expectMessage(result, "Max nesting level reached")
    }

    @Test func refusedValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            CollectionModels.Person()["any"] = 5...6
        }
        expectMessage(
            result,
            """
            Invalid value '5...6' of type 'ClosedRange<Int>' for 'mixed' property \
            'CollectionModels_Person.any'.
            """
        )
    }

    /// Values that contain themselves are compared and hashed in finitely many steps.
    @Test func collectionsThatContainThemselves() {
        func cycle(_ last: AnyRealmValue) -> AnyRealmValue {
            let (list, map) = (List<AnyRealmValue>(), Map<String, AnyRealmValue>())
            list.append(objectsIn: [.dictionary(map), .list(list), last])
            map["k"] = .list(list)
            map["l"] = .dictionary(map)
            return .list(list)
        }
        let (a, b, c) = (cycle(.int(1)), cycle(.double(1)), cycle(.int(2)))
        #expect(a == b && a.hashValue == b.hashValue && a != c && a < c && !(c < b) && a == a)
        #expect(
            a.listValue == b.listValue && a.listValue.hashValue == b.listValue.hashValue
                && a.listValue != c.listValue)
        #expect(a.listValue?[0].dictionaryValue == b.listValue?[0].dictionaryValue)
        #expect(a.listValue?.description.contains("<Maximum depth exceeded>") == true)
        // Shared parts are compared once.
        func shared() -> AnyRealmValue {
            (0..<60).reduce(.int(1)) { value, _ in .fromArray([value, value]) }
        }
        #expect(shared() == shared() && shared().hashValue == shared().hashValue)
    }
}
