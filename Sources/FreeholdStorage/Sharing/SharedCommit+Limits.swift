/// What a file may write, so that all machines can take it.
extension SharedCommit {
    /// The commit's bytes.
    ///
    /// - Parameter limit: ``StorageLayout/longestSharedCommit``.
    /// - Throws: `valueTooLarge`.
    package func encoded(upTo limit: Int, path: String) throws(StorageError)
        -> ContiguousArray<UInt8>
    {
        let bytes = encoded()
        if bytes.count <= limit { return bytes }
        throw StorageError(
            .valueTooLarge,
            """
            The changes of a transaction, or an object of a file that is to be shared, have \
            \(bytes.count) bytes, and \(limit) is the most that one commit of a shared realm can \
            have. Nothing of it was written to "\(path)". Write less in one transaction, and \
            divide an object that is longer.
            """, path: path)
    }

    /// Checks how deep embedded objects are in each other. O(values).
    ///
    /// - Throws: `valueTooLarge`.
    package func checkDepths(path: String) throws(StorageError) {
        for insertion in inserted {
            for (name, value) in insertion.values {
                try check(value, insertion.object, name, path: path)
            }
        }
        for update in updated {
            for (name, change) in update.changes {
                switch change {
                case .assign(let value): try check(value, update.object, name, path: path)
                case .add, .set: break
                case .list(let edits):
                    for value in edits.edits.flatMap(\.inserted) {
                        try check(value, update.object, name, path: path)
                    }
                case .map(let entries):
                    for case let value? in entries.values {
                        try check(value, update.object, name, path: path)
                    }
                }
            }
        }
    }

    private func check(
        _ value: SharedValue, _ object: SharedReference, _ property: String, path: String
    ) throws(StorageError) {
        let limit = SharedValue.greatestEmbeddedDepth
        if value.embeddedDepth <= limit { return }
        throw StorageError(
            .valueTooLarge,
            """
            Embedded objects of \(object.className).\(property) are more than \(limit) deep in \
            each other, and a shared realm can have no deeper ones. Nothing of the transaction was \
            written to "\(path)". Link to objects with primary keys instead.
            """, path: path)
    }
}
