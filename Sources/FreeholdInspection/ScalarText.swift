import Foundation
import Freehold
import FreeholdImport
package import FreeholdStorage

/// The texts of values in JSON that read back as the same bits.
package enum ScalarText {
    // MARK: Numbers

    /// A number, or in quotes what JSON has no number for.
    package static func append(_ value: Double, to json: inout JSONBytes) {
        if value.isFinite { return json.append(ascii: "\(value)") }
        json.append(quoted: text(ofSpecial: value))
    }

    package static func append(_ value: Float, to json: inout JSONBytes) {
        guard value.isFinite else {
            return json.append(quoted: text(ofSpecial: value))
        }
        // Readers of JSON take a double, and round it to a float.
        let short = "\(value)"
        let isExact = Double(short).map { Float($0) == value } ?? false
        json.append(ascii: isExact ? short : "\(Double(value))")
    }

    private static func text(ofSpecial value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value.bitPattern == Double.nan.bitPattern { return "NaN" }
        return "NaN:" + String(value.bitPattern, radix: 16)
    }

    private static func text(ofSpecial value: Float) -> String {
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        if value.bitPattern == Float.nan.bitPattern { return "NaN" }
        return "NaN:" + String(value.bitPattern, radix: 16)
    }

    package static func double(special text: String) -> Double? {
        switch text {
        case "Infinity", "+Infinity": .infinity
        case "-Infinity": -.infinity
        case "NaN": .nan
        default:
            text.hasPrefix("NaN:")
                ? UInt64(text.dropFirst(4), radix: 16).map { Double(bitPattern: $0) } : nil
        }
    }

    package static func float(special text: String) -> Float? {
        switch text {
        case "Infinity", "+Infinity": .infinity
        case "-Infinity": -.infinity
        case "NaN": .nan
        default:
            text.hasPrefix("NaN:")
                ? UInt32(text.dropFirst(4), radix: 16).map { Float(bitPattern: $0) } : nil
        }
    }

    // MARK: Dates

    /// `"2024-02-29T12:00:00.123Z"` with as many decimals as the date needs, or the seconds since
    /// 2001 as a number where no text of nine decimals is the same date.
    package static func appendDate(_ seconds: Double, to json: inout JSONBytes) {
        guard let text = dateText(seconds) else { return append(seconds, to: &json) }
        json.append(UInt8(ascii: "\""))
        json.append(ascii: text)
        json.append(UInt8(ascii: "\""))
    }

    /// The date by the seconds since 2001, if a text gives it exactly.
    package static func dateText(_ seconds: Double) -> String? {
        // The years 1 to 9999.
        guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return nil }
        for decimals in [0, 3, 6, 7, 9] {
            let text = dateText(seconds, decimals: decimals)
            if DateText.date(text)?.timeIntervalSinceReferenceDate.bitPattern
                == seconds.bitPattern
            {
                return text
            }
        }
        return nil
    }

    /// The date in UTC, rounded to a number of decimals.
    package static func dateText(_ seconds: Double, decimals: Int) -> String {
        var whole = seconds.rounded(.down)
        let scale = (0..<decimals).reduce(1.0) { value, _ in value * 10 }
        var fraction = ((seconds - whole) * scale).rounded()
        if fraction >= scale {
            whole += 1
            fraction = 0
        }
        guard whole > -1e14, whole < 1e14 else { return "\(seconds) s" }
        let total = Int(whole)
        var days = total / 86_400
        if total % 86_400 < 0 { days -= 1 }
        let second = total - days * 86_400
        let (year, month, day) = civil(daysSince2001: days)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let yearText =
            (0...9999).contains(year)
            ? String(repeating: "0", count: 4 - String(year).utf8.count) + String(year)
            : (year < 0 ? "-" : "+")
                + String(repeating: "0", count: max(0, 6 - String(abs(year)).utf8.count))
                + String(abs(year))
        var text = "\(yearText)-\(two(month))-\(two(day))T"
        text += "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
        if decimals > 0 {
            let digits = String(Int(fraction))
            text += "." + String(repeating: "0", count: decimals - digits.utf8.count) + digits
        }
        return text + "Z"
    }

    private static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
        // In a calendar whose years begin in March, so that a leap day is the last one.
        let shifted = days + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * index + 2) / 5 + 1)
    }

    package static func date(_ text: String) -> Double? {
        DateText.date(text)?.timeIntervalSinceReferenceDate
    }

    // MARK: Decimals and identifiers

    package static func decimalText(_ low: UInt64, _ high: UInt64) -> String {
        let value = Decimal128(highBits: high, lowBits: low)
        let text = value.stringValue
        if let read = try? Decimal128(string: text), read.lowBits == low, read.highBits == high {
            return text
        }
        // A pattern that no arithmetic gives.
        return "bits:\(String(high, radix: 16)):\(String(low, radix: 16))"
    }

    package static func decimal(_ text: String) -> (low: UInt64, high: UInt64)? {
        if text.hasPrefix("bits:") {
            let words = text.split(separator: ":").dropFirst().map { UInt64($0, radix: 16) }
            guard words.count == 2, let high = words[0], let low = words[1] else { return nil }
            return (low, high)
        }
        return (try? Decimal128(string: text)).map { ($0.lowBits, $0.highBits) }
    }

    /// 24 hexadecimal digits, or a UUID.
    package static func text(of value: FixedValue) -> String {
        switch value.kind {
        case .fixed12:
            let words = value.fixed12
            return withUnsafeBytes(of: words.0) { hexadecimal($0) }
                + withUnsafeBytes(of: words.1) { hexadecimal($0) }
        default:
            let words = value.fixed16
            let digits =
                (withUnsafeBytes(of: words.0) { hexadecimal($0) }
                + withUnsafeBytes(of: words.1) { hexadecimal($0) }).uppercased()
            var text = ""
            for (index, digit) in digits.enumerated() {
                if [8, 12, 16, 20].contains(index) { text.append("-") }
                text.append(digit)
            }
            return text
        }
    }

    package static func fixed(_ text: String, _ kind: ColumnType) -> FixedValue? {
        switch kind {
        case .fixed12:
            guard let id = try? ObjectId(string: text) else { return nil }
            var words: (UInt64, UInt32) = (0, 0)
            withUnsafeTemporaryAllocation(byteCount: 12, alignment: 4) { memory in
                guard let address = memory.baseAddress else { return }
                id.unsafeStoreBytes(to: address)
                words = (
                    address.loadUnaligned(as: UInt64.self),
                    address.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
                )
            }
            return FixedValue(words)
        case .fixed16:
            guard let id = UUID(uuidString: text) else { return nil }
            let bytes = id.uuid
            return withUnsafeBytes(of: bytes) {
                FixedValue(
                    (
                        $0.loadUnaligned(as: UInt64.self),
                        $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                    ))
            }
        default: return nil
        }
    }

    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return text
    }
}
