import Foundation

/// Dates in the notation of the language: in UTC, by the Gregorian calendar, without time zones
/// or locales.
enum CivilDate {
    /// The years that have a date notation. Dates in other years are written as numbers.
    private static let years = 1...9999
    private static let secondsPerDay = 86_400
    private static let daysPerEra = 146_097
    /// The days from the first of March of the year 0 to 1970.
    private static let daysBefore1970 = 719_468

    /// Makes a date of year, month, day, hour, minute, second and optionally nanoseconds. Nil if
    /// there is no such time.
    static func date(_ fields: [Int]) -> Date? {
        guard fields.count >= 6, years.contains(fields[0]), (1...12).contains(fields[1]),
            (1...31).contains(fields[2]), (0...23).contains(fields[3]),
            (0...59).contains(fields[4]), (0...59).contains(fields[5])
        else { return nil }
        let nanoseconds = fields.count > 6 ? fields[6] : 0
        guard (0...999_999_999).contains(nanoseconds) else { return nil }
        let days = days(fields[0], fields[1], fields[2])
        let (year, month, day) = civil(days)
        guard (year, month, day) == (fields[0], fields[1], fields[2]) else { return nil }
        return Date(
            secondsSince1970: days * secondsPerDay + fields[3] * 3600 + fields[4] * 60 + fields[5],
            nanoseconds: nanoseconds)
    }

    /// Returns the literal that reads back as exactly this date.
    static func literal(_ date: Date) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        // Dates that are not finite, or beyond the exact range of seconds.
        guard abs(interval) < 1e15 else {
            return interval.isNaN ? "date(nan)" : "date(\(interval))"
        }
        let floor = interval.rounded(.down)
        let seconds = Int(floor) + Int(Date.timeIntervalBetween1970AndReferenceDate)
        let nanoseconds = Int(((interval - floor) * 1e9).rounded())
        let (days, rest) = (
            seconds.flooredQuotient(secondsPerDay), seconds.flooredRemainder(secondsPerDay)
        )
        let (year, month, day) = civil(days)
        guard nanoseconds < 1_000_000_000, years.contains(year),
            Date(secondsSince1970: seconds, nanoseconds: nanoseconds).timeIntervalSinceReferenceDate
                .bitPattern == interval.bitPattern
        else { return "date(\(interval))" }
        let dayText = "\(pad(year, 4))-\(pad(month))-\(pad(day))"
        let timeText = "\(pad(rest / 3600)):\(pad(rest / 60 % 60)):\(pad(rest % 60))"
        return "\(dayText)@\(timeText):\(nanoseconds)"
    }

    private static func pad(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// Returns the days since 1970. Years begin in March here, so that a leap day is the last
    /// one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * daysPerEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - daysBefore1970
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + daysBefore1970
        let era = days.flooredQuotient(daysPerEra)
        let dayOfEra = days - era * daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }
}

extension Date {
    init(secondsSince1970 seconds: Int, nanoseconds: Int) {
        // The whole seconds are exact, and so is their difference.
        self.init(
            timeIntervalSinceReferenceDate: Double(seconds)
                - Date.timeIntervalBetween1970AndReferenceDate + Double(nanoseconds) / 1e9)
    }
}

extension Int {
    fileprivate func flooredQuotient(_ divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
    fileprivate func flooredRemainder(_ divisor: Int) -> Int {
        self - flooredQuotient(divisor) * divisor
    }
}
