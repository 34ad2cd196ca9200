import FreeholdStorage

extension RealmCore {
    /// Returns the open write transaction for a change that needs one; traps if there is none.
    ///
    /// - Parameter operation: The attempted operation, for the diagnosis: "Realm.add".
    @inline(__always)
    func requireWrite(_ operation: @autoclosure () -> String) -> WriteSet {
        checkConfinement(operation())
        guard let writeSet else {
            if draft != nil { refuseEndedDraft() }
            violation(.changeOutsideTransaction(self, operation: operation()))
        }
        return writeSet
    }

    /// Sets the author of the open transaction; a draft has one of its own.
    func setAuthor(_ author: String?) { if draft == nil { writeSet?.author = author } }

    /// Waits for the write lock and begins a transaction on the newest version. The caller has
    /// passed the gate.
    ///
    /// - Parameters:
    ///   - fileID: The source file of the program's call; nil if unknown.
    ///   - line: The source line of the program's call.
    func beginWrite(_ fileID: StaticString? = nil, _ line: UInt = 0) throws(StorageError) {
        checkWritable()
        if let draft { return beginGroup(of: draft) }
        if writeSet != nil { violation(.alreadyInTransaction(self)) }
        poolThreadWatch?.noteUse()
        runPendingWork()
        let identity = writerIdentity(fileID, line)
        let start = ContinuousClock.now
        if let asyncWrites {
            asyncWrites.settle()
            if let grant = try asyncWrites.grantForCaller(as: identity) {
                PoolWaits.note(identity, since: start, store.path)
                return try beginWrite(with: grant)
            }
        }
        let begun = try PoolWaits.during(store) { () throws(StorageError) in
            try store.beginWrite(as: identity, timeout: configuration.writeTimeout)
        }
        PoolWaits.note(identity, since: start, store.path)
        didBegin(try verified(begun))
    }

    /// Runs a block that the end of the open transaction depends on.
    func runningBlock<Result>(_ block: () throws -> Result) rethrows -> Result {
        try writerHome?.runningBlock(block) ?? block()
    }

    /// ``runningBlock(_:)``; the transaction is cancelled if the block throws.
    func runningTransaction<Result>(_ block: () throws -> Result) rethrows -> Result {
        do {
            return try runningBlock(block)
        } catch {
            if isInTransaction { cancelWrite() }
            throw error
        }
    }

    /// Whether a transaction is open that the program began: in a draft, a group of edits.
    var isInTransaction: Bool { draft.map { $0.group != nil } ?? (writeSet != nil) }

    /// This realm's identity as a writer on the calling thread.
    func writerIdentity(_ fileID: StaticString? = nil, _ line: UInt = 0) -> WriterIdentity {
        WriterIdentity(
            home: writerHome, fileID: fileID, line: line, thread: ThreadIdentity.current.systemID)
    }

    /// Does the same as ``beginWrite(_:_:)`` for a caller that cannot fail. On a damaged file it
    /// begins a transaction whose commit throws.
    func beginWriteEvenIfDamaged(_ fileID: StaticString?, _ line: UInt) throws(StorageError) {
        do throws(StorageError) {
            try beginWrite(fileID, line)
        } catch {
            if error.code != .corrupted { throw error }
            store.noteDamage(error)
            let begun = try store.beginWriteDespiteDamage(
                as: writerIdentity(fileID, line), timeout: configuration.writeTimeout,
                knowing: schema.catalog)
            didBegin(try verified(begun))
        }
    }

    /// Returns the transaction if its version has this realm's classes. Otherwise cancels it and
    /// throws.
    private func verified(_ begun: WriteSet) throws(StorageError) -> WriteSet {
        if fits(begun.base.catalog) { return begun }
        store.cancel(begun)
        throw schemaChanged
    }

    /// The error if the newest version lacks part of this realm's classes.
    var schemaChanged: StorageError {
        StorageError(
            .schemaChanged,
            """
            Another process migrated "\(store.path)" to other classes than this realm was \
            opened with. It goes on reading the version before. Release all of its realms and \
            open the file with the classes of that schema version.
            """, path: store.path)
    }

    /// Begins a transaction with a write grant.
    ///
    /// - Parameter evenIfDamaged: As ``beginWriteEvenIfDamaged(_:_:)``.
    func beginWrite(with grant: WriteGrant, evenIfDamaged: Bool = false) throws(StorageError) {
        didBegin(
            try verified(
                evenIfDamaged
                    ? try store.beginWriteDespiteDamage(with: grant, knowing: schema.catalog)
                    : try store.beginWrite(with: grant)))
    }

    private func didBegin(_ begun: WriteSet) {
        let isNewer = snapshot.map { $0.version < begun.base.version } ?? false
        begun.maximumNumberOfActiveVersions = configuration.maximumNumberOfActiveVersions
        writeSet = begun
        noteStartForUndo(begun.base)
        asyncWrites?.move(.begin)
        snapshot = begun.base
        if isNewer { lastForeignVersion = begun.base.version }
        didMove()
        if isNewer { callRealmObservers(.didChange) }
        // Before the first change: observers must first receive the state at the beginning of
        // the transaction.
        deliverNow(includesInitial: true)
    }

    /// Traps for realms that can never begin a write transaction.
    func checkWritable() {
        if isFrozen { violation(.transactionOnFrozenRealm(self)) }
        if isReadOnly { violation(.transactionOnReadOnlyRealm(self)) }
    }

    /// Runs pending work on a thread that nothing else makes read its mailbox.
    func runPendingWork() {
        guard asyncWrites != nil, let thread = confinement.scheduler as? ThreadScheduler,
            !thread.isAttended
        else { return }
        thread.runPending()
    }

    /// Makes the transaction durable. The transaction is over even after an error; the realm
    /// then reads the version before it.
    ///
    /// - Parameter tokens: Observers that are not notified of the transaction.
    func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws(StorageError) {
        if let draft { return endGroup(of: draft, withoutNotifying: tokens) }
        guard let committing = writeSet else { violation(.commitWithoutTransaction(self)) }
        if isMigrating { refuseEndOfMigration("Committing") }
        for token in tokens { token.checkBelongs(to: self) }
        let inverse = inverseForUndo(of: committing)
        writeSet = nil
        if let asyncWrites {
            defer { asyncWrites.wakeUpLater() }
            if asyncWrites.state.hasGroup {
                let result = Result { () throws(StorageError) in try store.commit(committing) }
                asyncWrites.endGroup(.write, result)
                if case .failure = result { transactionHistory?.forgetFailedTransaction() }
                let committed = try result.get()
                if let inverse { transactionHistory?.record(inverse) }
                didCommit(committed, from: committing.base, tokens)
                return
            }
            asyncWrites.move(.write)
        }
        do throws(StorageError) {
            let committed = try store.commit(committing)
            snapshot = committed
            didMove()
            if let inverse { transactionHistory?.record(inverse) }
            didCommit(committed, from: committing.base, tokens)
        } catch {
            snapshot = committing.base
            didMove()
            transactionHistory?.forgetFailedTransaction()
            throw error
        }
    }

    private func didCommit(
        _ committed: Snapshot, from base: Snapshot, _ tokens: [NotificationToken]
    ) {
        if committed.version != base.version {
            listener?.skip(tokens.compactMap(\.observer), to: ObservedVersion(committed))
            deliverTrackedChanges()
        }
        callRealmObservers(.didChange, except: tokens)
    }

    /// Drops the transaction. The realm reads the version before.
    func cancelWrite() {
        if let draft { return cancelGroup(of: draft) }
        guard let cancelled = writeSet else { violation(.cancelWithoutTransaction(self)) }
        if isMigrating { refuseEndOfMigration("Cancelling") }
        writeSet = nil
        transactionHistory?.forgetOpenTransaction()
        if let committed = asyncWrites?.committed {
            // The grant belongs to the preceding transactions of the group.
            pendingWrites = committed.savepoint()
        } else {
            snapshot = cancelled.base
            store.cancel(cancelled)
        }
        didMove()
        asyncWrites?.transactionWasCancelled()
        tracking?.tellProvisional()
        deliverWhatWasMissed()
    }

    private func refuseEndOfMigration(_ operation: String) -> Never {
        misuse(
            "Can't commit or cancel the write transaction of a migration",
            remedy: """
                \(operation) was tried inside of the migration block. It is committed \
                when the block has ended; throw an error to cancel it.
                """)
    }

    /// Takes the open transaction out, to be committed later, and keeps reading its state.
    func suspendWrite() -> WriteSet? {
        guard let suspended = writeSet else { return nil }
        if isMigrating { refuseEndOfMigration("Committing") }
        if let inverse = inverseForUndo(of: suspended) {
            transactionHistory?.record(inverse, isPending: true)
        }
        writeSet = nil
        pendingWrites = suspended.savepoint()
        didMove()
        return suspended
    }

    /// Begins a transaction that continues from those that were committed in memory and are not
    /// on the disk yet.
    func resumeWrite() {
        guard let resumed = pendingWrites ?? asyncWrites?.committed?.savepoint() else {
            preconditionFailure("A transaction goes on from one that was committed in memory.")
        }
        pendingWrites = nil
        noteStartForUndo(asyncWrites?.committed ?? resumed.base)
        writeSet = resumed
        asyncWrites?.move(.begin)
        didMove()
    }

    /// Ends the transactions that were committed in memory. They are on the disk as `written`,
    /// or lost: the realm then reads the version before them.
    func finishWrite(_ written: Snapshot?) {
        pendingWrites = nil
        transactionHistory?.endPending(isWritten: written != nil)
        // Nil after `invalidate()`: the realm reads nothing until the next access.
        if snapshot != nil, let written { snapshot = written }
        if let snapshot { listener?.beginWaiting(at: snapshot) }
        didMove()
        if written == nil {
            // The changes that the realm showed are undone.
            tracking?.tellProvisional()
            callRealmObservers(.didChange)
        } else {
            deliverTrackedChanges()
        }
        deliverWhatWasMissed()
    }

    /// Whether others are known to have committed after the transactions that are being written
    /// to the disk.
    var isPendingOvertaken: Bool { pendingWrites.map { store.isOvertaken($0) } ?? false }

    /// Moves to the newest version, and notifies all observers. Returns whether anything
    /// changed.
    func refresh() -> Bool {
        if isFrozen || isDelivering { return false }
        if draft != nil { return deliverEdits() }
        if writeSet != nil { return false }
        isUnread = false
        poolThreadWatch?.noteUse()
        runPendingWork()
        let pending = pendingWrites
        asyncWrites?.takeOutcome()
        // Own changes that are being written to the disk are the newest version: no other writer
        // can commit meanwhile.
        if writeSet != nil || pendingWrites != nil { return false }
        defer { deliverNow(includesInitial: true) }
        // If the commit failed, the changes that the realm showed are undone.
        let isUndone = pending.map { $0.base === snapshot && $0.hasChanges } ?? false
        if let snapshot, store.isNewest(snapshot) { return isUndone }
        do throws(StorageError) {
            let newest = try store.newestSnapshot()
            if newest.version == snapshot?.version {
                read(compacted: newest)
                return isUndone
            }
            if !fits(newest.catalog) { return isUndone }
            move(to: newest)
            return true
        } catch {
            // LMDB provides no versions after a failure of the medium or while memory is
            // exhausted. The current version stays readable; the next write reports the error.
            if error.code != .poisoned, error.code != .outOfMemory { store.noteDamage(error) }
            return isUndone
        }
    }

    /// Releases the version that is read, and cancels an open transaction. All objects and
    /// collections of the realm become invalid.
    func invalidate() {
        // Other threads may be using a frozen realm's content; it ends with the last reference.
        if isFrozen { return }
        if draft != nil { return endDraft() }
        if writeSet != nil { cancelWrite() }
        asyncWrites?.cancelAll()
        pendingWrites = nil
        snapshot = nil
        didInvalidate()
        listener?.removeAll()
        tracking?.tellAll()
    }
}

extension WriterIdentity {
    /// The identity of a writer on the calling thread that belongs to no realm.
    static var ofThisThread: WriterIdentity {
        WriterIdentity(thread: ThreadIdentity.current.systemID)
    }
}
