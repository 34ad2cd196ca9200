public import Foundation
import FreeholdStorage

/// Identifies an object within its class, in a form that can be used anywhere: the value of its
/// primary key, or its row number if its class has none.
///
/// A primary key identifies the object while it exists. A row number does so, too, even across
/// processes; it is not reused for another object of the class. In maps this is the key of the
/// entry.
///
/// It is encoded as the bare value: `7`, `"Ada"`.
public enum ObjectKey: Hashable, Sendable {
    /// An integer primary key.
    case int(Int)
    /// A text primary key, or the key of a map's entry.
    case string(String)
    /// An object id.
    case objectId(ObjectId)
    /// A UUID.
    case uuid(UUID)
    /// A primary key that is nil.
    case null
    /// The row number of an object without a primary key.
    case row(Int)
}

extension ObjectKey: Encodable {
    /// Encodes the key as a number, a text or null.
    ///
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .int(let value), .row(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .objectId(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

extension ObjectKey: CustomStringConvertible {
    /// The key as text, for logs.
    public var description: String {
        switch self {
        case .int(let value): "\(value)"
        case .string(let value): value
        case .objectId(let value): "\(value)"
        case .uuid(let value): "\(value)"
        case .null: "null"
        case .row(let value): "row \(value)"
        }
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// The key of this object within its class; nil while it is unmanaged. At most O(log
    /// objects).
    ///
    /// Thread rule: that of the object. Traps if it was deleted.
    public var objectKey: ObjectKey? {
        guard _isManaged, let core, let binding = binding?.takeUnretainedValue() else { return nil }
        core.checkConfinement(of: self, "Object.objectKey")
        if core.isDeleted(self) {
            violation(.deletedObjectUsed(self, operation: "Object.objectKey"))
        }
        return binding.objectKey(of: key)
    }
}

extension Frozen where Value: ObjectBase {
    /// The key of this object within its class. At most O(log objects).
    public var objectKey: ObjectKey {
        guard let binding = value.binding?.takeUnretainedValue() else {
            preconditionFailure("A frozen object is bound.")
        }
        return binding.objectKey(of: value.key)
    }
}

extension ClassBinding {
    /// The key of the object in a row. A row that is missing because of damage is identified by
    /// its number.
    func objectKey(of row: Int64) -> ObjectKey {
        guard let property = schema.primaryKeyProperty else { return .row(Int(row)) }
        if usesPrimaryKeyAsRowKey { return .int(Int(row)) }
        guard let object = core.accessor(row, of: self) else { return .row(Int(row)) }
        return switch object.value(of: property) {
        case nil: .null
        case let text as String: .string(text)
        case let id as ObjectId: .objectId(id)
        case let id as UUID: .uuid(id)
        case let number as any BinaryInteger: .int(Int(number))
        default: .row(Int(row))
        }
    }

    /// The object with a key; nil if there is none.
    func object(for objectKey: ObjectKey) -> ObjectBase? {
        let value: Any?
        switch objectKey {
        case .row(let number): return core.accessor(Int64(number), of: self)
        case .int(let number): value = number
        case .string(let text): value = text
        case .objectId(let id): value = id
        case .uuid(let id): value = id
        case .null: value = nil
        }
        guard schema.primaryKeyProperty != nil, let key = try? indexKey(ofPrimaryKeyValue: value)
        else { return nil }
        return core.object(self, forPrimaryKey: key)
    }
}
