import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

@Suite struct CollectionCodableTests {
    typealias Dog = CollectionModels.Dog
    typealias Record = CollectionModels.Record

    private static let json = """
        {"numbers": [3, 1], "texts": ["a", null], "moods": ["cross"], "dogs": [{"name": "Rex", \
        "age": 3}, {"name": "Bo"}], "tags": ["x", "y", "x"], \
        "scores": {"a": 1.5}, "pets": {"p": {"name": "Luna"}, "q": null}}
        """

    @Test func fromAndToJSON() throws {
        let record = try JSONDecoder().decode(Record.self, from: Data(Self.json.utf8))
        func check(_ record: Record) {
            #expect(
                Array(record.numbers) == [3, 1] && Array(record.texts) == ["a", nil]
                    && Array(record.moods) == [.cross])
            #expect(
                record.dogs.map(\.name) == ["Rex", "Bo"] && record.dogs.map(\.age) == [3, nil])
            #expect(
                Set(record.tags) == ["x", "y"] && record.tags.count == 2
                    && record.scores == makeMap(["a": 1.5]))
            #expect(
                record.pets["p"]??.name == "Luna" && record.pets["q"] == .some(nil)
                    && record.pets.count == 2)
        }
        check(record)
        let encoded = try JSONEncoder().encode(record)
        check(try JSONDecoder().decode(Record.self, from: encoded))
        let plain = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any])
        #expect(
            plain["numbers"] as? [Int] == [3, 1]
                && (plain["scores"] as? [String: Double]) == ["a": 1.5])
    }

    @Test func anEmptyObject() throws {
        let plain = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(Record())) as? [String: Any]
        )
        #expect(
            (plain["numbers"] as? [Any])?.isEmpty == true
                && (plain["pets"] as? [String: Any])?.isEmpty == true && plain.count == 7)
    }

    /// Collections are never optional: as of any property that is not, a missing key or null is
    /// an error.
    @Test(arguments: ["{}", #"{"numbers": null}"#, #"{"numbers": {}}"#, #"{"numbers": ["a"]}"#])
    func whatIsNoCollectionThrows(json: String) {
        struct Numbers: Decodable { let numbers: List<Int> }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Record.self, from: Data(json.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Numbers.self, from: Data(json.utf8))
        }
    }

    @Test func collectionsOnTheirOwn() throws {
        #expect(
            String(decoding: try JSONEncoder().encode(makeList([1, 2])), as: UTF8.self) == "[1,2]")
        #expect(
            try JSONDecoder().decode(MutableSet<Int>.self, from: Data("[1,2,2]".utf8))
                == makeSet([1, 2]))
        #expect(
            try JSONDecoder().decode(Map<String, [Int].Element>.self, from: Data(#"{"a":1}"#.utf8))
                == makeMap(["a": 1]))
        #expect(
            String(
                decoding: try JSONEncoder().encode(AnyRealmCollection(makeList(["a"]))),
                as: UTF8.self) == #"["a"]"#)
    }
}
