import FreeholdStorage
import FreeholdTestSupport

/// Random values that often meet: few distinct ones, and the awkward ones.
enum ModelValues {
    static func value(_ type: ColumnType, using random: inout SeededGenerator) -> ScanValue {
        switch type {
        case .integer: .integer(integer(using: &random))
        case .link: .link(RowKey(rawValue: Int64(random.int(-1000...2000))))
        case .boolean: .boolean(random.once(in: 2))
        case .float: .float(Float(double(using: &random)))
        case .double, .timestamp: .double(double(using: &random))
        case .text: .text(text(using: &random))
        case .bytes: .bytes(bytes(using: &random))
        case .fixed12:
            .fixed(
                FixedValue(
                    (word(using: &random), UInt32(truncatingIfNeeded: word(using: &random)))))
        case .fixed16: .fixed(FixedValue((word(using: &random), word(using: &random))))
        case .decimal: decimal(using: &random)
        case .mixed: preconditionFailure("mixed values have models of their own")
        }
    }

    static func integer(using random: inout SeededGenerator) -> Int64 {
        switch random.int(0...20) {
        case 0: .min
        case 1: .max
        case 2: .max - 1
        case 3: Int64.random(in: .min ... .max, using: &random)
        case 4: Int64(1) << 53 + Int64(random.int(-2...2))
        case 5: Int64(random.int(-70_000...70_000))
        case 6: 0
        default: Int64(random.int(-20...120))
        }
    }

    static func double(using random: inout SeededGenerator) -> Double {
        switch random.int(0...20) {
        case 0: .nan
        case 1: .infinity
        case 2: -.infinity
        case 3: -0.0
        case 4: 0.0
        case 5: .leastNonzeroMagnitude
        case 6: .greatestFiniteMagnitude
        case 7: -.greatestFiniteMagnitude
        case 8: 9007199254740992 + Double(random.int(-2...2))
        case 9: Double(bitPattern: random.next())
        case 10: 9.223372036854775807e18
        default: Double(random.int(-40...240)) / 2
        }
    }

    /// In memory order.
    private static func word(using random: inout SeededGenerator) -> UInt64 {
        switch random.int(0...4) {
        case 0: 0
        case 1: .max
        case 2: random.next()
        default: UInt64(random.int(0...3)) << UInt64(random.pick([0, 8, 48, 56]))
        }
    }

    static func decimal(using random: inout SeededGenerator) -> ScanValue {
        let sign = random.once(in: 2) ? UInt64(1) << 63 : 0
        switch random.int(0...12) {
        case 0: return .decimal(random.next(), sign | 0x7C00_0000_0000_0000)
        case 1: return .decimal(0, sign | 0x7800_0000_0000_0000)
        case 2: return .decimal(0, sign | UInt64(random.int(0...12287)) << 49)
        case 3:
            return .decimal(
                random.next(), sign | UInt64(random.int(0...12287)) << 49 | random.next() >> 16)
        // A coefficient that is not canonical: zero.
        case 4: return .decimal(random.next(), sign | 0x6000_0000_0000_0000 | random.next() >> 20)
        default:
            var coefficient = UInt64(random.int(0...30))
            var exponent = 6176 + random.int(-2...2)
            // A member of the same cohort.
            for _ in 0..<random.int(0...3) {
                coefficient *= 10
                exponent -= 1
            }
            return .decimal(coefficient, sign | UInt64(exponent) << 49)
        }
    }

    private static let pieces = [
        "a", "b", "A", "B", "ab", "e", "E", "é", "e\u{301}", "É", "ß", "Σ", "ς", "σ", "\u{212A}",
        "k", "İ", "ı", "😀", "👩‍👩‍👧", "日本", "\u{0}", " ", "*", "?", "@", "`", "[", "{",
        "aaaa", "lorem ipsum", "the quick brown fox ", "99999", "0123456789abcdef",
    ]

    static func string(using random: inout SeededGenerator) -> String {
        let onlyASCII = random.once(in: 2)
        let length = random.pick([0, 1, 1, 2, 3, 4, 6])
        var string = ""
        for _ in 0..<length {
            var piece = random.pick(pieces)
            while onlyASCII && !piece.utf8.allSatisfy({ $0 < 0x80 }) { piece = random.pick(pieces) }
            string += piece
        }
        return string
    }

    static func text(using random: inout SeededGenerator) -> [UInt8] {
        Array(string(using: &random).utf8)
    }

    static func bytes(using random: inout SeededGenerator) -> [UInt8] {
        if random.once(in: 2) { return text(using: &random) }
        return (0..<random.int(0...20)).map { _ in
            UInt8(random.pick([0, 0xFF, 0x61, 0x41, 0xC3, random.int(0...255)]))
        }
    }
}
