import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

extension ShelfCase {
    static let text: [ShelfCase] = {
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

    static let anyValues: [ShelfCase] = {
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

    static let subqueries: [ShelfCase] = {
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

    static let backlinks: [ShelfCase] = {
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

}
