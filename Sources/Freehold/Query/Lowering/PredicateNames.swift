import FreeholdStorage

// The names of the parts of predicates, and their storage counterparts.

extension PredicateStep {
    /// Returns a key path for errors, with the names as declared. ``format(of:)`` also quotes
    /// them where the language needs it.
    static func keyPath(of steps: [PredicateStep]) -> String {
        steps.reduce(into: "") { text, step in
            if !text.isEmpty, !step.isSubscript { text += "." }
            text += step.text
        }
    }

    var isSubscript: Bool {
        switch self {
        case .key, .index, .anyElement: true
        case .property, .typed, .variable, .backlinks, .operation: false
        }
    }

    /// The step in the notation of predicate strings.
    var text: String {
        switch self {
        case .property(let name): name
        case .typed(let property): property.name
        case .variable(let name): "$\(name)"
        case .key(let key): "['\(key)']"
        case .index(let index): "[\(index)]"
        case .anyElement: "[#any]"
        case .backlinks(let className, let property): "@links.\(className).\(property)"
        case .operation(let operation): "@\(operation.rawValue)"
        }
    }
}

extension PredicateOperator {
    /// The storage's aggregate; nil for operators that compute nothing.
    var aggregate: ScanAggregate? {
        switch self {
        case .min: .min
        case .max: .max
        case .sum: .sum
        case .avg: .average
        case .count, .size, .allKeys, .allValues: nil
        }
    }
}

extension PredicateComparison.Operation {
    static var equal: Self { .value(.equal) }
    static var notEqual: Self { .value(.notEqual) }
    static var less: Self { .value(.less) }
    static var lessOrEqual: Self { .value(.lessOrEqual) }
    static var greater: Self { .value(.greater) }
    static var greaterOrEqual: Self { .value(.greaterOrEqual) }

    /// The operator in the notation of predicate strings.
    var text: String {
        switch self {
        case .value(let comparison): comparison.symbol
        case .between: "BETWEEN"
        case .isIn: "IN"
        case .text(let textOperator): textOperator.rawValue
        case .matches: "MATCHES"
        case .fullText: "TEXT"
        }
    }

    /// The storage's comparison; nil for operators other than equality and order.
    var comparison: ScanComparison? {
        if case .value(let comparison) = self { comparison } else { nil }
    }

    var isOrdered: Bool { comparison?.isOrdered ?? false }

    /// The equivalent comparison with its sides exchanged.
    var mirrored: PredicateComparison.Operation { comparison.map { .value($0.mirrored) } ?? self }

    /// The storage's operator on text; nil if it has none.
    var textOperator: ScanTextOperator? {
        switch self {
        case .value(.equal): .equal
        case .value(.notEqual): .notEqual
        case .text(let textOperator): textOperator
        default: nil
        }
    }
}

extension StringOptions {
    /// The options in the notation of predicate strings: "[cd]".
    var text: String {
        if isEmpty { return "" }
        return """
            [\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]
            """
    }
}

extension ScanComparison {
    var isOrdered: Bool { self != .equal && self != .notEqual }
}

extension ScanValue {
    /// Whether case may affect a comparison of this constant with an ``AnyRealmValue``.
    var isTextOfAnyValue: Bool { if case .text = self { true } else { false } }

    var isText: Bool {
        switch self {
        case .text, .bytes: true
        default: false
        }
    }
}
