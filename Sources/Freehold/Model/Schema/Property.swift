import FreeholdStorage

/// One persisted property of a class.
///
/// Thread rule: a plain value; use it anywhere.
public struct Property: Equatable, Sendable {
    /// The name in the program.
    public let name: String
    /// The name in the file.
    public let columnName: String
    /// The type of the property; for a collection, the type of its elements.
    public let type: PropertyType
    /// Whether the property is a `List` or `LinkingObjects`.
    public let isArray: Bool
    /// Whether the property is a `MutableSet`.
    public let isSet: Bool
    /// Whether the property is a `Map`.
    public let isMap: Bool
    /// Whether the property has an ordered index. The primary key has one.
    public let isIndexed: Bool
    /// Whether the property can be nil; for a collection, whether its elements can.
    public let isOptional: Bool
    /// The class that links point to; nil for every other type.
    public let objectClassName: String?
    let isPrimaryKey: Bool
    /// For linking objects, the property that links.
    let linkOriginPropertyName: String?

    init(_ property: PropertyDescriptor) {
        name = property.name
        columnName = property.columnName
        type = property.type
        isArray = property.shape == .list || property.isComputed
        isSet = property.shape == .set
        isMap = property.shape == .map
        isIndexed = property.isIndexed
        isOptional = property.isOptional
        objectClassName = property.objectType?.className()
        isPrimaryKey = property.isPrimaryKey
        linkOriginPropertyName = property.originPropertyName
    }
}

extension Property: CustomStringConvertible {
    /// All attributes of the property, as text.
    public var description: String {
        var lines = ["type = \(type)"]
        if let objectClassName {
            lines += [
                "objectClassName = \(objectClassName)",
                "linkOriginPropertyName = \(linkOriginPropertyName ?? "(null)")",
            ]
        }
        lines.append("columnName = \(columnName)")
        for (label, flag) in [
            ("indexed", isIndexed), ("isPrimary", isPrimaryKey), ("array", isArray), ("set", isSet),
            ("dictionary", isMap),
            ("optional", isOptional),
        ] {
            lines.append("\(label) = \(flag ? "YES" : "NO")")
        }
        return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
    }
}
