extension Store {
    /// Returns all defects of a version, in sentences; empty for a sound file. O(bytes of the
    /// file).
    ///
    /// A defect counts as damage found by a read: from then on nothing is committed.
    ///
    /// - Parameter progress: Called from time to time with the part that is done, from 0 to 1.
    /// - Throws: LMDB's errors for damage inside of its pages, or damage that only an earlier
    ///   read found.
    package func check(_ snapshot: Snapshot, progress: (@Sendable (Double) -> Void)? = nil)
        throws(StorageError) -> [String]
    {
        let problems = try IntegrityCheck.run(on: snapshot, progress: progress)
        guard let first = problems.first else {
            try corruption.check()
            return []
        }
        corruption.note(
            StorageError(
                .corrupted, "The file is damaged: \(first) Restore it from a backup.", path: path))
        return problems
    }
}
