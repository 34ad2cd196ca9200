import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport

/// One condition three times: as a typed query, as a string with arguments, and as plain Swift.
struct AgreementCondition<Item: AgreementItem> {
    let format: String
    let arguments: [Any?]
    let query: (Query<Item>) -> Query<Bool>
    let holds: (AgreementRow, AgreementWorld) -> Bool

    init(
        _ format: String, _ arguments: [Any?] = [], _ query: @escaping (Query<Item>) -> Query<Bool>,
        _ holds: @escaping (AgreementRow, AgreementWorld) -> Bool
    ) {
        self.format = format
        self.arguments = arguments
        self.query = query
        self.holds = holds
    }
}

enum AgreementOrder: String, CaseIterable {
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">",
        greaterOrEqual = ">="

    var isEquality: Bool { self == .equal || self == .notEqual }

    /// Nil equals nil, and has no order but to be at least and at most nil.
    func holds<Value: Comparable>(_ a: Value?, _ b: Value?) -> Bool {
        switch self {
        case .equal: return a == b
        case .notEqual: return a != b
        default: break
        }
        guard let a, let b else {
            return a == b && (self == .lessOrEqual || self == .greaterOrEqual)
        }
        return switch self {
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        default: a >= b
        }
    }

    func query<Value: _HasPersistedType>(_ property: Query<Value>, _ value: Value) -> Query<Bool>
    where Value.PersistedType: _QueryNumeric {
        switch self {
        case .equal: property == value
        case .notEqual: property != value
        case .less: property < value
        case .lessOrEqual: property <= value
        case .greater: property > value
        case .greaterOrEqual: property >= value
        }
    }

    func query<Value: _HasPersistedType>(_ property: Query<Value>, _ other: Query<Value>) -> Query<
        Bool
    > where Value.PersistedType: _QueryNumeric {
        switch self {
        case .equal: property == other
        case .notEqual: property != other
        case .less: property < other
        case .lessOrEqual: property <= other
        case .greater: property > other
        case .greaterOrEqual: property >= other
        }
    }

    func query<Value: _HasPersistedType>(bytes property: Query<Value>, _ value: Value) -> Query<
        Bool
    > where Value.PersistedType: _QueryBinary {
        switch self {
        case .equal: property == value
        case .notEqual: property != value
        case .less: property < value
        case .lessOrEqual: property <= value
        case .greater: property > value
        case .greaterOrEqual: property >= value
        }
    }
}

extension AgreementOrder {
    /// A text, or data, that is compared with a value and not with a property: it is above nil.
    func holds(_ a: AgreementBytes?, with b: AgreementBytes?) -> Bool {
        if a != nil, b == nil, self == .greater || self == .greaterOrEqual { return true }
        return holds(a, b)
    }
}

/// Text and data as they compare: byte by byte, so that é is not e with an accent.
struct AgreementBytes: Comparable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(_ data: Data) { bytes = Array(data) }

    static func < (a: AgreementBytes, b: AgreementBytes) -> Bool {
        a.bytes.lexicographicallyPrecedes(b.bytes)
    }
}

enum AgreementText: String, CaseIterable {
    case contains = "CONTAINS", beginsWith = "BEGINSWITH", endsWith = "ENDSWITH", like = "LIKE",
        equal = "==", notEqual = "!="

    func query<Value: _HasPersistedType>(
        _ property: Query<Value>, _ value: Value, _ options: StringOptions
    ) -> Query<Bool>
    where Value.PersistedType: _QueryString & _QueryBinary {
        switch self {
        case .contains: property.contains(value, options: options)
        case .beginsWith: property.starts(with: value, options: options)
        case .endsWith: property.ends(with: value, options: options)
        case .like: property.like(value, caseInsensitive: options.contains(.caseInsensitive))
        case .equal: property.equals(value, options: options)
        case .notEqual: property.notEquals(value, options: options)
        }
    }

    func holds(_ text: String?, _ value: String, _ options: StringOptions) -> Bool {
        guard let text else { return self == .notEqual }
        let (whole, part) = (Self.folded(text, options), Self.folded(value, options))
        switch self {
        case .equal: return whole == part
        case .notEqual: return whole != part
        case .like: return Self.isLike(whole[...], part[...])
        case .contains, .beginsWith, .endsWith:
            // Scalars stand for bytes: one begins where the other does.
            guard !part.isEmpty, part.count <= whole.count else { return false }
            switch self {
            case .beginsWith: return whole.starts(with: part)
            case .endsWith: return whole.suffix(part.count).elementsEqual(part)
            default:
                return (0...(whole.count - part.count)).contains { whole[$0...].starts(with: part) }
            }
        }
    }

    private static func folded(_ text: String, _ options: StringOptions) -> [Unicode.Scalar] {
        var scalars = Array(text.unicodeScalars)
        if options.contains(.diacriticInsensitive) {
            scalars = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                $0.properties.generalCategory != .nonspacingMark
            }
        }
        if options.contains(.caseInsensitive) {
            scalars = scalars.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }.map {
                $0 == "ς" ? "σ" : $0
            }
        }
        return scalars
    }

    private static func isLike(
        _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return isLike(text, pattern.dropFirst())
                || (!text.isEmpty && isLike(text.dropFirst(), pattern))
        }
        guard let scalar = text.first, first == "?" || first == scalar else { return false }
        return isLike(text.dropFirst(), pattern.dropFirst())
    }
}

/// The case and value of what an any value is compared with.
enum AgreementAny {
    /// Numbers of all types are equal by their values, data equals a constant text with the
    /// same bytes; all else of different types is unequal and has no order.
    static func holds(_ a: AnyRealmValue, _ order: AgreementOrder, _ b: AnyRealmValue) -> Bool {
        if a.isNone || b.isNone { return order.holds(a.isNone ? nil : 0, b.isNone ? nil : 0) }
        if let x = number(a), let y = number(b) { return order.holds(x, y) }
        if let x = bytes(a, beside: b), let y = bytes(b, beside: b) { return order.holds(x, y) }
        switch (a, b) {
        case (.bool(let x), .bool(let y)): return order.isEquality && (x == y) == (order == .equal)
        case (.date(let x), .date(let y)): return order.holds(x, y)
        case (.uuid(let x), .uuid(let y)):
            return order.isEquality ? (x == y) == (order == .equal) : false
        default: return order == .notEqual
        }
    }

    /// Small numbers only, which a double holds.
    private static func number(_ value: AnyRealmValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal128(let value): value.doubleValue
        default: nil
        }
    }

    private static func bytes(
        _ value: AnyRealmValue, beside constant: AnyRealmValue
    ) -> AgreementBytes? {
        switch value {
        case .string(let value):
            if case .string = constant { AgreementBytes(value) } else { nil }
        case .data(let value): AgreementBytes(value)
        default: nil
        }
    }
}

extension AnyRealmValue {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
