extension Store {
    /// Everything that is wrong with a version, in sentences; empty for a sound file. O(bytes
    /// of the file).
    ///
    /// What it finds counts as damage found by a read: from then on nothing is committed.
    ///
    /// - Throws: what damage inside LMDB's own pages makes it throw, or damage that only an
    ///   earlier read found.
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
