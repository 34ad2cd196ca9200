public import Foundation
import FreeholdStorage

/// A value of a property, as conflicts and changes of drafts report it: a copy, which any thread
/// may use and which can be encoded.
public indirect enum DraftValue: Sendable {
    /// No value: nil.
    case none
    /// A boolean.
    case bool(Bool)
    /// An integer, or the raw value of an enumeration.
    case int(Int)
    /// A floating-point number of 32 bits.
    case float(Float)
    /// A floating-point number of 64 bits.
    case double(Double)
    /// A text.
    case string(String)
    /// Binary data.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// A decimal number.
    case decimal128(Decimal128)
    /// An object id.
    case objectId(ObjectId)
    /// A UUID.
    case uuid(UUID)
    /// A link to an object.
    case object(DraftObject)
    /// The elements of a list, in order.
    case list([DraftValue])
    /// The elements of a set, in its order.
    case set([DraftValue])
    /// The values of a map or dictionary.
    case map([String: DraftValue])
}

/// Names an object in conflicts and changes of drafts.
public struct DraftObject: Sendable, Hashable, Codable {
    /// The name of its class.
    public let className: String
    /// Its primary key; nil if the class has none.
    public let primaryKey: DraftValue?
    /// The number of its row in the file. New objects of a draft may get another one when they
    /// are saved.
    public let row: Int64
    /// The object and the property that an embedded object belongs to, as `Person 7.addresses`;
    /// nil for others.
    public let owner: String?

    init(className: String, primaryKey: DraftValue?, row: Int64, owner: String? = nil) {
        self.className = className
        self.primaryKey = primaryKey
        self.row = row
        self.owner = owner
    }

    /// Names an object, for a resolution of a conflict.
    ///
    /// - Parameters:
    ///   - className: The name of its class.
    ///   - primaryKey: Its primary key.
    public init(className: String, primaryKey: DraftValue) {
        self.init(className: className, primaryKey: primaryKey, row: -1)
    }
}

extension DraftObject: CustomStringConvertible {
    /// The class, and the primary key or the row: `Person 7`, `Note #3`,
    /// `Address #12 of Person 7.addresses`.
    public var description: String {
        (primaryKey.map { "\(className) \($0)" } ?? "\(className) #\(row)")
            + (owner.map { " of \($0)" } ?? "")
    }
}

extension DraftValue: CustomStringConvertible {
    /// The value as text, of one line.
    public var description: String {
        switch self {
        case .none: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): "\"\(value)\"".replacing("\n", with: "\\n")
        case .data(let value): "\(value.count) bytes"
        case .date(let value): value.formatted(.iso8601)
        case .decimal128(let value): "\(value)"
        case .objectId(let value): "\(value)"
        case .uuid(let value): "\(value)"
        case .object(let value): "\(value)"
        case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .set(let values): "{" + values.map(\.description).joined(separator: ", ") + "}"
        case .map(let values):
            "["
                + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
                .joined(separator: ", ") + "]"
        }
    }
}

extension DraftValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    /// Makes a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes an integer.
    public init(integerLiteral value: Int) { self = .int(value) }
    /// Makes a boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a number of 64 bits.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Makes ``none``.
    public init(nilLiteral: ()) { self = .none }
}
