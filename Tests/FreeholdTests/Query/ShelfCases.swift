import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// One condition twice: as a query, and as plain Swift.
struct ShelfCase: Sendable {
    let name: String
    let query: @Sendable (Query<Shelves.Shelf>) -> Query<Bool>
    let holds: @Sendable (Shelves.Shelf) -> Bool

    init(
        _ name: String, _ query: @escaping @Sendable (Query<Shelves.Shelf>) -> Query<Bool>,
        _ holds: @escaping @Sendable (Shelves.Shelf) -> Bool
    ) {
        self.name = name
        self.query = query
        self.holds = holds
    }

    /// A random combination of cases.
    static func random(_ cases: [ShelfCase], depth: Int, using random: inout SeededGenerator)
        -> ShelfCase
    {
        guard depth > 0, !random.once(in: 4) else { return random.pick(cases) }
        let left = Self.random(cases, depth: depth - 1, using: &random)
        switch random.int(0...2) {
        case 0: return ShelfCase("!(\(left.name))", { !left.query($0) }, { !left.holds($0) })
        case 1:
            let right = Self.random(cases, depth: depth - 1, using: &random)
            return ShelfCase(
                "(\(left.name) && \(right.name))", { left.query($0) && right.query($0) },
                { left.holds($0) && right.holds($0) })
        default:
            let right = Self.random(cases, depth: depth - 1, using: &random)
            return ShelfCase(
                "(\(left.name) || \(right.name))", { left.query($0) || right.query($0) },
                { left.holds($0) || right.holds($0) })
        }
    }
}

// Statements, not one literal: the compiler solves each by itself, which is much faster.

extension ShelfCase {
    /// Those that say the same of objects that no realm manages.
    static let anywhere: [ShelfCase] =
        collections + objects + aggregates + maps + mapped + text + anyValues + subqueries
    static let all: [ShelfCase] = anywhere + backlinks

    private static let collections: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [ShelfCase("numbers == 2", { $0.numbers == 2 }, { $0.numbers.contains(2) })]
        cases += [
            ShelfCase("numbers != 2", { $0.numbers != 2 }, { $0.numbers.contains { $0 != 2 } })
        ]
        cases += [ShelfCase("numbers > 1", { $0.numbers > 1 }, { $0.numbers.contains { $0 > 1 } })]
        cases += [
            ShelfCase("numbers <= -2", { $0.numbers <= -2 }, { $0.numbers.contains { $0 <= -2 } })
        ]
        cases += [
            ShelfCase("numbers.contains(3)", { $0.numbers.contains(3) }, { $0.numbers.contains(3) })
        ]
        cases += [
            ShelfCase(
                "!numbers.contains(3)", { !$0.numbers.contains(3) }, { !$0.numbers.contains(3) })
        ]
        cases += [
            ShelfCase(
                "numbers.containsAny", { $0.numbers.containsAny(in: [1, 3, 9]) },
                { $0.numbers.contains { [1, 3, 9].contains($0) } })
        ]
        cases += [
            ShelfCase("numbers.containsAny []", { $0.numbers.containsAny(in: []) }, { _ in false })
        ]
        cases += [
            ShelfCase(
                "numbers.contains(-1...2)", { $0.numbers.contains(-1...2) },
                { !$0.numbers.isEmpty && $0.numbers.allSatisfy { (-1...2).contains($0) } })
        ]
        cases += [
            ShelfCase(
                "numbers.contains(-1..<2)", { $0.numbers.contains(-1..<2) },
                { !$0.numbers.isEmpty && $0.numbers.allSatisfy { (-1..<2).contains($0) } })
        ]
        cases += [
            ShelfCase("numbers.count == 2", { $0.numbers.count == 2 }, { $0.numbers.count == 2 })
        ]
        cases += [
            ShelfCase(
                "numbers.count == total", { $0.numbers.count == $0.total },
                { $0.numbers.count == $0.total })
        ]
        cases += [
            ShelfCase(
                "doubles == nil", { $0.doubles == nil }, { $0.doubles.contains { $0 == nil } })
        ]
        cases += [
            ShelfCase(
                "doubles != nil", { $0.doubles != nil }, { $0.doubles.contains { $0 != nil } })
        ]
        cases += [
            ShelfCase("doubles == 0", { $0.doubles == 0 }, { $0.doubles.contains { $0 == 0 } })
        ]
        cases += [
            ShelfCase("doubles != 0", { $0.doubles != 0 }, { $0.doubles.contains { $0 != 0 } })
        ]
        cases += [
            ShelfCase(
                "doubles >= 1", { $0.doubles >= 1 },
                { $0.doubles.contains { $0.map { $0 >= 1 } ?? false } })
        ]
        cases += [ShelfCase("doubles == NaN", { $0.doubles == .nan }, { _ in false })]
        cases += [
            ShelfCase("doubles.count > 2", { $0.doubles.count > 2 }, { $0.doubles.count > 2 })
        ]
        cases += [
            ShelfCase(
                "words == Émile", { $0.words == "Émile" },
                { $0.words.contains { same($0, "Émile") } })
        ]
        cases += [
            ShelfCase("words.contains('')", { $0.words.contains("") }, { $0.words.contains("") })
        ]
        cases += [
            ShelfCase(
                "words in", { $0.words.containsAny(in: ["a", "🐕"]) },
                { $0.words.contains { $0 == "a" || $0 == "🐕" } })
        ]
        cases += [
            ShelfCase(
                "tags.contains(nil)", { $0.tags.contains(nil) }, { $0.tags.contains { $0 == nil } })
        ]
        cases += [ShelfCase("tags == ab", { $0.tags == "ab" }, { $0.tags.contains("ab") })]
        cases += [ShelfCase("tags.count", { $0.tags.count >= 2 }, { $0.tags.count >= 2 })]
        cases += [
            ShelfCase(
                "dates == 1", { $0.dates == Shelves.dates[1] },
                { $0.dates.contains(Shelves.dates[1]) })
        ]
        cases += [
            ShelfCase(
                "dates > 1", { $0.dates > Shelves.dates[1] },
                { $0.dates.contains { $0 > Shelves.dates[1] } })
        ]
        cases += [ShelfCase("amounts == 1.5", { $0.amounts == 1.5 }, { $0.amounts.contains(1.5) })]
        cases += [ShelfCase("amounts < 0", { $0.amounts < 0 }, { $0.amounts.contains { $0 < 0 } })]
        return cases
    }()

    private static let objects: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [ShelfCase("items.count > 2", { $0.items.count > 2 }, { $0.items.count > 2 })]
        cases += [
            ShelfCase(
                "items.name == ab", { $0.items.name == "ab" },
                { $0.items.contains { $0.name == "ab" } })
        ]
        cases += [
            ShelfCase(
                "items.name != ab", { $0.items.name != "ab" },
                { $0.items.contains { $0.name != "ab" } })
        ]
        cases += [ShelfCase("items.count == 1", { $0.items.count == 1 }, { $0.items.count == 1 })]
        cases += [
            ShelfCase(
                "items.weight == nil", { $0.items.weight == nil },
                { $0.items.contains { $0.weight == nil } })
        ]
        cases += [
            ShelfCase(
                "items.weight > 0", { $0.items.weight > 0 },
                { $0.items.contains { $0.weight.map { $0 > 0 } ?? false } })
        ]
        cases += [
            ShelfCase(
                "items.weight in range", { $0.items.weight.contains(0...1) },
                { $0.items.contains { $0.weight.map { (0...1).contains($0) } ?? false } })
        ]
        cases += [ShelfCase("items.isNew", { $0.items.isNew }, { $0.items.contains { $0.isNew } })]
        cases += [
            ShelfCase(
                "items.isNew == false", { $0.items.isNew == false },
                { $0.items.contains { !$0.isNew } })
        ]
        cases += [
            ShelfCase(
                "items.name starts",
                {
                    $0.items.name.starts(
                        with: "É", options: [.caseInsensitive, .diacriticInsensitive])
                },
                { $0.items.contains { ["Émile", "emile", "e\u{301}mile"].contains($0.name) } })
        ]
        cases += [
            ShelfCase(
                "items.name in", { $0.items.name.in(["a", "A"]) },
                { $0.items.contains { ["a", "A"].contains($0.name) } })
        ]
        cases += [
            ShelfCase(
                "items.twin == nil", { $0.items.twin == nil },
                { $0.items.contains { $0.twin == nil } })
        ]
        cases += [
            ShelfCase(
                "items.twin.name == a", { $0.items.twin.name == "a" },
                { $0.items.contains { $0.twin?.name == "a" } })
        ]
        cases += [
            ShelfCase(
                "items.twin.name != a", { $0.items.twin.name != "a" },
                { $0.items.contains { $0.twin?.name != "a" } })
        ]
        cases += [
            ShelfCase(
                "items.sizes == 2", { $0.items.sizes == 2 },
                { $0.items.contains { $0.sizes.contains(2) } })
        ]
        cases += [
            ShelfCase(
                "items.sizes.count > 1", { $0.items.sizes.count > 1 },
                { $0.items.contains { $0.sizes.count > 1 } })
        ]
        cases += [
            ShelfCase(
                "items.sizes.sum > 1", { $0.items.sizes.sum > 1 },
                { $0.items.contains { $0.sizes.reduce(0, +) > 1 } })
        ]
        cases += [
            ShelfCase(
                "rare.name == ab", { $0.rare.name == "ab" },
                { $0.rare.contains { $0.name == "ab" } })
        ]
        cases += [ShelfCase("rare.count", { $0.rare.count == 0 }, { $0.rare.count == 0 })]
        cases += [
            ShelfCase(
                "best.sizes == 1", { $0.best.sizes == 1 }, { $0.best?.sizes.contains(1) ?? false })
        ]
        cases += [
            ShelfCase(
                "best.sizes.count == 0", { $0.best.sizes.count == 0 },
                { $0.best.map { $0.sizes.isEmpty } ?? true })
        ]
        cases += [
            ShelfCase(
                "next.items.name == a", { $0.next.items.name == "a" },
                { $0.next?.items.contains { $0.name == "a" } ?? false })
        ]
        cases += [
            ShelfCase(
                "next.next.best.twin.rank > 0", { $0.next.next.best.twin.rank > 0 },
                { ($0.next?.next?.best?.twin?.rank).map { $0 > 0 } ?? false })
        ]
        cases += [ShelfCase("place.name == a", { $0.place.name == "a" }, { $0.place?.name == "a" })]
        cases += [ShelfCase("place == nil", { $0.place == nil }, { $0.place == nil })]
        cases += [
            ShelfCase(
                "place.number == nil", { $0.place.number == nil }, { $0.place?.number == nil })
        ]
        cases += [
            ShelfCase(
                "places.number == nil", { $0.places.number == nil },
                { $0.places.contains { $0.number == nil } })
        ]
        cases += [
            ShelfCase(
                "places.number < 0", { $0.places.number < 0 },
                { $0.places.contains { $0.number.map { $0 < 0 } ?? false } })
        ]
        cases += [ShelfCase("places.count", { $0.places.count == 2 }, { $0.places.count == 2 })]
        return cases
    }()

    private static let aggregates: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase("numbers.min == -1", { $0.numbers.min == -1 }, { $0.numbers.min() == -1 })
        ]
        cases += [
            ShelfCase(
                "numbers.max > 1", { $0.numbers.max > 1 },
                { $0.numbers.max().map { $0 > 1 } ?? false })
        ]
        cases += [
            ShelfCase("numbers.sum == 0", { $0.numbers.sum == 0 }, { $0.numbers.reduce(0, +) == 0 })
        ]
        cases += [
            ShelfCase(
                "numbers.avg >= 1", { $0.numbers.avg >= 1 },
                {
                    !$0.numbers.isEmpty
                        && Double($0.numbers.reduce(0, +)) / Double($0.numbers.count) >= 1
                })
        ]
        cases += [
            ShelfCase(
                "numbers.sum > total", { $0.numbers.sum > $0.total },
                { $0.numbers.reduce(0, +) > $0.total })
        ]
        cases += [
            ShelfCase(
                "doubles.max == nil", { $0.doubles.max == nil },
                { !$0.doubles.contains { $0.map { !$0.isNaN } ?? false } })
        ]
        cases += [
            ShelfCase(
                "doubles.min < 0", { $0.doubles.min < 0 },
                { $0.doubles.contains { $0.map { $0 < 0 } ?? false } })
        ]
        cases += [
            ShelfCase(
                "dates.max > 2", { $0.dates.max > Shelves.dates[2] },
                { $0.dates.contains(Shelves.dates[3]) })
        ]
        cases += [
            ShelfCase("amounts.max == 1.5", { $0.amounts.max == 1.5 }, { $0.amounts.max() == 1.5 })
        ]
        cases += [
            ShelfCase(
                "amounts.sum == 0", { $0.amounts.sum == 0 },
                { $0.amounts.reduce(Decimal128(0), +) == 0 })
        ]
        cases += [
            ShelfCase(
                "items.rank.max > 1", { $0.items.rank.max > 1 },
                { $0.items.contains { $0.rank > 1 } })
        ]
        cases += [
            ShelfCase(
                "items.rank.min == nil", { $0.items.rank.sum == 0 },
                { $0.items.reduce(0) { $0 + $1.rank } == 0 })
        ]
        cases += [
            ShelfCase(
                "items.rank.avg < 0", { $0.items.rank.avg < 0 },
                { $0.items.reduce(0) { $0 + $1.rank } < 0 })
        ]
        cases += [
            ShelfCase(
                "items.weight.max >= 0.25", { $0.items.weight.max >= 0.25 },
                { $0.items.contains { $0.weight.map { $0 >= 0.25 } ?? false } })
        ]
        cases += [
            ShelfCase(
                "items.twin.weight.max >= 0.25", { $0.items.twin.weight.max >= 0.25 },
                { $0.items.contains { ($0.twin?.weight).map { $0 >= 0.25 } ?? false } })
        ]
        cases += [
            ShelfCase(
                "next.items.weight.min < 0", { $0.next.items.weight.min < 0 },
                { $0.next?.items.contains { $0.weight.map { $0 < 0 } ?? false } ?? false })
        ]
        return cases
    }()

    private static let maps: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase("scores == 2", { $0.scores.values == 2 }, { $0.scores.values.contains(2) })
        ]
        cases += [
            ShelfCase(
                "scores.values > 1", { $0.scores.values > 1 },
                { $0.scores.values.contains { $0 > 1 } })
        ]
        cases += [
            ShelfCase(
                "scores.contains(1)", { $0.scores.contains(1) }, { $0.scores.values.contains(1) })
        ]
        cases += [
            ShelfCase(
                "scores.containsAny", { $0.scores.containsAny(in: [0, 1]) },
                { $0.scores.values.contains { $0 == 0 || $0 == 1 } })
        ]
        cases += [
            ShelfCase(
                "scores.contains(0...3)", { $0.scores.contains(0...3) },
                { $0.scores.count > 0 && $0.scores.values.allSatisfy { (0...3).contains($0) } })
        ]
        cases += [ShelfCase("scores[a] == 1", { $0.scores["a"] == 1 }, { $0.scores["a"] == 1 })]
        cases += [ShelfCase("scores[a] != 1", { $0.scores["a"] != 1 }, { $0.scores["a"] != 1 })]
        cases += [
            ShelfCase(
                "scores[é] >= 0", { $0.scores["é"] >= 0 },
                { $0.scores["é"].map { $0 >= 0 } ?? false })
        ]
        cases += [
            ShelfCase(
                "scores.keys == a", { $0.scores.keys == "a" }, { $0.scores.keys.contains("a") })
        ]
        cases += [
            ShelfCase(
                "scores.keys starts é",
                { $0.scores.keys.starts(with: "É", options: .caseInsensitive) },
                { $0.scores.keys.contains("é") })
        ]
        cases += [ShelfCase("scores.count", { $0.scores.count == 2 }, { $0.scores.count == 2 })]
        cases += [
            ShelfCase("scores.max == 3", { $0.scores.max == 3 }, { $0.scores.values.max() == 3 })
        ]
        cases += [
            ShelfCase(
                "scores.sum < 0", { $0.scores.sum < 0 }, { $0.scores.values.reduce(0, +) < 0 })
        ]
        cases += [
            ShelfCase(
                "labels[a] == nil", { $0.labels["a"] == nil }, { ($0.labels["a"] ?? nil) == nil })
        ]
        cases += [
            ShelfCase(
                "labels[b] contains a", { $0.labels["b"].contains("A", options: .caseInsensitive) },
                { ["a", "Ab"].contains($0.labels["b"] ?? nil) })
        ]
        cases += [
            ShelfCase(
                "labels.values == nil", { $0.labels.values == nil },
                { $0.labels.values.contains { $0 == nil } })
        ]
        cases += [
            ShelfCase("named.keys == b", { $0.named.keys == "b" }, { $0.named.keys.contains("b") })
        ]
        cases += [
            ShelfCase(
                "named[a] == nil", { $0.named["a"] == nil }, { ($0.named["a"] ?? nil) == nil })
        ]
        cases += [
            ShelfCase(
                "keyed[a] == 1", { $0.keyed["a"] == .int(1) },
                { $0.keyed["a"].map { $0 == .int(1) } ?? false })
        ]
        cases += [
            ShelfCase(
                "keyed[a][b] != nil", { $0.keyed["a"]["b"] != AnyRealmValue.none },
                { ($0.keyed["a"]?.dictionaryValue?["b"] ?? .none) != .none })
        ]
        cases += [
            ShelfCase(
                "keyed[a][0] == 1", { $0.keyed["a"][0] == .int(1) },
                { $0.keyed["a"]?.listValue?.first == .int(1) })
        ]
        return cases
    }()

    private static let mapped: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase(
                "moods == first", { $0.moods == Mood.allCases[0] },
                { $0.moods.contains(Mood.allCases[0]) })
        ]
        cases += [
            ShelfCase(
                "moods.contains", { $0.moods.contains(Mood.allCases[1]) },
                { $0.moods.contains(Mood.allCases[1]) })
        ]
        cases += [
            ShelfCase(
                "moodsOrNone == nil", { $0.moodsOrNone == nil },
                { $0.moodsOrNone.contains { $0 == nil } })
        ]
        cases += [
            ShelfCase(
                "moods.rawValue", { $0.moods.rawValue == Mood.allCases[0].rawValue },
                { $0.moods.contains(Mood.allCases[0]) })
        ]
        cases += [
            ShelfCase(
                "items.mood in", { $0.items.mood.in([Mood.allCases[0]]) },
                { $0.items.contains { $0.mood == Mood.allCases[0] } })
        ]
        cases += [
            ShelfCase(
                "heat.persistableValue > 2", { $0.heat.persistableValue > 2 },
                { $0.heat.kelvin > 2 })
        ]
        cases += [
            ShelfCase(
                "heats.persistableValue > 2", { $0.heats.persistableValue > 2 },
                { $0.heats.contains { $0.kelvin > 2 } })
        ]
        cases += [
            ShelfCase(
                "heats.persistableValue.sum == 4", { $0.heats.persistableValue.sum == 4 },
                { $0.heats.reduce(0) { $0 + $1.kelvin } == 4 })
        ]
        cases += [
            ShelfCase(
                "heats.contains", { $0.heats.contains(Temperature(3)) },
                { $0.heats.contains { $0.kelvin == 3 } })
        ]
        return cases
    }()

    private static let text: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase(
                "title contains subtitle", { $0.title.contains($0.subtitle) },
                { shelf in shelf.subtitle.map { !$0.isEmpty && has(shelf.title, $0) } ?? false })
        ]
        cases += [
            ShelfCase(
                "subtitle starts title", { $0.subtitle.starts(with: $0.title) },
                { shelf in
                    shelf.subtitle.map {
                        !shelf.title.isEmpty && $0.utf8.starts(with: shelf.title.utf8)
                    } ?? false
                })
        ]
        cases += [
            ShelfCase(
                "title ends[c] subtitle",
                { $0.title.ends(with: $0.subtitle, options: .caseInsensitive) },
                { shelf in
                    shelf.subtitle.map {
                        !$0.isEmpty
                            && Array(lower(shelf.title).reversed()).starts(
                                with: lower($0).reversed())
                    } ?? false
                })
        ]
        cases += [
            ShelfCase(
                "title equals[c] subtitle",
                { $0.title.equals($0.subtitle, options: .caseInsensitive) },
                { shelf in shelf.subtitle.map { lower($0) == lower(shelf.title) } ?? false })
        ]
        cases += [
            ShelfCase(
                "title notEquals subtitle", { $0.title.notEquals($0.subtitle) },
                { shelf in !(shelf.subtitle.map { same($0, shelf.title) } ?? false) })
        ]
        cases += [
            ShelfCase(
                "title < best.name", { $0.title < $0.best.name },
                { shelf in
                    shelf.best.map { shelf.title.utf8.lexicographicallyPrecedes($0.name.utf8) }
                        ?? false
                })
        ]
        cases += [
            ShelfCase(
                "x*y like title", { $0.subtitle.like($0.title) },
                { shelf in
                    shelf.subtitle.map {
                        same($0, shelf.title) || (shelf.title == "x*y" && ["x*y"].contains($0))
                    } ?? false
                })
        ]
        cases += [
            ShelfCase(
                "mark contains AB", { $0.mark.contains(Data("AB".utf8)) },
                { has(String(decoding: $0.mark, as: UTF8.self), "AB") })
        ]
        cases += [
            ShelfCase(
                "best.name == title", { $0.best.name == $0.title },
                { shelf in shelf.best.map { same($0.name, shelf.title) } ?? false })
        ]
        cases += [
            ShelfCase(
                "total > best.rank", { $0.total > $0.best.rank },
                { shelf in shelf.best.map { shelf.total > $0.rank } ?? false })
        ]
        cases += [
            ShelfCase(
                "words contains[c] É", { $0.items.name.like("*MI*", caseInsensitive: true) },
                { $0.items.contains { has(String(decoding: lower($0.name), as: UTF8.self), "mi") } }
            )
        ]
        return cases
    }()

    private static let anyValues: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [ShelfCase("any == 1", { $0.any == .int(1) }, { equals($0.any, 1) })]
        cases += [ShelfCase("any == 1.5", { $0.any == .double(1.5) }, { equals($0.any, 1.5) })]
        cases += [ShelfCase("any != 1", { $0.any != .int(1) }, { !equals($0.any, 1) })]
        cases += [
            ShelfCase("any > 0", { $0.any > .int(0) }, { number($0.any).map { $0 > 0 } ?? false })
        ]
        cases += [
            ShelfCase(
                "any in range", { $0.any >= .int(-1) && $0.any <= .double(1.5) },
                { number($0.any).map { $0 >= -1 && $0 <= 1.5 } ?? false })
        ]
        cases += [
            ShelfCase(
                "any in closed range", { $0.any.contains(.int(-1) ... .double(1.5)) },
                { number($0.any).map { $0 >= -1 && $0 <= 1.5 } ?? false })
        ]
        cases += [ShelfCase("any == nil", { $0.any == AnyRealmValue.none }, { $0.any == .none })]
        cases += [ShelfCase("any != nil", { $0.any != AnyRealmValue.none }, { $0.any != .none })]
        cases += [ShelfCase("any == true", { $0.any == .bool(true) }, { $0.any.boolValue == true })]
        cases += [
            ShelfCase(
                "any == date", { $0.any == .date(Shelves.dates[1]) },
                { $0.any.dateValue == Shelves.dates[1] })
        ]
        cases += [
            ShelfCase(
                "any == 'a'", { $0.any == .string("a") },
                { $0.any.stringValue == "a" || $0.any.dataValue == Data("a".utf8) })
        ]
        cases += [
            ShelfCase(
                "any in", { $0.any.in([.int(1), .none, .string("ab")]) },
                { equals($0.any, 1) || $0.any == .none || $0.any.stringValue == "ab" })
        ]
        cases += [
            ShelfCase(
                "any[0] == 1", { $0.any[0] == .int(1) },
                { equals($0.any.listValue?.first ?? .none, 1) })
        ]
        cases += [
            ShelfCase(
                "any[a] > 0", { $0.any["a"] > .int(0) },
                { number($0.any.dictionaryValue?["a"] ?? .none).map { $0 > 0 } ?? false })
        ]
        cases += [
            ShelfCase(
                "any[a][1] == nil", { $0.any["a"][1] == AnyRealmValue.none },
                { shelf in
                    shelf.any.dictionaryValue?["a"]?.listValue.map {
                        $0.count < 2 || $0[1] == .none
                    } ?? true
                })
        ]
        cases += [
            ShelfCase(
                "any.any == 1", { $0.any.any == .int(1) },
                { elements($0.any).contains { equals($0, 1) } })
        ]
        cases += [
            ShelfCase(
                "any.any.any > 0", { $0.any.any.any > .int(0) },
                {
                    elements($0.any).flatMap { elements($0) }.contains {
                        number($0).map { $0 > 0 } ?? false
                    }
                })
        ]
        cases += [
            ShelfCase(
                "any.any[0] == 1", { $0.any.any[0] == .int(1) },
                { elements($0.any).contains { equals($0.listValue?.first ?? .none, 1) } })
        ]
        cases += [
            ShelfCase("anys == 1", { $0.anys == .int(1) }, { $0.anys.contains { equals($0, 1) } })
        ]
        cases += [
            ShelfCase(
                "anys.contains(nil)", { $0.anys.contains(.none) }, { $0.anys.contains(.none) })
        ]
        cases += [ShelfCase("anys.count", { $0.anys.count == 2 }, { $0.anys.count == 2 })]
        cases += [
            ShelfCase(
                "items.any == 1", { $0.items.any == .int(1) },
                { $0.items.contains { equals($0.any, 1) } })
        ]
        cases += [
            ShelfCase(
                "best.any[a] == nil", { $0.best.any["a"] == AnyRealmValue.none },
                { ($0.best?.any.dictionaryValue?["a"] ?? .none) == .none })
        ]
        cases += [
            ShelfCase(
                "keyed.values == 1", { $0.keyed.values == .int(1) },
                { $0.keyed.values.contains { equals($0, 1) } })
        ]
        return cases
    }()

    private static let subqueries: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase(
                "(items.weight > 0 && items.isNew).count > 0",
                { ($0.items.weight > 0 && $0.items.isNew).count > 0 },
                { $0.items.contains { $0.isNew && ($0.weight.map { $0 > 0 } ?? false) } })
        ]
        cases += [
            ShelfCase(
                "(items.name == a).count == 0", { ($0.items.name == "a").count == 0 },
                { !$0.items.contains { $0.name == "a" } })
        ]
        cases += [
            ShelfCase(
                "(items.isNew || items.twin.isNew).count >= 2",
                { ($0.items.isNew || $0.items.twin.isNew).count >= 2 },
                { $0.items.filter { $0.isNew || ($0.twin?.isNew ?? false) }.count >= 2 })
        ]
        cases += [
            ShelfCase(
                "(items.sizes == 2).count == 1", { ($0.items.sizes == 2).count == 1 },
                { $0.items.filter { $0.sizes.contains(2) }.count == 1 })
        ]
        cases += [
            ShelfCase(
                "(next.items.name != ab).count > 1", { ($0.next.items.name != "ab").count > 1 },
                { ($0.next?.items.filter { $0.name != "ab" }.count ?? 0) > 1 })
        ]
        cases += [
            ShelfCase(
                "(numbers > 0).count == 2", { ($0.numbers > 0).count == 2 },
                { $0.numbers.filter { $0 > 0 }.count == 2 })
        ]
        cases += [
            ShelfCase(
                "(items.sizes.count > 1).count < total",
                { ($0.items.sizes.count > 1).count < $0.total },
                { $0.items.filter { $0.sizes.count > 1 }.count < $0.total })
        ]
        return cases
    }()

    private static let backlinks: [ShelfCase] = {
        var cases: [ShelfCase] = []
        cases += [
            ShelfCase("previous.count == 1", { $0.previous.count == 1 }, { $0.previous.count == 1 })
        ]
        cases += [
            ShelfCase(
                "previous.title == a", { $0.previous.title == "a" },
                { $0.previous.contains { $0.title == "a" } })
        ]
        cases += [
            ShelfCase(
                "previous.numbers > 1", { $0.previous.numbers > 1 },
                { $0.previous.contains { $0.numbers.contains { $0 > 1 } } })
        ]
        cases += [
            ShelfCase(
                "previous.total.max > 1", { $0.previous.total.max > 1 },
                { $0.previous.contains { $0.total > 1 } })
        ]
        cases += [
            ShelfCase(
                "best.champions.count > 1", { $0.best.champions.count > 1 },
                { ($0.best?.champions.count ?? 0) > 1 })
        ]
        cases += [
            ShelfCase(
                "best.shelves.title == a", { $0.best.shelves.title == "a" },
                { $0.best?.shelves.contains { $0.title == "a" } ?? false })
        ]
        cases += [
            ShelfCase(
                "items.shelves.count > 2", { $0.items.shelves.count > 2 },
                { $0.items.contains { $0.shelves.count > 2 } })
        ]
        cases += [
            ShelfCase(
                "items.champions.total > 0", { $0.items.champions.total > 0 },
                { $0.items.contains { $0.champions.contains { $0.total > 0 } } })
        ]
        cases += [
            ShelfCase(
                "(previous.total > 0 && previous.limit == nil).count",
                { ($0.previous.total > 0 && $0.previous.limit == nil).count > 0 },
                { $0.previous.contains { $0.total > 0 && $0.limit == nil } })
        ]
        return cases
    }()

    // MARK: Plain Swift

    private static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

    private static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }

    private static func lower(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    private static func number(_ value: AnyRealmValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .decimal128(let value): value.doubleValue
        default: nil
        }
    }

    private static func equals(_ value: AnyRealmValue, _ other: Double) -> Bool {
        number(value) == other
    }

    private static func elements(_ value: AnyRealmValue) -> [AnyRealmValue] {
        value.listValue.map { Array($0) } ?? value.dictionaryValue?.values ?? []
    }
}
