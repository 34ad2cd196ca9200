/// The total order of mixed values: none, booleans, numbers, text, bytes, timestamps, fixed
/// values by kind, links by table and key, lists, maps.
///
/// Numbers of all types are ordered by value; NaN is below all numbers. Lists and maps are
/// compared element by element, whatever their identities.
extension MixedValue {
    private var rank: Int {
        switch self {
        case .boolean: 1
        case .integer, .float, .double, .decimal: 2
        case .text: 3
        case .bytes: 4
        case .timestamp: 5
        case .fixed: 6
        case .link: 8
        case .list: 9
        case .map: 10
        }
    }

    /// The key of a number in the common order of all numbers.
    private var number: UInt128 {
        switch self {
        case .integer(let value): DecimalOrder.key(value)
        case .float(let value): DecimalOrder.key(ofDouble: Double(value))
        case .double(let value): DecimalOrder.key(ofDouble: value)
        case .decimal(let low, let high): DecimalOrder.key(low: low, high: high)
        default: 0
        }
    }

    /// Compares two values: negative, zero or positive. O(bytes).
    package static func compare(_ a: MixedValue?, _ b: MixedValue?) -> Int {
        guard let a else { return b == nil ? 0 : -1 }
        guard let b else { return 1 }
        if a.rank != b.rank { return a.rank - b.rank }
        switch (a, b) {
        case (.integer(let first), .integer(let second)): return order(first, second)
        case (.boolean(let first), .boolean(let second)): return (first ? 1 : 0) - (second ? 1 : 0)
        case (.text(let first), .text(let second)), (.bytes(let first), .bytes(let second)):
            return first.withUnsafeBytes { first in
                second.withUnsafeBytes { ElementOrder.compare(first, $0) }
            }
        case (.timestamp(let first), .timestamp(let second)):
            return order(IndexKey.monotoneBits(first), IndexKey.monotoneBits(second))
        case (.fixed(let first), .fixed(let second)): return FixedValue.compare(first, second)
        case (.link(let first), .link(let second)):
            return first.table == second.table
                ? order(first.key, second.key) : order(first.table, second.table)
        case (.list(let first, _), .list(let second, _)):
            for (one, other) in zip(first, second) {
                let order = compare(one, other)
                if order != 0 { return order }
            }
            return first.count - second.count
        case (.map(let first, _), .map(let second, _)):
            for (one, other) in zip(first, second) {
                let keys = one.key.withUnsafeBytes { first in
                    other.key.withUnsafeBytes { ElementOrder.compare(first, $0) }
                }
                if keys != 0 { return keys }
                let order = compare(one.value, other.value)
                if order != 0 { return order }
            }
            return first.count - second.count
        default: return order(a.number, b.number)
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
        a == b ? 0 : a < b ? -1 : 1
    }
}

extension MixedValue {
    /// Whether two values are stored as the same bytes, ignoring the identities of collections:
    /// 1 and 1.0 differ. O(bytes).
    package static func isSame(_ a: MixedValue?, _ b: MixedValue?) -> Bool {
        switch (a, b) {
        case (nil, nil): true
        case (.list(let first, _), .list(let second, _)):
            first.count == second.count && zip(first, second).allSatisfy { isSame($0, $1) }
        case (.map(let first, _), .map(let second, _)):
            first.count == second.count
                && zip(first, second).allSatisfy { $0.key == $1.key && isSame($0.value, $1.value) }
        case (let first?, let second?):
            first.identity == nil && second.identity == nil && first.encoded == second.encoded
        default: false
        }
    }
}
