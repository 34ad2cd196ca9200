/// Judges every page that LMDB follows in one write transaction, before LMDB does
/// (``GuardedTree``). For files that were not walked.
///
/// The pages of the main tree were judged when the file was opened. Of the free list, LMDB follows
/// the path to the last entry: nothing is taken from it meanwhile (``UnwalkedFile``). `init` judges
/// both its ends. They are the last pages that a commit allocates, so they also show if the meta
/// page counts too few pages and new ones would be written over these.
final class WriteGuard {
    private let trees: [GuardedTree]
    private let path: String

    /// - Parameter transaction: A write transaction that has changed nothing.
    init(
        _ pages: JudgedPages, _ transaction: LMDBTransaction, pageSize: Int, lastPage: Int,
        path: String
    ) throws(StorageError) {
        self.path = path
        var trees: [GuardedTree] = []
        for database in Database.allCases {
            guard
                let tree = MappedTree(
                    database, in: transaction, pageSize: pageSize, lastPage: lastPage)
            else { throw Self.damaged(database.name, path) }
            if database == .meta {
                let base = transaction.identifier - 1
                guard let freeList = tree.freeList(ofTransaction: base),
                    Self.isSound(
                        JudgedTree(tree: freeList, pages: pages, isFreeList: true), upTo: base)
                else { throw Self.damaged("free list", path) }
            }
            trees.append(GuardedTree(JudgedTree(tree: tree, pages: pages, isFreeList: false)))
        }
        self.trees = trees
    }

    /// Whether the ends of the free list are sound. LMDB adds an entry for the new transaction.
    private static func isSound(_ freeList: JudgedTree, upTo transaction: UInt64) -> Bool {
        if freeList.isEmpty { return true }
        guard let leaf = (try? freeList.edge(isLast: true))?.last,
            let first = (try? freeList.edge(isLast: false))?.last,
            (try? freeList.judgeValue(at: 0, of: first)) != nil,
            (try? freeList.judgeValue(at: leaf.count - 1, of: leaf)) != nil,
            let key = leaf.page.node(at: leaf.count - 1)?.key, key.count == 8
        else { return false }
        return key.loadUnaligned(as: UInt64.self) <= transaction
    }

    private static func damaged(_ tree: String, _ path: String) -> StorageError {
        corrupted(path, "a page of the database \"\(tree)\" is not what the pages before it say")
    }

    /// Judges what an operation on a database reaches.
    ///
    /// - Throws: `corrupted`. The operation must not be done then.
    func judge(
        _ database: Database, _ body: (GuardedTree) throws(MappedPage.Damage) -> Void
    ) throws(StorageError) {
        do throws(MappedPage.Damage) {
            try body(trees[database.rawValue])
        } catch {
            throw Self.damaged(database.name, path)
        }
    }
}
