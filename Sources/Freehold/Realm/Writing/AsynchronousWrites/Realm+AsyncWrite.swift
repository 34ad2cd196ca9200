import FreeholdStorage

extension Realm {
    /// Runs a block in a write transaction, and returns when its changes are on the disk,
    /// without blocking the actor meanwhile.
    ///
    /// The actor is free while the call waits for the write lock and the disk. Other work may
    /// run on it, and the realm may be at another version when the call returns. The block
    /// itself runs on the actor, without interruption, with the realm at the newest version.
    /// Writes that wait one behind another in one realm share a sync.
    ///
    /// If the task is cancelled before the block has begun, the block never runs. Later
    /// cancellation has no effect.
    ///
    /// ```swift
    /// actor Importer {
    ///     func rename(_ id: Int, to name: String) async throws {
    ///         let realm = try await Realm.open()
    ///         try await realm.asyncWrite {
    ///             realm.object(ofType: Person.self, forPrimaryKey: id)?.name = name
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - author: Who makes the changes, for the history (<doc:KeepingHistory>). Writes of
    ///     different authors share no sync. Not in Realm.
    ///   - actor: The caller's actor, which the block runs on.
    ///   - block: Makes the changes.
    /// - Returns: What the block returns.
    /// - Throws:
    ///   - What the block throws, after undoing its changes.
    ///   - `CancellationError` if the task is cancelled before the block has begun.
    ///   - ``Realm/Error`` if the file cannot be written: the changes are undone, and the realm
    ///     shows the state before them. The code is `writeLockTimeout` after
    ///     ``Configuration/writeTimeout``.
    ///   - ``ConfinementViolation`` on an actor that is not the realm's, and if a task has the
    ///     realm and no actor has used it yet; see
    ///     ``open(configuration:_isolation:downloadBeforeOpen:fileID:line:)``.
    /// - Precondition: The realm belongs to the main thread, to an actor, or to the thread of an
    ///   actor's executor. It is neither frozen nor read-only.
    @discardableResult
    public func asyncWrite<Result>(
        author: String? = nil, _isolation actor: isolated (any Actor)? = #isolation,
        _ block: (() throws -> Result)
    ) async throws -> Result { try await core.asyncWrite(author: author, isolation: actor, block) }

    /// Moves to the newest version of the file, if there is a newer one.
    ///
    /// - Returns: Whether anything changed; false for a frozen realm, in a write transaction,
    ///   and if the task was cancelled.
    /// - Precondition: As for ``asyncWrite(author:_isolation:_:)``; a frozen realm may be asked.
    @discardableResult
    public func asyncRefresh(_isolation actor: isolated (any Actor)? = #isolation) async -> Bool {
        core.refuseRealmOfAQueue("asyncRefresh()")
        core.checkConfinement("Realm.asyncRefresh()")
        if core.isFrozen { return false }
        if !core.belongsToTask { core.requireActor("asyncRefresh()") }
        if Task.isCancelled { return false }
        return core.refresh()
    }
}

extension RealmCore {
    /// See ``Realm/asyncWrite(author:_isolation:_:)``.
    func asyncWrite<Result>(
        author: String?, isolation actor: isolated (any Actor)?, _ block: (() throws -> Result)
    ) async throws -> Result {
        refuseRealmOfAQueue("asyncWrite()")
        try verifyConfinement(.transaction("Realm.asyncWrite"))
        try verifyActor("asyncWrite()", .transaction("Realm.asyncWrite"))
        if draft != nil {
            // Nothing to wait for.
            try Task.checkCancellation()
            return try Realm(core: self).write(author: author, block)
        }
        let writes = requireAsyncWrites("Realm.asyncWrite")
        try Task.checkCancellation()
        let id = writes.nextID()
        let waiter = WriteWaiter()
        writes.enqueue(PendingWrites.Write(id: id, author: author, stage: .task(waiter)))
        do {
            repeat {
                // No await if the task was woken at once: each await suspends a task that
                // prefers an executor, and an offer that was made at once has no time limit.
                if !waiter.takeWake() { try await waiter.wait() }
                try Task.checkCancellation()
            } while try !mappingStorageErrors(writes.begin(id))
        } catch {
            writes.remove(id)
            throw error
        }
        defer { writes.isRunningTask = false }
        let result = try runningTransaction(block)
        guard writeSet != nil else { return result }
        writes.isRunningTask = false
        let commit = TaskCommit()
        writes.commit(id, allowGrouping: true) { commit.end($0) }
        while !commit.isOver {
            if await writes.readNextMail(until: commit, isolation: actor) { continue }
            await commit.wait(isolation: actor)
        }
        try commit.result?.get()
        return result
    }

    /// Does the same as ``requireActor(_:)``, but throws if no actor has the realm yet.
    func verifyActor(_ operation: String, _ access: ConfinedAccess)
        throws(ConfinementViolation)
    {
        guard belongsToTask else { return requireActor(operation) }
        let here = ConfinementViolation.Place.here()
        throw ConfinementViolation(
            message: "\(operation) can only be called on main thread or actor-isolated Realms",
            access: access, path: store.path, opened: confinement.place, accessed: here,
            remedy: """
                Call it in a method of the actor. In an actor's initialiser, give all other \
                stored properties their values first: behind the last one the initialiser runs \
                on the actor.
                """)
    }

    /// Traps for a realm confined to a queue, wherever the caller is, because no place is right
    /// for it.
    func refuseRealmOfAQueue(_ operation: String) {
        if case .queue = confinement.domain { requireActor(operation) }
    }

    /// Traps if the realm's code does not belong to an actor: it would run elsewhere after an
    /// `await`.
    fileprivate func requireActor(_ operation: String) {
        switch confinement.domain {
        case .main, .actor, .frozen: return
        case .thread where (confinement.scheduler as? ThreadScheduler)?.isExecutor == true: return
        case .scheduler, .thread, .queue:
            misuse(
                "\(operation) can only be called on main thread or actor-isolated Realms",
                remedy: """
                    Open the realm with Realm.open on the actor, or use \
                    writeAsync(_:onComplete:).
                    """)
        }
    }
}
