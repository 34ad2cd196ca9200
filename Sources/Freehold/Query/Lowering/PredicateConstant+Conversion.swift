import Foundation
import FreeholdStorage

// Between constants of predicates and what front ends and storage have.

extension PredicateConstant {
    init(_ constant: QueryConstant) {
        switch constant {
        case .value(let value): self.init(value)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .object(let object): self = .object(PredicateObject(object))
        case .members(let object): self = .members(PredicateMembers(object))
        case .nested(let value): self.init(argument: value)
        case .unsupported(let type): self = .unsupported(description: "\(type)")
        }
    }

    private init(_ value: ScanValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .int(value)
        case .boolean(let value): self = .bool(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .bytes(let bytes): self = .data(Data(bytes))
        case .fixed12(let first, let second):
            self = .objectId(ObjectId(storedWords: (first, second)))
        case .fixed16(let first, let second): self = .uuid(UUID(storedWords: (first, second)))
        case .decimal(let low, let high): self = .decimal(Decimal128(storedWords: (low, high)))
        case .timestamp(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .link, .object, .nested: self = .unsupported(description: "\(value)")
        }
    }

    /// The value as storage has it, in a column of its own type. Nil for objects, which are
    /// looked up.
    var scanValue: ScanValue? {
        switch self {
        case .null: .null
        case .bool(let value): .boolean(value)
        case .int(let value): .integer(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .text(Array(value.utf8))
        case .data(let value): .bytes(Array(value))
        case .date(let value): .double(value.timeIntervalSinceReferenceDate)
        case .objectId(let value): .fixed12(value.storedWords.0, value.storedWords.1)
        case .uuid(let value): .fixed16(value.storedWords.0, value.storedWords.1)
        case .decimal(let value): .decimal(value.lowBits, value.highBits)
        case .object, .members, .list, .dictionary, .geo, .unsupported: nil
        }
    }

    /// The value for people: "5", "'Rex'".
    var text: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .data(let value): "\(value)"
        case .date(let value): value.shown
        case .objectId(let value): "\(value)"
        case .uuid(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .object(let object): object.className
        case .members(let members): members.className
        case .list, .dictionary: format
        case .geo(let shape): "\(shape)"
        case .unsupported(let description): description
        }
    }

    /// Its type for people: "int", "Dog".
    var typeText: String {
        switch self {
        case .null: "null"
        case .bool: "\(PropertyType.bool)"
        case .int: "\(PropertyType.int)"
        case .float: "\(PropertyType.float)"
        case .double: "\(PropertyType.double)"
        case .string: "\(PropertyType.string)"
        case .data: "\(PropertyType.data)"
        case .date: "\(PropertyType.date)"
        case .objectId: "\(PropertyType.objectId)"
        case .uuid: "\(PropertyType.UUID)"
        case .decimal: "\(PropertyType.decimal128)"
        case .object(let object): object.className
        case .members(let members): members.className
        case .list: "list"
        case .dictionary: "dictionary"
        case .geo(let shape): "\(type(of: shape.value))"
        case .unsupported(let description): description
        }
    }

    var isNull: Bool { self == .null }
}

extension PredicateObject {
    /// One that is in no realm, or not any more, is named by its address, which means something
    /// for as long as it lives.
    init(_ object: ObjectBase) {
        let className = object.dynamicBinding?.schema.className ?? type(of: object).className()
        if let core = object.core, !object.isInvalidated {
            self.init(className: className, file: PredicateFile(core.store), key: object.key)
        } else {
            self.init(
                className: className, file: nil,
                key: Int64(Int(bitPattern: ObjectIdentifier(object))))
        }
    }
}
