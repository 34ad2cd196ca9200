/// The difference between two lists, as edits of the first one.
///
/// Elements are compared by their values. An edit is anchored at a position of the old list, so
/// the edits of two sides that have the old list in common can be merged (``ListMerge``).
package struct ListChanges: Hashable, Sendable {
    /// Replaces some consecutive elements by others. Either may be none.
    package struct Edit: Hashable, Sendable {
        /// The index of the first removed element in the old list. Without one, the index of the
        /// element before which others are inserted.
        package let position: Int
        package let removed: ContiguousArray<StoredValue>
        package let inserted: ContiguousArray<StoredValue>

        package init(
            position: Int, removed: ContiguousArray<StoredValue>,
            inserted: ContiguousArray<StoredValue>
        ) {
            self.position = position
            self.removed = removed
            self.inserted = inserted
        }

        package var end: Int { position + removed.count }
    }

    /// An element that left its place and stands at another one.
    package struct Move: Hashable, Sendable {
        /// Its index in the old list.
        package let source: Int
        /// The edit that inserts it, and its index among the inserted elements.
        package let edit: Int
        package let offset: Int
    }

    /// In ascending order of their positions. No two of them touch.
    package private(set) var edits: [Edit]
    /// The number of elements of the old list.
    package let oldCount: Int

    /// - Parameter edits: Ascending, inside of the old list, and none touches another.
    package init(edits: [Edit], oldCount: Int) {
        self.edits = edits
        self.oldCount = oldCount
    }

    package var isEmpty: Bool { edits.isEmpty }

    /// The number of elements of the new list.
    package var newCount: Int {
        edits.reduce(oldCount) { $0 + $1.inserted.count - $1.removed.count }
    }

    /// The new list. The old one must be the one that was compared.
    package func applied(to old: ContiguousArray<StoredValue>) -> ContiguousArray<StoredValue> {
        precondition(old.count == oldCount, "the edits are those of a list of another length")
        var new = ContiguousArray<StoredValue>()
        new.reserveCapacity(newCount)
        var position = 0
        for edit in edits {
            new += old[position..<edit.position]
            new += edit.inserted
            position = edit.end
        }
        return new + old[position...]
    }

    /// The edits that lead back.
    package var inverse: ListChanges {
        var shift = 0
        let inverted = edits.map { edit in
            defer { shift += edit.inserted.count - edit.removed.count }
            return Edit(
                position: edit.position + shift, removed: edit.inserted, inserted: edit.removed)
        }
        return ListChanges(edits: inverted, oldCount: newCount)
    }

    /// The moves among the edits: each removed element that an edit inserts again. Of equal
    /// elements, the first one removed is the first one inserted.
    package var moves: [Move] {
        guard edits.contains(where: { !$0.removed.isEmpty }),
            edits.contains(where: { !$0.inserted.isEmpty })
        else { return [] }
        var places: [StoredValue: [(edit: Int, offset: Int)]] = [:]
        for (number, edit) in edits.enumerated() {
            for (offset, value) in edit.inserted.enumerated() {
                places[value, default: []].append((number, offset))
            }
        }
        var used: [StoredValue: Int] = [:]
        var moves: [Move] = []
        for edit in edits {
            for (offset, value) in edit.removed.enumerated() {
                let number = used[value, default: 0]
                guard let free = places[value], number < free.count else { continue }
                used[value] = number + 1
                moves.append(
                    Move(
                        source: edit.position + offset, edit: free[number].edit,
                        offset: free[number].offset))
            }
        }
        return moves
    }
}
