import FreeholdStorage

extension Realm {
    /// Verifies the whole file: every cluster and its checksum, indexes, links and counts.
    /// Checks the version that the realm reads; in a write transaction, the version before it.
    ///
    /// O(bytes of the file). Takes no lock, so readers and writers continue meanwhile.
    ///
    /// - Returns: The problems found, in sentences; empty if the file is sound.
    /// - Throws: ``Realm/Error`` if damage makes the file impossible to read;
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    public func check() throws -> [String] {
        try core.verifyConfinement(.operation("Realm.check()"))
        return try mappingStorageErrors(core.store.check(core.readCommitted()))
    }
}
