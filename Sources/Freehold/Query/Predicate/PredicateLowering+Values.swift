import Foundation
import FreeholdStorage

// Which operators a type has, and constants as storage compares them with values of it.

extension PredicateLowering {
    /// Throws if values of a type do not have an operator.
    func check(_ operation: PredicateComparison.Operation, _ options: StringOptions, for type: PredicateValueType) throws(QueryError) {
        let isSupported = switch operation {
        case .equal, .notEqual, .isIn: true
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            switch type.type {
            case .int, .float, .double, .date, .decimal128, .any, .string, .data: true
            case .bool, .object, .linkingObjects, .objectId, .UUID: false
            }
        case .beginsWith, .contains, .endsWith, .like: type.type == .string || type.type == .data || type.type == .any
        case .matches, .fullText: type.type == .string
        }
        if operation == .fullText, !options.isEmpty { throw PredicateErrors.fullTextWithOptions }
        if !isSupported { throw PredicateErrors.unsupported(operation, type) }
        if operation == .like, options.contains(.diacriticInsensitive) { throw PredicateErrors.likeWithDiacritics }
        if !options.isEmpty, [.less, .lessOrEqual, .greater, .greaterOrEqual, .between].contains(operation) { throw PredicateErrors.orderWithOptions }
    }

    /// The constant as storage compares it with values of a type.
    func value(_ constant: PredicateConstant, for type: PredicateValueType) throws(QueryError) -> ScanValue {
        if case .object(let object) = constant { return try link(object, constant, type) }
        guard let value = constant.scanValue else { throw PredicateErrors.incomparable(constant, type) }
        if value == .null { return value }
        switch (type.type, constant) {
        case (.any, .date(let date)): return .timestamp(date.timeIntervalSinceReferenceDate)
        case (.any, _): return value
        case (.int, .int), (.int, .float), (.int, .double), (.float, .int), (.float, .float), (.float, .double), (.double, .int), (.double, .float),
            (.double, .double), (.decimal128, .int), (.decimal128, .decimal), (.bool, .bool), (.string, .string), (.data, .data), (.date, .date),
            (.objectId, .objectId), (.UUID, .uuid):
            return value
        case (.int, .decimal(let decimal)), (.float, .decimal(let decimal)), (.double, .decimal(let decimal)): return Self.number(decimal)
        case (.decimal128, .float(let number)): return Self.decimal(Decimal128(Double(number)))
        case (.decimal128, .double(let number)): return Self.decimal(Decimal128(number))
        // Numbers stand for booleans in predicate strings.
        case (.bool, .int(let number)) where number == 0 || number == 1: return .boolean(number == 1)
        case (.int, .bool(let flag)), (.float, .bool(let flag)), (.double, .bool(let flag)), (.decimal128, .bool(let flag)): return .integer(flag ? 1 : 0)
        default: throw PredicateErrors.incomparable(constant, type)
        }
    }

    private static func decimal(_ value: Decimal128) -> ScanValue { .decimal(value.lowBits, value.highBits) }

    /// A decimal as an integer where it is one, else as the nearest double.
    private static func number(_ value: Decimal128) -> ScanValue {
        let double = value.doubleValue
        if let integer = Int64(exactly: double), Decimal128(integerLiteral: integer) == value { return .integer(integer) }
        return .double(double)
    }

    private func link(_ object: PredicateObject, _ constant: PredicateConstant, _ type: PredicateValueType) throws(QueryError) -> ScanValue {
        guard type.type == .object || type.type == .any else { throw PredicateErrors.incomparable(constant, type) }
        let core = subject.binding.core
        guard object.file == PredicateFile(core.store) else { throw PredicateErrors.foreignObject(object, type) }
        guard type.type == .any else {
            guard object.className == type.target?.schema.className else { throw PredicateErrors.incomparable(constant, type) }
            return .link(RowKey(rawValue: object.key))
        }
        guard let binding = core.binding(named: object.className) else { throw PredicateErrors.incomparable(constant, type) }
        return .object(LinkTarget(table: binding.table, key: object.key))
    }
}

extension PredicateValueType {
    private var isNumber: Bool {
        switch type {
        case .int, .float, .double, .decimal128: true
        default: false
        }
    }

    /// Whether values of both types have an order or an equality in common.
    func isComparable(with other: PredicateValueType) -> Bool {
        if type == .any || other.type == .any { return true }
        if type == .object, other.type == .object { return target?.table == other.target?.table }
        return type == other.type || (isNumber && other.isNumber)
    }
}
