import FreeholdStorage

/// The classes that a realm manages, and their places in a file. Immutable; shared by all realms
/// of the file with the same classes.
final class BoundSchema: Sendable {
    /// The declared classes.
    let set: SchemaSet
    /// The bound classes, in the order of the set. Lacks classes that a read-only file does not
    /// have.
    let classes: [BoundClass]
    /// The catalog that the classes were bound to.
    let catalog: Catalog
    private let indexByType: [ObjectIdentifier: Int]
    private let indexByName: [String: Int]
    private let indexByTable: [TableID: Int]

    /// - Parameter catalog: The file's catalog after the declared classes were applied to it.
    init(_ set: SchemaSet, in catalog: Catalog) {
        self.set = set
        self.catalog = catalog
        let positions = catalog.positionsByName
        classes = set.classes.compactMap { declared in
            positions[declared.tableName].flatMap {
                BoundClass(declared, catalog.tables[$0], in: catalog)
            }
        }
        var indexByType: [ObjectIdentifier: Int] = [:]
        var indexByName: [String: Int] = [:]
        for (index, bound) in classes.enumerated() {
            indexByType[ObjectIdentifier(bound.schema.type)] = index
            indexByName[bound.schema.className] = index
        }
        self.indexByType = indexByType
        self.indexByName = indexByName
        indexByTable = Dictionary(
            classes.enumerated().map { ($0.element.table, $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Whether the classes are the same in another catalog, of a later version. O(1) for the
    /// same catalog, otherwise O(columns).
    ///
    /// They differ if another process migrated the file. Ids are never reused, so a table or
    /// column is either the same one or gone.
    func fits(_ other: Catalog) -> Bool {
        if other == catalog { return true }
        return classes.allSatisfy { $0.isSame(in: catalog, and: other) }
    }

    /// One class for each table: the first of those that share it. O(classes).
    var classOfEachTable: [BoundClass] {
        classes.indices.filter { indexByTable[classes[$0].table] == $0 }.map { classes[$0] }
    }

    subscript(type: ObjectBase.Type) -> BoundClass? { self[ObjectIdentifier(type)] }

    subscript(type: ObjectIdentifier) -> BoundClass? { index(of: type).map { classes[$0] } }

    /// The place of a class in ``classes``.
    func index(of type: ObjectIdentifier) -> Int? { indexByType[type] }

    subscript(name: String) -> BoundClass? { indexByName[name].map { classes[$0] } }

    /// The class of a table; the first by name if several share it.
    subscript(table: TableID) -> BoundClass? { indexByTable[table].map { classes[$0] } }
}

/// One class and its table.
struct BoundClass: Sendable {
    let schema: ClassSchema
    let table: TableID
    /// The columns, by property ordinal.
    let columns: [ColumnID]
    /// The backlinks of each computed property; nil if the file lacks the class that links.
    let backlinks: [BoundBacklinks?]
    let usesPrimaryKeyAsRowKey: Bool
    /// Reads and writes the elements of collections, by column position; empty in a class
    /// without collections.
    let elementDescriptors: [AnyElementDescriptor?]
    /// The offsets of collection wrappers in an instance, by column position; empty if instances
    /// have none.
    let collectionOffsets: [Int]
    /// Creates objects that read from these columns.
    let accessors: AccessorTemplate

    /// Whether the class is the same in both catalogs. O(columns).
    func isSame(in catalog: Catalog, and other: Catalog) -> Bool {
        guard let old = catalog[table], let new = other[table] else { return false }
        return old.name == new.name && old.isOwned == new.isOwned
            && old.primaryKey == new.primaryKey && old.hasOwnKeys == new.hasOwnKeys
            && columns.allSatisfy { column in
                guard let before = old[column], let now = new[column] else { return false }
                return before.name == now.name && before.type == now.type
                    && before.collection == now.collection && before.isNullable == now.isNullable
                    && before.target == now.target
            }
    }

    /// Nil if the class's table lacks one of its properties.
    init?(_ schema: ClassSchema, _ definition: TableDefinition, in catalog: Catalog) {
        var columns: [ColumnID] = []
        columns.reserveCapacity(schema.properties.count)
        // Properties are in the order of their columns unless one was added or renamed: each
        // name is then found at once.
        var next = 0
        for property in schema.properties {
            if next >= definition.columns.count
                || definition.columns[next].name != property.columnName
            {
                guard
                    let found = definition.columns.firstIndex(where: {
                        $0.name == property.columnName
                    })
                else { return nil }
                next = found
            }
            columns.append(definition.columns[next].id)
            next += 1
        }
        self.schema = schema
        table = definition.id
        self.columns = columns
        backlinks = schema.computed.map { BoundBacklinks($0, in: catalog) }
        usesPrimaryKeyAsRowKey = definition.usesPrimaryKeyAsRowKey
        var descriptors: [AnyElementDescriptor?] = []
        for property in schema.collections {
            let position = columns[property.ordinal].position
            while descriptors.count <= position { descriptors.append(nil) }
            descriptors[position] = property.codec.elementDescriptor()
        }
        elementDescriptors = descriptors
        var offsets = schema.isStored ? [] : [Int](repeating: 0, count: descriptors.count)
        if !schema.isStored {
            for property in schema.collections {
                offsets[columns[property.ordinal].position] = property.offset
            }
        }
        collectionOffsets = offsets
        accessors =
            schema.isStored
            ? .dynamic
            : AccessorTemplate(
                schema: schema, columns: columns.map(\.rawValue),
                usesPrimaryKeyAsRowKey: definition.usesPrimaryKeyAsRowKey)
    }
}
