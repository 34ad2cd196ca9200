/// What happened to a collection between two versions: positions, each list ascending.
struct CollectionChanges: Equatable, Sendable {
    /// In the old version.
    var deletions: ContiguousArray<Int> = []
    /// In the new version.
    var insertions: ContiguousArray<Int> = []
    /// In the old version: elements that stay, and changed.
    var modifications: ContiguousArray<Int> = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// Where each element of `modifications` is in the new version. O(n + d + i).
    var modificationsNow: ContiguousArray<Int> {
        var (deleted, inserted) = (0, 0)
        return ContiguousArray(
            modifications.map { position in
                while deleted < deletions.count, deletions[deleted] < position { deleted += 1 }
                while inserted < insertions.count,
                    insertions[inserted] <= position - deleted + inserted
                {
                    inserted += 1
                }
                return position - deleted + inserted
            })
    }
}

extension CollectionChanges {
    /// - Parameters:
    ///   - old: The rows that the collection had.
    ///   - modified: Rows that changed, ascending. Those that do not stay are left out.
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
