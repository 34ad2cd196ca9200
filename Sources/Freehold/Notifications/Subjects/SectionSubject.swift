import FreeholdStorage

/// One section of a collection, identified by its key.
struct SectionSubject<Key: _Persistable & Hashable, Element: RealmCollectionValue>: ObservedSubject
{
    private var all: SectionsSubject<Key, Element>
    private let key: UnsafeTransfer<Key>

    typealias State = SectionsSubject<Key, Element>.State

    init(all: SectionsSubject<Key, Element>, key: Key) {
        self.all = all
        // A key is a value, and is only compared.
        self.key = UnsafeTransfer(key)
    }

    var tables: Set<TableID> { all.tables }
    var movesSilently: Bool { true }

    func state(in core: RealmCore) -> State { all.state(in: core) }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        all.follow(moves, in: core)
    }

    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State? {
        all.state(state, following: moves, in: old)
    }

    func change(from state: State, in context: ChangeContext) -> (
        state: State, change: SectionsChanges?
    ) {
        let (next, changes) = all.change(from: state, in: context)
        guard var changes else { return (next, nil) }
        let before = state.sections?.position(of: key.value)
        let after = next.sections?.position(of: key.value)
        changes.deletions.removeAll { $0.section != before }
        changes.modifications.removeAll { $0.section != before }
        changes.modificationsNow.removeAll { $0.section != after }
        changes.insertions.removeAll { $0.section != after }
        changes.delivered.deletions.removeAll { $0.section != before }
        changes.delivered.modifications.removeAll { $0.section != before }
        changes.delivered.insertions.removeAll { $0.section != after }
        changes.sectionsToDelete.removeAll { $0 != before }
        changes.sectionsToInsert.removeAll { $0 != after }
        return (next, changes.isEmpty ? nil : changes)
    }
}
