public import Foundation

/// An ``AnyRealmValue`` of a frozen object, in a form that any thread may use.
///
/// ```swift
/// let setting = Frozen(setting)
/// Task.detached {
///     if case .list(let values) = setting.value {
///         for value in values { print(value.stringValue ?? "") }
///     }
/// }
/// ```
///
/// Two values are equal if the ``AnyRealmValue``s that they represent are. They are encoded
/// alike, too: see ``ConfinedEncodable``.
///
/// Thread rule: any thread, and any number at once.
public enum AnyFrozenValue: Sendable {
    /// No value: nil.
    case none
    /// An integer.
    case int(Int)
    /// A boolean.
    case bool(Bool)
    /// A floating-point number of 32 bits.
    case float(Float)
    /// A floating-point number of 64 bits.
    case double(Double)
    /// A text.
    case string(String)
    /// Binary data, byte by byte.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// An object of any class. ``object(_:)`` gives it in its own class.
    case object(Frozen<Object>)
    /// An object id.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// Values by keys, to any depth.
    case dictionary(FrozenMap<String, AnyFrozenValue>)
    /// Values in order, to any depth.
    case list(FrozenValues<AnyFrozenValue>)

    /// Makes the frozen form of a value of a frozen object, or of one of its collections.
    init(frozen value: AnyRealmValue) {
        self =
            switch value {
            case .none: .none
            case .int(let value): .int(value)
            case .bool(let value): .bool(value)
            case .float(let value): .float(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .data(let value): .data(value)
            case .date(let value): .date(value)
            case .object(let value): .object(Frozen(frozen: value))
            case .objectId(let value): .objectId(value)
            case .decimal128(let value): .decimal128(value)
            case .uuid(let value): .uuid(value)
            case .dictionary(let value): .dictionary(FrozenMap(anyValues: value))
            case .list(let value): .list(FrozenValues(anyValues: value))
            }
    }
}

extension AnyFrozenValue {
    /// The integer; nil if the value is of another kind.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The boolean; nil if the value is of another kind.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number of 32 bits; nil if the value is of another kind.
    public var floatValue: Float? { if case .float(let value) = self { value } else { nil } }
    /// The number of 64 bits; nil if the value is of another kind.
    public var doubleValue: Double? { if case .double(let value) = self { value } else { nil } }
    /// The text; nil if the value is of another kind.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The bytes; nil if the value is of another kind.
    public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }
    /// The date; nil if the value is of another kind.
    public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }
    /// The object id; nil if the value is of another kind.
    public var objectIdValue: ObjectId? {
        if case .objectId(let value) = self { value } else { nil }
    }
    /// The decimal; nil if the value is of another kind.
    public var decimal128Value: Decimal128? {
        if case .decimal128(let value) = self { value } else { nil }
    }
    /// The UUID; nil if the value is of another kind.
    public var uuidValue: UUID? { if case .uuid(let value) = self { value } else { nil } }
    /// The dictionary; nil if the value is of another kind.
    public var dictionaryValue: FrozenMap<String, AnyFrozenValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// The list; nil if the value is of another kind.
    public var listValue: FrozenValues<AnyFrozenValue>? {
        if case .list(let value) = self { value } else { nil }
    }

    /// Returns the object; nil if the value is of another kind, or an object of another class.
    public func object<T: Object>(_ objectType: T.Type) -> Frozen<T>? {
        if case .object(let frozen) = self {
            (frozen.value as? T).map { Frozen<T>(frozen: $0) }
        } else {
            nil
        }
    }

    /// The value as an ``AnyRealmValue``. It belongs to no thread, because its content is frozen.
    private var anyValue: AnyRealmValue {
        switch self {
        case .none: .none
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .data(value)
        case .date(let value): .date(value)
        case .object(let value): .object(value.value)
        case .objectId(let value): .objectId(value)
        case .decimal128(let value): .decimal128(value)
        case .uuid(let value): .uuid(value)
        case .dictionary(let value): value.anyValue
        case .list(let value): value.anyValue
        }
    }
}

extension AnyFrozenValue: Hashable {
    /// Whether the two are equal as ``AnyRealmValue``s.
    public static func == (a: AnyFrozenValue, b: AnyFrozenValue) -> Bool {
        a.anyValue == b.anyValue
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(anyValue) }
}

extension AnyFrozenValue: Encodable {
    /// Encodes the held value: `none` as null, collections as arrays and dictionaries, an object
    /// as an object.
    ///
    /// - Throws: What the encoder throws; `EncodingError` if objects are nested too deeply
    ///   (``ConfinedEncodable``).
    public func encode(to encoder: any Encoder) throws {
        if case .object(let frozen) = self {
            try frozen.encode(to: encoder)
        } else {
            try anyValue.encode(to: encoder)
        }
    }
}

extension AnyFrozenValue: CustomStringConvertible {
    /// The held value as text.
    public var description: String { "\(anyValue)" }
}
