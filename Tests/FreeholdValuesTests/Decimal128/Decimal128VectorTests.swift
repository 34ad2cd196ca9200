import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// The results of `Fixtures/Decimal128Vectors.txt`, bit for bit: digits, exponent and sign.
@Suite struct Decimal128VectorTests {
    @Test func agreesWithPython() throws {
        // Python writes exponents with a plus sign.
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Decimal128Vectors.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).replacing("E+", with: "E").split(
            separator: "\n"
        ).filter { !$0.hasPrefix("#") }
        #expect(lines.count == 4000)
        var failures: [String] = []
        var counts: [Substring: Int] = [:]
        for line in lines {
            let fields = line.split(separator: " ")
            let (isRight, actual) = try evaluate(fields)
            counts[fields[0], default: 0] += 1
            if !isRight { failures.append("\(line)  but got  \(actual)") }
        }
        #expect(
            failures.isEmpty,
            "\(failures.count) differ, first:\n\(failures.prefix(10).joined(separator: "\n"))")
        #expect(counts.keys.sorted() == ["*", "+", "-", "/", "c", "d", "f", "s"])
    }

    private func evaluate(_ fields: [Substring]) throws -> (Bool, String) {
        func number(_ index: Int) throws -> Decimal128 {
            try Decimal128(string: String(fields[index]))
        }
        func double(_ index: Int) throws -> Double {
            Double(bitPattern: try #require(UInt64(fields[index], radix: 16)))
        }
        let actual: String
        switch fields[0] {
        case "+": actual = (try number(1) + number(2)).stringValue
        case "-": actual = (try number(1) - number(2)).stringValue
        case "*": actual = (try number(1) * number(2)).stringValue
        case "/": actual = (try number(1) / number(2)).stringValue
        case "s": actual = try number(1).stringValue
        case "f": actual = Decimal128(try double(1)).stringValue
        case "c":
            let (lhs, rhs) = (try number(1), try number(2))
            let order = lhs < rhs ? "-1" : lhs == rhs ? "0" : "1"
            let isConsistent =
                (lhs > rhs) == (order == "1") && lhs.isLess(than: rhs) == (order == "-1")
                && (lhs.sortKey < rhs.sortKey) == (order == "-1")
                && (lhs.sortKey == rhs.sortKey) == (order == "0")
                && (order != "0" || lhs.hashValue == rhs.hashValue)
            return (order == fields[3] && isConsistent, order)
        case "d":
            let result = try number(1).doubleValue
            return (result.bitPattern == (try double(2)).bitPattern, "\(result)")
        default:
            Issue.record("Unknown case \(fields[0])")
            return (false, "")
        }
        return (actual == fields[fields.count - 1], actual)
    }
}
