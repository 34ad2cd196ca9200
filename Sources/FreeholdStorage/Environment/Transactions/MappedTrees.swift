internal import CLMDB

/// The trees of all databases at one version, for who reads them on LMDB's pages.
///
/// Memory that the transaction frees with which it ends: so a lookup counts no references.
struct MappedTrees {
    private let trees: UnsafeMutablePointer<MappedTree>

    /// Nil where a database's record is not as expected.
    init?(_ transaction: OpaquePointer, _ handle: EnvironmentHandle, pageSize: Int) {
        let lastPage = handle.lastPage
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

extension EnvironmentHandle {
    /// The error for pages of a database that are not what others say.
    func damaged(_ database: Database) -> StorageError {
        corrupted(
            path, "a page of the database \"\(database.name)\" is not what the pages before it say")
    }
}
