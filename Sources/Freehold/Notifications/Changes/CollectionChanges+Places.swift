/// Changes in which each modified element keeps its position, as Realm reports sections: a
/// changed element with another position is deleted and inserted.
extension CollectionChanges {
    /// Whether each modified element keeps its position.
    var keepsModifiedPlaces: Bool {
        modifications.isEmpty || (deletions.isEmpty && insertions.isEmpty)
            || modifications == modificationsNow
    }

    /// Converts modified elements with another position to a deletion and an insertion.
    func keepingModifiedPlaces() -> CollectionChanges {
        if keepsModifiedPlaces { return self }
        var changes = self
        changes.modifications = []
        for (old, now) in zip(modifications, modificationsNow) {
            if old == now {
                changes.modifications.append(old)
            } else {
                changes.deletions.append(old)
                changes.insertions.append(now)
            }
        }
        changes.deletions.sort()
        changes.insertions.sort()
        return changes
    }

    /// Does the same for rows. Unchanged rows stay where possible: the comparison that decides
    /// which rows moved ignores the modified ones.
    ///
    /// - Parameter modified: The rows that changed, ascending.
    func keepingModifiedPlaces(
        _ old: ContiguousArray<Int64>, _ new: ContiguousArray<Int64>,
        modified: ContiguousArray<Int64>
    ) -> CollectionChanges {
        if keepsModifiedPlaces { return self }
        let modifiedRows = Set(modified)
        func stays(
            _ position: Int, _ rows: ContiguousArray<Int64>, _ others: ContiguousArray<Int64>
        ) -> Bool {
            !modifiedRows.contains(rows[position])
                || (position < others.count && others[position] == rows[position])
        }
        let oldPositions = old.indices.filter { stays($0, old, new) }
        let newPositions = new.indices.filter { stays($0, new, old) }
        let difference = SequenceDifference(
            from: ContiguousArray(oldPositions.map { old[$0] }),
            to: ContiguousArray(newPositions.map { new[$0] }))
        func positions(_ positions: [Int], _ changed: ContiguousArray<Int>, of count: Int)
            -> ContiguousArray<Int>
        {
            let staying = Set(positions).subtracting(changed.map { positions[$0] })
            return ContiguousArray((0..<count).filter { !staying.contains($0) })
        }
        var whole = difference
        whole.deletions = positions(oldPositions, difference.deletions, of: old.count)
        whole.insertions = positions(newPositions, difference.insertions, of: new.count)
        // A row that occurs several times may still be paired with another position.
        return CollectionChanges(whole, of: old, modified: modified).keepingModifiedPlaces()
    }
}
