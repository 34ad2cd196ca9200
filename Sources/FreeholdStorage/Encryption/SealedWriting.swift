/// The trees of an encrypted file inside a write transaction.
final class SealedWriting {
    private let sealing: Sealing
    /// Those of the new version, once it was finished.
    private(set) var roots: SealedRoots
    private let attempt: WriteAttempt
    private let trees: ContiguousArray<SealedTreeWriter>

    /// - Parameters:
    ///   - roots: Of the version before.
    ///   - version: What the transaction's records are sealed for.
    init(_ sealing: Sealing, _ roots: SealedRoots, version: UInt64, _ transaction: WriteTransaction)
    {
        self.sealing = sealing
        self.roots = roots
        let attempt = WriteAttempt.random()
        self.attempt = attempt
        trees = ContiguousArray(
            Database.allCases.map {
                SealedTreeWriter($0, roots[$0], sealing, version: version, attempt, transaction)
            })
    }

    func tree(_ database: Database) -> SealedTreeWriter { trees[database.rawValue] }

    /// Seals what changed.
    func finish() throws(StorageError) {
        for tree in trees where tree.isChanged {
            try tree.finish()
            roots[tree.database] = tree.roots
        }
    }

    /// Seals the roots for the new version. Once a version: old pages keep what was sealed
    /// before, and whoever puts such roots back makes a version of what they refer to.
    func putRoots(_ version: UInt64, in transaction: OpaquePointer) throws(StorageError) {
        try sealing.putRoots(roots, version, attempt, in: transaction)
    }
}
