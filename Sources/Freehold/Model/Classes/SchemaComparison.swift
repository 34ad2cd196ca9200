import FreeholdStorage

/// The differences between the declared classes and a file, by their names in the file.
///
/// Undeclared classes of the file are ignored: several programs may share a file and each
/// declare its own classes. So are undeclared properties, if machines share the realm.
struct SchemaComparison {
    /// A change of the file that rewrites no row.
    enum Change: Hashable {
        case addTable(tableName: String)
        case addColumn(tableName: String, ordinal: Int)
        case setPrimaryKey(tableName: String, ordinal: Int)
        case setIndexed(Bool, tableName: String, ordinal: Int)
        case setFullText(Bool, tableName: String, ordinal: Int)
    }

    private(set) var changes: [Change] = []
    /// The differences that need a migration, in Realm's words.
    private(set) var mismatches: [String] = []

    /// - Parameter classes: One class for each table.
    init(_ classes: [ClassSchema], with catalog: Catalog) {
        // All tables first, because links name their targets.
        for declared in classes where catalog[declared.tableName] == nil {
            changes.append(.addTable(tableName: declared.tableName))
        }
        for declared in classes {
            guard let table = catalog[declared.tableName] else {
                changes += declared.properties.indices.map {
                    .addColumn(tableName: declared.tableName, ordinal: $0)
                }
                if let primaryKey = declared.primaryKey {
                    changes.append(
                        .setPrimaryKey(tableName: declared.tableName, ordinal: primaryKey))
                }
                continue
            }
            compare(declared, with: table, catalog)
        }
    }

    private mutating func compare(
        _ declared: ClassSchema, with table: TableDefinition, _ catalog: Catalog
    ) {
        let name = declared.tableName
        if table.isOwned != declared.isEmbedded {
            let (old, new) = table.isOwned ? ("embedded", "top-level") : ("top-level", "embedded")
            mismatches.append("Class '\(name)' has been changed from \(old) to \(new).")
        }
        for (ordinal, property) in declared.properties.enumerated() {
            guard let column = table[property.columnName] else {
                changes.append(.addColumn(tableName: name, ordinal: ordinal))
                continue
            }
            let title = "Property '\(name).\(property.name)'"
            let storedType = column.typeName(in: catalog)
            if storedType != property.typeName {
                mismatches.append(
                    "\(title) has been changed from '\(storedType)' to '\(property.typeName)'.")
            } else if column.isNullable != property.isNullableColumn {
                mismatches.append(
                    "\(title) has been made \(property.isNullableColumn ? "optional" : "required")."
                )
            } else if column.id != table.primaryKey, !property.isPrimaryKey {
                if column.isIndexed != property.isIndexedColumn {
                    changes.append(
                        .setIndexed(property.isIndexedColumn, tableName: name, ordinal: ordinal))
                }
                if column.isFullText != property.isFullText {
                    changes.append(
                        .setFullText(property.isFullText, tableName: name, ordinal: ordinal))
                }
            }
        }
        let declaredNames = Set(declared.properties.map(\.columnName))
        // Of a shared file, others have properties that this program lacks.
        if catalog.isShared { return comparePrimaryKey(declared, with: table) }
        for column in table.columns where !declaredNames.contains(column.name) {
            mismatches.append("Property '\(name).\(column.name)' has been removed.")
        }
        comparePrimaryKey(declared, with: table)
    }

    private mutating func comparePrimaryKey(_ declared: ClassSchema, with table: TableDefinition) {
        let old = table.primaryKey.flatMap { table[$0]?.name }
        let new = declared.primaryKey.map { declared.properties[$0].columnName }
        let title = "Primary Key for class '\(declared.tableName)' has"
        switch (old, new) {
        case (nil, nil): break
        case (nil, _?): mismatches.append("\(title) been added.")
        case (_?, nil): mismatches.append("\(title) been removed.")
        case (let old?, let new?) where old != new:
            mismatches.append("\(title) changed from '\(old)' to '\(new)'.")
        default: break
        }
    }
}

extension PropertyDescriptor {
    /// Whether the property's column can hold null; links always can.
    var isNullableColumn: Bool {
        shape == nil && (isOptional || columnType == .link || columnType == .mixed)
    }
    /// Whether the property's column has an index. Links always have one.
    var isIndexedColumn: Bool {
        isIndexed || (elementKind?.carriesLinks ?? (columnType == .link || columnType == .mixed))
    }
    /// The kind of a collection's elements in the file.
    var elementKind: StoredCollectionKind? { codec.elementDescriptor()?.kind }
    /// The type as shown in Realm's error texts.
    var typeName: String {
        let target = objectType?.tableName
        return elementKind?.typeName(target: target) ?? columnType.typeName(target: target)
    }
}

extension StoredCollectionKind {
    /// "array<int>", "set<string?>", "dictionary<Dog>".
    func typeName(target: String?) -> String {
        let element =
            type == .link
            ? target ?? "" : type.typeName(target: nil) + (isNullable && type != .mixed ? "?" : "")
        return switch shape {
        case .list: "array<\(element)>"
        case .set: "set<\(element)>"
        case .map: "dictionary<string, \(element)>"
        }
    }
}

extension ColumnDefinition {
    func typeName(in catalog: Catalog) -> String {
        let target = target.flatMap { catalog[$0]?.name }
        return collection?.typeName(target: target) ?? type.typeName(target: target)
    }
}

extension ColumnType {
    func typeName(target: String?) -> String {
        switch self {
        case .link: "<\(target ?? "")>"
        default: "\(scalar?._rlmType ?? .any)"
        }
    }
}
