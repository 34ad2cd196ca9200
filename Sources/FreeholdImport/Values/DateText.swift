package import Foundation

/// Parses dates as JavaScript and programs write them: `2020-02-29T12:00:00.123Z`. They may have
/// an offset, a space for the T, fewer or more decimals, or a signed year of six digits; or they
/// may be the day alone. Without an offset, the time is UTC.
///
/// Written by hand, because a formatter takes ten times as long as all other work for an object.
package struct DateText {
    private var rest: Substring.UTF8View

    package static func date(_ text: String) -> Date? {
        var reader = DateText(rest: Substring(text).utf8)
        return reader.date()
    }

    private mutating func date() -> Date? {
        guard let year = year(), skip("-"), let month = digits(2), (1...12).contains(month),
            skip("-"), let day = digits(2),
            (1...DateText.days(in: month, of: year)).contains(day)
        else { return nil }
        var seconds = DateText.daysSinceReference(year, month, day) * 86_400
        if rest.isEmpty { return Date(timeIntervalSinceReferenceDate: Double(seconds)) }
        guard skip("T") || skip(" ") || skip("t"), let hour = digits(2), hour < 24, skip(":"),
            let minute = digits(2), minute < 60
        else { return nil }
        seconds += hour * 3600 + minute * 60
        var fraction = Fraction(numerator: 0, denominator: 1)
        if skip(":") {
            // A leap second counts as the next one, as in POSIX.
            guard let second = digits(2), second <= 60 else { return nil }
            seconds += second
            if skip(".") {
                guard let read = decimals() else { return nil }
                fraction = read
            }
        }
        guard let offset = offset(), rest.isEmpty else { return nil }
        // One division of two integers that a Double represents exactly gives the Double nearest
        // to the written number.
        return Date(
            timeIntervalSinceReferenceDate: (Double(seconds - offset) * fraction.denominator
                + fraction.numerator) / fraction.denominator)
    }

    private mutating func year() -> Int? {
        if skip("+") { return digits(6) }
        if skip("-") { return digits(6).map { -$0 } }
        return digits(4)
    }

    /// Returns the offset in seconds east of Greenwich.
    private mutating func offset() -> Int? {
        if rest.isEmpty || skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
        if rest.isEmpty { return sign * hours * 3600 }
        _ = skip(":")
        guard let minutes = digits(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private struct Fraction {
        let numerator: Double
        let denominator: Double
    }

    /// Returns at most nine decimals; further ones are ignored.
    private mutating func decimals() -> Fraction? {
        let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest.dropFirst(run.count)
        if run.isEmpty { return nil }
        return run.prefix(9).reduce(Fraction(numerator: 0, denominator: 1)) {
            Fraction(
                numerator: $0.numerator * 10 + Double($1 - UInt8(ascii: "0")),
                denominator: $0.denominator * 10)
        }
    }

    private mutating func digits(_ count: Int) -> Int? {
        let run = rest.prefix(count)
        guard run.count == count,
            run.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        rest = rest.dropFirst(count)
        return run.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func days(in month: Int, of year: Int) -> Int {
        if month == 2 {
            return year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days from 2001-01-01 in the Gregorian calendar, extended to all years. A year
    /// begins in March here, so that a leap day is its last one.
    private static func daysSinceReference(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 730_791
    }
}
