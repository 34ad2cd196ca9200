import FreeholdStorage

extension Realm {
    /// The place behind the newest transaction of the history, in the version that the realm
    /// reads. In a write transaction, behind the newest committed one.
    ///
    /// To follow the history from now on, read the realm's content and this token without
    /// refreshing between them, and continue with ``history(after:)``.
    ///
    /// - Throws: ``Realm/Error`` with one of the codes
    ///   - `historyDisabled` if the file keeps no history,
    ///   - `corrupted` if the history is damaged,
    ///
    ///   and ``ConfinementViolation`` on a wrong thread or queue.
    public var historyToken: HistoryToken {
        get throws {
            try core.verifyConfinement(.operation("Realm.historyToken"))
            return HistoryToken(try mappingStorageErrors(core.historyReader().newestToken()))
        }
    }

    /// The transactions after a token, oldest first, up to the version that the realm reads.
    ///
    /// ```swift
    /// var token = try realm.historyToken  // or the one that was kept
    /// for transaction in try realm.history(after: token).excluding(author: "import") {
    ///     for change in transaction.changes(of: Order.self) { print(change.object) }
    ///     token = transaction.token
    /// }
    /// ```
    ///
    /// O(1) plus what is iterated. Does not take the write lock.
    ///
    /// - Parameter token: Where to begin; nil for the oldest transaction that is kept.
    /// - Throws: ``Realm/Error`` with one of the codes
    ///   - `historyDisabled` if the file keeps no history,
    ///   - `historyExpired` if transactions after the token were deleted, or if the token is not
    ///     of this file: read the realm's content again, and take a new ``historyToken``,
    ///   - `corrupted` if the history is damaged,
    ///
    ///   and ``ConfinementViolation`` on a wrong thread or queue.
    public func history(after token: HistoryToken? = nil) throws -> RealmHistory {
        try core.verifyConfinement(.operation("Realm.history(after:)"))
        let reader = try mappingStorageErrors(core.historyReader())
        let start = try mappingStorageErrors(core.store.checkedToken(token, in: reader))
        return RealmHistory(reader, after: start, HistoryNames(core.schema), core.store)
    }

    /// Deletes the transactions before the one that a token is of, in a commit of its own. The
    /// token stays valid, and so do later ones; the newest transaction is always kept.
    ///
    /// Waits for the write lock, and moves the realm to the newest version. O(deleted
    /// transactions).
    ///
    /// - Parameter token: For example, that of the slowest reader.
    /// - Throws: As ``history(after:)``, and as a write.
    /// - Precondition: The realm is not in a write transaction, frozen, read-only, or that of a
    ///   draft.
    public func deleteHistory(before token: HistoryToken) throws {
        try core.verifyConfinement(.transaction("Realm.deleteHistory(before:)"))
        if core.draft != nil {
            misuse(
                "A draft can't delete history.",
                remedy: "Call deleteHistory(before:) on the realm that the draft was made of.")
        }
        try mappingStorageErrors(core.deleteHistory(before: token))
    }
}

extension RealmCore {
    /// The history of the version that is read.
    func historyReader() throws(StorageError) -> HistoryReader {
        try store.historyReader(of: try readCommitted())
    }

    func deleteHistory(before token: HistoryToken) throws(StorageError) {
        try beginWrite(#fileID, #line)
        guard let writeSet else { preconditionFailure("A transaction has begun.") }
        do throws(StorageError) {
            let reader = try store.historyReader(of: writeSet.base)
            writeSet.firstKeptEntry = try store.checkedToken(token, in: reader).sequence
        } catch {
            cancelWrite()
            throw error
        }
        try commitWrite()
    }
}

extension Store {
    /// - Throws: Also damage that was found before where nothing could be thrown: a loop over a
    ///   history ends at a damaged entry, and this is how its reader learns of that.
    func historyReader(of snapshot: Snapshot) throws(StorageError) -> HistoryReader {
        try checkForDamage()
        if let reader = try HistoryReader(snapshot) { return reader }
        throw StorageError(
            .historyDisabled,
            """
            "\(path)" keeps no history. Open it with Realm.Configuration.history = \
            .kept(for: .days(7)); its transactions are recorded from then on.
            """, path: path)
    }

    /// A token after which the history is complete; nil for the oldest place.
    func checkedToken(_ token: HistoryToken?, in reader: HistoryReader) throws(StorageError)
        -> HistoryReader.Token
    {
        guard let token else { return try reader.oldestToken() }
        if try reader.hasAll(after: token.stored) { return token.stored }
        throw StorageError(
            .historyExpired,
            """
            The history of "\(path)" after the token \(token) is gone: it was deleted, or the \
            token is of another file. Read the realm's content again, and go on from a new \
            historyToken.
            """, path: path)
    }
}
