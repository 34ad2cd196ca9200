import Foundation

extension AnyRealmValue {
    /// The greatest depth to which collections may be nested.
    static let maximumDepth = 100

    /// Makes a value from one whose type is found at run time. It may have a built-in type, or be
    /// an object, nil, or an array or dictionary of such values. An enum, or a value of the
    /// program's own type, becomes its stored form.
    ///
    /// Returns nil if the value is of any other type. Throws if collections are nested too deep.
    init?(literal: Any?, depth: Int = 0) throws(InvalidValueError) {
        guard let literal = flattened(literal) else {
            self = .none
            return
        }
        if depth == 0 { try LiteralNesting.checkAnyValue(literal) }
        switch literal {
        case let value as AnyRealmValue: self = value
        // Checked first: a number object casts to every type that can represent it.
        case let value as NSNumber where type(of: literal) is AnyClass:
            self = value.holdsInteger ? .int(value.intValue) : .double(value.doubleValue)
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .int(value)
        case let value as String: self = .string(value)
        case let value as Double: self = .double(value)
        case let value as Float: self = .float(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as Object: self = .object(value)
        case let value as Decimal128: self = .decimal128(value)
        case let value as any FixedScalar: self.init(value.stored)
        case let value as Map<String, AnyRealmValue>: self = .dictionary(value)
        case let value as List<AnyRealmValue>: self = .list(value)
        case let value as any _MappedPersistable:
            try self.init(literal: value._rlmPersisted, depth: depth)
        case let value as any BinaryInteger:
            guard let value = Int(exactly: value) else { return nil }
            self = .int(value)
        case let value as [String: Any]: try self.init(entries: value, depth: depth)
        case let value as [Any]: try self.init(elements: value, depth: depth)
        default: return nil
        }
    }

    /// A value of a built-in type; none for others.
    package static func holding(_ value: Any) -> AnyRealmValue {
        (try? AnyRealmValue(literal: value)) ?? .none
    }

    private init?(entries: [String: Any], depth: Int) throws(InvalidValueError) {
        try AnyRealmValue.check(depth)
        let map = Map<String, AnyRealmValue>()
        for (key, value) in entries {
            guard let value = try AnyRealmValue(literal: value, depth: depth + 1) else {
                return nil
            }
            try map.insert(value, forKey: key)
        }
        self = .dictionary(map)
    }

    private init?(elements: [Any], depth: Int) throws(InvalidValueError) {
        try AnyRealmValue.check(depth)
        let list = List<AnyRealmValue>()
        for element in elements {
            guard let value = try AnyRealmValue(literal: element, depth: depth + 1) else {
                return nil
            }
            list.append(value)
        }
        self = .list(list)
    }

    private static func check(_ depth: Int) throws(InvalidValueError) {
        if depth >= maximumDepth { throw InvalidValueError(message: "Max nesting level reached") }
    }

    /// The content without a static type: nil, a built-in value, an object or a collection.
    var held: Any? {
        switch self {
        case .none: nil
        case .int(let value): value
        case .bool(let value): value
        case .float(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .object(let value): value
        case .decimal128(let value): value
        case .dictionary(let value): value
        case .list(let value): value
        default: fixedValue?.value
        }
    }
}
