import FreeholdStorage

extension RealmCore {
    /// The open write transaction, for a change that needs one.
    ///
    /// - Parameter operation: What is tried, for the diagnosis: "Realm.add".
    @inline(__always)
    func requireWrite(_ operation: @autoclosure () -> String) -> WriteSet {
        checkConfinement(operation())
        guard let writeSet else { violation(.changeOutsideTransaction(self, operation: operation())) }
        return writeSet
    }

    /// Waits for the write lock and begins a transaction on the newest version. The caller passed the gate.
    func beginWrite() throws(StorageError) {
        if isFrozen { violation(.transactionOnFrozenRealm(self)) }
        if isReadOnly { violation(.transactionOnReadOnlyRealm(self)) }
        if writeSet != nil { violation(.alreadyInTransaction(self)) }
        let begun = try store.beginWrite()
        writeSet = begun
        snapshot = begun.base
        didMove()
    }

    /// Makes the transaction durable. Either way the realm is not in a transaction afterwards; after an error it reads the version before.
    func commitWrite() throws(StorageError) {
        guard let committing = writeSet else { violation(.commitWithoutTransaction(self)) }
        writeSet = nil
        do throws(StorageError) {
            snapshot = try store.commit(committing)
            didMove()
        } catch {
            snapshot = committing.base
            didMove()
            throw error
        }
    }

    /// Drops the transaction. The realm reads the version before.
    func cancelWrite() {
        guard let cancelled = writeSet else { violation(.cancelWithoutTransaction(self)) }
        writeSet = nil
        snapshot = cancelled.base
        store.cancel(cancelled)
        didMove()
    }

    /// Moves to the newest version. Returns whether that is another one.
    func refresh() -> Bool {
        if isFrozen || writeSet != nil { return false }
        if isReadOnly { violation(.refreshOnReadOnlyRealm(self)) }
        if let snapshot, store.isNewest(snapshot) { return false }
        do throws(StorageError) {
            let newest = try store.newestSnapshot()
            if newest.version == snapshot?.version { return false }
            snapshot = newest
            didMove()
            return true
        } catch {
            violation(.storageFailed(self, operation: "Realm.refresh()", error))
        }
    }

    /// Gives up the version that is read, and a transaction with it. All objects and collections of the realm become invalid.
    func invalidate() {
        // A frozen realm's content may be in use on other threads; it ends with the last reference.
        if isFrozen { return }
        if writeSet != nil { cancelWrite() }
        snapshot = nil
        didInvalidate()
    }
}
