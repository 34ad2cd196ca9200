/// The classes of a realm.
///
/// Thread rule: a plain value; use it anywhere.
@frozen
public struct Schema: Equatable, Sendable {
    /// The schema of each class, in order of the names.
    public let objectSchema: [ObjectSchema]

    init(_ classes: [ClassSchema]) { objectSchema = classes.map { ObjectSchema($0) } }

    /// The class with this name; nil if the realm does not contain it. O(classes).
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }
}

extension Schema: CustomStringConvertible {
    /// All classes with their properties, as text.
    public var description: String {
        "Schema {\n" + objectSchema.map { "\t\($0.description.withIndentedLines)\n" }.joined() + "}"
    }
}
