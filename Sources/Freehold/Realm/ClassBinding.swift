import FreeholdStorage

/// One model class in one realm: which table and columns its properties are.
///
/// Owned by its ``RealmCore`` (strongly), which it refers back to without owning. Confined like it.
final class ClassBinding {
    unowned let core: RealmCore
    let schema: ClassSchema
    let table: TableID
    /// Position of each property's column, by the property's ordinal.
    let columns: [ColumnID]
    /// Makes the objects of this class and realm.
    let accessors: AccessorTemplate
    /// The position of the primary key's column; 0 if there is none.
    let primaryKeyPosition: UInt16

    init(core: RealmCore, schema: ClassSchema, table: TableID, columns: [ColumnID]) {
        self.core = core
        self.schema = schema
        self.table = table
        self.columns = columns
        accessors = AccessorTemplate(schema: schema, columns: columns.map(\.rawValue))
        primaryKeyPosition = schema.primaryKey.map { columns[$0].rawValue } ?? 0
    }

    @exclusivity(unchecked) private var cachedMutable: (writeSet: ObjectIdentifier, table: MutableTable)?

    /// The table in the open write transaction. O(1).
    @inline(__always)
    func mutableTable(in writeSet: WriteSet) -> MutableTable {
        if let cachedMutable, cachedMutable.writeSet == ObjectIdentifier(writeSet) { return cachedMutable.table }
        let table = writeSet.mutableTable(table)
        cachedMutable = (ObjectIdentifier(writeSet), table)
        return table
    }
}
