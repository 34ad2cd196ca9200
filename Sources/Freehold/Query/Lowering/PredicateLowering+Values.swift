import Foundation
import FreeholdStorage

// The operators of each type, and constants in the form in which storage compares them.

extension PredicateLowering {
    /// Throws if values of a type do not have an operator.
    func check(
        _ operation: PredicateComparison.Operation, _ options: StringOptions,
        for type: PredicateValueType
    ) throws(QueryError) {
        let isSupported =
            switch operation {
            case .value(.equal), .value(.notEqual), .isIn: true
            case .value, .between:
                type.type == .any || type.type.storedScalar?.isOrdered ?? false
            case .text:
                type.type == .string || type.type == .data || type.type == .any
            case .matches, .fullText: type.type == .string
            }
        if operation == .fullText, !options.isEmpty { throw PredicateErrors.fullTextWithOptions }
        if !isSupported { throw PredicateErrors.unsupported(operation, type) }
        if case .text(let textOperator) = operation,
            !textOperator.options.isSuperset(of: options.lowered)
        {
            throw PredicateErrors.withDiacritics(operation)
        }
        if !options.isEmpty, operation.isOrdered || operation == .between, type.isText {
            throw PredicateErrors.orderWithOptions
        }
    }

    /// Returns the constant in the form in which storage compares it with values of a type.
    func value(_ constant: PredicateConstant, for type: PredicateValueType) throws(QueryError)
        -> ScanValue
    {
        switch constant {
        case .object(let object): return try link(object, constant, type)
        case .list, .dictionary:
            guard type.type == .any, let nested = try mixed(constant, type) else {
                throw PredicateErrors.incomparable(constant, type)
            }
            return .nested(Array(nested.encoded))
        default: break
        }
        guard let value = constant.scanValue else {
            throw PredicateErrors.incomparable(constant, type)
        }
        if value == .null { return value }
        switch (type.type, constant) {
        case (.any, .date(let date)): return .timestamp(date.timeIntervalSinceReferenceDate)
        case (.any, _): return value
        case (.int, .int), (.int, .float), (.int, .double), (.float, .float), (.double, .int),
            (.double, .float),
            (.double, .double), (.decimal128, .int), (.decimal128, .decimal), (.bool, .bool),
            (.string, .string), (.data, .data), (.date, .date):
            return value
        case (let type, .fixed(let fixed)) where type.storedScalar?.columnType == fixed.kind:
            return value
        case (.int, .decimal(let decimal)), (.double, .decimal(let decimal)):
            return Self.number(decimal)
        // Converted to the property's type: 1.7 is the closest float.
        case (.float, .int(let number)): return .float(Float(number))
        case (.float, .double(let number)): return Self.float(number)
        case (.float, .decimal(let decimal)): return Self.float(decimal.doubleValue)
        case (.decimal128, .float(let number)): return Self.decimal(Decimal128(Double(number)))
        case (.decimal128, .double(let number)): return Self.decimal(Decimal128(number))
        case (.decimal128, .string(let text)):
            guard let decimal = try? Decimal128(string: text) else {
                throw PredicateErrors.incomparable(constant, type)
            }
            return Self.decimal(decimal)
        // In predicate strings, numbers can represent booleans.
        case (.bool, .int(let number)) where number == 0 || number == 1:
            return .boolean(number == 1)
        case (.int, .bool(let flag)), (.float, .bool(let flag)), (.double, .bool(let flag)),
            (.decimal128, .bool(let flag)):
            return .integer(flag ? 1 : 0)
        default: throw PredicateErrors.incomparable(constant, type)
        }
    }

    /// Returns the constant in the stored form of an ``AnyRealmValue``.
    private func mixed(_ constant: PredicateConstant, _ type: PredicateValueType) throws(QueryError)
        -> MixedValue?
    {
        switch constant {
        case .null: return nil
        case .bool(let value): return .boolean(value)
        case .int(let value): return .integer(value)
        case .float(let value): return .float(value)
        case .double(let value): return .double(value)
        case .string(let value): return .text(ContiguousArray(value.utf8))
        case .data(let value): return .bytes(ContiguousArray(value))
        case .date(let value): return .timestamp(value.timeIntervalSinceReferenceDate)
        case .fixed(let value): return .fixed(value)
        case .decimal(let value): return .decimal(value.lowBits, value.highBits)
        case .object(let object):
            guard case .object(let target) = try link(object, constant, type) else {
                throw PredicateErrors.incomparable(constant, type)
            }
            return .link(target)
        case .list(let elements):
            var values: ContiguousArray<MixedValue?> = []
            for element in elements { values.append(try mixed(element, type)) }
            return .list(values, identity: 0)
        case .dictionary(let entries):
            var values: ContiguousArray<(key: ContiguousArray<UInt8>, value: MixedValue?)> = []
            for (key, value) in entries {
                values.append((ContiguousArray(key.utf8), try mixed(value, type)))
            }
            values.sort { $0.key.lexicographicallyPrecedes($1.key) }
            return .map(values, identity: 0)
        case .members, .geo, .unsupported: throw PredicateErrors.incomparable(constant, type)
        }
    }

    private static func decimal(_ value: Decimal128) -> ScanValue {
        .decimal(value.lowBits, value.highBits)
    }

    /// Returns the closest float, unless the number is beyond the range of floats.
    private static func float(_ value: Double) -> ScanValue {
        let float = Float(value)
        return float.isInfinite && value.isFinite ? .double(value) : .float(float)
    }

    /// Returns a decimal as an integer if it is one, else as the nearest double.
    private static func number(_ value: Decimal128) -> ScanValue {
        let double = value.doubleValue
        if let integer = Int64(exactly: double), Decimal128(integerLiteral: integer) == value {
            return .integer(integer)
        }
        return .double(double)
    }

    /// Whether a constant is an object that is in no realm, so that no value in a file equals it.
    /// Throws if it is not of the class of the values.
    func isAbsent(_ constant: PredicateConstant, for type: PredicateValueType) throws(QueryError)
        -> Bool
    {
        guard constant.isAbsent else { return false }
        if type.type == .any { return true }
        if case .object(let object) = constant, type.type == .object,
            object.className == type.target?.schema.className
        {
            return true
        }
        throw PredicateErrors.incomparable(constant, type)
    }

    private func link(
        _ object: PredicateObject, _ constant: PredicateConstant, _ type: PredicateValueType
    ) throws(QueryError) -> ScanValue {
        guard type.type == .object || type.type == .any else {
            throw PredicateErrors.incomparable(constant, type)
        }
        if type.type == .object, object.className != type.target?.schema.className {
            throw PredicateErrors.incomparable(constant, type)
        }
        let core = subject.binding.core
        let isAny = type.type == .any
        guard
            let table = isAny ? core.table(named: object.className) : type.target?.table
        else { throw PredicateErrors.incomparable(constant, type) }
        // What a draft has added is known to that draft alone.
        guard let key = object.file?.key(of: object, in: table, of: core) else {
            throw PredicateErrors.foreignObject(object, type)
        }
        return isAny ? .object(LinkTarget(table: table, key: key)) : core.link(to: key, in: table)
    }
}

extension PredicateConstant {
    /// Whether the constant is, or contains, an object that is in no realm.
    fileprivate var isAbsent: Bool {
        switch self {
        case .object(let object): object.file == nil
        case .list(let elements): elements.contains(where: \.isAbsent)
        case .dictionary(let entries): entries.values.contains(where: \.isAbsent)
        default: false
        }
    }
}

extension PredicateValueType {
    /// Whether the order is by bytes, and case may affect equality.
    var isText: Bool { type == .string || type == .data }

    private var isNumber: Bool {
        switch type {
        case .int, .float, .double, .decimal128: true
        default: false
        }
    }

    /// Whether values of both types can be compared by order or equality.
    func isComparable(with other: PredicateValueType) -> Bool {
        if type == .any || other.type == .any { return true }
        if type == .object, other.type == .object { return target?.table == other.target?.table }
        return type == other.type || (isNumber && other.isNumber)
    }
}
