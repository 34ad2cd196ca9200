extension Store {
    /// Returns all defects of a version, in sentences; empty for a sound file. O(bytes of the
    /// file).
    ///
    /// A defect counts as damage found by a read: from then on nothing is committed.
    ///
    /// - Throws: LMDB's errors for damage inside of its pages, or damage that only an earlier
    ///   read found.
    package func check(_ snapshot: Snapshot) throws(StorageError) -> [String] {
        let problems = try IntegrityCheck.run(on: snapshot)
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
