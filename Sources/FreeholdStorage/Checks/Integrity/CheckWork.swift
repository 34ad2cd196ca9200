/// What the parts of a check cost, for its progress. The unit is an entry that is looked at for
/// strays, the cheapest of all.
enum CheckWork {
    /// A page that is walked.
    static let page = 4
    /// An entry of an encrypted tree.
    static let encryptedEntry = 4
    /// A column of a cluster.
    static let values = 40
    /// A column of a cluster with collections or mixed values.
    static let elements = 80
    /// A column of a cluster whose index is made.
    static let index = 300
    /// The comparison of that with the stored index.
    static let comparison = 300
    /// A column of a cluster with links.
    static let links = 100

    /// The part of a whole check that the pages take, and the trees of an encrypted file.
    static func pageShare(of snapshot: Snapshot) -> Double {
        snapshot.transaction.encrypted == nil ? 0.1 : 0.4
    }

    /// The units of the first stage. Reads nothing.
    static func pages(of snapshot: Snapshot) -> Int {
        let transaction = snapshot.transaction
        let entryCount = Self.entryCount(of: transaction)
        return page * (transaction.handle.lastPage + 1)
            + (transaction.encrypted == nil ? 0 : encryptedEntry * entryCount)
    }

    /// The units of the second stage. O(tables).
    static func contents(of snapshot: Snapshot) -> Int {
        var work = entryCount(of: snapshot.transaction)
        for definition in snapshot.catalog.tables {
            let clusterCount = snapshot.table(definition.id).clusterCount
            work += clusterCount * definition.columns.reduce(0) { $0 + values + passes($1) }
            let indexed = definition.indexedColumns.count { !$0.countsBacklinks }
            work += clusterCount * indexed * (index + comparison)
        }
        return work
    }

    /// The units of what follows the values of a column of a cluster, without its index.
    private static func passes(_ column: ColumnDefinition) -> Int {
        if column.collection == nil, column.type != .mixed {
            return column.type == .link ? links : 0
        }
        return elements + (column.countsBacklinks ? comparison : 0)
    }

    private static func entryCount(of transaction: ReadTransaction) -> Int {
        Database.allCases.reduce(0) { $0 + transaction.entryCount($1) }
    }
}
