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

    // MARK: Plain Swift

    static func same(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

    static func has(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        return text.indices.contains { text[$0...].starts(with: part) }
    }

    static func lower(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

    static func number(_ value: AnyRealmValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .decimal128(let value): value.doubleValue
        default: nil
        }
    }

    static func equals(_ value: AnyRealmValue, _ other: Double) -> Bool {
        number(value) == other
    }

    static func elements(_ value: AnyRealmValue) -> [AnyRealmValue] {
        value.listValue.map { Array($0) } ?? value.dictionaryValue?.values ?? []
    }
}
