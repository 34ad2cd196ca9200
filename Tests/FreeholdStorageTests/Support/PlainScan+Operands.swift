import FreeholdStorage
import FreeholdTestSupport

extension PlainScan {
    // MARK: Operands

    func compare(
        _ a: PlainValue?, _ comparison: ScanComparison, _ b: PlainValue?, areColumns: Bool = false,
        textIsBytes: Bool = false
    ) -> Bool {
        guard let a, let b else { return false }
        let isOrdered = comparison != .equal && comparison != .notEqual
        func isUnordered(_ value: PlainValue) -> Bool {
            if case .scalar(let type, let value) = value {
                return type == .boolean || type == .link || value == .boolean(true)
            }
            return false
        }
        switch (a, b) {
        case (.collection, _), (_, .collection): return false
        case (.scalar(let type, let x), .scalar(let other, let y)):
            func group(_ type: ColumnType) -> ColumnType {
                [.float, .double, .decimal, .timestamp].contains(type) ? .integer : type
            }
            if areColumns,
                Set([type, other]) == [.integer, .timestamp]
                    || Set([type, other]) == [.float, .timestamp]
            {
                return false
            }
            guard
                group(type) == group(other)
                    || (areColumns && Set([type, other]) == [.link, .integer]),
                !isOrdered || (!isUnordered(a) && !isUnordered(b))
            else { return false }
            // Links to different tables lead to different rows, whatever their keys.
            if !areColumns, case .object(let one) = x, case .object(let other) = y,
                one.table != other.table
            {
                return comparison == .notEqual
            }
            return PlainScan.compare(
                MixedValue(plain: x.asNumber), comparison, MixedValue(plain: y.asNumber),
                textIsBytes: textIsBytes)
        case (.mixed, _), (_, .mixed):
            if isOrdered, isUnordered(a) || isUnordered(b) { return false }
            return PlainScan.compare(a.asMixed, comparison, b.asMixed, textIsBytes: textIsBytes)
        }
    }

    static func compareText(
        _ a: PlainValue, _ textOperator: ScanTextOperator, _ b: PlainValue,
        _ options: ScanTextOptions, textIsBytes: Bool
    ) -> Bool {
        let isEquality = textOperator == .equal || textOperator == .notEqual
        switch (a, b) {
        case (.scalar(let type, _), .scalar(let other, _))
        where type != other || (type != .text && type != .bytes): return false
        default: break
        }
        switch (a.asMixed, b.asMixed) {
        case (nil, nil): return textOperator == .equal || textOperator == .like
        case (.text, .bytes) where isEquality && !textIsBytes,
            (.bytes, .text) where isEquality && !textIsBytes:
            return textOperator == .notEqual
        case (.text(let x), .text(let y)):
            return ModelScan.text(.text, .text(Array(x)), textOperator, Array(y), options)
        case (.text(let x), .bytes(let y)), (.bytes(let x), .text(let y)),
            (.bytes(let x), .bytes(let y)):
            return ModelScan.text(.bytes, .bytes(Array(x)), textOperator, Array(y), options)
        case (let x, let y) where isEquality:
            return compare(x, textOperator == .equal ? .equal : .notEqual, y, textIsBytes: false)
        default: return false
        }
    }

    func operand(_ operand: ScanOperand, _ subject: Subject) -> PlainValue? {
        switch operand {
        case .constant(let value): return value.plain
        case .path(let path): return placed(value(path, subject), path, subject)
        case .mixed(let path, let steps):
            if case .mixed(let value)? = value(path, subject) {
                return .mixed(step(value, steps[...]))
            }
            return nil
        case .mapValue(let path, let key):
            guard case .collection(let kind, let elements)? = value(path, subject),
                kind.shape == .map
            else { return nil }
            return placed(elements.first { $0.key == key }?.value, path, subject)
                ?? (kind.type == .mixed ? .mixed(nil) : .scalar(kind.type, .null))
        case .count(let hop, let predicate):
            let (count, subjects) = follow(hop, subject, for: predicate)
            return .scalar(
                .integer,
                .integer(
                    Int64(predicate == .all ? count : subjects.count { matches(predicate, $0) })))
        case .aggregate(let aggregate, let hop, let path):
            let values = follow(hop, subject).subjects.compactMap { value(path, $0) }
            return PlainScan.aggregate(aggregate, values)
        case .outer(let scope, let operand):
            return scopes[scope].flatMap { self.operand(operand, $0) }
        }
    }

    /// Of integers and doubles only; decimals have a test of their own.
    static func aggregate(_ aggregate: ScanAggregate, _ values: [PlainValue]) -> PlainValue? {
        let isMixed = values.contains { if case .mixed = $0 { true } else { false } }
        var numbers: [Double] = []
        var integers: Int128? = 0
        var timestamps = false
        for value in values {
            switch value.asMixed {
            case .integer(let integer):
                numbers.append(Double(integer))
                integers = integers.map { $0 + Int128(integer) }
            case .double(let double):
                numbers.append(double)
                integers = nil
            case .float(let float):
                numbers.append(Double(float))
                integers = nil
            case .timestamp(let seconds):
                numbers.append(seconds)
                timestamps = true
                integers = nil
            default: break
            }
        }
        func made(_ number: Double?) -> PlainValue {
            let value: ScanValue = number.map { timestamps ? .timestamp($0) : .double($0) } ?? .null
            return isMixed
                ? .mixed(MixedValue(plain: value))
                : .scalar(timestamps ? .timestamp : .double, value)
        }
        /// The outermost value as it is: an integer may have no double.
        func outermost(_ isBefore: (Int) -> Bool) -> PlainValue {
            func number(_ value: MixedValue) -> MixedValue {
                if case .timestamp(let seconds) = value { .double(seconds) } else { value }
            }
            var best: MixedValue?
            for value in values.compactMap(\.asMixed) {
                switch value {
                case .integer: break
                case .double(let double) where !double.isNaN: break
                case .timestamp(let seconds) where !seconds.isNaN: break
                case .float(let float) where !float.isNaN: break
                default: continue
                }
                if best.map({ isBefore(MixedValue.compare(number(value), number($0))) }) ?? true {
                    best = value
                }
            }
            if isMixed { return .mixed(best) }
            return switch best {
            case .integer(let integer): .scalar(.integer, .integer(integer))
            case .float(let float): .scalar(.double, .double(Double(float)))
            case .double(let double): .scalar(.double, .double(double))
            case .timestamp(let seconds): .scalar(.timestamp, .timestamp(seconds))
            default: made(nil)
            }
        }
        switch aggregate {
        case .min: return outermost { $0 < 0 }
        case .max: return outermost { $0 > 0 }
        case .average:
            return made(
                numbers.isEmpty
                    ? nil
                    : (integers.map { Double($0) } ?? numbers.reduce(0, +)) / Double(numbers.count))
        case .sum:
            timestamps = false
            // Integers add up exactly: a double in between would equal some that the sum does not.
            if let sum = integers.flatMap({ Int64(exactly: $0) }) {
                return isMixed ? .mixed(.integer(sum)) : .scalar(.integer, .integer(sum))
            }
            return made(integers.map { Double($0) } ?? numbers.reduce(0, +))
        }
    }
}
