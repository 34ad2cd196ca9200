import Foundation

// Values of the program that become constants of conditions.

extension PredicateExpression {
    /// What a value is in a condition: a constant, or of an array, set, list or results the list of its elements. Reading a collection traps as it always does.
    init(argument: Any?) {
        let argument = flattened(argument)
        if let elements = PredicateExpression.elements(of: argument) {
            self = .list(elements.map { PredicateConstant(argument: $0) })
        } else {
            self = .constant(PredicateConstant(argument: argument))
        }
    }

    /// The elements of a value that stands for several; nil of any other.
    private static func elements(of argument: Any?) -> [Any]? {
        if let argument, (try? LiteralNesting.checkFoundationContainer(argument)) == nil { return nil }
        return switch argument {
        case let value as AnyRealmValue:
            if case .list(let list) = value { Array(list) } else { nil }
        case let array as [Any]: array
        // Text and data are sequences, and so may be a type of the program that is stored as one value.
        case is String, is NSString, is Data, is NSData, is any _MappedPersistable: nil
        case let sequence as any Sequence: array(of: sequence)
        default: nil
        }
    }

    private static func array<Elements: Sequence>(of elements: Elements) -> [Any] { elements.map { $0 } }
}

extension PredicateConstant {
    /// What a value of any type is in a condition: of enums and types of the program what they are stored as.
    init(argument: Any?) {
        guard let argument = flattened(argument) else {
            self = .null
            return
        }
        if let shape = GeoShape(any: argument) {
            self = .geo(shape)
            return
        }
        switch argument {
        case let value as AnyRealmValue: self.init(value)
        case let object as ObjectBase: self = .object(PredicateObject(object))
        case let projection as any ProjectionOfAnyClass: self = .object(PredicateObject(projection.projectedObject))
        case let value as any _MappedPersistable:
            let stored = value._rlmPersisted
            if let object = stored as? EmbeddedObject { self = .members(PredicateMembers(object)) } else { self.init(argument: stored) }
        case let number as NSNumber where type(of: argument) is NSNumber.Type: self.init(number)
        case let value as any BinaryInteger: self = Int64(exactly: value).map { .int($0) } ?? .unsupported(description: "\(type(of: value)) (\(value))")
        case let value as Bool: self = .bool(value)
        case let value as Float: self = .float(value)
        case let value as any BinaryFloatingPoint: self = .double(Double(value))
        default: self.init(object: argument)
        }
    }

    private init(object argument: Any) {
        switch argument {
        case let value as String: self = .string(value)
        case let value as Substring: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as Decimal128: self = .decimal(value)
        case let value as Decimal: self = .decimal(Decimal128(value))
        case let value as ObjectId: self = .objectId(value)
        case let value as UUID: self = .uuid(value)
        case let value as NSString: self = .string(String._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSDate: self = .date(Date._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSData: self = .data(Data._unconditionallyBridgeFromObjectiveC(value))
        case let value as NSUUID: self = .uuid(UUID._unconditionallyBridgeFromObjectiveC(value))
        default: self = .unsupported(description: "\(type(of: argument))")
        }
    }

    private init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(Decimal128(decimal.decimalValue))
        } else if UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c") {
            // Foundation keeps an Int8 as an integer of another length.
            self = .bool(number.boolValue)
        } else {
            self = number.holdsInteger ? .int(number.int64Value) : .double(number.doubleValue)
        }
    }

    private init(_ value: AnyRealmValue) {
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
        case .objectId(let value): self = .objectId(value)
        case .decimal128(let value): self = .decimal(value)
        case .uuid(let value): self = .uuid(value)
        case .dictionary: self = .unsupported(description: "dictionary")
        case .list: self = .unsupported(description: "list")
        }
    }
}
