/// The trees of all databases at one version, for reads directly on LMDB's pages.
///
/// Freed by the transaction when it ends, so that a lookup counts no references.
struct MappedTrees {
    private let trees: UnsafeMutablePointer<MappedTree>

    /// Nil if a database's record is invalid.
    init?(_ transaction: LMDBTransaction, pageSize: Int, lastPage: Int) {
        trees = .allocate(capacity: Database.allCases.count)
        for database in Database.allCases {
            guard
                let tree = MappedTree(
                    database, in: transaction, pageSize: pageSize, lastPage: lastPage)
            else {
                trees.deallocate()
                return nil
            }
            (trees + database.rawValue).initialize(to: tree)
        }
    }

    func deallocate() { trees.deallocate() }

    subscript(database: Database) -> MappedTree {
        @inline(__always) get { trees[database.rawValue] }
    }
}
