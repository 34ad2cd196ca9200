import FreeholdStorage

extension RealmCore {
    /// The open write transaction, for a change that needs one.
    ///
    /// - Parameter operation: What is tried, for the diagnosis: "Realm.add".
    @inline(__always)
    func requireWrite(_ operation: @autoclosure () -> String) -> WriteSet {
        checkConfinement(operation())
        guard let writeSet else {
            violation(.changeOutsideTransaction(self, operation: operation()))
        }
        return writeSet
    }

    /// Waits for the write lock and begins a transaction on the newest version. The caller
    /// passed the gate.
    ///
    /// - Parameters:
    ///   - fileID: Where the program asked; nil where it did not say.
    ///   - line: As `fileID`.
    func beginWrite(_ fileID: StaticString? = nil, _ line: UInt = 0) throws(StorageError) {
        checkWritable()
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

    /// Runs a block of the open transaction, on whose end the transaction's depends.
    func runningBlock<Result>(_ block: () throws -> Result) rethrows -> Result {
        try writerHome?.runningBlock(block) ?? block()
    }

    /// ``runningBlock(_:)``; the transaction is cancelled if the block throws.
    func runningTransaction<Result>(_ block: () throws -> Result) rethrows -> Result {
        do {
            return try runningBlock(block)
        } catch {
            if writeSet != nil { cancelWrite() }
            throw error
        }
    }

    /// This realm as one who asks for the write lock on the calling thread.
    func writerIdentity(_ fileID: StaticString? = nil, _ line: UInt = 0) -> WriterIdentity {
        WriterIdentity(
            home: writerHome, fileID: fileID, line: line, thread: ThreadIdentity.current.systemID)
    }

    /// As ``beginWrite(_:_:)``, for a caller that cannot fail. On a damaged file the
    /// transaction is one that cannot be committed: the commit throws.
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

    /// The transaction, if it stands on a version that has the classes as this realm knows
    /// them. If not, it is given back.
    private func verified(_ begun: WriteSet) throws(StorageError) -> WriteSet {
        if fits(begun.base.catalog) { return begun }
        store.cancel(begun)
        throw schemaChanged
    }

    /// The newest version lacks something of this realm's classes.
    var schemaChanged: StorageError {
        StorageError(
            .schemaChanged,
            """
            Another process migrated "\(store.path)" to other classes than this realm was \
            opened with. It goes on reading the version before. Release all of its realms and \
            open the file with the classes of that schema version.
            """,
            path: store.path)
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
        asyncWrites?.move(.begin)
        snapshot = begun.base
        if isNewer { lastForeignVersion = begun.base.version }
        didMove()
        if isNewer { callRealmObservers(.didChange) }
        // Before the first change: what an observer is told of first is what was there when the
        // transaction began.
        deliverNow(includesInitial: true)
    }

    /// Traps where no write transaction can ever begin.
    func checkWritable() {
        if isFrozen { violation(.transactionOnFrozenRealm(self)) }
        if isReadOnly { violation(.transactionOnReadOnlyRealm(self)) }
    }

    /// On a thread that nobody else makes look into its mailbox, does what is there.
    func runPendingWork() {
        guard asyncWrites != nil, let thread = confinement.scheduler as? ThreadScheduler,
            !thread.isAttended
        else { return }
        thread.runPending()
    }

    /// Makes the transaction durable. Either way the realm is not in a transaction afterwards;
    /// after an error it reads the version before.
    ///
    /// - Parameter tokens: Of observers that are not told of the transaction.
    func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws(StorageError) {
        guard let committing = writeSet else { violation(.commitWithoutTransaction(self)) }
        if isMigrating { refuseEndOfMigration("Committing") }
        for token in tokens { token.checkBelongs(to: self) }
        writeSet = nil
        if let asyncWrites {
            defer { asyncWrites.wakeUpLater() }
            if asyncWrites.state.hasGroup {
                let result = Result { () throws(StorageError) in try store.commit(committing) }
                asyncWrites.endGroup(.write, result)
                didCommit(try result.get(), from: committing.base, tokens)
                return
            }
            asyncWrites.move(.write)
        }
        do throws(StorageError) {
            let committed = try store.commit(committing)
            snapshot = committed
            didMove()
            didCommit(committed, from: committing.base, tokens)
        } catch {
            snapshot = committing.base
            didMove()
            throw error
        }
    }

    private func didCommit(
        _ committed: Snapshot, from base: Snapshot, _ tokens: [NotificationToken]
    ) {
        if committed.version != base.version {
            listener?.skip(tokens.compactMap(\.observer), to: committed)
            deliverTrackedChanges()
        }
        callRealmObservers(.didChange, except: tokens)
    }

    /// Drops the transaction. The realm reads the version before.
    func cancelWrite() {
        guard let cancelled = writeSet else { violation(.cancelWithoutTransaction(self)) }
        if isMigrating { refuseEndOfMigration("Cancelling") }
        writeSet = nil
        if let committed = asyncWrites?.committed {
            // The grant is that of the transactions before this one.
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
        violation(
            .misuse(
                text: "Can't commit or cancel the write transaction of a migration",
                remedy:
                    """
                    \(operation) was tried inside of the migration block. It is committed \
                    when the block has ended; throw an error to cancel it.
                    """
            ))
    }

    /// Takes the open transaction out, to be committed later, and goes on reading what it left.
    func suspendWrite() -> WriteSet? {
        guard let suspended = writeSet else { return nil }
        if isMigrating { refuseEndOfMigration("Committing") }
        writeSet = nil
        pendingWrites = suspended.savepoint()
        didMove()
        return suspended
    }

    /// Begins a transaction that goes on from what was committed and is not on the disk yet.
    func resumeWrite() {
        guard let resumed = pendingWrites ?? asyncWrites?.committed?.savepoint() else {
            preconditionFailure("A transaction goes on from one that was committed in memory.")
        }
        pendingWrites = nil
        writeSet = resumed
        asyncWrites?.move(.begin)
        didMove()
    }

    /// What was committed in memory is on the disk, as `written`, or lost: then the realm reads
    /// the version before.
    func finishWrite(_ written: Snapshot?) {
        pendingWrites = nil
        // Nil after `invalidate()`: the realm reads nothing until it is asked.
        if snapshot != nil, let written { snapshot = written }
        if let snapshot { listener?.beginWaiting(at: snapshot) }
        didMove()
        if written == nil {
            // What the realm showed is undone.
            tracking?.tellProvisional()
            callRealmObservers(.didChange)
        } else {
            deliverTrackedChanges()
        }
        deliverWhatWasMissed()
    }

    /// Whether others committed after the transactions that are on their way to the disk, as
    /// far as this realm knows.
    var isPendingOvertaken: Bool { pendingWrites.map { store.isOvertaken($0) } ?? false }

    /// Moves to the newest version, and tells all observers of it. Returns whether anything
    /// changed by that.
    func refresh() -> Bool {
        if isFrozen || writeSet != nil || isDelivering { return false }
        isUnread = false
        poolThreadWatch?.noteUse()
        runPendingWork()
        let pending = pendingWrites
        asyncWrites?.takeOutcome()
        // Own changes that are still on their way to the disk are the newest there are: nobody
        // else can write meanwhile.
        if writeSet != nil || pendingWrites != nil { return false }
        defer { deliverNow(includesInitial: true) }
        // Where the commit failed, what the realm showed is undone.
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
            // LMDB gives out no version any more after a failure of the medium, and none while
            // there is no memory. What is read stays readable; the next write says what to do.
            if error.code != .poisoned, error.code != .outOfMemory { store.noteDamage(error) }
            return isUndone
        }
    }

    /// Gives up the version that is read, and a transaction with it. All objects and
    /// collections of the realm become invalid.
    func invalidate() {
        // A frozen realm's content may be in use on other threads; it ends with the last reference.
        if isFrozen { return }
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
    /// One who asks for the write lock on the calling thread, for something that is no realm's.
    static var ofThisThread: WriterIdentity {
        WriterIdentity(thread: ThreadIdentity.current.systemID)
    }
}
