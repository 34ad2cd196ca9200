extension Int {
    /// The number with a comma between groups of three digits, whatever the locale.
    public var grouped: String {
        let digits = String(magnitude)
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// A number of bytes in the largest binary unit that leaves at least 1, with about three
    /// digits.
    public var asByteCount: String {
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        guard magnitude >= 1_024 else { return "\(self) B" }
        var value = Double(self)
        var unit = -1
        // 1,023.95 and more would be printed as 1024.0.
        while value.magnitude >= 1_023.95, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        return "\(value.withOneDecimal) \(units[Swift.max(unit, 0)])"
    }

    /// The number and a noun that agrees with it: `1 package`, `2 packages`.
    public func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}

extension Double {
    /// The number rounded to one digit after the point.
    public var withOneDecimal: String {
        let tenths = Int((magnitude * 10).rounded())
        return "\(self < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
    }
}

extension Duration {
    /// The duration for people: `340 ms`, `2.1 s`, `3 min 20 s`.
    public var shortText: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        if seconds < 1 { return "\(Int((seconds * 1_000).rounded())) ms" }
        if seconds < 60 { return "\(seconds.withOneDecimal) s" }
        let whole = Int(seconds.rounded())
        return "\(whole / 60) min \(whole % 60) s"
    }
}
