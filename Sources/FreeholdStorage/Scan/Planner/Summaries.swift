// Summaries of plans for people: names and constants as in predicate strings, long ones
// shortened.

extension CompiledPredicate {
    /// Describes a condition on one column: within an interval, or outside of it.
    final func intervalSummary(
        _ column: ColumnID, _ lower: ScanBound, _ upper: ScanBound, isSingle: Bool? = nil,
        isInverted: Bool
    ) -> String {
        let name = name(of: column)
        let (above, below) = (
            lower.shown(as: table.type(of: column)), upper.shown(as: table.type(of: column))
        )
        switch (above, below) {
        case (nil, nil): return "\(name) \(isInverted ? "==" : "!=") null"
        case (let above?, nil):
            return """
                \(name) \
                \(isInverted ? above.isOpen ? "<=" : "<" : above.isOpen ? ">" : ">=") \
                \(above.text)
                """
        case (nil, let below?):
            return """
                \(name) \
                \(isInverted ? below.isOpen ? ">=" : ">" : below.isOpen ? "<" : "<=") \
                \(below.text)
                """
        case (let above?, let below?):
            if isSingle ?? (above.text == below.text) {
                return "\(name) \(isInverted ? "!=" : "==") \(above.text)"
            }
            return "\(isInverted ? "not " : "")\(name) in \(ScanBound.summary(above, below))"
        }
    }
}

extension TextPredicate {
    /// The options after an operator, such as "[cd]".
    final var options: String {
        guard let options = folding?.options, !options.isEmpty else { return "" }
        return "[" + (options.contains(.caseInsensitive) ? "c" : "")
            + (options.contains(.diacriticInsensitive) ? "d" : "") + "]"
    }

    /// Describes a needle as a value of the column.
    final func summary(of needle: [UInt8]) -> String {
        ScanValue(needle: needle, of: table.type(of: column)).summary
    }
}

extension ValueReader {
    /// The names along the path, such as "owner.name".
    var name: String {
        var names: [String] = []
        var current = origin
        for (column, target) in links {
            names.append(current.name(of: column))
            current = target
        }
        return (names + [current.name(of: column)]).joined(separator: ".")
    }
}

extension ScanValue {
    init(needle: [UInt8], of type: ColumnType?) {
        self = type == .bytes ? .bytes(needle) : .text(needle)
    }

    static func summary(ofText bytes: [UInt8]) -> String {
        let text = String(decoding: bytes.prefix(longestText), as: UTF8.self)
        return "\"\(text)\"\(bytes.count > longestText ? "…" : "")"
    }

    private static let longestText = 40

    /// Describes several values, such as "{1, 2, 3 and 40 more}".
    static func summary(of values: [ScanValue]) -> String {
        let shown = values.prefix(mostValues).map(\.summary).joined(separator: ", ")
        return
            "{\(shown)\(values.count > mostValues ? " and \(values.count - mostValues) more" : "")}"
    }

    private static let mostValues = 5

    /// The constant in the form of a type's values: the bytes of a text become text.
    func shown(as type: ColumnType?) -> ScanValue {
        switch (type, self) {
        case (.text, .bytes(let bytes)): .text(bytes)
        case (.timestamp, .double(let seconds)): .timestamp(seconds)
        default: self
        }
    }

    /// Whether it is the least or the greatest value of its type, so that a range up to it is
    /// unbounded.
    fileprivate var isEndOfType: Bool {
        switch self {
        case .integer(let value): value == .min || value == .max
        case .float(let value): value.isInfinite
        case .double(let value): value.isInfinite
        default: false
        }
    }
}

extension ScanBound {
    static func lower(_ value: ScanValue) -> ScanBound {
        value.opened { ($0.nextDown, $1.nextDown) }
    }
    static func upper(_ value: ScanValue) -> ScanBound { value.opened { ($0.nextUp, $1.nextUp) } }

    /// Nil if the range is unbounded at this end.
    fileprivate func shown(as type: ColumnType?) -> (text: String, isOpen: Bool)? {
        switch self {
        case .unbounded, .excluding(.null): return nil
        case .including(let value):
            return value.isEndOfType ? nil : (value.shown(as: type).summary, false)
        case .excluding(let value):
            return value.isEndOfType ? nil : (value.shown(as: type).summary, true)
        }
    }

    /// Describes a range of a column's values, such as "18 ... 30".
    static func summary(from lower: ScanBound, to upper: ScanBound, _ type: ColumnType?) -> String {
        func bound(_ bound: ScanBound, _ open: (ScanValue) -> ScanBound) -> ScanBound {
            if case .including(let value) = bound { open(value) } else { bound }
        }
        return summary(
            bound(lower, ScanBound.lower).shown(as: type),
            bound(upper, ScanBound.upper).shown(as: type))
    }

    fileprivate static func summary(
        _ lower: (text: String, isOpen: Bool)?, _ upper: (text: String, isOpen: Bool)?
    ) -> String {
        let above = lower.map { $0.isOpen ? "above \($0.text)" : $0.text }
        switch (above, upper) {
        case (nil, nil): return "every value"
        case (let above?, nil): return "\(above)..."
        case (nil, let upper?): return "\(upper.isOpen ? "..<" : "...")\(upper.text)"
        case (let above?, let upper?):
            return "\(above) \(upper.isOpen ? "..<" : "...") \(upper.text)"
        }
    }
}

extension ScanValue {
    /// Restores an open bound: compiling closes intervals, so "above 5" begins at the next
    /// number. The shorter of the two numbers is the original one.
    fileprivate func opened(_ neighbour: (Double, Float) -> (Double, Float)) -> ScanBound {
        switch self {
        case .double(let value) where !value.isInfinite:
            let next = neighbour(value, 0).0
            return "\(next)".count < "\(value)".count ? .excluding(.double(next)) : .including(self)
        case .float(let value) where !value.isInfinite:
            let next = neighbour(0, value).1
            return "\(next)".count < "\(value)".count ? .excluding(.float(next)) : .including(self)
        default: return .including(self)
        }
    }
}
