import Foundation

/// 1234567 as "1,234,567".
func grouped(_ count: Int) -> String {
    count.formatted(.number.locale(Locale(identifier: "en")))
}

/// "1,204 objects"
func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
}

/// "1,204 properties"
func counted(_ count: Int, one: String, many: String) -> String {
    "\(grouped(count)) \(count == 1 ? one : many)"
}

/// "12.4 MB", in powers of 1000.
func bytesText(_ count: Int) -> String {
    if count < 1000 { return "\(count) B" }
    var (value, unit) = (Double(count), 0)
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while value >= 999.5, unit < units.count - 1 {
        value /= 1000
        unit += 1
    }
    let digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
    return decimalText(value, digits) + " " + units[unit]
}

private func decimalText(_ value: Double, _ digits: Int) -> String {
    value.formatted(
        .number.precision(.fractionLength(0...digits)).locale(Locale(identifier: "en")))
}

/// "350 ms", "2.41 s", "3 min 20 s".
func durationText(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds < 0.001 { return decimalText(seconds * 1e6, 0) + " µs" }
    if seconds < 1 { return decimalText(seconds * 1e3, seconds < 0.01 ? 1 : 0) + " ms" }
    if seconds < 60 { return decimalText(seconds, 1) + " s" }
    let whole = Int(seconds)
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    if whole < 86_400 { return "\(whole / 3600) h \(whole / 60 % 60) min" }
    return "\(grouped(whole / 86_400)) d \(whole / 3600 % 24) h"
}
