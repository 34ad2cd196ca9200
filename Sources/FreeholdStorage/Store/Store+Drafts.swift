/// Edits without a lock: write sets that are based on any version and are committed later, or
/// never.
extension Store {
    /// Makes a write set without a grant on a version. O(1).
    package func draft(on base: Snapshot) -> WriteSet {
        WriteSet(base: base, grant: nil, layout: layout)
    }

    /// Makes a write set without a grant that continues from another one, which must not change
    /// afterwards. O(tables + clusters changed since its last savepoint).
    package func draft(continuing edits: WriteSet) -> WriteSet { edits.savepoint(with: nil) }

    /// Makes a transaction that commits the edits of a draft as they are, if it begins on the
    /// version that they are based on; nil otherwise. The draft's write set must not change
    /// afterwards. O(tables + changed clusters).
    ///
    /// - Parameter transaction: A transaction without changes, which this replaces: only one of
    ///   the two may be committed or cancelled.
    package func transaction(continuing draft: WriteSet, in transaction: WriteSet) -> WriteSet? {
        guard draft.base.version == transaction.base.version,
            draft.base.isSameFile(as: transaction.base)
        else { return nil }
        let continued = draft.savepoint(with: grant(of: transaction))
        continued.maximumNumberOfActiveVersions = transaction.maximumNumberOfActiveVersions
        return continued
    }
}
