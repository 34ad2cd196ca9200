import FreeholdStorage

/// The elements of a list in an ``AnyRealmValue``.
struct NestedSubject: ObservedSubject {
    private var portable: Portable
    let tables: Set<TableID>

    /// Whether the list existed.
    typealias State = Bool

    init(_ elements: NestedCollection) {
        portable = elements.portable
        tables = [elements.binding.table]
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        portable = portable.following(moves, in: core)
    }

    private func elements(in core: RealmCore) -> ContiguousArray<MixedValue?>? {
        NestedCollection.counterpart(of: portable, in: core).flatMap {
            $0.isInvalidated ? nil : $0.values("observing")
        }
    }

    func state(in core: RealmCore) -> Bool { elements(in: core) != nil }

    func change(from state: Bool, in context: ChangeContext) -> (
        state: Bool, change: CollectionChanges?
    ) {
        guard state, let old = elements(in: context.old) else { return (state, nil) }
        guard let new = elements(in: context.new) else {
            return (
                false,
                old.isEmpty ? nil : CollectionChanges(deletions: ContiguousArray(0..<old.count))
            )
        }
        var numbers = ElementNumbers()
        let before = ContiguousArray(old.map { numbers.number(of: $0) })
        let after = ContiguousArray(new.map { numbers.number(of: $0) })
        let changes = ElementComparison.changes(before, after, offset: 0)
        return (true, changes.isEmpty ? nil : changes)
    }
}
