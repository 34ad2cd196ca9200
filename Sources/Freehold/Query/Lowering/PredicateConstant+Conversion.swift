import Foundation
import FreeholdStorage

// Conversions between constants of predicates and values of front ends and storage.

extension PredicateConstant {
    /// The type of the properties that hold such values. Nil for null, and for values whose
    /// property type depends on the class.
    var propertyType: PropertyType? {
        switch self {
        case .bool: .bool
        case .int: .int
        case .float: .float
        case .double: .double
        case .string: .string
        case .data: .data
        case .date: .date
        case .decimal: .decimal128
        case .fixed(let value): value.kind.scalar?._rlmType
        case .null, .object, .members, .list, .dictionary, .geo, .unsupported: nil
        }
    }

    /// The value in the form that storage has in a column of its type. Nil for objects, which are
    /// looked up.
    var scanValue: ScanValue? {
        switch self {
        case .null: .null
        case .bool(let value): .boolean(value)
        case .int(let value): .integer(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value):
            // Copies at once, without the collection's generic way.
            .text(
                value.utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(value.utf8))
        case .data(let value): .bytes(Array(value))
        case .date(let value): .double(value.timeIntervalSinceReferenceDate)
        case .fixed(let value): .fixed(value)
        case .decimal(let value): .decimal(value.lowBits, value.highBits)
        case .object, .members, .list, .dictionary, .geo, .unsupported: nil
        }
    }

    /// The value for messages: "5", "'Rex'".
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
        case .fixed(let value): "\(value.value)"
        case .decimal(let value): "\(value)"
        case .object(let object): object.className
        case .members(let members): members.className
        case .list, .dictionary: format
        case .geo(let shape): "\(shape)"
        case .unsupported(let description): description
        }
    }

    /// The type for messages: "int", "Dog".
    var typeText: String {
        switch self {
        case .null: "null"
        case .object(let object): object.className
        case .members(let members): members.className
        case .list: "list"
        case .dictionary: "dictionary"
        case .geo(let shape): "\(type(of: shape.value))"
        case .unsupported(let description): description
        default: propertyType.map { "\($0)" } ?? ""
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
}

extension PredicateObject {
    /// Makes the constant of an object. One that is in no realm is identified by its address,
    /// which is valid as long as it lives.
    init(_ object: ObjectBase) {
        let className = object.dynamicBinding?.schema.className ?? type(of: object).className()
        if let core = object.core, !object.isInvalidated {
            let draft = core.isAddedByDraft(object) ? core.draftMoment : nil
            self.init(
                className: className, file: PredicateFile(core.store, draft), key: object.key)
        } else {
            self.init(
                className: className, file: nil,
                key: Int64(Int(bitPattern: ObjectIdentifier(object))))
        }
    }
}
