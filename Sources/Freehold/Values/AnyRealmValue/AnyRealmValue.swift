public import Foundation
import FreeholdStorage

/// A value of any of the types that properties can have, known only at run time.
///
/// ```swift
/// class Setting: Object {
///     @Persisted(primaryKey: true) var name = ""
///     @Persisted var value: AnyRealmValue
/// }
///
/// let setting = Setting()
/// setting.value = .int(7)
/// setting.value = .fromArray([.string("a"), .none])
/// ```
///
/// Nil is the case `none`: a property or an element of this type is never optional.
///
/// ## In a realm
/// Objects may be of any class of the realm; unmanaged ones are added with the value. Deleting an
/// object makes the values that hold it `none`.
///
/// Assigning a list or a dictionary copies it. The collection that is read back is live: it shows
/// what its realm reads, and is changed in place in write transactions. It stays the same
/// collection wherever it moves. It is invalid once it, or a collection around it, is removed or
/// replaced:
///
/// ```swift
/// let list = setting.value.listValue!
/// try realm.write { list.append(.int(1)) }
/// try realm.write { setting.value = .none }
/// print(list.isInvalidated)   // true
/// ```
///
/// Each change stores the whole value of the property, or of the element of a collection
/// property, again: O(its size). So put large collections into properties of their own.
/// Collections nest at most 100 deep; deeper ones trap. Collections in a `MutableSet` cannot be
/// changed in place.
///
/// ## Equality and order
/// Numbers are equal if they are the same number, whatever type they have:
/// `.int(1) == .double(1)`. A decimal equals the `Double` whose shortest decimal notation it is:
/// `.decimal128(0.1) == .double(0.1)`. A NaN equals itself. All other values equal only values of
/// the same case. Values of all cases have one order, that of queries: none, booleans, numbers,
/// texts by their UTF-8, data, dates, object ids, UUIDs, objects, lists, dictionaries.
///
/// Collections that contain themselves can be compared; realms refuse to store them.
///
/// Thread rule: a value with an object or a collection is confined as that is. Not `Sendable`.
public enum AnyRealmValue {
    /// No value: nil. The initial value of a property.
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
    /// An object. Embedded objects are not allowed.
    case object(Object)
    /// An object id.
    case objectId(ObjectId)
    /// A decimal number.
    case decimal128(Decimal128)
    /// A UUID.
    case uuid(UUID)
    /// Values by keys, to any depth.
    case dictionary(Map<String, AnyRealmValue>)
    /// Values in order, to any depth.
    case list(List<AnyRealmValue>)

    /// `none`.
    public init() { self = .none }
}

@available(
    *, unavailable,
    message: """
        A value may hold an object or a collection, which belong to one thread, queue or \
        actor: pass what it holds.
        """
)
extension AnyRealmValue: Sendable {}

// MARK: - Collections

extension AnyRealmValue {
    /// Returns a dictionary of the given values. O(values). Traps if a key begins with "$" or
    /// contains a ".".
    public static func fromDictionary(_ dictionary: [String: AnyRealmValue]) -> AnyRealmValue {
        fromDictionary(dictionary, areKnown: false)
    }

    /// - Parameter areKnown: Whether the keys come from a map, and need no check.
    static func fromDictionary(_ dictionary: [String: AnyRealmValue], areKnown: Bool)
        -> AnyRealmValue
    {
        let map = Map<String, AnyRealmValue>()
        for (key, value) in dictionary { map.setValue(value, forKey: key, isKnown: areKnown) }
        return .dictionary(map)
    }

    /// Returns a list of the given values. O(values).
    public static func fromArray(_ array: [AnyRealmValue]) -> AnyRealmValue {
        let list = List<AnyRealmValue>()
        list.append(objectsIn: array)
        return .list(list)
    }
}

// MARK: - What it holds

extension AnyRealmValue {
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
    public var dictionaryValue: Map<String, AnyRealmValue>? {
        if case .dictionary(let value) = self { value } else { nil }
    }
    /// The list; nil if the value is of another kind.
    public var listValue: List<AnyRealmValue>? {
        if case .list(let value) = self { value } else { nil }
    }

    /// What it holds as storage has it, if that knows only the bytes and the order.
    var fixedValue: FixedValue? {
        switch self {
        case .objectId(let value): value.stored
        case .uuid(let value): value.stored
        default: nil
        }
    }

    init(_ value: FixedValue) {
        self =
            switch value.kind {
            case .fixed12: .objectId(ObjectId(stored: value))
            case .fixed16: .uuid(UUID(stored: value))
            default: preconditionFailure("\(value.kind) is no kind of fixed values.")
            }
    }

    /// The object as a dynamic one, whatever its class; nil if the value is of another kind, or
    /// if no realm manages the object.
    public var dynamicObject: DynamicObject? {
        if case .object(let value) = self { value.dynamic } else { nil }
    }

    /// Returns the object; nil if the value is of another kind, or an object of another class.
    public func object<T: Object>(_ objectType: T.Type) -> T? {
        if case .object(let value) = self { value as? T } else { nil }
    }
}
