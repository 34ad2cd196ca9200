/// Merges the edits of a list that two sides made, by the elements and the gaps between them.
///
/// - An element that one side removed, replaced or moved, and the other one left alone, is edited
///   that way. Removed by both, it is gone.
/// - What both sides insert at one place is all there: theirs first, then mine.
/// - Equal edits are made once.
/// - All else overlaps: two replacements of one element, the removal of an element that the other
///   side replaced or moved, an insertion between two elements that the other side removed
///   together.
///
/// Where an edit replaces as many elements as it inserts, each element counts as replaced by the
/// one in its place.
///
/// Removed links to deleted rows are no edits (``ThreeWayMerge``); a side calls them *lost*.
struct ListMerge {
    /// What the merge asks about elements.
    struct Rules {
        /// Whether an element that my side removed links to a row that it deleted.
        var isLostByMine: (StoredValue) -> Bool = { _ in false }
        var isLostByTheirs: (StoredValue) -> Bool = { _ in false }
        /// Whether an element lost by theirs comes back, because its row does.
        var isRestored: (StoredValue) -> Bool = { _ in false }
        var areEqual: (StoredValue, StoredValue) -> Bool = { $0 == $1 }
        /// Merges two replacements of the element at an index of the base; nil if they are in
        /// conflict.
        var combine:
            (_ index: Int, _ base: StoredValue, _ mine: StoredValue, _ theirs: StoredValue) ->
                StoredValue? = { _, _, _, _ in nil }
    }

    private let mine: ListSide
    private let theirs: ListSide
    private let rules: Rules
    private var edits: [ListChanges.Edit] = []
    private var overlaps = false

    /// The edits that make their list the merged one; nil if the edits overlap. O(edits log edits
    /// + edited elements).
    static func merge(_ mine: ListChanges, _ theirs: ListChanges, _ rules: Rules) -> ListChanges? {
        precondition(mine.oldCount == theirs.oldCount, "both sides edit one list")
        var merge = ListMerge(
            mine: ListSide(mine, isLost: rules.isLostByMine),
            theirs: ListSide(theirs, isLost: rules.isLostByTheirs), rules: rules)
        merge.run()
        return merge.overlaps
            ? nil : ListChanges(edits: merge.edits, oldCount: theirs.newCount)
    }

    private init(mine: ListSide, theirs: ListSide, rules: Rules) {
        self.mine = mine
        self.theirs = theirs
        self.rules = rules
    }

    private mutating func run() {
        var lost = theirs.stretches.filter(\.hasLost)[...]
        var next = 0
        for stretch in mine.stretches {
            restore(&lost, next..<max(stretch.position, next))
            merge(stretch)
            if overlaps { return }
            next = max(next, stretch.end)
        }
        restore(&lost, next..<max(mine.count, next))
    }

    /// Inserts the elements that theirs lost in a range, and that come back.
    private mutating func restore(_ lost: inout ArraySlice<ListSide.Stretch>, _ range: Range<Int>) {
        while let stretch = lost.first, stretch.position < range.upperBound {
            for position in (stretch.position..<stretch.end).clamped(to: range) {
                restore(stretch, position)
            }
            if stretch.end > range.upperBound { return }
            lost.removeFirst()
        }
    }

    private mutating func restore(_ stretch: ListSide.Stretch, _ position: Int) {
        let value = stretch.removed[position - stretch.position]
        if case .lost = stretch.fate(of: position), rules.isRestored(value) {
            add([value], at: theirs.place(of: position).element)
        }
    }

    private mutating func merge(_ stretch: ListSide.Stretch) {
        if theirs.hasSame(stretch, rules.areEqual) { return }
        if !stretch.isPaired, theirs.insertsInside(stretch) {
            overlaps = true
            return
        }
        if !stretch.isPaired, !stretch.inserted.isEmpty { insert(stretch) }
        for position in stretch.position..<stretch.end where !overlaps {
            merge(position, stretch)
        }
    }

    private mutating func insert(_ stretch: ListSide.Stretch) {
        let position = stretch.position
        if theirs.removesAround(position) {
            overlaps = true
            return
        }
        var inserted = stretch.inserted
        let place = theirs.place(of: position)
        let theirOwn = theirs.insertion(at: position)
        if let theirOwn, !theirOwn.inserted.isEmpty {
            // A row that both sides moved here is here already.
            let moved = Set(theirOwn.movedHere.values)
            inserted = ContiguousArray(
                inserted.indices.filter { !(stretch.movedHere[$0].map(moved.contains) ?? false) }
                    .map { inserted[$0] })
        }
        add(inserted, at: theirOwn == nil ? place.gap : place.element)
    }

    private mutating func merge(_ position: Int, _ stretch: ListSide.Stretch) {
        let other = theirs.stretch(at: position)
        let fate = other?.fate(of: position) ?? .kept
        let index = theirs.place(of: position).element
        let value = stretch.removed[position - stretch.position]
        switch (stretch.fate(of: position), fate) {
        case (.kept, _): break
        case (.lost, _): if let other { restore(other, position) }
        case (.removed, .kept), (.moved, .kept), (.part, .kept): remove(value, at: index)
        case (.removed, .removed), (.removed, .lost), (.moved, .lost), (.part, .lost): break
        case (.moved(let own), .moved(let others)): overlaps = own != others
        case (.replaced(let new), .kept): replace(value, by: new, at: index)
        case (.replaced(let new), .lost): add([new], at: index)
        case (.replaced(let new), .replaced(let others)):
            if rules.areEqual(new, others) { return }
            guard let combined = rules.combine(position, value, new, others) else {
                overlaps = true
                return
            }
            if combined != others { replace(others, by: combined, at: index) }
        default: overlaps = true
        }
    }

    // MARK: The edits of their list, in order

    private mutating func add(_ inserted: ContiguousArray<StoredValue>, at index: Int) {
        if !inserted.isEmpty { append(index, [], inserted) }
    }

    private mutating func remove(_ value: StoredValue, at index: Int) {
        append(index, [value], [])
    }

    private mutating func replace(_ old: StoredValue, by new: StoredValue, at index: Int) {
        append(index, [old], [new])
    }

    private mutating func append(
        _ index: Int, _ removed: ContiguousArray<StoredValue>,
        _ inserted: ContiguousArray<StoredValue>
    ) {
        if let last = edits.last, last.end == index {
            edits[edits.count - 1] = ListChanges.Edit(
                position: last.position, removed: last.removed + removed,
                inserted: last.inserted + inserted)
        } else {
            edits.append(
                ListChanges.Edit(position: index, removed: removed, inserted: inserted))
        }
    }
}
