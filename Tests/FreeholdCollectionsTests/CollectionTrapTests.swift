import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Misuse of collections that no realm manages ends the process with Realm's text.
@Suite struct CollectionTrapTests {
    typealias Dog = CollectionModels.Dog

    static let cases: [String: (message: String, use: @Sendable () -> Void)] = [
        "subscript": ("Index 3 is out of bounds (must be less than 3).", { _ = three[3] }),
        "negative subscript": ("Cannot pass a negative value for 'index'.", { _ = three[-1] }),
        "subscript =": ("Index 3 is out of bounds (must be less than 3).", { three[3] = 0 }),
        "insert": ("Index 5 is out of bounds (must be less than 4).", { three.insert(0, at: 5) }),
        "insert negative": (
            "Cannot pass a negative value for 'index'.", { three.insert(0, at: -1) }
        ),
        "insert contents": (
            "Index 4 is out of bounds (must be less than 4).",
            { three.insert(contentsOf: [0], at: 4) }
        ),
        "remove": ("Index 3 is out of bounds (must be less than 3).", { three.remove(at: 3) }),
        "remove negative": ("Cannot pass a negative value for 'index'.", { three.remove(at: -1) }),
        "replace": (
            "Index 3 is out of bounds (must be less than 3).",
            { three.replace(index: 3, object: 0) }
        ),
        "move from": (
            "Index 3 is out of bounds (must be less than 3).", { three.move(from: 3, to: 0) }
        ),
        "move to": (
            "Index 3 is out of bounds (must be less than 3).", { three.move(from: 0, to: 3) }
        ),
        "swap": ("Index 3 is out of bounds (must be less than 3).", { three.swapAt(0, 3) }),
        "swap negative": ("Cannot pass a negative value for 'index1'.", { three.swapAt(-1, 0) }),
        "swap negative second": (
            "Cannot pass a negative value for 'index2'.", { three.swapAt(0, -2) }
        ),
        "removeSubrange": (
            "Index 4 is out of bounds (must be less than 4).", { three.removeSubrange(1..<4) }
        ),
        "removeSubrange from": (
            "Index 4 is out of bounds (must be less than 4).", { three.removeSubrange(4...) }
        ),
        "removeSubrange negative": (
            "Cannot pass a negative value for 'index'.", { three.removeSubrange(-1..<1) }
        ),
        "replaceSubrange": (
            "Index 5 is out of bounds (must be less than 4).",
            { three.replaceSubrange(1...4, with: [0]) }
        ),
        "slice": ("Index 4 is out of bounds (must be less than 4).", { _ = three[0..<4] }),
        "removeFirst": (
            """
            It is not possible to remove more objects (4) from a list than it already \
            contains (3).
            """,
            { three.removeFirst(4) }
        ),
        "removeLast": (
            """
            It is not possible to remove more objects (1) from a list than it already \
            contains (0).
            """,
            { List<Int>().removeLast() }
        ),
        "removeLast negative": (
            "Cannot pass a negative value for 'index'.", { three.removeLast(-1) }
        ),
        "remove offsets": (
            "Index 3 is out of bounds (must be less than 3).", { three.remove(atOffsets: [0, 3]) }
        ),
        "move offsets": (
            "Index 3 is out of bounds (must be less than 3).",
            { three.move(fromOffsets: [3], toOffset: 0) }
        ),
        "move to offset": (
            "Index 4 is out of bounds (must be less than 4).",
            { three.move(fromOffsets: [0], toOffset: 4) }
        ),
        "objects(at:)": (
            "Indexes for collection are out of bounds.", { _ = three.objects(at: [0, 3]) }
        ),
        "subclass": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMArray type \
            'CollectionModels_Dog'.
            """,
            {
                List<Dog>().append(CollectionModels.Puppy())
            }
        ),
        "subclass in replaceSubrange": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMArray type \
            'CollectionModels_Dog'.
            """,
            {
                makeList([Dog()]).replaceSubrange(0..<1, with: [CollectionModels.Puppy()])
            }
        ),
        "subclass by subscript": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMArray type \
            'CollectionModels_Dog'.
            """,
            {
                makeList([Dog()])[0] = CollectionModels.Puppy()
            }
        ),
        "subclass in an optional": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMArray type \
            'CollectionModels_Dog'.
            """,
            {
                List<Dog?>().append(CollectionModels.Puppy())
            }
        ),
        "subclass in a set": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMSet type \
            'CollectionModels_Dog'.
            """,
            {
                MutableSet<Dog>().insert(CollectionModels.Puppy())
            }
        ),
        "subclass in a map": (
            """
            Object of type 'CollectionModels_Puppy' does not match RLMDictionary type \
            'CollectionModels_Dog'.
            """,
            {
                Map<String, Dog?>()["a"] = CollectionModels.Puppy()
            }
        ),
        "sorted": (unmanaged("RLMArray"), { _ = three.sorted() }),
        "sorted by": (unmanaged("RLMArray"), { _ = List<Dog>().sorted(by: \.name) }),
        "where": (unmanaged("RLMArray"), { _ = List<Dog>().where { $0.name == "" } }),
        "freeze": (unmanaged("RLMArray"), { _ = three.freeze() }),
        "thaw": (unmanaged("RLMArray"), { _ = three.thaw() }),
        "where of a set": (unmanaged("RLMSet"), { _ = MutableSet<Dog>().where { $0.name == "" } }),
        "sorted of a set": (unmanaged("RLMSet"), { _ = makeSet([1]).sorted() }),
        "freeze of a set": (unmanaged("RLMSet"), { _ = makeSet([1]).freeze() }),
        "thaw of a set": (unmanaged("RLMSet"), { _ = makeSet([1]).thaw() }),
        "where of a map": (
            unmanaged("RLMDictionary"), { _ = Map<String, Dog?>().where { $0.name == "" } }
        ),
        "sorted of a map": (
            unmanaged("RLMDictionary"), { _ = makeMap(["a": 1]).sorted(ascending: false) }
        ),
        "freeze of a map": (unmanaged("RLMDictionary"), { _ = makeMap(["a": 1]).freeze() }),
        "thaw of a map": (unmanaged("RLMDictionary"), { _ = makeMap(["a": 1]).thaw() }),
        "index(of:) of a set": (
            "index(of:) is not available on MutableSet", { _ = makeSet([1]).index(of: 1) }
        ),
        "index(matching:) of a set": (
            "index(matching:) is not available on MutableSet",
            { _ = MutableSet<Dog>().index(matching: { $0.name == "" }) }
        ),
        "subscript of a set": (
            "Index 1 is out of bounds (must be less than 1).", { _ = makeSet([1])[1] }
        ),
        "objects(at:) of a set": (
            "Indexes for collection are out of bounds.", { _ = makeSet([1]).objects(at: [1]) }
        ),
        "key with $": (
            "Dictionary::insert: key must not start with '$'", { makeMap(["a": 1])["$b"] = 1 }
        ),
        "key with .": (
            "Dictionary::insert: key must not contain '.'",
            { makeMap(["a": 1]).updateValue(1, forKey: "b.") }
        ),
        "map index": (
            "Index 1 is out of bounds (must be less than 1).",
            { _ = makeMap(["a": 1])[MapIndex(offset: 1)] }
        ),
        "map index beyond all": (
            "is out of bounds (must be less than 1).",
            { _ = makeMap(["a": 1])[MapIndex(offset: .max)] }
        ),
        "min": (
            "minOfProperty: is not supported for string? array",
            { _ = makeList(["a", nil]).min(ofProperty: "self") as Int? }
        ),
        "average": (
            "averageOfProperty: is not supported for date set",
            { _ = makeSet([Date()]).average(ofProperty: "self") as Double? }
        ),
        "sum of a property": (
            "sumOfProperty: is not supported for string property 'CollectionModels_Dog.name'",
            {
                _ = List<Dog>().sum(ofProperty: "name") as Int
            }
        ),
        "no property": (
            "Invalid property name 'size' for class 'CollectionModels_Dog'.",
            { _ = List<Dog>().max(ofProperty: "size") as Int? }
        ),
        "sum that overflows": ("Could not convert value", { _ = makeList([Int.max, 1]).sum() }),
        "value(forKey:)": (
            "Invalid property name 'size' for class 'CollectionModels_Dog'.",
            { _ = makeList([Dog()]).value(forKey: "size") }
        ),
        "value(forKey:) of numbers": (
            "Invalid property name 'size' for elements of type 'Int'.",
            { _ = three.value(forKey: "size") }
        ),
        "setValue": (
            "Invalid value 'a' of type 'String' for expected type 'int'.",
            { three.setValue("a", forKey: "self") }
        ),
        "setValue of a map": (
            "Invalid value 'a' of type 'String' for expected type 'int?'.",
            { Map<String, Int?>().setValue("a", forKey: "x") }
        ),
    ]

    private static var three: List<Int> { makeList([1, 2, 3]) }

    private static func unmanaged(_ name: String) -> String {
        "This method may only be called on \(name) instances retrieved from an RLMRealm"
    }

    @Test(arguments: cases.keys.sorted())
    func traps(_ name: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name] in
            Self.cases[name]?.use()
        }
        expectMessage(result, try #require(Self.cases[name]).message, "\n  Remedy: ")
    }
}
