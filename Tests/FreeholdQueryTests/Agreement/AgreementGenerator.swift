import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Makes random conditions. The same seed gives the same ones for both classes.
struct AgreementGenerator<Item: AgreementItem> {
    typealias Condition = AgreementCondition<Item>
    typealias Values = AgreementValues

    var random: SeededGenerator
    /// Of rows that are there, or were.
    let ids: [Int]

    mutating func condition(depth: Int = 2) -> Condition {
        guard depth > 0, !random.once(in: 3) else { return leaf() }
        let left = condition(depth: depth - 1)
        switch random.int(0...2) {
        case 0:
            return Condition(
                "NOT (\(left.format))", left.arguments, { !left.query($0) }, { !left.holds($0, $1) }
            )
        case 1:
            let right = condition(depth: depth - 1)
            return Condition(
                "(\(left.format)) AND (\(right.format))", left.arguments + right.arguments,
                { left.query($0) && right.query($0) },
                { left.holds($0, $1) && right.holds($0, $1) })
        default:
            let right = condition(depth: depth - 1)
            return Condition(
                "(\(left.format)) OR \(right.format)", left.arguments + right.arguments,
                { left.query($0) || right.query($0) },
                { left.holds($0, $1) || right.holds($0, $1) })
        }
    }

    private mutating func leaf() -> Condition {
        switch random.int(0...9) {
        case 0, 1, 2: number()
        case 3: value()
        case 4, 5: text()
        case 6: list()
        case 7: linked()
        case 8: properties()
        default: others()
        }
    }

    private mutating func order() -> AgreementOrder { random.pick(AgreementOrder.allCases) }

    private mutating func equality() -> AgreementOrder { random.pick([.equal, .notEqual]) }

    private mutating func maybe<Value>(_ values: [Value]) -> Value? {
        random.once(in: 4) ? nil : random.pick(values)
    }

    // MARK: Leaves

    private func compared<Property: _HasPersistedType, Plain: Comparable>(
        _ name: String, _ order: AgreementOrder, _ value: Property, _ plainValue: Plain?,
        _ property: @escaping (Query<Item>) -> Query<Property>,
        _ plain: @escaping (AgreementRow) -> Plain?
    ) -> Condition where Property.PersistedType: _QueryNumeric {
        Condition(
            "\(name) \(order.rawValue) %@", [value], { order.query(property($0), value) },
            { row, _ in order.holds(plain(row), plainValue) })
    }

    private mutating func number() -> Condition {
        let order = order()
        let (int, double, date) = (
            random.pick(Values.ints), random.pick(Values.doubles), random.pick(Values.dates)
        )
        switch random.int(0...8) {
        case 0: return compared("int", order, int, int, { $0.int }, { $0.int })
        case 1:
            let value = maybe(Values.ints)
            return compared(
                "optionalInt", order, value, value, { $0.optionalInt }, { $0.optionalInt })
        case 2: return compared("double", order, double, double, { $0.double }, { $0.double })
        case 3:
            let value = maybe(Values.doubles)
            return compared(
                "optionalDouble", order, value, value, { $0.optionalDouble }, { $0.optionalDouble })
        case 4:
            let value = random.pick(Values.floats)
            // A number as strings have it is a double, and means the closest float.
            let argument: Any = random.once(in: 2) ? value : Double("\(value)") ?? .nan
            return Condition(
                "float \(order.rawValue) %@", [argument], { order.query($0.float, value) },
                { row, _ in order.holds(row.float, value) })
        case 5: return compared("date", order, date, date, { $0.date }, { $0.date })
        case 6:
            let value = maybe(Values.dates)
            return compared(
                "optionalDate", order, value, value, { $0.optionalDate }, { $0.optionalDate })
        case 7:
            let value = maybe(Values.decimals)
            return Condition(
                "decimal \(order.rawValue) %@", [value], { order.query($0.decimal, value) }
            ) { row, _ in
                guard let a = row.decimal, let b = value, a.isNaN || b.isNaN else {
                    return order.holds(row.decimal, value)
                }
                return order == .notEqual
            }
        default:
            let (a, b) = (random.pick(Values.ints), random.pick(Values.ints))
            let (lower, upper) = (min(a, b), max(a, b))
            if random.once(in: 2) {
                return Condition(
                    "int BETWEEN {%@, %@}", [lower, upper], { $0.int.contains(lower...upper) },
                    { row, _ in (lower...upper).contains(row.int) })
            }
            return Condition(
                "optionalInt >= %@ AND optionalInt < %@", [lower, upper],
                { $0.optionalInt.contains(lower..<upper) },
                { row, _ in row.optionalInt.map { (lower..<upper).contains($0) } ?? false })
        }
    }

    /// What can only be equal or not, and membership.
    private mutating func value() -> Condition {
        let order = equality()
        let isEqual = order == .equal
        switch random.int(0...8) {
        case 0:
            let value = random.once(in: 2)
            return Condition(
                "bool \(order.rawValue) %@", [value],
                { isEqual ? $0.bool == value : $0.bool != value },
                { row, _ in (row.bool == value) == isEqual })
        case 1:
            let value = maybe([true, false])
            return Condition(
                "optionalBool \(order.rawValue) %@", [value],
                { isEqual ? $0.optionalBool == value : $0.optionalBool != value },
                { row, _ in (row.optionalBool == value) == isEqual })
        case 2:
            let value = maybe(Values.uuids)
            return Condition(
                "uuid \(order.rawValue) %@", [value],
                { isEqual ? $0.uuid == value : $0.uuid != value },
                { row, _ in (row.uuid == value) == isEqual })
        case 3:
            let value = maybe(Values.objectIds)
            return Condition(
                "objectId \(order.rawValue) %@", [value],
                { isEqual ? $0.objectId == value : $0.objectId != value },
                { row, _ in (row.objectId == value) == isEqual })
        case 4:
            let value = maybe([AgreementLevel.low, .middle, .high])
            return Condition(
                "level \(order.rawValue) %@", [value],
                { isEqual ? $0.level == value : $0.level != value },
                { row, _ in (row.level == value) == isEqual })
        case 5:
            let values = (0..<random.int(0...4)).map { _ in maybe(Values.ints) }
            return Condition(
                "optionalInt IN %@", [values], { $0.optionalInt.in(values) },
                { row, _ in values.contains(row.optionalInt) })
        case 6:
            let values = (0..<random.int(0...4)).map { _ in random.pick(Values.texts) }
            let bytes = values.map { AgreementBytes($0) }
            return Condition(
                "text IN %@", [values], { $0.text.in(values) },
                { row, _ in bytes.contains(AgreementBytes(row.text)) })
        case 7:
            let values = (0..<random.int(0...3)).map { _ in random.pick(ids) }
            return Condition(
                "id IN %@", [values], { $0.id.in(values) }, { row, _ in values.contains(row.id) })
        default:
            let (value, order) = (random.pick(Values.anys), self.order())
            // Booleans and ids have no order, which is an error in strings.
            switch value {
            case .none, .bool, .uuid:
                return Condition(
                    "#any \(isEqual ? "==" : "!=") %@", [value],
                    { isEqual ? $0.any == value : $0.any != value },
                    { row, _ in AgreementAny.holds(row.any, isEqual ? .equal : .notEqual, value) })
            default:
                return Condition(
                    "#any \(order.rawValue) %@", [value], { order.query($0.any, value) },
                    { row, _ in AgreementAny.holds(row.any, order, value) })
            }
        }
    }

    private mutating func text() -> Condition {
        let order = order()
        let value = random.pick(Values.texts)
        switch random.int(0...5) {
        case 0:
            return Condition(
                "text \(order.rawValue) %@", [value], { order.query(bytes: $0.text, value) },
                { row, _ in order.holds(AgreementBytes(row.text), AgreementBytes(value)) })
        case 1:
            let value = maybe(Values.texts)
            return Condition(
                "optionalText \(order.rawValue) %@", [value],
                { order.query(bytes: $0.optionalText, value) }
            ) { row, _ in
                order.holds(
                    row.optionalText.map { AgreementBytes($0) },
                    with: value.map { AgreementBytes($0) })
            }
        case 2:
            let data = random.pick(Values.datas)
            return Condition(
                "data \(order.rawValue) %@", [data], { order.query(bytes: $0.data, data) },
                { row, _ in order.holds(AgreementBytes(row.data), AgreementBytes(data)) })
        default:
            let operation = random.pick(AgreementText.allCases)
            let value = operation == .like ? random.pick(Values.patterns) : value
            var options: StringOptions = random.pick([
                [], [], .caseInsensitive, .diacriticInsensitive,
                [.caseInsensitive, .diacriticInsensitive],
            ])
            if operation == .like { options.remove(.diacriticInsensitive) }
            let letters =
                (options.contains(.caseInsensitive) ? "c" : "")
                + (options.contains(.diacriticInsensitive) ? "d" : "")
            let suffix = letters.isEmpty ? "" : "[\(letters)]"
            let (final, made) = (options, operation)
            if random.once(in: 2) {
                return Condition(
                    "text \(operation.rawValue)\(suffix) %@", [value],
                    { made.query($0.text, value, final) },
                    { row, _ in made.holds(row.text, value, final) })
            }
            return Condition(
                "optionalText \(operation.rawValue)\(suffix) %@", [value],
                { made.query($0.optionalText, value, final) },
                { row, _ in made.holds(row.optionalText, value, final) })
        }
    }

    private mutating func list() -> Condition {
        let order = order()
        let (int, count) = (random.pick(Values.ints), random.int(0...3))
        switch random.int(0...9) {
        case 0:
            return Condition(
                "ANY numbers == %@", [int], { $0.numbers == int },
                { row, _ in row.numbers.contains(int) })
        case 1:
            return Condition(
                "numbers.@count \(order.rawValue) %@", [count],
                { order.query($0.numbers.count, count) },
                { row, _ in order.holds(row.numbers.count, count) })
        case 2:
            return Condition(
                "numbers.@max \(order.rawValue) %@", [int], { order.query($0.numbers.max, int) },
                { row, _ in order.holds(row.numbers.max(), int) })
        case 3:
            return Condition(
                "%@ IN numbers", [int], { $0.numbers.contains(int) },
                { row, _ in row.numbers.contains(int) })
        case 4:
            return Condition(
                "NONE numbers > %@", [int], { !($0.numbers > int) },
                { row, _ in !row.numbers.contains { $0 > int } })
        case 5:
            return Condition(
                "ALL numbers <= %@", [int], { !($0.numbers > int) },
                { row, _ in row.numbers.allSatisfy { $0 <= int } })
        case 6:
            return Condition(
                "ANY tags != %@", [int], { $0.tags != int },
                { row, _ in row.tags.contains { $0 != int } })
        case 7:
            let value = maybe(Values.texts)
            return Condition("ANY texts == %@", [value], { $0.texts == value }) { row, _ in
                row.texts.contains {
                    $0.map { AgreementBytes($0) } == value.map { AgreementBytes($0) }
                }
            }
        case 8:
            let key = random.pick(Values.keys)
            return Condition(
                "map[%@] \(order.rawValue) %@", [key, int], { order.query($0.map[key], int) },
                { row, _ in order.holds(row.map[key], int) })
        default:
            let key = random.pick(Values.keys)
            return Condition(
                "ANY map.@allKeys == %@", [key], { $0.map.keys == key },
                { row, _ in row.map.keys.contains(key) })
        }
    }

    private mutating func linked() -> Condition {
        let order = order()
        let (int, text, count) = (random.pick(Values.ints), maybe(Values.texts), random.int(0...2))
        switch random.int(0...9) {
        case 0:
            return Condition(
                "friend.int \(order.rawValue) %@", [int], { order.query($0.friend.int, int) },
                { row, world in order.holds(world.friend(of: row)?.int, int) })
        case 1:
            return Condition(
                "friend.friend.optionalText \(order.rawValue) %@", [text],
                { order.query(bytes: $0.friend.friend.optionalText, text) }
            ) { row, world in
                let end = world.friend(of: row).flatMap { world.friend(of: $0) }
                return order.holds(
                    end?.optionalText.map { AgreementBytes($0) },
                    with: text.map { AgreementBytes($0) })
            }
        case 2:
            return Condition(
                "friend == nil", [], { $0.friend == nil }, { row, _ in row.friend == nil })
        case 3:
            return Condition(
                "friend != nil AND friend.bool == true", [], { $0.friend != nil && $0.friend.bool },
                { row, world in world.friend(of: row)?.bool == true })
        case 4:
            return Condition(
                "ANY friends.int == %@", [int], { $0.friends.int == int },
                { row, world in world.friends(of: row).contains { $0.int == int } })
        case 5:
            return Condition("ANY friends.friend.int < %@", [int], { $0.friends.friend.int < int })
            { row, world in
                world.friends(of: row).contains {
                    world.friend(of: $0).map { $0.int < int } ?? false
                }
            }
        case 6:
            return Condition(
                "friends.@sum.float \(order.rawValue) %@", [Float(3)],
                { order.query($0.friends.float.sum, 3) }
            ) { row, world in
                order.holds(world.friends(of: row).reduce(0) { $0 + Double($1.float) }, 3)
            }
        case 7:
            return Condition(
                """
                SUBQUERY(friends, $x, $x.int > %@ AND $x.bool == true).@count \
                \(order.rawValue) %@
                """,
                [int, count],
                { order.query(($0.friends.int > int && $0.friends.bool).count, count) },
                { row, world in
                    order.holds(world.friends(of: row).count { $0.int > int && $0.bool }, count)
                })
        case 8:
            return Condition(
                "ANY friends.int \(order.rawValue) int", [], { order.query($0.friends.int, $0.int) }
            ) { row, world in
                world.friends(of: row).contains { order.holds($0.int, row.int) }
            }
        default:
            return Condition(
                """
                SUBQUERY(friends, $x, SUBQUERY($x.friends, $y, $y.int > %@).@count > \
                0).@count \(order.rawValue) %@
                """,
                [int, count],
                { order.query((($0.friends.friends.int > int).count > 0).count, count) },
                { row, world in
                    order.holds(
                        world.friends(of: row).count {
                            world.friends(of: $0).contains { $0.int > int }
                        }, count)
                })
        }
    }

    /// Two properties of one object.
    private mutating func properties() -> Condition {
        let order = order()
        switch random.int(0...4) {
        case 0:
            return Condition(
                "double \(order.rawValue) double", [], { order.query($0.double, $0.double) },
                { row, _ in order.holds(row.double, row.double) })
        case 1:
            return Condition(
                "friend.int \(order.rawValue) friend.friend.int", [],
                { order.query($0.friend.int, $0.friend.friend.int) },
                { row, world in
                    order.holds(
                        world.friend(of: row)?.int,
                        world.friend(of: row).flatMap { world.friend(of: $0) }?.int)
                })
        case 2:
            return Condition(
                "text CONTAINS optionalText", [], { $0.text.contains($0.optionalText) }
            ) { row, _ in
                row.optionalText.map { AgreementText.contains.holds(row.text, $0, []) } ?? false
            }
        case 3:
            return Condition(
                "date \(order.rawValue) date", [], { order.query($0.date, $0.date) },
                { row, _ in order.holds(row.date, row.date) })
        default:
            return Condition(
                "ANY friends.optionalInt \(order.rawValue) optionalInt", [],
                { order.query($0.friends.optionalInt, $0.optionalInt) }
            ) { row, world in
                world.friends(of: row).contains { order.holds($0.optionalInt, row.optionalInt) }
            }
        }
    }

    private mutating func others() -> Condition {
        switch random.int(0...2) {
        case 0:
            let word = random.pick(Values.words)
            return Condition(
                "story TEXT %@", [word], { $0.story.fullText(word) },
                { row, _ in row.story.split(separator: " ").contains { $0 == word } })
        case 1:
            let (word, other) = (random.pick(Values.words), random.pick(Values.words))
            return Condition(
                "story TEXT %@", ["\(word) -\(other)"], { $0.story.fullText("\(word) -\(other)") }
            ) { row, _ in
                let words = row.story.split(separator: " ").map(String.init)
                return words.contains(word) && !words.contains(other)
            }
        default: return Condition("bool == true", [], { $0.bool }, { row, _ in row.bool })
        }
    }
}
