/// An aggregate of some values. It ignores nulls, and values that are neither numbers nor
/// timestamps; minimum and maximum also ignore NaN.
///
/// Integers are added exactly. With a double among them the sum is a double, with a decimal it
/// is a decimal.
struct OperandTotal {
    private let aggregate: ScanAggregate
    private var count = 0
    private var integers: Int128 = 0
    private var doubles: Double = 0
    private var hasDoubles = false
    private var decimals: DecimalTotal?
    private var hasTimestamps = false
    private var best: OperandValue = .null

    init(_ aggregate: ScanAggregate) { self.aggregate = aggregate }

    mutating func add(_ value: OperandValue, times: Int) {
        switch aggregate {
        case .min: keep(value, if: .less)
        case .max: keep(value, if: .greater)
        case .sum, .average: sum(value, times)
        }
    }

    private mutating func keep(_ value: OperandValue, if comparison: ScanComparison) {
        switch value {
        case .integer, .timestamp, .double, .decimal: break
        case .fixed(let value) where value.kind.hasExtremes: break
        default: return
        }
        // A NaN does not equal itself.
        guard OperandComparison.holds(value, .equal, value, isMixed: false) else { return }
        if best.isNull || OperandComparison.holds(value, comparison, best, isMixed: false) {
            best = value
        }
    }

    private mutating func sum(_ value: OperandValue, _ times: Int) {
        switch value {
        case .integer(let integer): integers += Int128(integer) * Int128(times)
        case .double(let double):
            doubles += double * Double(times)
            hasDoubles = true
        case .timestamp(let seconds):
            doubles += seconds * Double(times)
            hasTimestamps = true
        case .decimal(let low, let high):
            for _ in 0..<times {
                decimals = (decimals ?? DecimalTotal()).adding(low: low, high: high)
            }
        default: return
        }
        count += times
    }

    /// The result; null without values, except for a sum.
    var result: OperandValue {
        switch aggregate {
        case .min, .max: return best
        case .sum: return total
        case .average:
            if count == 0 { return .null }
            if var decimals {
                decimals.add(integers, doubles)
                return decimals.divided(by: count)
            }
            let average = (Double(integers) + doubles) / Double(count)
            return hasTimestamps && !hasDoubles && integers == 0
                ? .timestamp(average) : .double(average)
        }
    }

    private var total: OperandValue {
        if var decimals {
            decimals.add(integers, doubles)
            return decimals.divided(by: 1)
        }
        if hasDoubles || hasTimestamps { return .double(Double(integers) + doubles) }
        // A sum beyond 64 bits exceeds every integer that it is compared with, and so does its
        // double.
        return Int64(exactly: integers).map { .integer($0) } ?? .double(Double(integers))
    }
}

/// A sum of decimals: a coefficient and an exponent. It keeps up to 38 digits while adding, and
/// 34 in the result, rounding halves to even.
struct DecimalTotal {
    private var coefficient: Int128 = 0
    private var exponent = 0
    /// The sum of infinities and NaNs, which no finite number changes.
    private var special: Double = 0

    private static let bias = 6176

    func adding(low: UInt64, high: UInt64) -> DecimalTotal {
        var sum = self
        let isNegative = high >> 63 != 0
        if high >> 61 & 3 == 3 {
            if high >> 58 & 0x1F == 0x1F { sum.special = .nan }
            if high >> 58 & 0x1F == 0x1E { sum.special += isNegative ? -.infinity : .infinity }
            // Any other coefficient is not canonical and counts as zero.
            return sum
        }
        let coefficient = Int128(high & 0x1_FFFF_FFFF_FFFF) << 64 | Int128(low)
        if coefficient > Self.greatestCoefficient { return sum }
        sum.add(isNegative ? -coefficient : coefficient, Int(high >> 49 & 0x3FFF) - Self.bias)
        return sum
    }

    mutating func add(_ integers: Int128, _ doubles: Double) {
        add(integers, 0)
        if doubles == 0 { return }
        if !doubles.isFinite {
            special += doubles
            return
        }
        let (digits, exponent) = DecimalOrder.shortest(doubles.magnitude)
        add(doubles < 0 ? -Int128(digits) : Int128(digits), exponent)
    }

    private mutating func add(_ other: Int128, _ otherExponent: Int) {
        if other == 0 { return }
        if coefficient == 0 {
            (coefficient, exponent) = (other, otherExponent)
            return
        }
        var (larger, smaller) = ((coefficient, exponent), (other, otherExponent))
        if larger.1 < smaller.1 { swap(&larger, &smaller) }
        // First the number with the larger exponent gets more digits while there is room, then
        // the other one loses some.
        while larger.1 > smaller.1, larger.0.magnitude < Self.room {
            larger = (larger.0 * 10, larger.1 - 1)
        }
        let lost = larger.1 - smaller.1
        coefficient = larger.0 + Self.shifted(smaller.0, by: lost)
        exponent = larger.1
        // Leave room for the next addition.
        while coefficient.magnitude >= Self.room * 10 {
            (coefficient, exponent) = (Self.shifted(coefficient, by: 1), exponent + 1)
        }
    }

    /// 10^36: ten times it, and the sum of two such numbers, are far below the limits of 128
    /// bits.
    private static let room: UInt128 = 1_000_000_000_000_000_000 * 1_000_000_000_000_000_000
    private static let greatestCoefficient: Int128 =
        10_000_000_000_000_000 * 1_000_000_000_000_000_000 - 1

    /// The value without its last digits, rounding halves to even.
    private static func shifted(_ value: Int128, by digits: Int) -> Int128 {
        if digits == 0 { return value }
        if digits > 38 { return 0 }
        var divisor: Int128 = 1
        for _ in 0..<digits { divisor *= 10 }
        return divided(value, by: divisor)
    }

    private static func divided(_ value: Int128, by divisor: Int128) -> Int128 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        let half = divisor / 2
        let isExactHalf = divisor.isMultiple(of: 2) && rest.magnitude == half.magnitude
        if isExactHalf ? quotient.isMultiple(of: 2) : rest.magnitude <= half.magnitude {
            return quotient
        }
        return quotient + (value < 0 ? -1 : 1)
    }

    func divided(by count: Int) -> OperandValue {
        if special != 0 { return .double(special) }
        var (value, power) = (coefficient, exponent)
        if count > 1 {
            while value != 0, value.magnitude < Self.room {
                (value, power) = (value * 10, power - 1)
            }
            value = Self.divided(value, by: Int128(count))
        }
        while value.magnitude > Self.greatestCoefficient.magnitude {
            (value, power) = (Self.shifted(value, by: 1), power + 1)
        }
        while power > 12_287 - Self.bias, value != 0,
            value.magnitude * 10 <= Self.greatestCoefficient.magnitude
        { (value, power) = (value * 10, power - 1) }
        if power > 12_287 - Self.bias {
            return value == 0
                ? .decimal(0, UInt64(Self.bias) << 49) : .double(value < 0 ? -.infinity : .infinity)
        }
        if power < -Self.bias {
            (value, power) = (Self.shifted(value, by: -Self.bias - power), -Self.bias)
        }
        let magnitude = value.magnitude
        let sign: UInt64 = value < 0 ? 1 << 63 : 0
        return .decimal(
            UInt64(truncatingIfNeeded: magnitude),
            sign | UInt64(power + Self.bias) << 49 | UInt64(truncatingIfNeeded: magnitude >> 64))
    }
}
