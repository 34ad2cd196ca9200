/// The type of a property's values, regardless of optionality and collections.
///
/// The raw values are Realm's. A case does not guarantee that properties of that type can be
/// declared.
///
/// Thread rule: a plain value; use it anywhere.
public enum PropertyType: Int, Hashable, Sendable {
    /// `Int`, `Int8`, `Int16`, `Int32`, `Int64`, and enums of these.
    case int = 0
    /// `Bool`.
    case bool = 1
    /// `String`, and enums of it.
    case string = 2
    /// `Data`.
    case data = 3
    /// `Date`.
    case date = 4
    /// `Float`.
    case float = 5
    /// `Double`.
    case double = 6
    /// A link to an object.
    case object = 7
    /// The objects that link to this one.
    case linkingObjects = 8
    /// Any of the other types.
    case any = 9
    /// `ObjectId`.
    case objectId = 10
    /// `Decimal128`.
    case decimal128 = 11
    /// `UUID`.
    case UUID = 12
}

extension PropertyType: CustomStringConvertible {
    /// The name that error messages use: "int", "object id".
    public var description: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .any: "mixed"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }
}
