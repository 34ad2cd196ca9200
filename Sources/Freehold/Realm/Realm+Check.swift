import FreeholdStorage

extension Realm {
    /// Verifies the whole file at the version that the realm reads (in a write transaction: the
    /// one before it): every cluster and its checksum, indexes, links and counts.
    ///
    /// O(bytes of the file). It takes no lock; others read and write meanwhile.
    ///
    /// - Returns: What is wrong, in sentences; empty if the file is sound.
    /// - Throws: ``Realm/Error`` if damage makes the file impossible to read;
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    public func check() throws -> [String] {
        try core.verifyConfinement(.operation("Realm.check()"))
        return try mappingStorageErrors { () throws(StorageError) in
            try core.store.check(core.readCommitted())
        }
    }
}
