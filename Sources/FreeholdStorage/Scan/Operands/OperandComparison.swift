/// Compares two computed values.
enum OperandComparison {
    /// The class of a value, as far as it is known before any row is read.
    enum Class: Equatable {
        /// Of any type of numbers.
        case number
        /// Of one type, which is none of numbers.
        case type(ColumnType)
        /// Null only.
        case null
        /// The class of mixed values.
        case any

        init(_ type: ColumnType) {
            self = type.isNumber ? .number : type == .mixed ? .any : .type(type)
        }

        init(_ value: ScanValue) {
            switch value {
            case .null: self = .null
            case .integer, .float, .double, .decimal: self = .number
            case .boolean: self = .type(.boolean)
            case .timestamp: self = .type(.timestamp)
            case .text: self = .type(.text)
            case .bytes: self = .type(.bytes)
            case .fixed(let value): self = .type(value.kind)
            case .link, .object: self = .type(.link)
            case .nested: self = .any
            }
        }

        /// Whether values of the two classes have a common order, or can at least be equal.
        func compares(with other: Class) -> Bool {
            switch (self, other) {
            case (.any, _), (_, .any), (.null, _), (_, .null): true
            case (.number, .type(.timestamp)), (.type(.timestamp), .number): true
            default: self == other
            }
        }

        /// Whether values of the class can only be tested for equality.
        var isUnordered: Bool { self == .type(.boolean) || self == .type(.link) }
    }

    private enum Order {
        case less, equal, greater
        /// Not equal, and without an order.
        case none
    }

    /// Whether a comparison holds.
    ///
    /// - Parameters:
    ///   - isMixed: Whether one of the values is a mixed one. Then a timestamp is not a number.
    ///   - textIsBytes: Whether text compares with bytes, as in mixed values compared with a
    ///     constant text.
    static func holds(
        _ a: OperandValue, _ comparison: ScanComparison, _ b: OperandValue, isMixed: Bool,
        textIsBytes: Bool = false
    ) -> Bool {
        if a.isNull || b.isNull {
            switch comparison {
            case .equal, .lessOrEqual, .greaterOrEqual: return a.isNull && b.isNull
            case .notEqual: return a.isNull != b.isNull
            case .less, .greater: return false
            }
        }
        switch order(a, b, isMixed, textIsBytes) {
        case .none: return comparison == .notEqual
        case .less:
            return comparison == .less || comparison == .lessOrEqual || comparison == .notEqual
        case .greater:
            return comparison == .greater || comparison == .greaterOrEqual
                || comparison == .notEqual
        case .equal:
            if isUnordered(a) { return comparison == .equal }
            return comparison == .equal || comparison == .lessOrEqual
                || comparison == .greaterOrEqual
        }
    }

    private static func isUnordered(_ value: OperandValue) -> Bool {
        switch value {
        case .boolean, .link, .nested: true
        default: false
        }
    }

    private static func order(
        _ a: OperandValue, _ b: OperandValue, _ isMixed: Bool, _ textIsBytes: Bool = false
    ) -> Order {
        switch (a, b) {
        case (.integer(let x), .integer(let y)): return order(x, y)
        case (.double(let x), .double(let y)): return order(x, y)
        case (.integer(let x), .double(let y)): return order(x, y)
        case (.double(let x), .integer(let y)): return mirrored(order(y, x))
        case (.timestamp(let x), .timestamp(let y)): return order(x, y)
        case (.timestamp(let x), .double), (.timestamp(let x), .integer),
            (.timestamp(let x), .decimal):
            return isMixed ? .none : order(.double(x), b, false)
        case (.double, .timestamp(let y)), (.integer, .timestamp(let y)),
            (.decimal, .timestamp(let y)):
            return isMixed ? .none : order(a, .double(y), false)
        case (.decimal, .integer), (.decimal, .double), (.decimal, .decimal), (.integer, .decimal),
            (.double, .decimal):
            guard let x = decimalKey(a), let y = decimalKey(b) else { return .none }
            return order(x, y)
        case (.boolean(let x), .boolean(let y)): return x == y ? .equal : .none
        case (.text(let x), .text(let y)), (.bytes(let x), .bytes(let y)):
            return order(ByteComparison.compare(x, y), 0)
        case (.text(let x), .bytes(let y)), (.bytes(let x), .text(let y)):
            return textIsBytes ? order(ByteComparison.compare(x, y), 0) : .none
        case (.fixed(let x), .fixed(let y)):
            return x.kind == y.kind ? order(x.key, y.key) : .none
        case (.link(let table, let x), .link(let other, let y)):
            if let table, let other, table != other { return .none }
            // A link without a known table cannot be compared with a link to any table.
            if isMixed, table == nil || other == nil { return .none }
            return x == y ? .equal : .none
        case (.nested(let x), .nested(let y)):
            guard let x = MixedValue(decoding: x), let y = MixedValue(decoding: y) else {
                return .none
            }
            return MixedValue.compare(x, y) == 0 ? .equal : .none
        default: return .none
        }
    }

    private static func decimalKey(_ value: OperandValue) -> UInt128? {
        let key: UInt128
        switch value {
        case .integer(let integer): key = DecimalOrder.key(integer)
        case .double(let double): key = DecimalOrder.key(ofDouble: double)
        case .decimal(let low, let high): key = DecimalOrder.key(low: low, high: high)
        default: return nil
        }
        return key == DecimalOrder.notANumber ? nil : key
    }

    @inline(__always)
    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Order {
        a == b ? .equal : a < b ? .less : a > b ? .greater : .none
    }

    /// Compares mathematical values.
    private static func order(_ a: Int64, _ b: Double) -> Order {
        if b.isNaN { return .none }
        if b >= 0x1p63 { return .less }
        if b < -0x1p63 { return .greater }
        let whole = b.rounded(.down)
        let order = order(a, Int64(whole))
        return order == .equal && whole != b ? .less : order
    }

    private static func mirrored(_ order: Order) -> Order {
        switch order {
        case .less: .greater
        case .greater: .less
        default: order
        }
    }
}
