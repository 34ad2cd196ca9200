/// The policy of the history, as a change of the transaction.
extension WriteSet {
    /// Makes the commits from this one on record history by a policy; nil drops the history.
    /// O(tables), and O(entries) at the commit that drops it.
    package func setHistory(_ policy: HistoryPolicy?) {
        historyPolicy = policy
        if policy == nil { firstKeptEntry = nil }
        if let known = catalog.history {
            if policy == nil { dropInternalTable(known.id) }
        } else if policy != nil {
            createRecordTable(named: TableDefinition.historyName)
        }
    }

    /// Whether a commit writes the history or the catalog alone.
    var hasNoDataChanges: Bool {
        catalog == base.catalog && !tables.values.contains { $0.isChanged }
    }
}
