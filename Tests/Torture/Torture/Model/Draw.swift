import Foundation
import Freehold
import FreeholdTestSupport

/// Values from the number of an operation's operand: the same from the same number, and the
/// simplest of all from 0.
struct Draw {
    private var random: SeededGenerator?

    init(_ number: Int) {
        random = number == 0 ? nil : SeededGenerator(seed: UInt64(truncatingIfNeeded: number))
    }

    /// From 0 to less than `count`.
    mutating func below(_ count: Int) -> Int {
        guard random != nil, count > 1 else { return 0 }
        return Int(random!.next() % UInt64(count))
    }

    mutating func once(in count: Int) -> Bool {
        below(count) == count - 1 && count > 0 && random != nil
    }

    mutating func pick<Element>(_ values: [Element]) -> Element { values[below(values.count)] }

    /// Few different numbers, so that values meet again in queries, and extremes.
    mutating func int() -> Int {
        once(in: 12) ? pick([.min, .max, -1, 1 << 40, -(1 << 33)]) : below(24)
    }

    mutating func text() -> String {
        switch below(14) {
        case 12: String(repeating: pick(["long ", "ü", "🐶x"]), count: 30 + below(60))
        case 13: String(repeating: "page", count: 100 + below(400))
        default: pick(["", "a", "b", "ab", "abc", "Abc", "B", "ä", "zz", "🐶", "a b", "cab"])
        }
    }

    mutating func data() -> Data {
        Data((0..<(once(in: 10) ? 900 : below(8))).map { _ in UInt8(below(256)) })
    }
    mutating func key() -> String { pick(["a", "b", "", "c", "dd", "ß", "e"]) }
    mutating func optional(_ value: PlainValue) -> PlainValue { below(4) == 0 ? .null : value }
    mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(below(16) - 4) * 1_000_000.125)
    }
    mutating func decimal() -> Decimal128 { Decimal128(below(40) - 8) / 4 }
    mutating func objectID() -> ObjectId {
        (try? ObjectId(string: String(repeating: String(below(10)), count: 24))) ?? ObjectId()
    }
    mutating func uuid() -> UUID {
        let byte = UInt8(below(16));
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }

    /// A value of a scalar property.
    mutating func scalar(_ column: ItemColumn) -> PlainValue {
        switch column {
        case .rank: return .int(int())
        case .name: return .text(text())
        case .text: return optional(.text(text()))
        case .score: return optional(.double(Double(below(20) - 5) / 4))
        case .ratio: return .float(Float(below(20) - 5) / 8)
        case .flag: return .bool(below(2) == 1)
        case .small: return .int(below(256) - 128)
        case .big: return optional(.int(int()))
        case .data: return .data(data())
        case .date: return optional(.date(date()))
        case .decimal: return .decimal(decimal())
        case .objectID: return optional(.objectID(objectID()))
        case .uuid: return optional(.uuid(uuid()))
        case .kind: return .text(pick(["plain", "fancy", "rare"]))
        case .mood: return optional(.int(pick([-1, 0, 7])))
        default: preconditionFailure("\(column) is no scalar.")
        }
    }

    /// Any value, nested `depth` deep at most.
    mutating func mixed(depth: Int, _ links: [PlainLink]) -> PlainValue {
        switch below(depth > 0 ? 16 : 11) {
        case 0: return .null
        case 1: return .bool(below(2) == 1)
        case 2: return .int(int())
        case 3: return .double(Double(below(20)) / 4)
        case 4, 5: return .text(text())
        case 6: return .data(data())
        case 7: return .date(date())
        case 8: return .decimal(decimal())
        case 9: return pick([.objectID(objectID()), .uuid(uuid()), .float(Float(below(9)) / 2)])
        case 10: return links.isEmpty ? .null : .link(pick(links))
        case 11...13: return .list((0..<below(5)).map { _ in mixed(depth: depth - 1, links) })
        default:
            return .map(
                Dictionary((0..<below(4)).map { _ in (key(), mixed(depth: depth - 1, links)) }) {
                    $1
                })
        }
    }
}
