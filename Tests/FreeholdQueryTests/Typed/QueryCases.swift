import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// One condition twice: as a query, and as plain Swift.
struct QueryCase: Sendable {
    let name: String
    let query: @Sendable (Query<ResultsItem>) -> Query<Bool>
    let holds: @Sendable (ResultsItem) -> Bool

    init(
        _ name: String, _ query: @escaping @Sendable (Query<ResultsItem>) -> Query<Bool>,
        _ holds: @escaping @Sendable (ResultsItem) -> Bool
    ) {
        self.name = name
        self.query = query
        self.holds = holds
    }

    /// A random combination of cases.
    static func random(depth: Int, using generator: inout SeededGenerator) -> QueryCase {
        guard depth > 0, Int.random(in: 0..<4, using: &generator) > 0 else {
            return all.randomElement(using: &generator)!
        }
        let left = random(depth: depth - 1, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            return QueryCase("!(\(left.name))", { !left.query($0) }, { !left.holds($0) })
        case 1:
            let right = random(depth: depth - 1, using: &generator)
            return QueryCase(
                "(\(left.name) && \(right.name))", { left.query($0) && right.query($0) },
                { left.holds($0) && right.holds($0) })
        default:
            let right = random(depth: depth - 1, using: &generator)
            return QueryCase(
                "(\(left.name) || \(right.name))", { left.query($0) || right.query($0) },
                { left.holds($0) || right.holds($0) })
        }
    }
}

extension QueryCase {
    static let all: [QueryCase] = numbers + ranges + text + others + links

    private static let numbers: [QueryCase] = [
        QueryCase("id == 0", { $0.id == 0 }, { $0.id == 0 }),
        QueryCase("id != 3", { $0.id != 3 }, { $0.id != 3 }),
        QueryCase("id < 60", { $0.id < 60 }, { $0.id < 60 }),
        QueryCase("id in", { $0.id.in([-30, 0, 1, 300]) }, { [-30, 0, 1, 300].contains($0.id) }),
        QueryCase("age == 7", { $0.age == 7 }, { $0.age == 7 }),
        QueryCase("age != 7", { $0.age != 7 }, { $0.age != 7 }),
        QueryCase("age > 12", { $0.age > 12 }, { $0.age > 12 }),
        QueryCase("age >= 12", { $0.age >= 12 }, { $0.age >= 12 }),
        QueryCase("age < 12", { $0.age < 12 }, { $0.age < 12 }),
        QueryCase("age <= 12", { $0.age <= 12 }, { $0.age <= 12 }),
        QueryCase("age > 1000", { $0.age > 1000 }, { $0.age > 1000 }),
        QueryCase("age > -1000", { $0.age > -1000 }, { $0.age > -1000 }),
        QueryCase("age > Int.max", { $0.age > .max }, { _ in false }),
        QueryCase("age >= Int.min", { $0.age >= .min }, { _ in true }),
        QueryCase("age in", { $0.age.in([1, 3, 5, 99]) }, { [1, 3, 5, 99].contains($0.age) }),
        QueryCase("age in []", { $0.age.in([]) }, { _ in false }),
        QueryCase("small == nil", { $0.small == nil }, { $0.small == nil }),
        QueryCase("small != nil", { $0.small != nil }, { $0.small != nil }),
        QueryCase("small == 2", { $0.small == 2 }, { $0.small == 2 }),
        QueryCase("small != 2", { $0.small != 2 }, { $0.small != 2 }),
        QueryCase("small > 2", { $0.small > 2 }, { $0.small.map { $0 > 2 } ?? false }),
        QueryCase("small <= -2", { $0.small <= -2 }, { $0.small.map { $0 <= -2 } ?? false }),
        QueryCase(
            "small in with nil", { $0.small.in([nil, 3]) }, { $0.small == nil || $0.small == 3 }),
        QueryCase("score > 0.25", { $0.score > 0.25 }, { $0.score > 0.25 }),
        QueryCase("score == -1.5", { $0.score == -1.5 }, { $0.score == -1.5 }),
        QueryCase("score < limit", { $0.score < $0.limit }, { $0.score < $0.limit }),
        QueryCase("score == limit", { $0.score == $0.limit }, { $0.score == $0.limit }),
        QueryCase("score != limit", { $0.score != $0.limit }, { $0.score != $0.limit }),
        QueryCase("weight >= 0.5", { $0.weight >= 0.5 }, { $0.weight.map { $0 >= 0.5 } ?? false }),
        QueryCase("weight == 0.125", { $0.weight == 0.125 }, { $0.weight == 0.125 }),
        QueryCase("amount > 1.5", { $0.amount > 1.5 }, { $0.amount > 1.5 }),
        QueryCase("amount == 2", { $0.amount == 2 }, { $0.amount == 2 }),
    ]

    private static let ranges: [QueryCase] = [
        QueryCase("age in 5...9", { $0.age.contains(5...9) }, { (5...9).contains($0.age) }),
        QueryCase("age in 5..<9", { $0.age.contains(5..<9) }, { (5..<9).contains($0.age) }),
        QueryCase("id in 0...100", { $0.id.contains(0...100) }, { (0...100).contains($0.id) }),
        QueryCase(
            "small in -2...2", { $0.small.contains(-2...2) },
            { $0.small.map { (-2...2).contains($0) } ?? false }),
        QueryCase(
            "small in -2..<2", { $0.small.contains(-2..<2) },
            { $0.small.map { (-2..<2).contains($0) } ?? false }),
        QueryCase(
            "score in -1...1", { $0.score.contains(-1...1) }, { (-1...1).contains($0.score) }),
        QueryCase(
            "joined in",
            {
                $0.joined.contains(
                    Date(
                        timeIntervalSinceReferenceDate: -90_000)...Date(
                            timeIntervalSinceReferenceDate: 90_000))
            },
            {
                (Date(
                    timeIntervalSinceReferenceDate: -90_000)...Date(
                        timeIntervalSinceReferenceDate: 90_000)).contains($0.joined)
            }),
        QueryCase(
            "name in a...b", { $0.name.contains("a"..."b") },
            { !less($0.name, "a") && !less("b", $0.name) }),
    ]

    private static let text: [QueryCase] = [
        QueryCase("name == abc", { $0.name == "abc" }, { same($0.name, "abc") }),
        QueryCase("name == Émile", { $0.name == "Émile" }, { same($0.name, "Émile") }),
        QueryCase("name != a", { $0.name != "a" }, { !same($0.name, "a") }),
        QueryCase("name == ''", { $0.name == "" }, { $0.name.isEmpty }),
        QueryCase("name in", { $0.name.in(["a", "🐕", "zzz"]) }, { ["a", "🐕"].contains($0.name) }),
        QueryCase("name > ab", { $0.name > "ab" }, { less("ab", $0.name) }),
        QueryCase("name <= ab", { $0.name <= "ab" }, { !less("ab", $0.name) }),
        QueryCase("note == nil", { $0.note == nil }, { $0.note == nil }),
        QueryCase("note != nil", { $0.note != nil }, { $0.note != nil }),
        QueryCase("note == a", { $0.note == "a" }, { $0.note == "a" }),
        QueryCase("note != a", { $0.note != "a" }, { $0.note != "a" }),
        QueryCase(
            "note == name", { $0.note == "ab" && $0.name == "ab" },
            { $0.note == "ab" && $0.name == "ab" }),
        QueryCase(
            "name contains b", { $0.name.contains("b") },
            { bytes($0.name).contains(Array("b".utf8)) }),
        QueryCase("name contains ''", { $0.name.contains("") }, { _ in false }),
        QueryCase(
            "note contains e", { $0.note.contains("e") },
            { $0.note.map { bytes($0).contains(Array("e".utf8)) } ?? false }),
        QueryCase("note contains nil", { $0.note.contains(nil) }, { _ in false }),
        QueryCase(
            "name starts A", { $0.name.starts(with: "A") },
            { $0.name.utf8.starts(with: "A".utf8) }),
        QueryCase(
            "name starts[c] A", { $0.name.starts(with: "A", options: .caseInsensitive) },
            { $0.name.lowercased().hasPrefix("a") }),
        QueryCase("name ends c", { $0.name.ends(with: "c") }, { $0.name.hasSuffix("c") }),
        QueryCase(
            "name equals[c] ABC", { $0.name.equals("ABC", options: .caseInsensitive) },
            { $0.name.lowercased() == "abc" }),
        QueryCase(
            "name equals[c] ÉMILE", { $0.name.equals("ÉMILE", options: .caseInsensitive) },
            { same($0.name.lowercased(), "émile") }),
        QueryCase(
            "name equals[cd] EMILE",
            { $0.name.equals("EMILE", options: [.caseInsensitive, .diacriticInsensitive]) },
            { ["Émile", "émile", "emile", "e\u{301}mile"].contains($0.name) }),
        QueryCase("name notEquals a", { $0.name.notEquals("a") }, { $0.name != "a" }),
        QueryCase(
            "note notEquals[c] A", { $0.note.notEquals("A", options: .caseInsensitive) },
            { $0.note?.lowercased() != "a" }),
        QueryCase("name like a*", { $0.name.like("a*") }, { $0.name.hasPrefix("a") }),
        QueryCase("name like ?b", { $0.name.like("?b") }, { ["ab", "Ab"].contains($0.name) }),
        QueryCase(
            "name like[c] A?C", { $0.name.like("A?C", caseInsensitive: true) }, { $0.name == "abc" }
        ),
        QueryCase("data == 01", { $0.data == Data([0, 1]) }, { $0.data == Data([0, 1]) }),
        QueryCase("data contains 1", { $0.data.contains(Data([1])) }, { $0.data.contains(1) }),
        QueryCase("data starts 2", { $0.data.starts(with: Data([2])) }, { $0.data.first == 2 }),
    ]

    private static let others: [QueryCase] = [
        QueryCase("active", { $0.active }, { $0.active }),
        QueryCase("!active", { !$0.active }, { !$0.active }),
        QueryCase("active == false", { $0.active == false }, { !$0.active }),
        QueryCase("(age > 5) == false", { ($0.age > 5) == false }, { $0.age <= 5 }),
        QueryCase(
            "(age > 5) == active", { ($0.age > 5) == $0.active }, { ($0.age > 5) == $0.active }),
        QueryCase(
            "(age > 5) != active", { ($0.age > 5) != $0.active }, { ($0.age > 5) != $0.active }),
        QueryCase(
            "joined > epoch", { $0.joined > Date(timeIntervalSinceReferenceDate: 0) },
            { $0.joined.timeIntervalSinceReferenceDate > 0 }),
        QueryCase("left == nil", { $0.left == nil }, { $0.left == nil }),
        QueryCase("left > joined", { $0.left > $0.left }, { _ in false }),
        QueryCase(
            "token ==", { $0.token == ResultsItem.tokens[1] }, { $0.token == ResultsItem.tokens[1] }
        ),
        QueryCase(
            "token in", { $0.token.in(Array(ResultsItem.tokens[1...])) },
            { ResultsItem.tokens[1...].contains($0.token) }),
        QueryCase(
            "objectId ==", { $0.objectId == ResultsItem.objectIds[1] },
            { $0.objectId == ResultsItem.objectIds[1] }),
        QueryCase("objectId == nil", { $0.objectId == nil }, { $0.objectId == nil }),
        QueryCase("kind == fancy", { $0.kind == .fancy }, { $0.kind == .fancy }),
        QueryCase("kind == émigré", { $0.kind == .émigré }, { $0.kind == .émigré }),
        QueryCase("kind in", { $0.kind.in([.plain, .émigré]) }, { $0.kind != .fancy }),
        QueryCase(
            "kind.rawValue starts", { $0.kind.rawValue.starts(with: "pl") }, { $0.kind == .plain }),
        QueryCase("level == nil", { $0.level == nil }, { $0.level == nil }),
        QueryCase("level == high", { $0.level == .high }, { $0.level == .high }),
        QueryCase(
            "level > low", { $0.level > .low }, { $0.level.map { $0.rawValue > -1 } ?? false }),
        QueryCase("level.rawValue > 5", { $0.level.rawValue > 5 }, { $0.level == .high }),
    ]

    private static let links: [QueryCase] = [
        QueryCase("owner == nil", { $0.owner == nil }, { $0.owner == nil }),
        QueryCase("owner != nil", { $0.owner != nil }, { $0.owner != nil }),
        QueryCase("owner.name == Ab", { $0.owner.name == "Ab" }, { $0.owner?.name == "Ab" }),
        QueryCase("owner.name != Ab", { $0.owner.name != "Ab" }, { $0.owner?.name != "Ab" }),
        QueryCase(
            "owner.name starts[c]", { $0.owner.name.starts(with: "É", options: .caseInsensitive) },
            { $0.owner.map { same(String($0.name.lowercased().prefix(1)), "é") } ?? false }),
        QueryCase(
            "owner.age > 2", { $0.owner.age > 2 }, { ($0.owner?.age).map { $0 > 2 } ?? false }),
        QueryCase("owner.age == nil", { $0.owner.age == nil }, { $0.owner?.age == nil }),
        QueryCase("owner.vaccinated", { $0.owner.vaccinated }, { $0.owner?.vaccinated ?? false }),
        QueryCase(
            "!owner.vaccinated", { !$0.owner.vaccinated }, { !($0.owner?.vaccinated ?? false) }),
        QueryCase(
            "owner.boss.name == abc", { $0.owner.boss.name == "abc" },
            { $0.owner?.boss?.name == "abc" }),
        QueryCase(
            "owner.boss.boss == nil", { $0.owner.boss.boss == nil }, { $0.owner?.boss?.boss == nil }
        ),
        QueryCase(
            "owner.boss.boss.age >= 4", { $0.owner.boss.boss.age >= 4 },
            { ($0.owner?.boss?.boss?.age).map { $0 >= 4 } ?? false }),
        QueryCase(
            "owner.age in 1...4", { $0.owner.age.contains(1...4) },
            { ($0.owner?.age).map { (1...4).contains($0) } ?? false }),
    ]

    /// The order of queries on text: by UTF-8 bytes.
    private static func less(_ a: String, _ b: String) -> Bool {
        a.utf8.lexicographicallyPrecedes(b.utf8)
    }

    /// The equality of queries on text: the same UTF-8 bytes; Swift's is by canonical equivalence.
    private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
