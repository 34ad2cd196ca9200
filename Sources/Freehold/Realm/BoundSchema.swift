import FreeholdStorage

/// The classes that a realm manages, and where a file keeps them. Immutable; shared by all realms of the file with the same classes.
final class BoundSchema: Sendable {
    /// The declared classes.
    let set: SchemaSet
    /// In the order of the set. Lacks classes that a read-only file does not have.
    let classes: [BoundClass]
    private let indexByType: [ObjectIdentifier: Int]
    private let indexByName: [String: Int]

    /// - Parameter catalog: Of the file, after the declared classes were applied to it.
    init(_ set: SchemaSet, in catalog: Catalog) {
        self.set = set
        classes = set.classes.compactMap { BoundClass($0, in: catalog) }
        var indexByType: [ObjectIdentifier: Int] = [:]
        var indexByName: [String: Int] = [:]
        for (index, bound) in classes.enumerated() {
            indexByType[ObjectIdentifier(bound.schema.type)] = index
            indexByName[bound.schema.className] = index
        }
        self.indexByType = indexByType
        self.indexByName = indexByName
    }

    subscript(type: ObjectBase.Type) -> BoundClass? { indexByType[ObjectIdentifier(type)].map { classes[$0] } }

    subscript(name: String) -> BoundClass? { indexByName[name].map { classes[$0] } }
}

/// One class and its table.
struct BoundClass: Sendable {
    let schema: ClassSchema
    let table: TableID
    /// By the property's ordinal.
    let columns: [ColumnID]
    let usesPrimaryKeyAsRowKey: Bool
    /// How the elements of collections are read and written, by the position of the column; empty in a class without collections.
    let elementDescriptors: [AnyElementDescriptor?]
    /// Makes objects that read from these columns.
    let accessors: AccessorTemplate

    /// Nil if the catalog lacks the class or one of its properties.
    init?(_ schema: ClassSchema, in catalog: Catalog) {
        guard let definition = catalog[schema.className] else { return nil }
        var columns: [ColumnID] = []
        for property in schema.properties {
            guard let column = definition[property.columnName] else { return nil }
            columns.append(column.id)
        }
        self.schema = schema
        table = definition.id
        self.columns = columns
        usesPrimaryKeyAsRowKey = definition.usesPrimaryKeyAsRowKey
        var descriptors: [AnyElementDescriptor?] = []
        for property in schema.collections {
            let position = columns[property.ordinal].position
            while descriptors.count <= position { descriptors.append(nil) }
            descriptors[position] = property.codec.elementDescriptor()
        }
        elementDescriptors = descriptors
        accessors = AccessorTemplate(schema: schema, columns: columns.map(\.rawValue))
    }
}
