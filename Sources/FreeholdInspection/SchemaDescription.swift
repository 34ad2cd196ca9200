package import FreeholdStorage

/// The classes of a file, for people and programs. Its JSON is documented in Docs/Command.md.
package struct SchemaDescription: Codable, Hashable, Sendable {
    package struct Class: Codable, Hashable, Sendable {
        package var name: String
        package var isEmbedded: Bool
        package var primaryKey: String?
        /// The number of objects; nil in descriptions of a schema alone.
        package var count: Int?
        package var properties: [Property]

        package init(
            name: String, isEmbedded: Bool, primaryKey: String?, count: Int?,
            properties: [Property]
        ) {
            self.name = name
            self.isEmbedded = isEmbedded
            self.primaryKey = primaryKey
            self.count = count
            self.properties = properties
        }
    }

    package struct Property: Codable, Hashable, Sendable {
        package enum Kind: String, Codable, Sendable, CaseIterable {
            case int, bool, float, double, date, string, data, objectId, uuid, decimal128
            /// A link to an object, or an embedded object.
            case object
            case mixed
        }

        package enum Collection: String, Codable, Sendable, CaseIterable { case list, set, map }

        package enum Index: String, Codable, Sendable, CaseIterable { case ordered, fullText }

        package var name: String
        /// The kind of the values, or of the elements of a collection.
        package var kind: Kind
        package var collection: Collection?
        /// Whether the value, or an element of a collection, can be null.
        package var isOptional: Bool
        /// The class that links lead to.
        package var target: String?
        package var index: Index?

        package init(
            name: String, kind: Kind, collection: Collection?, isOptional: Bool, target: String?,
            index: Index?
        ) {
            self.name = name
            self.kind = kind
            self.collection = collection
            self.isOptional = isOptional
            self.target = target
            self.index = index
        }
    }

    package var schemaVersion: UInt64?
    package var classes: [Class]

    package init(schemaVersion: UInt64?, classes: [Class]) {
        self.schemaVersion = schemaVersion
        self.classes = classes
    }

    /// Describes the classes of a version, in the order of their names.
    ///
    /// - Parameter counts: Whether the numbers of objects are wanted: O(classes).
    package init(_ snapshot: Snapshot, counts: Bool = true) {
        let catalog = snapshot.catalog
        schemaVersion = catalog.schemaVersion
        classes = catalog.classTables.map { table in
            Class(
                name: table.name, isEmbedded: table.isOwned,
                primaryKey: table.primaryKey.flatMap { table[$0]?.name },
                count: counts ? snapshot.table(table.id).count : nil,
                properties: table.columns.map { Property($0, of: table, in: catalog) })
        }.sorted { $0.name < $1.name }
    }

    package subscript(name: String) -> Class? { classes.first { $0.name == name } }
}

extension SchemaDescription.Property {
    package init(_ column: ColumnDefinition, of table: TableDefinition, in catalog: Catalog) {
        name = column.name
        kind = Kind(column.collection?.type ?? column.type)
        collection = column.collection.map {
            switch $0.shape {
            case .list: .list
            case .set: .set
            case .map: .map
            }
        }
        isOptional = column.collection?.isNullable ?? column.isNullable
        target = column.target.flatMap { catalog[$0]?.name }
        let hasChoice = column.collection == nil && column.type != .link && column.type != .mixed
        index =
            column.isFullText
            ? .fullText
            : column.isIndexed && hasChoice && column.id != table.primaryKey ? .ordered : nil
    }

    /// The type in a word: "int?", "list of Dog", "map of string".
    package var typeText: String {
        let element = target ?? kind.rawValue
        guard let collection else { return element + (isOptional && kind != .mixed ? "?" : "") }
        let isShown = isOptional && kind != .mixed && kind != .object
        return "\(collection.rawValue) of \(element)\(isShown ? "?" : "")"
    }
}

extension SchemaDescription.Property.Kind {
    package init(_ type: ColumnType) {
        self =
            switch type {
            case .integer: .int
            case .boolean: .bool
            case .float: .float
            case .double: .double
            case .timestamp: .date
            case .text: .string
            case .bytes: .data
            case .fixed12: .objectId
            case .fixed16: .uuid
            case .decimal: .decimal128
            case .link: .object
            case .mixed: .mixed
            }
    }

    package var columnType: ColumnType {
        switch self {
        case .int: .integer
        case .bool: .boolean
        case .float: .float
        case .double: .double
        case .date: .timestamp
        case .string: .text
        case .data: .bytes
        case .objectId: .fixed12
        case .uuid: .fixed16
        case .decimal128: .decimal
        case .object: .link
        case .mixed: .mixed
        }
    }
}

extension WriteSet {
    /// Adds the classes and properties of a description that the file lacks.
    ///
    /// - Throws: If the file has one of another kind.
    package func addClasses(of description: SchemaDescription) throws {
        for wanted in description.classes where catalog[wanted.name] == nil {
            if TableDefinition.isInternal(wanted.name) {
                throw InspectionError(
                    "'\(wanted.name)' is not the name of a class.",
                    remedy: "A file's own tables are not loaded: leave them out of the input.")
            }
            _ = createTable(named: wanted.name, isOwned: wanted.isEmbedded)
        }
        for wanted in description.classes {
            let table = try catalog.inspected(wanted.name)
            guard table.isOwned == wanted.isEmbedded else {
                throw InspectionError(
                    """
                    \(wanted.name) is \(wanted.isEmbedded ? "" : "not ")embedded in the input, \
                    and \(wanted.isEmbedded ? "not" : "embedded") in the file.
                    """)
            }
            let isNew = base.catalog[table.id] == nil
            try add(wanted.properties, to: table)
            let now = try catalog.inspected(wanted.name)
            let key = try wanted.primaryKey.map { name throws(InspectionError) in
                try now.inspected(property: name).id
            }
            if isNew {
                setPrimaryKey(key, of: table.id)
            } else if key != now.primaryKey {
                throw InspectionError(
                    """
                    The primary key of \(wanted.name) is '\(wanted.primaryKey ?? "none")' in the \
                    input, and '\(now.primaryKey.flatMap { now[$0]?.name } ?? "none")' in the file.
                    """)
            }
        }
        if catalog.schemaVersion == nil, let version = description.schemaVersion {
            setSchemaVersion(version)
        }
    }

    private func add(_ properties: [SchemaDescription.Property], to table: TableDefinition) throws {
        for wanted in properties {
            if let known = table[wanted.name] {
                let property = SchemaDescription.Property(known, of: table, in: catalog)
                guard property.typeText == wanted.typeText else {
                    throw InspectionError(
                        """
                        \(table.name).\(wanted.name) is \(wanted.typeText) in the input, and \
                        \(property.typeText) in the file.
                        """,
                        remedy: "Load into a new file, or leave the property out of the input.")
                }
                continue
            }
            let target = try wanted.target.map { name throws(InspectionError) in
                try catalog.inspected(name).id
            }
            if let collection = wanted.collection {
                let shape: StoredCollectionKind.Shape =
                    switch collection {
                    case .list: .list
                    case .set: .set
                    case .map: .map
                    }
                _ = addColumn(
                    to: table.id, named: wanted.name,
                    collection: StoredCollectionKind(
                        shape, of: wanted.kind.columnType, isNullable: wanted.isOptional),
                    target: target)
                continue
            }
            let column = addColumn(
                to: table.id, named: wanted.name, type: wanted.kind.columnType,
                isNullable: wanted.isOptional, isIndexed: wanted.index == .ordered, target: target)
            if wanted.index == .fullText { setFullText(true, column: column, of: table.id) }
        }
    }
}
