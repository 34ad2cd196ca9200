/// One side's edits of a list, by the elements of the base and the gaps between them.
struct ListSide {
    /// What happened to an element of the base.
    enum Fate {
        case kept
        case removed
        /// Moved into the gap before an element of the base.
        case moved(Int)
        case replaced(StoredValue)
        /// Replaced together with its neighbours, by another number of elements.
        case part
        /// Removed because its row was deleted.
        case lost
    }

    /// An edit.
    struct Stretch {
        let position: Int
        let removed: ContiguousArray<StoredValue>
        let inserted: ContiguousArray<StoredValue>
        /// Of the removed elements, whether each is lost.
        fileprivate let lost: [Bool]
        let hasLost: Bool
        /// Whether each removed element that is not lost is replaced by the inserted one in its
        /// place.
        let isPaired: Bool
        /// The gaps into which removed elements moved, by their offsets.
        fileprivate(set) var movedAway: [Int: Int] = [:]
        /// The positions that inserted elements came from, by their offsets.
        fileprivate(set) var movedHere: [Int: Int] = [:]

        var removedCount: Int { removed.count }
        var end: Int { position + removed.count }

        init(_ edit: ListChanges.Edit, isLost: (StoredValue) -> Bool) {
            position = edit.position
            removed = edit.removed
            inserted = edit.inserted
            lost = edit.removed.map(isLost)
            hasLost = lost.contains(true)
            let count = lost.count { !$0 }
            isPaired = count > 0 && count == inserted.count
        }

        /// Whether an element is removed that is not lost.
        var removesElements: Bool { lost.contains(false) }

        func fate(of position: Int) -> Fate {
            let offset = position - self.position
            if lost[offset] { return .lost }
            if isPaired { return .replaced(inserted[slot(of: offset)]) }
            if let gap = movedAway[offset] { return .moved(gap) }
            return inserted.isEmpty ? .removed : .part
        }

        /// The index among the inserted elements at which a removed one would stand.
        func slot(of offset: Int) -> Int {
            if isPaired {
                return hasLost ? lost[..<offset].count { !$0 } : offset
            }
            return offset == 0 && removesElements ? 0 : inserted.count
        }
    }

    let stretches: [Stretch]
    /// The number of elements of the base.
    let count: Int
    /// What each stretch adds to the positions after it, with those before it.
    private let shifts: [Int]

    init(_ changes: ListChanges, isLost: (StoredValue) -> Bool) {
        var stretches = changes.edits.map { Stretch($0, isLost: isLost) }
        for move in changes.moves {
            guard let source = stretches.lastIndex(where: { $0.position <= move.source }) else {
                continue
            }
            let offset = move.source - stretches[source].position
            if stretches[source].lost[offset] { continue }
            stretches[source].movedAway[offset] = stretches[move.edit].position
            stretches[move.edit].movedHere[move.offset] = move.source
        }
        var shift = 0
        shifts = stretches.map { stretch in
            shift += stretch.inserted.count - stretch.removedCount
            return shift
        }
        self.stretches = stretches
        count = changes.oldCount
    }

    /// The index of the last stretch that begins at or before a position.
    private func index(at position: Int) -> Int? {
        let count = stretches.indices.partitionPoint { stretches[$0].position <= position }
        return count == 0 ? nil : count - 1
    }

    /// The stretch that removes an element.
    func stretch(at position: Int) -> Stretch? {
        index(at: position).flatMap { stretches[$0].end > position ? stretches[$0] : nil }
    }

    /// The stretch that inserts elements right before a position, without replacing it.
    func insertion(at position: Int) -> Stretch? {
        guard let index = index(at: position), stretches[index].position == position,
            !stretches[index].removesElements
        else { return nil }
        return stretches[index]
    }

    /// Where the gap before an element of the base is in this side's list, and where the element
    /// itself is, or was.
    func place(of position: Int) -> (gap: Int, element: Int) {
        guard let index = index(at: position) else { return (position, position) }
        let stretch = stretches[index]
        let start = stretch.position + (index == 0 ? 0 : shifts[index - 1])
        if position >= stretch.end, position > stretch.position {
            return (position + shifts[index], position + shifts[index])
        }
        if stretch.removedCount == 0 { return (start, start + stretch.inserted.count) }
        let offset = position - stretch.position
        let slot = stretch.slot(of: offset)
        let element = stretch.isPaired ? slot : stretch.inserted.count
        return (start + (offset == 0 ? 0 : slot), start + element)
    }

    /// Whether this side makes the same edit.
    func hasSame(_ other: Stretch, _ areEqual: (StoredValue, StoredValue) -> Bool) -> Bool {
        guard let index = index(at: other.position) else { return false }
        let own = stretches[index]
        return own.position == other.position && own.removedCount == other.removedCount
            && own.inserted.count == other.inserted.count && !own.hasLost && !other.hasLost
            && own.movedAway == other.movedAway
            && zip(own.inserted, other.inserted).allSatisfy(areEqual)
    }

    /// Whether this side inserts elements between those that another one removes together.
    func insertsInside(_ other: Stretch) -> Bool {
        guard other.removesElements, other.removedCount > 1 else { return false }
        var index = index(at: other.position) ?? -1
        if index < 0 || stretches[index].position <= other.position { index += 1 }
        while index < stretches.count, stretches[index].position < other.end {
            if !stretches[index].removesElements, !stretches[index].inserted.isEmpty { return true }
            index += 1
        }
        return false
    }

    /// Whether this side removes the elements before and after a gap together.
    func removesAround(_ position: Int) -> Bool {
        guard let index = index(at: position - 1) else { return false }
        let stretch = stretches[index]
        return stretch.position < position && position < stretch.end && !stretch.isPaired
            && stretch.removesElements
    }
}
