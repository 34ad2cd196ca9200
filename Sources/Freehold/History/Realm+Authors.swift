import FreeholdStorage

/// Transactions with an author: what the history says of who made the changes.
extension Realm {
    /// Runs a block in a write transaction with an author, and commits, as
    /// ``write(withoutNotifying:fileID:line:_:)``.
    ///
    /// ```swift
    /// try realm.write(author: "import") { realm.add(order) }
    /// ```
    ///
    /// - Parameters:
    ///   - author: Who makes the changes: ``HistoryTransaction/author``. Any text, for example the
    ///     name of a part of the program.
    ///   - tokens: Observers of this realm that are not notified of the transaction.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    ///   - block: Makes the changes.
    /// - Returns: What the block returns.
    /// - Throws: As ``write(withoutNotifying:fileID:line:_:)``.
    /// - Precondition: The realm is not in a write transaction, frozen, or read-only. In a
    ///   ``Draft`` the author is ignored: it has ``Draft/author``.
    @discardableResult
    public func write<Result>(
        author: String?, withoutNotifying tokens: [NotificationToken] = [],
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

    /// Begins a write transaction with an author, as `beginWrite()`.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes: ``HistoryTransaction/author``.
    ///   - fileID: The source file of the call. Omit it.
    ///   - line: The source line of the call. Omit it.
    public func beginWrite(
        author: String?, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        beginWrite(fileID: fileID, line: line)
        core.setAuthor(author)
    }

    /// Runs a block in a write transaction with an author once the write lock is available, as
    /// ``writeAsync(_:onComplete:)``. Writes of different authors share no sync.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes: ``HistoryTransaction/author``.
    ///   - block: Makes the changes.
    ///   - onComplete: Called with nil when the changes are on the disk, otherwise with an error.
    /// - Returns: An id for ``cancelAsyncWrite(_:)``.
    @discardableResult
    public func writeAsync(
        author: String?, _ block: @escaping () -> Void,
        onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        core.writeAsync(author: author, block, onComplete: onComplete)
    }

    /// Requests a write transaction with an author without waiting for the write lock, as
    /// ``beginAsyncWrite(_:)``.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes: ``HistoryTransaction/author``.
    ///   - asyncWriteBlock: Makes the changes, and ends the transaction.
    /// - Returns: An id for ``cancelAsyncWrite(_:)``.
    @discardableResult
    public func beginAsyncWrite(author: String?, _ asyncWriteBlock: @escaping () -> Void)
        -> AsyncTransactionId
    { core.beginAsyncWrite(author: author, asyncWriteBlock) }

    /// Runs a block in a write transaction with an author, and returns when its changes are on the
    /// disk, as ``asyncWrite(_isolation:_:)``. Writes of different authors share no sync.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes: ``HistoryTransaction/author``.
    ///   - block: Makes the changes.
    /// - Returns: What the block returns.
    /// - Throws: As ``asyncWrite(_isolation:_:)``.
    @discardableResult
    public func asyncWrite<Result>(
        author: String?, _isolation actor: isolated (any Actor)? = #isolation,
        _ block: (() throws -> Result)
    ) async throws -> Result { try await core.asyncWrite(author: author, isolation: actor, block) }
}
