/// The changes of a collection between two versions: positions, each list ascending.
struct CollectionChanges: Equatable, Sendable {
    /// Positions in the old version.
    var deletions: ContiguousArray<Int> = []
    /// Positions in the new version.
    var insertions: ContiguousArray<Int> = []
    /// Positions in the old version of elements that stay and changed.
    var modifications: ContiguousArray<Int> = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// The position of each element of `modifications` in the new version. O(n + d + i).
    var modificationsNow: ContiguousArray<Int> {
        var (deleted, inserted) = (0, 0)
        return ContiguousArray(
            modifications.map { position in
                while deleted < deletions.count, deletions[deleted] < position { deleted += 1 }
                while inserted < insertions.count,
                    insertions[inserted] <= position - deleted + inserted
                { inserted += 1 }
                return position - deleted + inserted
            })
    }
}

extension CollectionChanges {
    /// - Parameters:
    ///   - old: The rows of the collection in the old version.
    ///   - modified: The rows that changed, ascending. Those that do not stay are ignored.
    init(
        _ difference: SequenceDifference, of old: ContiguousArray<Int64>,
        modified: ContiguousArray<Int64>
    ) {
        deletions = difference.deletions
        insertions = difference.insertions
        if modified.isEmpty { return }
        let isFew = modified.count < 16
        let set = isFew ? [] : Set(modified)
        var deleted = deletions.makeIterator()
        var next = deleted.next()
        for (position, key) in old.enumerated() {
            if position == next {
                next = deleted.next()
                continue
            }
            if isFew ? modified.contains(key) : set.contains(key) { modifications.append(position) }
        }
    }
}
