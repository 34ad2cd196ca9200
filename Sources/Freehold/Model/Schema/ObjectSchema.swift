/// One class of a realm.
///
/// Thread rule: a plain value; use it anywhere.
public struct ObjectSchema: Equatable, Sendable {
    /// The name of the class in the file.
    public let className: String
    /// The persisted properties in order of declaration, those of superclasses first. Excludes
    /// `LinkingObjects`, which are not stored; the subscript finds them.
    public let properties: [Property]
    /// The class itself; ``DynamicObject`` in ``Migration/oldSchema``.
    public let objectClass: ObjectBase.Type
    /// Whether objects of the class belong to the object that links to them, and are deleted
    /// with it.
    public let isEmbedded: Bool
    private let primaryKey: Int?
    private let computed: [Property]

    init(_ schema: ClassSchema) {
        className = schema.className
        properties = schema.properties.map { Property($0) }
        objectClass = schema.isStored ? DynamicObject.self : schema.type
        isEmbedded = schema.isEmbedded
        primaryKey = schema.primaryKey
        computed = schema.computed.map { Property($0) }
    }

    /// The property that is the primary key; nil if the class has none.
    public var primaryKeyProperty: Property? { primaryKey.map { properties[$0] } }

    /// The property with this name; nil if there is none. O(properties).
    public subscript(propertyName: String) -> Property? {
        (properties + computed).first { $0.name == propertyName }
    }

    /// Returns whether the names and all properties are equal. Does not compare the classes
    /// themselves.
    public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
        a.className == b.className && a.properties == b.properties && a.computed == b.computed
            && a.primaryKey == b.primaryKey && a.isEmbedded == b.isEmbedded
    }
}

extension ObjectSchema: CustomStringConvertible {
    /// The class with its properties, as text.
    public var description: String {
        "\(className) \(isEmbedded ? "(embedded) " : ""){\n"
            + properties.map { "\t\($0.description.withIndentedLines)\n" }.joined() + "}"
    }
}
