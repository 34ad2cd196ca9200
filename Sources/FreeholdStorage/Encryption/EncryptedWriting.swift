/// The trees of an encrypted file inside a write transaction.
final class EncryptedWriting {
    private let treeEncryption: TreeEncryption
    /// The roots of the previous version; after ``finish()``, of the new version.
    private(set) var roots: EncryptedRoots
    private let attempt: WriteAttempt
    private let trees: ContiguousArray<EncryptedTreeWriter>

    /// - Parameters:
    ///   - roots: The roots of the previous version.
    ///   - version: The version that the transaction's records are encrypted for.
    ///   - owner: The transaction that changes the trees.
    init(
        _ treeEncryption: TreeEncryption, _ roots: EncryptedRoots, version: UInt64,
        _ owner: any EncryptedTreeOwner
    ) {
        self.treeEncryption = treeEncryption
        self.roots = roots
        let attempt = WriteAttempt.random()
        self.attempt = attempt
        trees = ContiguousArray(
            Database.allCases.map {
                EncryptedTreeWriter($0, roots[$0], treeEncryption, version: version, attempt, owner)
            })
    }

    func tree(_ database: Database) -> EncryptedTreeWriter { trees[database.rawValue] }

    /// Encrypts all changes.
    func finish() throws(StorageError) {
        for tree in trees where tree.isChanged {
            try tree.finish()
            roots[tree.database] = tree.roots
        }
    }

    /// Encrypts the roots for the new version. Call it once for each version: old pages keep
    /// earlier roots, and an attacker who restored such roots would create a version from the
    /// records that they refer to.
    func putRoots(_ version: UInt64, in transaction: LMDBTransaction) throws(StorageError) {
        try treeEncryption.putRoots(roots, version, attempt, in: transaction)
    }
}

/// The write transaction that changes the trees of an encrypted file, from their point of view.
protocol EncryptedTreeOwner: AnyObject {
    /// LMDB's transaction.
    var liveRaw: LMDBTransaction { get }
    /// The page size of the file.
    var pageSize: Int { get }
    /// Judges pages before LMDB follows them; nil if all of the file's pages are sound.
    var pageGuard: WriteGuard? { get }
    /// Counts the bytes that a change will write, and those of a record that was put.
    func noteWriting(_ byteCount: Int, put: Int)
}
