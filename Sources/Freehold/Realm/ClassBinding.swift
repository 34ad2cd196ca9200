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

    init(core: RealmCore, schema: ClassSchema, table: TableID, columns: [ColumnID]) {
        self.core = core
        self.schema = schema
        self.table = table
        self.columns = columns
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
