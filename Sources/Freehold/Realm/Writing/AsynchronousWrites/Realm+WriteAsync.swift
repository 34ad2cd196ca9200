import FreeholdStorage

extension Realm {
    /// Identifies an asynchronous write or commit, for ``cancelAsyncWrite(_:)``.
    public typealias AsyncTransactionId = UInt32

    /// Runs a block in a write transaction once the write lock is available, commits, and
    /// reports when the changes are on the disk.
    ///
    /// The caller waits neither for the lock nor for the disk. The block runs on the realm's own
    /// thread, queue or actor, when its scheduler next runs work, with the realm at the newest
    /// version.
    /// Writes of this process, synchronous and asynchronous, run in the order of the requests.
    /// This realm reads the changes after the block; others read them when they are on the disk.
    /// If the block itself commits or cancels, there is no further commit. The realm stays open
    /// until everything is done.
    ///
    /// On a thread without a run loop, the block runs when the thread next calls ``refresh()``
    /// or begins a write, and at the latest when the thread ends.
    ///
    /// ```swift
    /// realm.writeAsync {
    ///     person.age += 1
    /// } onComplete: { error in
    ///     if let error { print("not saved: \(error)") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - author: Who makes the changes, for the history (<doc:KeepingHistory>). Not in Realm.
    ///   - block: Makes the changes. It cannot throw; ``cancelWrite()`` inside it undoes them.
    ///   - onComplete: Called on the realm's thread, queue or actor, with nil when the changes
    ///     are on the disk, otherwise with an error. A ``Realm/Error`` means that the changes
    ///     are undone. With the code `writeLockTimeout`, the block did not run within
    ///     ``Configuration/writeTimeout``. In the `deinit` of the realm's actor the block cannot
    ///     run either: the completion then receives a `CancellationError` before this call
    ///     returns.
    /// - Returns: An id for ``cancelAsyncWrite(_:)``.
    /// - Precondition: The realm is neither frozen nor read-only, and not confined to a thread
    ///   of a pool.
    @discardableResult
    public func writeAsync(
        author: String? = nil, _ block: @escaping () -> Void,
        onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId { core.writeAsync(author: author, block, onComplete: onComplete) }

    /// Requests a write transaction without waiting for the write lock.
    ///
    /// The block must end the transaction with ``commitAsyncWrite(allowGrouping:_:)``,
    /// ``commitWrite(withoutNotifying:)`` or ``cancelWrite()``; otherwise its changes are
    /// undone. See ``writeAsync(author:_:onComplete:)`` for when and where it runs. Ends the
    /// process if the file cannot be written any more. On a file that is known to be damaged the
    /// block runs, and the commit fails with the code `corrupted`.
    ///
    /// - Parameters:
    ///   - author: Who makes the changes, for the history (<doc:KeepingHistory>). Not in Realm.
    ///   - asyncWriteBlock: Makes the changes, and ends the transaction.
    /// - Returns: An id for ``cancelAsyncWrite(_:)``, which cancels the block if it has not run.
    /// - Precondition: As for ``writeAsync(author:_:onComplete:)``.
    @discardableResult
    public func beginAsyncWrite(author: String? = nil, _ asyncWriteBlock: @escaping () -> Void)
        -> AsyncTransactionId
    { core.beginAsyncWrite(author: author, asyncWriteBlock) }

    /// Commits the open write transaction without waiting for the disk.
    ///
    /// This realm reads the changes at once; other realms read them when they are on the disk.
    ///
    /// - Parameters:
    ///   - allowGrouping: Whether asynchronous writes that wait behind this one may run first
    ///     and share its sync. They are then stored together or, if the disk fails, lost
    ///     together.
    ///   - onComplete: As in ``writeAsync(author:_:onComplete:)``.
    /// - Returns: An id for ``cancelAsyncWrite(_:)``, which drops the completion, not the
    ///   changes.
    /// - Precondition: The realm is in a write transaction.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: (((any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        let writes = core.requireAsyncWrites("Realm.commitAsyncWrite")
        let id = writes.nextID()
        writes.commit(id, allowGrouping: allowGrouping) { onComplete?($0) }
        return id
    }

    /// Cancels an asynchronous write whose block has not run, or drops the completion of an
    /// asynchronous commit. Ignores ids of finished work.
    ///
    /// - Throws: ``ConfinementViolation`` on a wrong thread, queue or actor.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        try core.verifyConfinement(.operation("Realm.cancelAsyncWrite"))
        guard let writes = core.asyncWrites else { return }
        if !writes.remove(asyncTransactionId) { writes.pending.dropCompletion(asyncTransactionId) }
    }

    /// Whether asynchronous writes are waiting for the lock, running, or being written to the
    /// disk.
    public var isPerformingAsynchronousWriteOperations: Bool {
        core.checkConfinement("Realm.isPerformingAsynchronousWriteOperations")
        return core.asyncWrites?.isPerforming ?? false
    }
}

extension RealmCore {
    /// See ``Realm/writeAsync(author:_:onComplete:)``.
    func writeAsync(
        author: String?, _ block: @escaping () -> Void, onComplete: (((any Error)?) -> Void)? = nil
    ) -> Realm.AsyncTransactionId {
        let writes = requireAsyncWrites("Realm.writeAsync")
        let id = writes.nextID()
        let core = Unmanaged.passUnretained(self)
        let work = {
            block()
            // The write in flight keeps it alive.
            core._withUnsafeGuaranteedRef { core in
                guard core.writeSet != nil else { return }
                core.asyncWrites?.commit(id, allowGrouping: false) { onComplete?($0) }
            }
        }
        writes.enqueue(
            PendingWrites.Write(
                id: id, author: author,
                stage: .block(work, onFailure: { onComplete?($0) }, canFail: true)))
        return id
    }

    /// See ``Realm/beginAsyncWrite(author:_:)``.
    func beginAsyncWrite(
        author: String?, _ asyncWriteBlock: @escaping () -> Void
    ) -> Realm.AsyncTransactionId {
        let writes = requireAsyncWrites("Realm.beginAsyncWrite")
        let id = writes.nextID()
        let core = Unmanaged.passUnretained(self)
        let failed: PendingWrites.Completion = { error in
            core._withUnsafeGuaranteedRef { core in
                guard let error = (error as? Realm.Error)?.underlying as? StorageError else {
                    return
                }
                violation(.storageFailed(core, operation: "Realm.beginAsyncWrite", error))
            }
        }
        writes.enqueue(
            PendingWrites.Write(
                id: id, author: author,
                stage: .block(asyncWriteBlock, onFailure: failed, canFail: false)))
        return id
    }

    /// The realm's asynchronous writes, for a call that begins or commits one.
    func requireAsyncWrites(_ operation: @autoclosure () -> String) -> AsyncWrites {
        checkConfinement(transaction: operation())
        checkWritable()
        if draft != nil {
            misuse(
                "A draft has no asynchronous writes: \(operation()).",
                remedy: """
                    Edit it at once, and save it without blocking: try await Draft.save(). \
                    asyncWrite(_:) works in a draft, too.
                    """)
        }
        if let asyncWrites { return asyncWrites }
        requireOwner(
            "Cannot schedule async transaction. Make sure you are running from inside a run loop.",
            operation())
        guard let scheduler = confinement.scheduler else {
            violation(.transactionOnFrozenRealm(self))
        }
        if scheduler is ThreadScheduler, let queue = QueueIdentity.currentLabel {
            misuse(
                """
                Cannot schedule async transaction. Make sure you are running from \
                inside a run loop.
                """,
                remedy: """
                    The realm belongs to a thread of the pool behind the queue '\(queue)', \
                    which may not come back to it. Open it with Realm(queue:) for a serial \
                    queue, or on an actor with Realm.open.
                    """)
        }
        let created = AsyncWrites(self, scheduler)
        asyncWrites = created
        return created
    }
}
