/// Changes of which a modified element has the position that it had, as Realm tells them of
/// sections: what changed and has another position is deleted and inserted.
extension CollectionChanges {
    /// Whether each modified element has the position that it had.
    var keepsModifiedPlaces: Bool {
        modifications.isEmpty || (deletions.isEmpty && insertions.isEmpty)
            || modifications == modificationsNow
    }

    /// The same, with modified elements deleted and inserted that have another position.
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

    /// The same of rows. Those that did not change stay as far as they can: which rows are
    /// taken for moved is decided without the modified ones.
    ///
    /// - Parameters:
    ///   - modified: Rows that changed, ascending.
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
        // A row that is there several times may still have been paired with another place.
        return CollectionChanges(whole, of: old, modified: modified).keepingModifiedPlaces()
    }
}
