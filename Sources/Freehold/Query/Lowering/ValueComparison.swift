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
    /// Whether the right side is a constant, which a text in an any value may be data beside.
    private let isWithConstant: Bool
    /// Whether one side is nil itself, and not a property that may be nil.
    private let isWithNull: Bool

    /// Throws if the right side is to be a pattern and is none.
    init(
        _ operation: PredicateComparison.Operation, _ options: StringOptions,
        _ right: PredicateExpression, isWithNull: Bool = false
    ) throws(QueryError) {
        self.isWithNull = isWithNull
        isWithConstant =
            switch right {
            case .constant, .list: true
            case .keyPath, .member, .subqueryCount: false
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

    /// Whether a location is in the region that the right side is; nil if that is none.
    func isInRegion(_ value: Any?) -> Bool? {
        region.map { $0.contains(location: value as? ObjectBase) }
    }

    /// For BETWEEN and IN.
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
        case .equal: isEqual(a, b)
        case .notEqual: !isEqual(a, b)
        case .less: order(a, b) == .orderedAscending
        case .lessOrEqual: order(a, b).map { $0 != .orderedDescending } ?? false
        case .greater: order(a, b) == .orderedDescending
        case .greaterOrEqual: order(a, b).map { $0 != .orderedAscending } ?? false
        case .between, .isIn: false
        case .beginsWith, .contains, .endsWith, .like: searches(a, b)
        case .fullText:
            if case .string(let text) = a { search?.matches(text) ?? false } else { false }
        case .matches: if case .string(let text) = a { pattern?(text) ?? false } else { false }
        }
    }

    /// A constant text as data beside data: any values of both kinds equal it.
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
            return Bytes(a, options)?.utf8 == Bytes(b, options)?.utf8
        case (.bool(let a), .bool(let b)): return a == b
        case (.fixed(let a), .fixed(let b)): return a == b
        case (.object(let a), .object(let b)): return a == b
        case (.members(let a), .members(let b)): return a == b
        case (.list, .list), (.dictionary, .dictionary): return a.isSameNested(as: b)
        default: return order(a, b) == .orderedSame
        }
    }

    /// Nil where values have no order, as a null or a NaN.
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

    private func searches(_ a: PredicateConstant, _ b: PredicateConstant) -> Bool {
        guard let text = Bytes(a, options), let wanted = Bytes(b, options) else {
            return operation == .like && a.isNull && b.isNull
        }
        if operation == .like { return Self.isLike(text.scalars[...], wanted.scalars[...]) }
        let (bytes, part) = (text.utf8, wanted.utf8)
        if part.isEmpty || part.count > bytes.count { return false }
        return switch operation {
        case .beginsWith: bytes.starts(with: part)
        case .endsWith: bytes.suffix(part.count).elementsEqual(part)
        default: (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
        }
    }

    private static func isLike(_ text: ArraySlice<UInt32>, _ pattern: ArraySlice<UInt32>) -> Bool {
        // Where the last star was, and how much of the text it stands for so far.
        var (text, pattern) = (text, pattern)
        var star: (pattern: ArraySlice<UInt32>, text: ArraySlice<UInt32>)?
        while let scalar = text.first {
            if pattern.first == UInt32(UInt8(ascii: "*")) {
                pattern = pattern.dropFirst()
                star = (pattern, text)
            } else if let wanted = pattern.first,
                wanted == UInt32(UInt8(ascii: "?")) || wanted == scalar
            {
                text = text.dropFirst()
                pattern = pattern.dropFirst()
            } else if let (rest, begin) = star {
                text = begin.dropFirst()
                star = (rest, text)
                pattern = rest
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt32(UInt8(ascii: "*")) }
    }

    /// Text or data, folded as the options say.
    private struct Bytes {
        let utf8: [UInt8]
        /// What `?` stands for one of: scalars of a text, bytes of data.
        let scalars: [UInt32]

        init?(_ constant: PredicateConstant, _ options: StringOptions) {
            switch constant {
            case .string(let text):
                let folded = Bytes.folded(text, options)
                utf8 = Array(folded.utf8)
                scalars = folded.unicodeScalars.map(\.value)
            case .data(let data):
                utf8 = data.map {
                    options.contains(.caseInsensitive) && (0x41...0x5a).contains($0)
                        ? $0 + 0x20 : $0
                }
                scalars = utf8.map { UInt32($0) }
            default: return nil
            }
        }

        private static func folded(_ text: String, _ options: StringOptions) -> String {
            var scalars = String.UnicodeScalarView(text.unicodeScalars)
            if options.contains(.diacriticInsensitive) {
                scalars = String.UnicodeScalarView(
                    text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                        $0.properties.generalCategory != .nonspacingMark
                    })
            }
            if options.contains(.caseInsensitive) {
                scalars = String.UnicodeScalarView(
                    scalars.flatMap { scalar in
                        let lower = scalar.properties.lowercaseMapping.unicodeScalars
                        return lower.map { $0 == "\u{3c2}" ? "\u{3c3}" : $0 }
                    })
            }
            return String(scalars)
        }
    }
}

extension PredicateConstant {
    /// Whether both are the same inside of lists and dictionaries, where a text is no data and
    /// a NaN equals another.
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

    /// A number of a floating-point type.
    fileprivate var floating: Double? {
        switch self {
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// A number of any type.
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
