import FreeholdStorage

extension Realm {
    /// Runs a block in a write transaction, and commits.
    ///
    /// The transaction begins on the newest version, after waiting for writers of other threads
    /// and processes. This realm sees the changes at once, others see them after the commit.
    /// They are on the disk when the function returns. If the block throws, its changes are
    /// undone and the function throws the error. If the block itself commits or cancels, there
    /// is no further commit.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes, for the history (<doc:KeepingHistory>): any text. In a
    ///     ``Draft`` it is ignored: that has ``Draft/author``. Not in Realm.
    ///   - tokens: Observers of this realm that are not notified of the transaction, for example
    ///     because it saves a gesture in their own view. They continue from the state after it.
    ///   - fileID: The source file of the call, for the errors of writers that wait. Omit it.
    ///   - line: The source line of the call, for the errors of writers that wait. Omit it.
    ///   - block: Makes the changes.
    /// - Returns: What the block returns.
    /// - Throws:
    ///   - What the block throws.
    ///   - ``ConfinementViolation`` on a wrong thread or queue.
    ///   - ``Realm/Error`` if the file cannot be written, or with one of these codes:
    ///     - `valueTooLarge` if a string or data of more than 16,777,208 bytes was set. Nothing
    ///       has changed, and the realm stays usable.
    ///     - `writeLockTimeout` if others held the write lock for longer than
    ///       ``Configuration/writeTimeout``.
    ///     - `nestedWrite` inside a transaction of another realm of the file, which the write
    ///       would wait for.
    /// - Precondition: The realm is not in a write transaction, frozen, or read-only.
    @discardableResult
    public func write<Result>(
        author: String? = nil, withoutNotifying tokens: [NotificationToken] = [],
        fileID: StaticString = #fileID, line: UInt = #line, _ block: (() throws -> Result)
    ) throws -> Result {
        try core.verifyConfinement(.transaction("Realm.write"))
        try mappingStorageErrors(core.beginWrite(fileID, line))
        core.setAuthor(author)
        let result = try core.runningTransaction(block)
        if core.isInTransaction {
            try mappingStorageErrors(core.commitWrite(withoutNotifying: tokens))
        }
        return result
    }

    /// Begins a write transaction on the newest version, after waiting for writers of other
    /// threads and processes.
    ///
    /// The open transaction keeps the realm, so `try Realm()` returns it again on the same
    /// thread, queue or actor. An open transaction is cancelled when its thread or actor ends.
    /// On a pool thread or a queue it is cancelled when the program has held no reference to the
    /// realm for half a minute. A warning in the log reports this.
    ///
    /// End it with ``commitWrite(withoutNotifying:)`` or ``cancelWrite()``. If the file cannot
    /// be written or the write lock is not available, this function ends the process.
    /// ``write(author:withoutNotifying:fileID:line:_:)`` ends the transaction automatically, and
    /// throws instead. On a file that is known to be damaged, begins a transaction whose commit
    /// throws.
    ///
    /// - Precondition: The realm is not in a write transaction, frozen, or read-only.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func beginWrite() { begin(nil, 0) }

    /// Begins a write transaction like `beginWrite()`. The compiler prefers this overload, so
    /// the errors of waiting writers can name the line where the transaction began.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes, for the history. Not in Realm.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    public func beginWrite(
        author: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        begin(fileID, line)
        core.setAuthor(author)
    }

    private func begin(_ fileID: StaticString?, _ line: UInt) {
        core.checkConfinement(transaction: "Realm.beginWrite()")
        do throws(StorageError) {
            try core.beginWriteEvenIfDamaged(fileID, line)
            if core.draft == nil, core.writeSet != nil { core.keeper = TransactionKeeper(core) }
        } catch {
            violation(.storageFailed(core, operation: "Realm.beginWrite()", error))
        }
    }

    /// Commits the open write transaction. Its changes are on the disk when the function
    /// returns.
    ///
    /// - Parameter tokens: Observers of this realm that are not notified of the transaction.
    /// - Throws: ``Realm/Error`` if the file cannot be written or a value is too large: the
    ///   transaction is undone and over, and the realm stays usable. ``ConfinementViolation`` on
    ///   a wrong thread or queue.
    /// - Precondition: The realm is in a write transaction.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        try core.verifyConfinement(.operation("Realm.commitWrite()"))
        try mappingStorageErrors(core.commitWrite(withoutNotifying: tokens))
    }

    /// Cancels the write transaction and undoes its changes. Objects that it added become
    /// invalid; objects that it deleted are restored.
    ///
    /// - Precondition: The realm is in a write transaction.
    public func cancelWrite() {
        core.checkConfinement("Realm.cancelWrite()")
        core.cancelWrite()
    }

    /// Whether this instance has an open write transaction.
    public var isInWriteTransaction: Bool {
        core.checkConfinement("Realm.isInWriteTransaction")
        return core.isInTransaction
    }

    /// Moves to the newest version of the file.
    ///
    /// An asynchronous write of this realm that is being written to the disk counts as the
    /// newest version until others commit after it. `refresh()` then moves to their version, and
    /// the write's completion runs later.
    ///
    /// If the newest version cannot be read, because the medium failed or memory is exhausted,
    /// the realm keeps its own; the next write throws the error.
    ///
    /// - Returns: Whether anything changed. False in a write transaction, which always has the
    ///   newest version, and for frozen realms.
    /// - Precondition: The realm is not read-only.
    @discardableResult
    public func refresh() -> Bool {
        core.checkConfinement("Realm.refresh()")
        return core.refresh()
    }

    /// Releases the version that the realm reads, so that the file need not keep it, and cancels
    /// an open write transaction. The realm's objects and collections become invalid for good;
    /// the next access reads the newest version.
    ///
    /// Does nothing for a frozen realm, because other threads may be using it. It releases its
    /// version with its last reference.
    public func invalidate() {
        core.checkConfinement("Realm.invalidate()")
        core.invalidate()
    }
}
