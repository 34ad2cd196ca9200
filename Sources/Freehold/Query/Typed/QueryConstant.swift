import Foundation
import FreeholdStorage

/// A value that a query compares properties with.
enum QueryConstant {
    case value(ScanValue)
    /// A date, in seconds. Not a value, because only any values tell it from a number.
    case date(Double)
    /// An object to compare a link with; its key is looked up when the realm is known.
    case object(ObjectBase)
    /// What a type of the program is stored as, if that is an embedded object.
    case members(EmbeddedObject)
    /// A list or a dictionary.
    case nested(AnyRealmValue)
    /// A value of a type that no property has; refused when the query is lowered.
    case unsupported(any Any.Type)
}

extension QueryConstant {
    /// Takes a value of any type. Comparing metatypes is much cheaper than a cast, so the
    /// common types are asked for one by one.
    init<T>(_ value: T) {
        if T.self == Int.self {
            self = .value(.integer(Int64(unsafeBitCast(value, to: Int.self))))
        } else if T.self == String.self {
            self = .text(unsafeBitCast(value, to: String.self))
        } else if T.self == Bool.self {
            self = .value(.boolean(unsafeBitCast(value, to: Bool.self)))
        } else if T.self == Double.self {
            self = .value(.double(unsafeBitCast(value, to: Double.self)))
        } else if T.self == Date.self {
            self = .date(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
        } else if T.self == ObjectId.self {
            self = .objectId(unsafeBitCast(value, to: ObjectId.self))
        } else if T.self == UUID.self {
            self = .uuid(unsafeBitCast(value, to: UUID.self))
        } else if T.self == String?.self {
            self = unsafeBitCast(value, to: String?.self).map(QueryConstant.text) ?? .value(.null)
        } else if T.self == Int?.self {
            self = .value(unsafeBitCast(value, to: Int?.self).map { .integer(Int64($0)) } ?? .null)
        } else {
            self.init(any: value)
        }
    }

    /// Takes a value whose type is found at run time: numbers, enums and custom types by what
    /// they are stored as, optionals, objects.
    init(any value: Any) {
        switch value {
        case let optional as any OptionalValue:
            if let wrapped = optional.wrappedValue {
                self.init(any: wrapped)
            } else {
                self = .value(.null)
            }
        case let value as AnyRealmValue:
            switch value {
            case .list, .dictionary: self = .nested(value)
            default: if let held = value.held { self.init(any: held) } else { self = .value(.null) }
            }
        case let object as ObjectBase: self = .object(object)
        case let value as any _MappedPersistable:
            let stored = value._rlmPersisted
            if let object = stored as? EmbeddedObject {
                self = .members(object)
            } else {
                self.init(any: stored)
            }
        case let value as Bool: self = .value(.boolean(value))
        case let value as any FixedWidthInteger:
            if let integer = Int64(exactly: value) {
                self = .value(.integer(integer))
            } else {
                self = .unsupported(type(of: value))
            }
        case let value as Double: self = .value(.double(value))
        case let value as Float: self = .value(.float(value))
        case let value as String: self = .text(value)
        case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
        case let value as Data: self = .value(.bytes(Array(value)))
        case let value as Decimal128: self = .value(.decimal(value.lowBits, value.highBits))
        case let value as ObjectId: self = .objectId(value)
        case let value as UUID: self = .uuid(value)
        default: self = .unsupported(type(of: value))
        }
    }

    /// The value as a column of its own type stores it. Nil for objects and what is unsupported.
    var scanValue: ScanValue? {
        switch self {
        case .value(let value): value
        case .date(let seconds): .double(seconds)
        case .object, .members, .nested, .unsupported: nil
        }
    }

    private static func text(_ value: String) -> QueryConstant { .value(.text(Array(value.utf8))) }

    private static func objectId(_ value: ObjectId) -> QueryConstant {
        withUnsafeTemporaryAllocation(byteCount: ObjectId.byteCount, alignment: 8) { buffer in
            let bytes = buffer.baseAddress.unsafelyUnwrapped
            value.unsafeStoreBytes(to: bytes)
            return .value(
                .fixed12(
                    bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt32.self)))
        }
    }

    private static func uuid(_ value: UUID) -> QueryConstant {
        withUnsafeBytes(of: value.uuid) { bytes in
            .value(
                .fixed16(
                    bytes.loadUnaligned(as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

/// Looks into an optional whose type is not known.
private protocol OptionalValue {
    var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
    var wrappedValue: Any? { self }
}
