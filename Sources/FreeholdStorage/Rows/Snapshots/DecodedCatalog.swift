/// A catalog as it was read, shared by all snapshots of versions that have it.
final class DecodedCatalog: Sendable {
    let bytes: ContiguousArray<UInt8>
    let catalog: Catalog
    /// The columns of the tables that were used.
    private let kinds = Locked<[TableID: ColumnKinds]>([:])
    /// The history's policy as it was last read.
    let historyPolicy = Locked<StoredHistoryPolicy?>(nil)

    init(_ catalog: Catalog, bytes: ContiguousArray<UInt8> = []) {
        self.catalog = catalog
        self.bytes = bytes
    }

    /// The columns of a table by position. O(1) if the table was used before and is the catalog's,
    /// else O(columns).
    func kinds(of definition: TableDefinition) -> ColumnKinds {
        guard catalog[definition.id] == definition else { return ColumnKinds(definition) }
        return kinds.withLock { kinds in
            if let known = kinds[definition.id] { return known }
            let made = ColumnKinds(definition)
            kinds[definition.id] = made
            return made
        }
    }
}
