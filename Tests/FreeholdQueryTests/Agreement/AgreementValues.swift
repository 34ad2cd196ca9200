import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// Random values, the same few again and again, so that conditions hold for some rows and not
/// for others.
struct AgreementValues {
    static let ints = [Int.min, .min + 1, .max, .max - 1, 0, 1, -1, 2, 3, 7, 1 << 40]
    static let doubles: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, 1.5, -2.5, 1e300, 3, 0x1p63, .leastNonzeroMagnitude,
    ]
    static let floats: [Float] = [.nan, .infinity, 0, -0.0, 1.5, -2.5, 3, 0.1]
    static let texts = [
        "", "a", "A", "ab", "aB", "abc", "b", "é", "e\u{301}", "É", "e", "🐶", "👨‍👩‍👧", "👨", "ß",
        "ss", "SS", "ΟΔΟΣ", "οδος", "a*b", "a?b", "İ", "\u{0}", "x\u{0}y",
        String(repeating: "long ", count: 60), String(repeating: "long ", count: 60) + "!",
    ]
    static let patterns = ["*", "?", "a*", "*b", "?*", "a?b", "*é*", "**", "a*b*c", "", "long*!"]
    static let dates = [0, 1.5, -1e9, 1e9, 0.000001].map {
        Date(timeIntervalSinceReferenceDate: $0)
    }
    static let datas = [
        Data(), Data([0]), Data([0, 1]), Data([255]), Data("a".utf8), Data("ab".utf8),
        Data(repeating: 7, count: 900),
    ]
    static let decimals: [Decimal128] = [
        "0", "-0", "1.5", "1.50", "-2.5", "NaN", "Infinity", "-Infinity", "9E6000", "1E-6000", "3",
    ]
    static let uuids = (0..<4).map {
        UUID(uuid: ($0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    }
    static let objectIds = [
        "000000000000000000000000", "0102030405060708090a0b0c", "ffffffffffffffffffffffff",
    ].map { ObjectId($0) }
    static var anys: [AnyRealmValue] {
        [
            .none, .int(1), .int(3), .double(1), .double(1.5), .float(1.5), .decimal128("3"),
            .bool(true), .bool(false), .string(""), .string("a"), .string("é"),
            .data(Data("a".utf8)), .data(Data([255])),
            .date(Date(timeIntervalSinceReferenceDate: 0)), .uuid(uuids[1]), .double(.nan),
        ]
    }
    static let words = ["swift", "oracle", "database", "naïve", "dog"]
    static let keys = ["a", "b", "é", ""]
}

extension AgreementRow {
    static func random(id: Int, linkingTo ids: [Int], using random: inout SeededGenerator)
        -> AgreementRow
    {
        func pick<Value>(_ values: [Value]) -> Value { random.pick(values) }
        func maybe<Value>(_ values: [Value]) -> Value? {
            random.once(in: 4) ? nil : random.pick(values)
        }
        let row = AgreementRow()
        row.id = id
        (row.int, row.optionalInt, row.double, row.optionalDouble) = (
            pick(AgreementValues.ints), maybe(AgreementValues.ints), pick(AgreementValues.doubles),
            maybe(AgreementValues.doubles)
        )
        (row.float, row.text, row.optionalText) = (
            pick(AgreementValues.floats), pick(AgreementValues.texts), maybe(AgreementValues.texts)
        )
        (row.bool, row.optionalBool) = (random.once(in: 2), maybe([true, false]))
        (row.date, row.optionalDate, row.data) = (
            pick(AgreementValues.dates), maybe(AgreementValues.dates), pick(AgreementValues.datas)
        )
        (row.decimal, row.uuid, row.objectId) = (
            maybe(AgreementValues.decimals), maybe(AgreementValues.uuids),
            maybe(AgreementValues.objectIds)
        )
        (row.level, row.any) = (maybe([.low, .middle, .high]), pick(AgreementValues.anys))
        row.story = (0..<random.int(0...3)).map { _ in random.pick(AgreementValues.words) }.joined(
            separator: " ")
        row.friend = random.once(in: 3) ? nil : ids.randomElement(using: &random)
        row.friends = (0..<random.int(0...3)).compactMap { _ in ids.randomElement(using: &random) }
        row.numbers = (0..<random.int(0...4)).map { _ in random.pick(AgreementValues.ints) }
        row.texts = (0..<random.int(0...3)).map { _ in
            random.once(in: 3) ? nil : random.pick(AgreementValues.texts)
        }
        row.tags = Set((0..<random.int(0...3)).map { _ in random.pick(AgreementValues.ints) })
        for _ in 0..<random.int(0...2) {
            row.map[random.pick(AgreementValues.keys)] = random.pick(AgreementValues.ints)
        }
        return row
    }
}
