import Freehold

/// A class of the realm, in the form that an import needs.
struct ImportedClass {
    let name: String
    /// The name in the file, which exports use.
    let tableName: String
    let isEmbedded: Bool
    let properties: [ImportedProperty]
    /// The position of the primary key among the properties.
    let primaryKey: Int?
    /// The positions of the properties by their names in the file and in the program; -1 for
    /// backlinks, which are not stored.
    private let places: [String: Int]

    init(_ schema: ObjectSchema) {
        let constraints = DeclaredConstraint.all(of: schema.objectClass)
        name = schema.className
        tableName = schema.objectClass._realmObjectName() ?? schema.className
        isEmbedded = schema.isEmbedded
        properties = schema.properties.map {
            ImportedProperty($0, constraint: constraints[$0.name])
        }
        primaryKey = schema.primaryKeyProperty.flatMap { key in
            schema.properties.firstIndex { $0.name == key.name }
        }
        var places: [String: Int] = [:]
        for (place, property) in schema.properties.enumerated() { places[property.name] = place }
        // Names in the file take precedence, because exports use them.
        for (place, property) in schema.properties.enumerated() {
            places[property.columnName] = place
        }
        self.places = places
    }

    /// Returns the position of the property with a name; nil if there is none.
    func place(of name: String) -> Int? { places[name] }
}

/// A property of the realm, in the form that an import needs.
struct ImportedProperty {
    enum Shape { case single, list, set, map }

    let name: String
    let columnName: String
    let type: PropertyType
    let isOptional: Bool
    let shape: Shape
    let target: String?
    let constraint: DeclaredConstraint?

    init(_ property: Property, constraint: DeclaredConstraint?) {
        name = property.name
        columnName = property.columnName
        type = property.type
        isOptional = property.isOptional
        shape = property.isSet ? .set : property.isMap ? .map : property.isArray ? .list : .single
        target = property.objectClassName
        self.constraint = constraint
    }

    /// Whether values may lead to other objects, which must then exist first.
    var isLinking: Bool { type == .object || type == .any }

    /// The expected type of a value, or of an element of a collection.
    var expected: String {
        if let constraint { return constraint.expected }
        return type.expected(target: target) + (isOptional ? " or null" : "")
    }
}

extension PropertyType {
    func expected(target: String?) -> String {
        switch self {
        case .int: "an integer"
        case .bool: "true or false"
        case .string: "a text"
        case .data: "bytes as base64"
        case .date: "a date as ISO 8601 or in milliseconds since 1970"
        case .float, .double: "a number"
        case .object, .linkingObjects: "an object of class '\(target ?? "?")'"
        case .decimal128: "a decimal number"
        default: literalDescription ?? "a value"
        }
    }
}
