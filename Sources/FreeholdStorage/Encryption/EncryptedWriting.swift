/// The trees of an encrypted file inside a write transaction.
final class EncryptedWriting {
    private let treeEncryption: TreeEncryption
    /// Those of the new version, once it was finished.
    private(set) var roots: EncryptedRoots
    private let attempt: WriteAttempt
    private let trees: ContiguousArray<EncryptedTreeWriter>

    /// - Parameters:
    ///   - roots: Of the version before.
    ///   - version: What the transaction's records are encrypted for.
    ///   - owner: The transaction that the trees are changed in.
    init(
        _ treeEncryption: TreeEncryption, _ roots: EncryptedRoots, version: UInt64, _ owner: any EncryptedTreeOwner
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

    /// Encrypts what changed.
    func finish() throws(StorageError) {
        for tree in trees where tree.isChanged {
            try tree.finish()
            roots[tree.database] = tree.roots
        }
    }

    /// Encrypts the roots for the new version. Once a version: old pages keep what was encrypted
    /// before, and whoever puts such roots back makes a version of what they refer to.
    func putRoots(_ version: UInt64, in transaction: LMDBTransaction) throws(StorageError) {
        try treeEncryption.putRoots(roots, version, attempt, in: transaction)
    }
}

/// The write transaction that changes the trees of an encrypted file, as they see it.
protocol EncryptedTreeOwner: AnyObject {
    /// LMDB's transaction.
    var liveRaw: LMDBTransaction { get }
    /// Of the file.
    var pageSize: Int { get }
    /// Counts the bytes that a change is going to write, and those of a record that was put.
    func noteWriting(_ byteCount: Int, put: Int)
}
