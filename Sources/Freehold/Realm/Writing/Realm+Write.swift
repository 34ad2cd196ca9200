import FreeholdStorage

extension Realm {
    /// Runs a block in a write transaction, and commits.
    ///
    /// The transaction begins on the newest version, after waiting for writers of other threads
    /// and processes. The changes are seen by this realm at once, by others after the commit.
    /// They are on the disk when the function returns. If the block throws, nothing of it
    /// remains and the error is thrown on. A block that commits or cancels by itself is not
    /// committed again.
    ///
    /// - Parameters:
    ///   - tokens: Of observers of this realm that are not told of the transaction, as one
    ///     whose own gesture is being saved: they go on from the state after it.
    ///   - fileID: Where the write is, for the errors of those who wait for it. Leave it out.
    ///   - line: As `fileID`.
    ///   - block: Makes the changes.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws; ``Realm/Error`` if the file cannot be written, or with
    ///   the code `valueTooLarge` if a string or data of more than 16 MB was set (nothing has
    ///   changed then, and the realm stays usable), `writeLockTimeout` if others held the write
    ///   lock for longer than ``Configuration/writeTimeout``, `nestedWrite` inside of a
    ///   transaction of another realm of the file, which the write would wait for;
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: The realm is not in a write transaction, frozen, or read-only.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], fileID: StaticString = #fileID,
        line: UInt = #line, _ block: (() throws -> Result)
    ) throws -> Result {
        try core.verifyConfinement(.transaction("Realm.write"))
        try mappingStorageErrors { () throws(StorageError) in try core.beginWrite(fileID, line) }
        let result = try core.runningTransaction(block)
        if core.writeSet != nil {
            try mappingStorageErrors { () throws(StorageError) in
                try core.commitWrite(withoutNotifying: tokens)
            }
        }
        return result
    }

    /// Begins a write transaction on the newest version, after waiting for writers of other
    /// threads and processes.
    ///
    /// The realm is kept while the transaction is open, so that `try Realm()` means it again on
    /// the same thread, queue or actor. A transaction that is open when its thread or actor
    /// ends is cancelled, and so is that of a thread of a pool or a queue when nobody has
    /// referred to the realm for half a minute; a warning in the log says so.
    ///
    /// End it with ``commitWrite(withoutNotifying:)`` or ``cancelWrite()``;
    /// ``write(withoutNotifying:fileID:line:_:)`` does so by itself, and throws where this
    /// function ends the process because the file cannot be written, or the write lock cannot
    /// be had. On a file that is known to be damaged it begins a transaction whose commit
    /// throws.
    ///
    /// - Precondition: The realm is not in a write transaction, frozen, or read-only.
    @_disfavoredOverload  // Calls prefer the one that knows their line.
    public func beginWrite() { begin(nil, 0) }

    /// The same as `beginWrite()`, which the compiler takes for a call of this one: so the
    /// errors of those who wait can say where the transaction began.
    ///
    /// - Parameters:
    ///   - fileID: Where the transaction begins. Leave it out.
    ///   - line: As `fileID`.
    public func beginWrite(fileID: StaticString = #fileID, line: UInt = #line) {
        begin(fileID, line)
    }

    private func begin(_ fileID: StaticString?, _ line: UInt) {
        core.checkConfinement(transaction: "Realm.beginWrite()")
        do throws(StorageError) {
            try core.beginWriteEvenIfDamaged(fileID, line)
            if core.writeSet != nil { core.keeper = TransactionKeeper(core) }
        } catch {
            violation(.storageFailed(core, operation: "Realm.beginWrite()", error))
        }
    }

    /// Commits the open write transaction. Its changes are on the disk when the function returns.
    ///
    /// - Parameter tokens: Of observers of this realm that are not told of the transaction.
    /// - Throws: ``Realm/Error`` if the file cannot be written or a value is too large: nothing
    ///   of the transaction remains then, it is over, and the realm stays usable.
    ///   ``ConfinementViolation`` on a wrong thread or queue.
    /// - Precondition: The realm is in a write transaction.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        try core.verifyConfinement(.operation("Realm.commitWrite()"))
        try mappingStorageErrors { () throws(StorageError) in
            try core.commitWrite(withoutNotifying: tokens)
        }
    }

    /// Undoes everything since the transaction began. Objects that it added become invalid;
    /// objects that it deleted are back.
    ///
    /// - Precondition: The realm is in a write transaction.
    public func cancelWrite() {
        core.checkConfinement("Realm.cancelWrite()")
        core.cancelWrite()
    }

    /// Whether a write transaction of this instance is open.
    public var isInWriteTransaction: Bool {
        core.checkConfinement("Realm.isInWriteTransaction")
        return core.writeSet != nil
    }

    /// Moves to the newest version of the file.
    ///
    /// An asynchronous write of this realm that is on its way to the disk is the newest there
    /// is, until others have committed after it: `refresh()` then moves to that, and the
    /// write's completion comes later.
    ///
    /// Where the newest version cannot be had, because the medium failed or there is no memory,
    /// the realm stays at its own; the next write throws what is wrong.
    ///
    /// - Returns: Whether anything changed. False while in a write transaction, which always
    ///   stands on the newest version, and for frozen realms.
    /// - Precondition: The realm is not read-only.
    @discardableResult
    public func refresh() -> Bool {
        core.checkConfinement("Realm.refresh()")
        return core.refresh()
    }

    /// Gives up the version that the realm reads, so that the file need not keep it. Its
    /// objects and collections become invalid for good; the next access reads the newest
    /// version. A write transaction is cancelled.
    ///
    /// Does nothing to a frozen realm, which other threads may be using: it gives up its
    /// version with its last reference.
    public func invalidate() {
        core.checkConfinement("Realm.invalidate()")
        core.invalidate()
    }
}
