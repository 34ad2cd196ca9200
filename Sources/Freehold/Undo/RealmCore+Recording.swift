import FreeholdStorage

// A realm that records computes the inverse of each transaction at its commit, when the states
// before and after it exist.
extension RealmCore {
    /// Notes the state before a transaction that begins.
    func noteStartForUndo(_ start: @autoclosure () -> TableSource) {
        guard let history = transactionHistory else { return }
        history.start = history.isRecording && !isMigrating ? start() : nil
    }

    /// What undoes a transaction that is about to be committed; nil if it is not recorded.
    /// O(changes).
    func inverseForUndo(of committing: WriteSet) -> DetachedChanges? {
        guard let history = transactionHistory, let start = history.start else { return nil }
        history.start = nil
        return inverse(of: committing, since: start)
    }

    /// Adds a transaction of a draft that was saved.
    func recordSave(of saved: WriteSet, since start: TableSource) {
        guard let history = transactionHistory, history.isRecording else { return }
        if let inverse = inverse(of: saved, since: start) { history.record(inverse) }
    }

    /// Nil if the states cannot be compared. Then the transaction counts as one of others.
    func inverse(of changed: TableSource, since start: TableSource) -> DetachedChanges? {
        do throws(StorageError) {
            return try DetachedChanges(from: changed, to: start)
        } catch {
            store.noteDamage(error)
            return nil
        }
    }
}
