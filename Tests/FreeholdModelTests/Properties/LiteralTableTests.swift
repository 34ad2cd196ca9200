import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Whatever is given to a property of whatever type, in each way that takes values without a
/// type: it is taken, or the process ends with a text that says what is wrong and what to do,
/// never otherwise.
@Suite(.disabled(if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer does not survive a fork."))
struct LiteralTableTests {
    final class Everything: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var bool: Bool
        @Persisted var int8: Int8?
        @Persisted var int: Int
        @Persisted var float: Float
        @Persisted var double: Double?
        @Persisted var string: String
        @Persisted var data: Data?
        @Persisted var date: Date
        @Persisted var decimal: Decimal128
        @Persisted var objectId: ObjectId?
        @Persisted var uuid: UUID
        @Persisted var level: ShapeEnumInt
        @Persisted var optionalLevel: ShapeEnumText?
        @Persisted var wrapped: Wrapped<Int>
        @Persisted var place: Place
        @Persisted var optionalPlace: Place?
        @Persisted var link: Everything?
        @Persisted var owned: PlaceRecord?
        @Persisted var any: AnyRealmValue
        @Persisted var ints: List<Int>
        @Persisted var texts: MutableSet<String?>
        @Persisted var doubles: Map<String, Double>
        @Persisted var links: List<Everything>
        @Persisted var linkMap: Map<String, Everything?>
        @Persisted var ownedList: List<PlaceRecord>
        @Persisted var placeMap: Map<String, Place>
        @Persisted var anys: List<AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let types: [ObjectBase.Type] = [
        Everything.self, PlaceRecord.self, CustomEmbedded.Trip.self,
    ]
    private static let names =
        (Everything.sharedSchema()?.properties.map(\.name) ?? []) + ["nothing", "", "a.b"]

    private struct Opaque {}

    nonisolated(unsafe) private static let values: [(name: String, make: () -> Any?)] = [
        ("nil", { nil }), ("NSNull", { NSNull() }), ("nested nil", { Int??.some(.none) as Any }),
        ("true", { true }),
        ("0", { 0 }), ("Int.min", { Int.min }), ("UInt64.max", { UInt64.max }),
        ("Int8(-1)", { Int8(-1) }), ("1.5", { 1.5 }),
        ("NaN", { Double.nan }), ("infinity", { Double.infinity }), ("1e300", { 1e300 }),
        ("Float", { Float(2.5) }),
        ("NSNumber", { NSNumber(value: 7) }), ("NSNumber 1.5", { NSNumber(value: 1.5) }),
        ("NSDecimalNumber", { NSDecimalNumber(string: "1.25") }),
        ("Decimal", { Decimal(string: "1.1") }), ("\"\"", { "" }), ("\"abc\"", { "abc" }),
        ("\"5\"", { "5" }), ("NSString", { NSString("n") }),
        ("Substring", { "abc".dropFirst() }), ("Character", { Character("a") }),
        ("Data", { Data([1]) }), ("NSData", { NSData(data: Data([1])) }),
        ("Date", { Date(timeIntervalSince1970: 0) }),
        ("NSDate", { NSDate(timeIntervalSince1970: 0) }), ("Decimal128", { Decimal128(1.5) }),
        ("ObjectId", { ObjectId.generate() }), ("UUID", { UUID() }), ("enum", { ShapeEnumInt.a }),
        ("text enum", { ShapeEnumText.b }),
        ("custom", { Wrapped<Int>(persistedValue: 3) }), ("Place", { Place(1) }),
        ("raw value without a case", { 99 }),
        ("any int", { AnyRealmValue.int(1) }), ("any none", { AnyRealmValue.none }),
        ("any list", { AnyRealmValue.fromArray([.int(1)]) }),
        ("[]", { [Any]() }), ("[1]", { [1] }), ("[nil]", { [Any?.none] }),
        ("mixed", { [1, "a", NSNull(), [1], ["k": 2]] as [Any] }),
        ("[:]", { [String: Any]() }), ("[a: 1]", { ["a": 1] }), ("[a: nil]", { ["a": Int?.none] }),
        ("[$a]", { ["$a": 1] }), ("[1: 1]", { [1: 1] }),
        ("named", { ["id": 5, "latitude": 1.5, "name": "x"] as [String: Any] }),
        ("wrong inside", { ["id": "x", "latitude": "y"] }),
        ("NSArray", { NSArray(array: [1, "a"]) }),
        ("NSDictionary", { NSDictionary(dictionary: ["a": 1]) }), ("NSSet", { NSSet(array: [1]) }),
        ("Set", { Set([1, 2]) }), ("range", { 0..<3 }), ("lazy", { (0..<2).lazy.map { $0 } }),
        ("tuple", { (1, 2) }), ("closure", { { 1 } as () -> Int }),
        ("opaque", { Opaque() }), ("type", { Int.self }), ("object", { NSObject() }),
        ("same class", { Everything() }), ("other class", { PlaceRecord() }),
        ("itself as a literal", { ["link": ["link": ["id": 1]]] }),
        ("List<Int>", { makeList([1, 2]) }), ("List<Everything>", { makeList([Everything()]) }),
        (
            "Map",
            {
                let map = Map<String, Double>(); map["a"] = 1; return map
            }
        ),
        ("deep", { (0..<200).reduce([] as [Any]) { list, _ in [list] } }),
        ("deep dictionary", { (0..<200).reduce([:] as [String: Any]) { map, _ in ["a": map] } }),
        ("very deep", { (0..<1_500).reduce([] as [Any]) { list, _ in [list] } }),
        ("optional text", { String?.some("o") as Any }),
    ]

    private enum Way: CaseIterable {
        case initialiser, array, subscripting, create, update, managedSubscript, dynamic, wholeValue

        func use(_ name: String, _ value: Any?, _ realm: @autoclosure () throws -> Realm) throws {
            let named: [String: Any?] = [name: value]
            switch self {
            case .initialiser: _ = Everything(value: named)
            case .array: _ = Everything(value: (0..<28).map { $0 == 0 ? 1 : value as Any })
            case .subscripting: Everything()[name] = value
            case .create:
                try realm().write { try _ = realm().create(Everything.self, value: named) }
            case .update:
                try realm().write {
                    try realm().create(Everything.self, value: ["id": 1])
                    let changed: [String: Any?] = name == "id" ? named : ["id": 1, name: value]
                    try realm().create(Everything.self, value: changed, update: .modified)
                }
            case .managedSubscript:
                try realm().write {
                    let object = try realm().create(Everything.self, value: ["id": 1])
                    object.setValue(value, forKey: name)
                    _ = object[name]
                }
            case .dynamic:
                try realm().write {
                    try realm().dynamicCreate("LiteralTableTests_Everything", value: named)[name] =
                        value
                }
            case .wholeValue:
                try realm().write {
                    try _ = realm().create(Everything.self, value: value as Any, update: .all)
                }
            }
        }
    }

    /// What a child that uses a value ended with, and what it printed.
    private static func outcome(_ directory: TemporaryDirectory, _ body: () throws -> Void) throws
        -> (status: Int32, text: String)
    {
        let fork = unsafeBitCast(
            try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
        let path = directory.url.appendingPathComponent("output").path
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        let child = fork()
        if child == 0 {
            alarm(20)
            dup2(file, STDERR_FILENO)
            do {
                try body()
                _exit(0)
            } catch {
                FileHandle.standardError.write(Data("thrown: \(error)".utf8))
                _exit(3)
            }
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return (status, (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }

    private static func check(_ way: Way) throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        var wrong: [String] = []
        var (taken, refused) = (0, 0)
        let names = way == .array || way == .wholeValue ? ["id"] : names
        // Each way begins with another pair, and takes one of 28 pairs, more in a longer run: a
        // child of this process takes some time.
        let pairs = names.flatMap { name in values.map { (name, $0.name, $0.make) } }
        let step = pairs.count > 1_000 ? max(1, 28 / Stress.factor) : 1
        let offset = Way.allCases.firstIndex(of: way) ?? 0
        for index in stride(from: offset % step, to: pairs.count, by: step) {
            let (name, title, make) = pairs[index]
            do {
                let (status, text) = try outcome(directory) {
                    // A file of the child's own: the parent's realms are not its.
                    let configuration = Realm.Configuration(
                        inMemoryIdentifier: "literal \(getpid())", objectTypes: types)
                    try way.use(name, make(), try Realm(configuration: configuration))
                }
                let isRefused = text.contains("Fatal error: ") && text.contains("\n  Remedy: ")
                if status == 0 {
                    taken += 1
                } else if isRefused {
                    refused += 1
                } else {
                    wrong.append("\(name) = \(title): \(status) \(text.prefix(300))")
                }
            }
        }
        print("\(way): \(taken) taken, \(refused) refused, \(wrong.count) wrong")
        try #require(
            wrong.isEmpty,
            "\(way): \(wrong.count), first:\n\(wrong.prefix(20).joined(separator: "\n"))")
        try #require(refused > 0)
    }

    @Test func unmanaged() async {
        await #expect(processExitsWith: .success) {
            for way in [Way.initialiser, .array, .subscripting] { try Self.check(way) }
        }
    }

    @Test func managed() async {
        await #expect(processExitsWith: .success) {
            for way in [Way.create, .update, .managedSubscript, .dynamic, .wholeValue] {
                try Self.check(way)
            }
        }
    }
}
