/// The policy of the history, as a change of the transaction.
extension WriteSet {
    /// The table's only column: an entry's bytes.
    static let historyColumn = ColumnID(rawValue: 1)

    /// Makes the commits from this one on record history by a policy; nil drops the history.
    /// O(tables), and O(entries) at the commit that drops it.
    package func setHistory(_ policy: HistoryPolicy?) {
        historyPolicy = policy
        if policy == nil { firstKeptEntry = nil }
        if let known = catalog.history {
            if policy != nil { return }
            catalog.tables.removeAll { $0.id == known.id }
            tables[known.id] = nil
            counters.layout &+= 1
        } else if policy != nil {
            let id = createTable(named: TableDefinition.historyName)
            let column = addColumn(
                to: id, named: "entry", type: .bytes, isNullable: false, isIndexed: false)
            precondition(column == Self.historyColumn, "The first column of a table has the id 1.")
        }
    }

    /// Whether a commit writes the history or the catalog alone.
    var hasNoDataChanges: Bool {
        catalog == base.catalog && !tables.values.contains { $0.isChanged }
    }
}
