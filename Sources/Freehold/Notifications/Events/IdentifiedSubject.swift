import FreeholdStorage

/// A subject that can report its changes by objects.
protocol IdentifiableSubject: ObservedSubject {
    /// Converts a change to an event by objects. On any thread.
    func event(_ change: Change, from old: State, to new: State, in context: ChangeContext)
        -> ChangeEvent
}

/// Reports changes both by positions and by objects. Both are computed in the background.
struct IdentifiedSubject<Base: IdentifiableSubject>: ObservedSubject {
    var base: Base

    typealias State = Base.State
    typealias Change = (change: Base.Change, event: ChangeEvent)

    var tables: Set<TableID> { base.tables }
    var movesSilently: Bool { base.movesSilently }
    func state(in core: RealmCore) -> State { base.state(in: core) }
    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        base.follow(moves, in: core)
    }
    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State? {
        base.state(state, following: moves, in: old)
    }
    func isUnaffected(by context: ChangeContext) -> Bool { base.isUnaffected(by: context) }
    func isLast(_ change: Change) -> Bool { base.isLast(change.change) }

    func change(from state: State, in context: ChangeContext) -> (state: State, change: Change?) {
        let (next, change) = base.change(from: state, in: context)
        return (next, change.map { ($0, base.event($0, from: state, to: next, in: context)) })
    }
}

extension ChangeEvent {
    /// - Parameters:
    ///   - old: The rows of the old collection, in its order.
    ///   - new: The rows of the new collection, in its order.
    ///   - mayRepeat: Whether an object can occur several times in the collection.
    init(
        _ changes: CollectionChanges, of target: ClassReference, from old: (Int) -> Int64,
        _ oldRows: () -> ContiguousArray<Int64>, to new: (Int) -> Int64,
        _ newRows: () -> ContiguousArray<Int64>, mayRepeat: Bool, in context: ChangeContext
    ) {
        let (before, after) = (context.old.binding(for: target), context.new.binding(for: target))
        let deletions = changes.deletions.map { before.objectKey(of: old($0)) }
        let insertions = changes.insertions.map { after.objectKey(of: new($0)) }
        let modifications = changes.modifications.map { before.objectKey(of: old($0)) }
        guard mayRepeat, !(deletions.isEmpty && insertions.isEmpty) else {
            self.init(deletions: deletions, insertions: insertions, modifications: modifications)
            return
        }
        let had = Set(oldRows().map { before.objectKey(of: $0) }),
            has = Set(newRows().map { after.objectKey(of: $0) })
        self.init(
            deletions: deletions, insertions: insertions, modifications: modifications,
            stays: has.contains, wasThere: had.contains)
    }
}

extension QuerySubject: IdentifiableSubject {
    func event(
        _ change: CollectionChanges, from old: State, to new: State, in context: ChangeContext
    ) -> ChangeEvent {
        ChangeEvent(
            change, of: reference, from: row(in: old, context.old), { rows(in: old) },
            to: row(in: new, context.new), { rows(in: new) }, mayRepeat: mayRepeat, in: context)
    }

    private func rows(in state: State) -> ContiguousArray<Int64> {
        switch state {
        case .table: []
        case .keys(let keys), .moved(let keys): keys
        }
    }

    private func row(in state: State, _ core: RealmCore) -> (Int) -> Int64 {
        switch state {
        case .keys(let keys), .moved(let keys): return { keys[$0] }
        case .table:
            let table = core.table(of: core.binding(for: reference))
            return { position in
                table.locate(position: position).map { $0.cluster.key(at: $0.row).rawValue } ?? .min
            }
        }
    }
}

extension CollectionSubject: IdentifiableSubject {
    func event(_ change: CollectionChanges, from old: Bool, to new: Bool, in context: ChangeContext)
        -> ChangeEvent
    {
        guard let objects else { return ChangeEvent() }
        let (before, after) = (rows(in: context.old), rows(in: context.new))
        return ChangeEvent(
            change, of: objects, from: { before[$0] }, { before }, to: { after[$0] }, { after },
            mayRepeat: mayRepeat, in: context)
    }
}

extension MapSubject: IdentifiableSubject {
    func event(_ change: MapChanges, from old: Bool, to new: Bool, in context: ChangeContext)
        -> ChangeEvent
    {
        func keys(_ texts: [String]) -> [ObjectKey] { texts.map { .string($0) } }
        return ChangeEvent(
            deletions: keys(change.deletions), insertions: keys(change.insertions),
            modifications: keys(change.modifications))
    }
}

extension SectionsSubject: IdentifiableSubject {
    func event(_ change: SectionsChanges, from old: State, to new: State, in context: ChangeContext)
        -> ChangeEvent
    {
        guard let objects, let before = old.sections else { return ChangeEvent() }
        let after = new.sections
        let (oldBinding, newBinding) = (
            context.old.binding(for: objects), context.new.binding(for: objects)
        )
        func keys(
            _ places: [SectionsChanges.Place], _ sections: SectionsState<Key, Element>.Sections,
            _ binding: ClassBinding
        ) -> [ObjectKey] {
            places.map { binding.objectKey(of: sections.rows[$0.section][$0.item]) }
        }
        let gone = change.sectionsToDelete.flatMap {
            before.rows[$0].map { oldBinding.objectKey(of: $0) }
        }
        return ChangeEvent(
            deletions: keys(change.deletions, before, oldBinding) + gone,
            insertions: after.map { keys(change.insertions, $0, newBinding) } ?? [],
            modifications: keys(change.modifications, before, oldBinding))
    }
}
