import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

extension ShelfCase {
    static let maps: [ShelfCase] = {
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

    static let mapped: [ShelfCase] = {
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
}
