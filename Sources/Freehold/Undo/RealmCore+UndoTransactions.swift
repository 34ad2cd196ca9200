import FreeholdStorage

extension RealmCore {
    /// Undoes the last transaction, or redoes the one undone last, in a transaction of its own.
    ///
    /// - Returns: Whether there was one.
    func takeStep(
        _ direction: TransactionHistory.Replay.Direction,
        resolving resolve: (DraftConflict.Conflict) throws -> DraftConflict.Resolution?
    ) throws -> Bool {
        guard let history = transactionHistory else { return false }
        let operation = direction == .undo ? "RealmUndoManager.undo()" : "RealmUndoManager.redo()"
        if history.group != nil {
            misuse(
                "\(operation) is not possible inside of a group.",
                remedy: "Call it after RealmUndoManager.group(_:_:).")
        }
        var isDone = false
        try settlingConflicts(resolve) { resolve in
            try mappingStorageErrors(beginWrite())
            // Asynchronous writes that failed have ended by now, and their steps with them.
            guard let step = history.next(direction), let transaction = writeSet else {
                cancelWrite()
                return []
            }
            do {
                let (conflicts, moves) = try mappingStorageErrors(
                    apply(
                        step, isRedo: direction == .redo, to: transaction, resolving: resolve))
                if !conflicts.isEmpty {
                    cancelWrite()
                    return conflicts
                }
                noteLayoutChanges()
                history.start = transaction.base
                history.replay = .init(direction: direction, moves: moves)
                defer { history.replay = nil }
                try mappingStorageErrors(commitWrite())
                isDone = true
                return []
            } catch {
                if isInTransaction { cancelWrite() }
                throw error
            }
        }
        return isDone
    }
}
