import Foundation
import Freehold

/// A condition in three forms: as a typed query, as a string with arguments, and in plain Swift.
struct ModelCondition {
    typealias Item = ModelClasses.Item
    let query: (Query<Item>) -> Query<Bool>
    let text: String
    let arguments: [Any]
    let holds: (PlainItem, PlainModel) -> Bool

    init(
        _ text: String, _ arguments: [Any], _ query: @escaping (Query<Item>) -> Query<Bool>,
        _ holds: @escaping (PlainItem, PlainModel) -> Bool
    ) {
        (self.text, self.arguments, self.query, self.holds) = (text, arguments, query, holds)
    }

    static func drawn(_ draw: inout Draw, depth: Int = 2) -> ModelCondition {
        if depth > 0, draw.below(3) == 2 {
            let left = drawn(&draw, depth: depth - 1)
            if draw.below(3) == 2 {
                return ModelCondition(
                    "NOT (\(left.text))", left.arguments, { !left.query($0) },
                    { !left.holds($0, $1) })
            }
            let right = drawn(&draw, depth: depth - 1)
            if draw.below(2) == 0 {
                return ModelCondition(
                    "(\(left.text)) AND (\(right.text))", left.arguments + right.arguments,
                    { left.query($0) && right.query($0) },
                    { left.holds($0, $1) && right.holds($0, $1) })
            }
            return ModelCondition(
                "(\(left.text)) OR (\(right.text))", left.arguments + right.arguments,
                { left.query($0) || right.query($0) },
                { left.holds($0, $1) || right.holds($0, $1) })
        }
        switch draw.below(4) {
        case 0: return number(&draw)
        case 1: return text(&draw)
        case 2: return related(&draw)
        default: return collection(&draw)
        }
    }

    // MARK: Numbers and other scalars

    private static func number(_ draw: inout Draw) -> ModelCondition {
        let value = draw.int()
        switch draw.below(12) {
        case 0:
            return ModelCondition(
                "rank == %@", [value], { $0.rank == value },
                { item, _ in item[.rank].int! == value })
        case 1:
            return ModelCondition(
                "rank != %@", [value], { $0.rank != value },
                { item, _ in item[.rank].int! != value })
        case 2:
            return ModelCondition(
                "rank > %@", [value], { $0.rank > value }, { item, _ in item[.rank].int! > value })
        case 3:
            return ModelCondition(
                "rank <= %@", [value], { $0.rank <= value },
                { item, _ in item[.rank].int! <= value })
        case 4:
            let upper = max(value, draw.below(30))
            return ModelCondition(
                "rank BETWEEN {%@, %@}", [value, upper], { $0.rank.contains(value...upper) },
                { item, _ in (value...upper).contains(item[.rank].int!) })
        case 5:
            let values = [value, draw.below(24), draw.below(24)]
            return ModelCondition(
                "rank IN %@", [values], { $0.rank.in(values) },
                { item, _ in values.contains(item[.rank].int!) })
        case 6:
            let big = Int64(value)
            return ModelCondition(
                "big >= %@", [big], { $0.big >= big },
                { item, _ in item[.big].int.map { $0 >= value } ?? false })
        case 7:
            return ModelCondition(
                "big == nil", [], { $0.big == nil }, { item, _ in item[.big] == .null })
        case 8:
            let score = Double(draw.below(20) - 5) / 4
            return ModelCondition(
                "score < %@", [score], { $0.score < score },
                { item, _ in item[.score].double.map { $0 < score } ?? false })
        case 9:
            let name = draw.pick(["plain", "fancy", "rare"])
            let kind = ModelClasses.Kind(rawValue: name)!
            return ModelCondition(
                "kind == %@", [name], { $0.kind == kind }, { item, _ in item[.kind] == .text(name) }
            )
        case 10:
            return ModelCondition(
                "flag == true", [], { $0.flag == true }, { item, _ in item[.flag] == .bool(true) })
        default:
            let date = draw.date()
            return ModelCondition(
                "date > %@", [date], { $0.date > date },
                { item, _ in if case .date(let found) = item[.date] { found > date } else { false }
                })
        }
    }

    // MARK: Texts

    private static func text(_ draw: inout Draw) -> ModelCondition {
        let value = draw.text()
        /// As the database compares: by scalars, and nothing contains an empty text.
        func contains(_ text: String, _ part: String) -> Bool {
            let (text, part) = (Array(text.utf8), Array(part.utf8))
            if part.isEmpty { return false }
            return text.count >= part.count
                && (0...text.count - part.count).contains {
                    text[$0..<$0 + part.count].elementsEqual(part)
                }
        }
        switch draw.below(8) {
        case 0:
            return ModelCondition(
                "name == %@", [value], { $0.name == value },
                { item, _ in item[.name].string! == value })
        case 1:
            return ModelCondition(
                "name != %@", [value], { $0.name != value },
                { item, _ in item[.name].string! != value })
        case 2:
            return ModelCondition(
                "name BEGINSWITH %@", [value], { $0.name.starts(with: value) },
                { item, _ in !value.isEmpty && item[.name].string!.utf8.starts(with: value.utf8) })
        case 3:
            return ModelCondition(
                "name CONTAINS %@", [value], { $0.name.contains(value) },
                { item, _ in contains(item[.name].string!, value) })
        case 4:
            let values = [value, "a", "zz"]
            return ModelCondition(
                "name IN %@", [values], { $0.name.in(values) },
                { item, _ in values.contains(item[.name].string!) })
        case 5:
            return ModelCondition(
                "text == nil", [], { $0.text == nil }, { item, _ in item[.text] == .null })
        case 6:
            return ModelCondition(
                "text == %@", [value], { $0.text == value },
                { item, _ in item[.text].string == value })
        default:
            return ModelCondition(
                "text CONTAINS %@", [value], { $0.text.contains(value) },
                { item, _ in item[.text].string.map { contains($0, value) } ?? false })
        }
    }

    // MARK: Links

    private static func related(_ draw: inout Draw) -> ModelCondition {
        let value = draw.below(24)
        func next(_ item: PlainItem, _ model: PlainModel) -> PlainItem? {
            item[.next].item.flatMap { model.items[$0] }
        }
        switch draw.below(9) {
        case 0:
            return ModelCondition(
                "next == nil", [], { $0.next == nil }, { item, _ in item[.next] == .null })
        case 1:
            return ModelCondition(
                "next.rank > %@", [value], { $0.next.rank > value },
                { next($0, $1).map { $0[.rank].int! > value } ?? false })
        case 2:
            let name = draw.text()
            return ModelCondition(
                "next.name == %@", [name], { $0.next.name == name },
                { next($0, $1).map { $0[.name].string! == name } ?? false })
        case 3:
            return ModelCondition(
                "next.next.rank <= %@", [value], { $0.next.next.rank <= value },
                {
                    next($0, $1).flatMap { [model = $1] in next($0, model) }.map {
                        $0[.rank].int! <= value
                    } ?? false
                })
        case 4:
            return ModelCondition(
                "part.size >= %@", [value], { $0.part.size >= value },
                { item, _ in item[.part].part.map { $0.size >= value } ?? false })
        case 5:
            return ModelCondition(
                "part == nil", [], { $0.part == nil }, { item, _ in item[.part] == .null })
        case 6:
            let name = draw.text()
            return ModelCondition(
                "note.text == %@", [name], { $0.note.text == name },
                { item, model in item[.note].link.map { model.notes[$0.key]!.text == name } ?? false
                })
        case 7:
            return ModelCondition(
                "part.target.rank < %@", [value], { $0.part.target.rank < value },
                { item, model in
                    item[.part].part?.target.map { model.items[$0]![.rank].int! < value } ?? false
                })
        default:
            return ModelCondition(
                "owned != nil", [], { $0.owned != nil }, { item, _ in item[.owned] != .null })
        }
    }

    // MARK: Collections

    private static func collection(_ draw: inout Draw) -> ModelCondition {
        let value = draw.below(24)
        let count = draw.below(4)
        switch draw.below(10) {
        case 0:
            return ModelCondition(
                "ANY numbers > %@", [value], { $0.numbers > value },
                { item, _ in item[.numbers].elements.contains { $0.int! > value } })
        case 1:
            return ModelCondition(
                "%@ IN numbers", [value], { $0.numbers.contains(value) },
                { item, _ in item[.numbers].elements.contains(.int(value)) })
        case 2:
            return ModelCondition(
                "numbers.@sum > %@", [value], { $0.numbers.sum > value },
                { item, _ in item[.numbers].elements.reduce(0) { $0 + $1.int! } > value })
        case 3:
            return ModelCondition(
                "ANY children.rank >= %@", [value], { $0.children.rank >= value },
                { item, model in
                    item[.children].elements.contains {
                        model.items[$0.item!]![.rank].int! >= value
                    }
                })
        case 4:
            return ModelCondition(
                "children.@count == %@", [count], { $0.children.count == count },
                { item, _ in item[.children].elements.count == count })
        case 5:
            return ModelCondition(
                "ANY parts.size == %@", [value], { $0.parts.size == value },
                { item, _ in item[.parts].elements.contains { $0.part!.size == value } })
        case 6:
            let tag = draw.text()
            return ModelCondition(
                "%@ IN tags", [tag], { $0.tags.contains(tag) },
                { item, _ in item[.tags].members.contains(.text(tag)) })
        case 7:
            let name = draw.text()
            return ModelCondition(
                "ANY friends.name == %@", [name], { $0.friends.name == name },
                { item, model in
                    item[.friends].members.contains { model.items[$0.item!]![.name] == .text(name) }
                })
        case 8:
            return ModelCondition(
                "ANY marks.@allValues > %@", [value], { $0.marks.values > value },
                { item, _ in item[.marks].entries.values.contains { $0.int! > value } })
        default:
            return ModelCondition(
                "rooms.@count > %@", [count], { $0.rooms.count > count },
                { item, _ in item[.rooms].entries.count > count })
        }
    }
}

// MARK: - Orders

/// An order of items, as sort descriptors and in plain Swift. Keys make it the only one.
struct ModelOrder {
    let descriptors: [Freehold.SortDescriptor]
    let isBefore: (Int, Int, PlainModel) -> Bool

    static func drawn(_ draw: inout Draw) -> ModelOrder {
        let isAscending = draw.below(2) == 0
        let column: (name: String, value: (PlainItem, PlainModel) -> PlainValue) =
            switch draw.below(6) {
            case 0: ("rank", { item, _ in item[.rank] })
            case 1: ("name", { item, _ in item[.name] })
            case 2: ("score", { item, _ in item[.score] })
            case 3:
                (
                    "next.rank",
                    { item, model in item[.next].item.map { model.items[$0]![.rank] } ?? .null }
                )
            case 4: ("text", { item, _ in item[.text] })
            default: ("kind", { item, _ in item[.kind] })
            }
        return ModelOrder(
            descriptors: [
                Freehold.SortDescriptor(keyPath: column.name, ascending: isAscending),
                Freehold.SortDescriptor(keyPath: "id", ascending: true),
            ],
            isBefore: { first, second, model in
                let a = column.value(model.items[first]!, model),
                    b = column.value(model.items[second]!, model)
                if a == b { return first < second }
                // Objects without a next one come after those with one, in ascending order.
                if column.name == "next.rank" && (a == .null || b == .null) {
                    return (b == .null) == isAscending
                }
                return precedes(a, b) == isAscending
            })
    }

    private static func precedes(_ a: PlainValue, _ b: PlainValue) -> Bool {
        switch (a, b) {
        case (.null, _): b != .null
        case (_, .null): false
        case (.int(let a), .int(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        default: false
        }
    }
}
