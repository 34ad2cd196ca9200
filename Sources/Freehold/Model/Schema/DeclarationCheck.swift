import FreeholdStorage

/// Collects the errors in one class's declaration. The texts are Realm's where Realm has one.
struct DeclarationCheck {
    let className: String
    private(set) var messages: [String] = []

    init(className: String) { self.className = className }

    mutating func noProperties() {
        messages.append(
            """
            No properties are defined for '\(className)'. Did you remember to mark them \
            with '@objc' or '@Persisted' in your model?
            """)
    }

    mutating func unsupportedType(_ name: String) {
        messages.append("Property '\(className).\(name)' is of a type that cannot be stored.")
    }

    mutating func endlessValue(_ name: String) {
        messages.append(
            """
            Property '\(className).\(name)' needs a value that holds, in properties that are \
            not optional, another one of its own type, so no object could ever be complete. \
            Make one of these properties optional.
            """)
    }

    mutating func properties(_ properties: [PropertyDescriptor]) {
        for property in properties {
            if let wrong = property.wrongOptionality {
                messages.append(wrong)
            } else if property.shape == .set, property.isOwning, let target = property.objectType {
                messages.append(
                    """
                    Set property '\(className).\(property.name)' cannot contain embedded \
                    object type '\(target.className())'. Set semantics are not applicable to \
                    embedded objects.
                    """)
            } else if property.isAutoIncremented, !property.isPrimaryKey {
                messages.append(
                    """
                    Property '\(className).\(property.name)' is declared with \
                    autoIncrement: true, which only a primary key can be.
                    """)
            } else if property.isPrimaryKey, !property.canBePrimaryKey {
                messages.append(
                    """
                    Property '\(className).\(property.name)' of type \
                    '\(property.typeText)' cannot be made the primary key.
                    """)
            } else if property.isIndexed, !property.canBeIndexed {
                messages.append(
                    """
                    Property '\(className).\(property.name)' of type \
                    '\(property.typeText)' cannot be indexed.
                    """)
            }
        }
        let primaryKeys = properties.filter(\.isPrimaryKey)
        if primaryKeys.count > 1 {
            // As in Realm, the second one first.
            messages.append(
                """
                Properties '\(primaryKeys[1].name)' and '\(primaryKeys[0].name)' are both \
                marked as the primary key of '\(className)'
                """)
        }
        uniqueNames(properties)
    }

    mutating func computedProperties(_ properties: [PropertyDescriptor]) {
        for property in properties where property.originPropertyName == nil {
            messages.append(
                """
                LinkingObjects<\(property.objectType?.className() ?? "")> property \
                '\(property.name)' must set the origin property name with \
                @Persisted(originProperty: "name").
                """)
        }
    }

    mutating func embedded(_ properties: [PropertyDescriptor]) {
        if properties.contains(where: \.isPrimaryKey) {
            messages.append("Embedded object type '\(className)' cannot have a primary key.")
        }
    }

    private mutating func uniqueNames(_ properties: [PropertyDescriptor]) {
        var names: Set<String> = []
        for property in properties where !names.insert(property.name).inserted {
            messages.append(
                """
                Property '\(property.name)' appears more than once in the schema for type \
                '\(className)'.
                """)
        }
        var columnNames: Set<String> = []
        for property in properties {
            if property.columnName != property.name, names.contains(property.columnName) {
                messages.append(
                    """
                    Property '\(className).\(property.name)' has an alias \
                    '\(property.columnName)' that conflicts with a property of the same name.
                    """)
            } else if !columnNames.insert(property.columnName).inserted,
                property.columnName != property.name
            {
                messages.append(
                    """
                    Alias '\(property.columnName)' appears more than once in the schema \
                    for type '\(className)'.
                    """)
            }
        }
    }

    mutating func names(
        _ names: [String], existIn properties: [PropertyDescriptor], orIn others: Set<String> = [],
        message: (String) -> String
    ) {
        for name in names
        where !others.contains(name) && !properties.contains(where: { $0.name == name }) {
            messages.append(message(name))
        }
    }

    func finish() throws(SchemaValidationError) {
        if !messages.isEmpty { throw SchemaValidationError(messages: messages) }
    }
}

extension PropertyDescriptor {
    /// The error if the declaration wrongly has or lacks a question mark; nil if it is correct.
    fileprivate var wrongOptionality: String? {
        if type == .any, isOptional {
            return """
                AnyRealmValue property '\(name)' must not be marked as optional: nil \
                values are represented as AnyRealmValue.none
                """
        }
        guard let target = objectType?.className() else { return nil }
        switch (shape, isOptional) {
        case (nil, false) where isConverted: return nil
        case (nil, false): return "Object property '\(name)' must be marked as optional."
        case (.list, true):
            return "List<\(target)> property '\(name)' must not be marked as optional."
        case (.set, true):
            return "MutableSet<\(target)> property '\(name)' must not be marked as optional."
        case (.map, false):
            return "Map<String, \(target)> property '\(name)' must be marked as optional."
        default: return nil
        }
    }

    /// The type as shown in messages: "int", "array".
    var typeText: String { shape?.propertyName ?? "\(type)" }

    var canBePrimaryKey: Bool {
        shape == nil && type.storedScalar?.columnType.canBePrimaryKey ?? false
    }

    var canBeIndexed: Bool {
        shape == nil && (type == .any || type.storedScalar is any _Indexable.Type)
    }
}
