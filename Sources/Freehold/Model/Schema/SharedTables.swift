import FreeholdStorage

/// Classes with the same name in the file, which see the same objects. Each opens, migrates and
/// deletes them according to its own declaration, so the declarations must agree.
///
/// Property names, defaults and types with the same stored form may differ.
enum SharedTables {
    /// The errors in classes that share a table.
    ///
    /// - Parameter schemas: The classes of one realm. Classes with the same name in the program
    ///   are reported elsewhere.
    static func disagreements(among schemas: [ClassSchema]) -> [String] {
        var firstOfTable: [String: ClassSchema] = [:]
        var messages: [String] = []
        for schema in schemas {
            guard let first = firstOfTable[schema.tableName] else {
                firstOfTable[schema.tableName] = schema
                continue
            }
            if first.className == schema.className { continue }
            guard let difference = difference(between: first, schema) else { continue }
            messages.append(
                """
                Types '\(first.className)' and '\(schema.className)' are both \
                '\(schema.tableName)' in the file, but \(difference). Declare the same columns \
                in both (propertiesMapping() names them), or override _realmObjectName() in \
                one of them to return another name.
                """)
        }
        return messages
    }

    /// The first difference that affects the file; nil if there is none.
    private static func difference(between first: ClassSchema, _ second: ClassSchema) -> String? {
        if first.isEmbedded != second.isEmbedded {
            return
                "only '\((first.isEmbedded ? first : second).className)' is an embedded object type"
        }
        // Properties that cannot be stored are reported elsewhere, and have no column.
        guard (first.properties + second.properties).allSatisfy(\.isStorable) else { return nil }
        let columns = Dictionary(
            second.properties.map { ($0.columnName, $0) }, uniquingKeysWith: { first, _ in first })
        for property in first.properties {
            guard let other = columns[property.columnName] else {
                return missing(property, of: first, in: second)
            }
            if property.declaration != other.declaration {
                return """
                    column '\(property.columnName)' is '\(property.declaration)' of \
                    '\(first.className)' and '\(other.declaration)' of \
                    '\(second.className)'
                    """
            }
        }
        let names = Set(first.properties.map(\.columnName))
        return second.properties.first { !names.contains($0.columnName) }.map {
            missing($0, of: second, in: first)
        }
    }

    private static func missing(
        _ property: PropertyDescriptor, of owner: ClassSchema, in other: ClassSchema
    ) -> String {
        """
        '\(other.className)' lacks the column '\(property.columnName)' of \
        '\(owner.className).\(property.name)'
        """
    }
}

extension PropertyDescriptor {
    /// Everything that the file, or the deletion of objects, knows about the property except its
    /// name.
    fileprivate var declaration: String {
        let isOptional = isNullableColumn && columnType != .link && columnType != .mixed
        var parts = [typeName + (isOptional ? "?" : "")]
        if isPrimaryKey {
            parts.append("primary key")
        } else if isIndexed {
            parts.append("indexed")
        }
        if isFullText { parts.append("full-text indexed") }
        if isAutoIncremented { parts.append("auto-incremented") }
        switch deleteRule {
        case .nullify: break
        case .cascade: parts.append("cascading")
        case .deny: parts.append("denying")
        }
        return parts.joined(separator: ", ")
    }
}
