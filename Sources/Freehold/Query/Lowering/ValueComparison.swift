import Foundation
import FreeholdStorage

/// Compares two values as storage does: nulls, numbers of all types by their mathematical
/// values, text by its UTF-8.
struct ValueComparison {
    private let operation: PredicateComparison.Operation
    private let options: StringOptions
    /// The test of MATCHES.
    private let pattern: (@Sendable (String) -> Bool)?
    /// The words of TEXT.
    private var search: FullTextQuery?
    /// The region of IN.
    private var region: GeoRegion?
    /// Whether the right side is a constant. A constant text also equals data in an
    /// ``AnyRealmValue``.
    private let isWithConstant: Bool
    /// Whether one side is nil itself, not a property that may be nil.
    private let isWithNull: Bool

    /// Throws if the right side must be a valid pattern and is not.
    init(
        _ operation: PredicateComparison.Operation, _ options: StringOptions,
        _ right: PredicateExpression, isWithNull: Bool = false
    ) throws(QueryError) {
        self.isWithNull = isWithNull
        isWithConstant =
            switch right {
            case .constant, .list: true
            case .keyPath, .subqueryCount: false
            }
        self.operation = operation
        self.options = options
        if operation == .matches, case .constant(.string(let text)) = right {
            pattern = try RegularExpressionMatcher.test(text, options)
        } else {
            pattern = nil
        }
        if operation == .fullText, case .constant(.string(let text)) = right {
            search = FullTextQuery(parsing: text)
        }
        if operation == .isIn, case .constant(.geo(let shape)) = right {
            region = try GeoRegion(shape)
        }
    }

    /// Whether a location is in the region on the right side; nil if that is not a region.
    func isInRegion(_ value: Any?) -> Bool? {
        region.map { $0.contains(location: value as? ObjectBase) }
    }

    /// Compares for BETWEEN and IN.
    func callAsFunction(_ value: PredicateConstant, _ list: [PredicateConstant]) -> Bool {
        let list = list.map { fitted($0, to: value) }
        if operation == .isIn { return list.contains { isEqual(value, $0) } }
        guard list.count == 2, !list.contains(.null), let lower = order(list[0], value),
            let upper = order(value, list[1])
        else { return false }
        return lower != .orderedDescending && upper != .orderedDescending
    }

    func callAsFunction(_ a: PredicateConstant, _ b: PredicateConstant) -> Bool {
        let b = fitted(b, to: a)
        return switch operation {
        case .value(.equal): isEqual(a, b)
        case .value(.notEqual): !isEqual(a, b)
        case .value(.less): order(a, b) == .orderedAscending
        case .value(.lessOrEqual): order(a, b).map { $0 != .orderedDescending } ?? false
        case .value(.greater): order(a, b) == .orderedDescending
        case .value(.greaterOrEqual): order(a, b).map { $0 != .orderedAscending } ?? false
        case .between, .isIn: false
        case .text(let textOperator): holds(textOperator, a, b)
        case .fullText:
            if case .string(let text) = a { search?.matches(text) ?? false } else { false }
        case .matches: if case .string(let text) = a { pattern?(text) ?? false } else { false }
        }
    }

    /// Returns a constant text as data if the other side is data: ``AnyRealmValue``s of both
    /// kinds equal it.
    private func fitted(_ right: PredicateConstant, to left: PredicateConstant) -> PredicateConstant
    {
        guard isWithConstant, case .data = left, case .string(let text) = right else {
            return right
        }
        return .data(Data(text.utf8))
    }

    // MARK: Equality and order

    private func isEqual(_ a: PredicateConstant, _ b: PredicateConstant) -> Bool {
        if a.isNull || b.isNull { return a.isNull && b.isNull }
        switch (a, b) {
        case (.string, .string), (.data, .data):
            return holds(.equal, a, b)
        case (.bool(let a), .bool(let b)): return a == b
        case (.fixed(let a), .fixed(let b)): return a == b
        case (.object(let a), .object(let b)): return a == b
        case (.members(let a), .members(let b)): return a == b
        case (.list, .list), (.dictionary, .dictionary): return a.isSameNested(as: b)
        default: return order(a, b) == .orderedSame
        }
    }

    /// Returns nil if the values have no order, such as null and NaN.
    private func order(_ a: PredicateConstant, _ b: PredicateConstant) -> ComparisonResult? {
        switch (a, b) {
        case (.int(let a), .int(let b)): return Self.order(a, b)
        case (.string(let a), .string(let b)): return Self.order(Array(a.utf8), Array(b.utf8))
        case (.data(let a), .data(let b)): return Self.order(Array(a), Array(b))
        case (.date(let a), .date(let b)):
            return Self.order(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        case (.fixed(let a), .fixed(let b)):
            guard a.kind == b.kind, a.kind.scalar?.isOrdered ?? false else { return nil }
            return Self.order(a.key, b.key)
        case (.null, .null): return .orderedSame
        case (.null, .string), (.null, .data): return isWithNull ? .orderedAscending : nil
        case (.string, .null), (.data, .null): return isWithNull ? .orderedDescending : nil
        default:
            if let a = a.floating, let b = b.floating { return Self.order(a, b) }
            guard let a = a.number, let b = b.number, !a.isNaN, !b.isNaN else { return nil }
            return Self.order(a, b)
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult? {
        a == b ? .orderedSame : a < b ? .orderedAscending : a > b ? .orderedDescending : nil
    }

    private static func order(_ a: [UInt8], _ b: [UInt8]) -> ComparisonResult {
        a == b
            ? .orderedSame : a.lexicographicallyPrecedes(b) ? .orderedAscending : .orderedDescending
    }

    // MARK: Text

    private func holds(
        _ textOperator: ScanTextOperator, _ a: PredicateConstant, _ b: PredicateConstant
    ) -> Bool {
        if a.isNull, b.isNull { return textOperator.holdsForNulls }
        guard let text = a.bytes, let needle = b.bytes else { return false }
        let isText = if case (.string, .string) = (a, b) { true } else { false }
        return textOperator.holds(text, needle, options.lowered, isBytes: !isText)
    }
}

extension PredicateConstant {
    /// Whether both are the same inside of lists and dictionaries, where a text never equals data
    /// and a NaN equals another.
    fileprivate func isSameNested(as other: PredicateConstant) -> Bool {
        switch (self, other) {
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isSameNested(as: $1) }
        case (.dictionary(let a), .dictionary(let b)):
            a.count == b.count
                && a.allSatisfy { key, value in b[key].map { value.isSameNested(as: $0) } ?? false }
        default:
            if let a = number, let b = other.number {
                a.isNaN || b.isNaN ? a.isNaN && b.isNaN : a == b
            } else {
                self == other
            }
        }
    }

    /// What operators on text look at; nil of what is neither text nor data.
    fileprivate var bytes: [UInt8]? {
        switch self {
        case .string(let value): Array(value.utf8)
        case .data(let value): Array(value)
        default: nil
        }
    }

    /// The number, if it has a floating-point type.
    fileprivate var floating: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The number, of any type.
    fileprivate var number: Decimal128? {
        switch self {
        case .int(let value): Decimal128(integerLiteral: value)
        case .float(let value): AnyRealmValue.float(value).number
        case .double(let value): AnyRealmValue.double(value).number
        case .decimal(let value): value
        default: nil
        }
    }
}
