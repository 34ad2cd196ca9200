import Foundation
import FreeholdStorage

// Converts values of the program to constants of conditions.

extension PredicateExpression {
    /// Makes the constant of a value; for an array, set, list or results, the list of its
    /// elements. Reading a collection traps as usual.
    init(argument: Any?) {
        let argument = flattened(argument)
        if let elements = PredicateConstant.elements(of: argument) {
            // The values of a typed query come as one array, even a single one: a region.
            if elements.count == 1, let shape = GeoShape(any: elements[0]) {
                self = .constant(.geo(shape))
            } else {
                self = .list(elements.map { PredicateConstant(argument: $0, depth: 1) })
            }
        } else {
            self = .constant(PredicateConstant(argument: argument))
        }
    }

    /// Makes a constant; for a list, its elements, as in strings.
    init(_ constant: PredicateConstant) {
        if case .list(let elements) = constant {
            self = .list(elements)
        } else {
            self = .constant(constant)
        }
    }
}

extension PredicateConstant {
    /// Makes the constant of a value of a typed query.
    @inline(__always)
    init<Value>(_ value: Value) {
        self = PredicateConstant(common: value) ?? PredicateConstant(typed: value)
    }

    /// Makes the constant of a value of one of the commonest types; nil for others. Compares
    /// metatypes, which is much cheaper than a cast.
    @inline(__always)
    init?<Value>(common value: Value) {
        if Value.self == Int.self {
            self = .int(Int64(unsafeBitCast(value, to: Int.self)))
        } else if Value.self == String.self {
            self = .string(unsafeBitCast(value, to: String.self))
        } else if Value.self == Bool.self {
            self = .bool(unsafeBitCast(value, to: Bool.self))
        } else if Value.self == Double.self {
            self = .double(unsafeBitCast(value, to: Double.self))
        } else if Value.self == Date.self {
            self = .date(unsafeBitCast(value, to: Date.self))
        } else if Value.self == ObjectId.self {
            self = .fixed(unsafeBitCast(value, to: ObjectId.self).stored)
        } else if Value.self == UUID.self {
            self = .fixed(unsafeBitCast(value, to: UUID.self).stored)
        } else if Value.self == String?.self {
            self = unsafeBitCast(value, to: String?.self).map { .string($0) } ?? .null
        } else if Value.self == Int?.self {
            self = unsafeBitCast(value, to: Int?.self).map { .int(Int64($0)) } ?? .null
        } else {
            return nil
        }
    }

    @inline(never)
    private init(typed value: Any) {
        self.init(argument: value)
        let held = flattened(value)
        let original = OriginalObject(
            object: ((held as? AnyRealmValue)?.held ?? held) as? ObjectBase)
        switch self {
        case .object(var object):
            object.original = original
            self = .object(object)
        case .members(var members):
            members.original = original
            self = .members(members)
        default: break
        }
    }

    /// The same constant, without the objects that it was made from.
    var withoutOriginals: PredicateConstant {
        switch self {
        case .object(var object):
            object.original = OriginalObject()
            return .object(object)
        case .members(var members):
            members.original = OriginalObject()
            return .members(members)
        default: return self
        }
    }
}

/// A range of integers, whose elements may not fit into memory.
private protocol IntegerRange {
    /// The elements; nil if there are too many.
    var elements: [Any]? { get }
}

extension Range: IntegerRange where Bound: FixedWidthInteger {
    fileprivate var elements: [Any]? {
        let (count, isTooGreat) = upperBound.subtractingReportingOverflow(lowerBound)
        if isTooGreat || count > PredicateConstant.maximumCount { return nil }
        return (0..<Int(count)).map { lowerBound + Bound($0) }
    }
}

extension ClosedRange: IntegerRange where Bound: FixedWidthInteger {
    fileprivate var elements: [Any]? {
        (lowerBound..<upperBound).elements.map { $0 + [upperBound] }
    }
}

extension PredicateConstant {
    /// Returns the elements of a value that contains several; nil for other values.
    fileprivate static func elements(of argument: Any?) -> [Any]? {
        if let argument, (try? LiteralNesting.checkFoundationContainer(argument)) == nil {
            return nil
        }
        return switch argument {
        case let value as AnyRealmValue:
            if case .list(let list) = value { Array(list) } else { nil }
        case let array as [Any]: array
        // Text and data are sequences, and so may be a type of the program that is stored as
        // one value.
        case is String, is NSString, is Data, is NSData, is any _MappedPersistable,
            is any KeyedLiteral, is [String: Any]:
            nil
        case let range as any IntegerRange: range.elements
        case let sequence as any Sequence: array(of: sequence)
        default: nil
        }
    }

    /// The greatest number of elements read from a sequence, which may be computed and endless.
    fileprivate static let maximumCount = 1_000_000

    /// Returns nil if the sequence is too long.
    private static func array<Elements: Sequence>(of elements: Elements) -> [Any]? {
        var array: [Any] = []
        let isInMemory = elements is any SetAlgebra || elements is any RealmCollection
        for element in elements {
            if array.count == maximumCount, !isInMemory { return nil }
            array.append(element)
        }
        return array
    }

    /// Makes the constant of a value of any type; for enums and types of the program, of their
    /// stored form.
    ///
    /// - Parameter depth: The number of lists and dictionaries around the value.
    init(argument: Any?, depth: Int = 0) {
        guard let argument = flattened(argument) else {
            self = .null
            return
        }
        if let shape = GeoShape(any: argument) {
            self = .geo(shape)
            return
        }
        switch argument {
        case let value as AnyRealmValue: self.init(value, depth)
        case let object as ObjectBase: self = .object(PredicateObject(object))
        case let projection as any ProjectionOfAnyClass:
            self = .object(PredicateObject(projection.projectedObject))
        case let value as any _MappedPersistable:
            let stored = value._rlmPersisted
            if let object = stored as? EmbeddedObject {
                self = .members(PredicateMembers(object))
            } else {
                self.init(argument: stored)
            }
        case let number as NSNumber where type(of: argument) is NSNumber.Type: self.init(number)
        case let value as any BinaryInteger:
            self =
                Int64(exactly: value).map { .int($0) }
                ?? .unsupported(description: "\(type(of: value)) (\(value))")
        case let value as Bool: self = .bool(value)
        case let value as Float: self = .float(value)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        default: self.init(object: argument, depth)
        }
    }

    private init(object argument: Any, _ depth: Int) {
        switch argument {
        case let value as String: self = .string(value)
        case let value as Substring: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as Decimal128: self = .decimal(value)
        case let value as Decimal: self = .decimal(Decimal128(value))
        case let value as any FixedScalar: self = .fixed(value.stored)
        case let value as NSString:
            self = .string(String._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSDate: self = .date(Date._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSData: self = .data(Data._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSUUID:
            self = .fixed(UUID._unconditionallyBridgeFromObjectiveC(value).stored)
        default:
            self =
                PredicateConstant.nested(argument, depth)
                ?? .unsupported(description: "\(type(of: argument))")
        }
    }

    /// Makes a list or a dictionary; nil for other values.
    private static func nested(_ argument: Any, _ depth: Int) -> PredicateConstant? {
        // Checked once for the whole content, without recursion.
        if depth > LiteralNesting.maximumDepth || (depth == 0 && LiteralNesting.isTooDeep(argument))
        {
            return nil
        }
        if let elements = elements(of: argument) {
            return .list(elements.map { PredicateConstant(argument: $0, depth: depth + 1) })
        }
        guard
            let entries = (argument as? any KeyedLiteral)?.literal.entries ?? argument
                as? [String: Any]
        else { return nil }
        return .dictionary(entries.mapValues { PredicateConstant(argument: $0, depth: depth + 1) })
    }

    private init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(Decimal128(decimal.decimalValue))
        } else if UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c") {
            // Foundation stores an Int8 as an integer of another length.
            self = .bool(number.boolValue)
        } else {
            self = number.holdsInteger ? .int(number.int64Value) : .double(number.doubleValue)
        }
    }

    private init(_ value: AnyRealmValue, _ depth: Int) {
        switch value {
        case .none: self = .null
        case .int(let value): self = .int(Int64(value))
        case .bool(let value): self = .bool(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        case .object(let value): self = .object(PredicateObject(value))
        case .decimal128(let value): self = .decimal(value)
        case .dictionary, .list: self.init(nested: value, depth)
        default: self = value.fixedValue.map { .fixed($0) } ?? .null
        }
    }

    /// A separate initializer keeps the stack frame of each level small.
    private init(nested value: AnyRealmValue, _ depth: Int) {
        // Checked once for the whole content, without recursion.
        if depth > LiteralNesting.maximumDepth || (depth == 0 && LiteralNesting.isTooDeep(value)) {
            self = .unsupported(
                description:
                    "any value that is nested more than \(LiteralNesting.maximumDepth) deep")
            return
        }
        switch value {
        case .list(let list): self = .list(list.map { PredicateConstant($0, depth + 1) })
        case .dictionary(let map):
            var entries: [String: PredicateConstant] = [:]
            for entry in map { entries[entry.key] = PredicateConstant(entry.value, depth + 1) }
            self = .dictionary(entries)
        default: self.init(value, depth)
        }
    }
}
