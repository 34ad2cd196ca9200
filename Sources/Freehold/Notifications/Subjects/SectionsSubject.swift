import FreeholdStorage

/// The changes of a collection's sections between two versions.
struct SectionsChanges: Equatable, Sendable {
    /// A row of a section.
    struct Place: Equatable, Sendable {
        let section: Int
        let item: Int
    }

    /// The changes of rows.
    struct Rows: Equatable, Sendable {
        var deletions: [Place] = []
        var insertions: [Place] = []
        var modifications: [Place] = []
    }

    /// In the old version, without the rows of deleted sections.
    var deletions: [Place] = []
    /// In the new version, including the rows of inserted sections.
    var insertions: [Place] = []
    /// Rows that stay and changed. In the old version.
    var modifications: [Place] = []
    /// The places of the `modifications` in the new version.
    var modificationsNow: [Place] = []
    /// The changed rows as Realm reports them to observers: each row reported as modified keeps
    /// its position in its section.
    var delivered = Rows()
    /// In the new version.
    var sectionsToInsert: [Int] = []
    /// In the old version.
    var sectionsToDelete: [Int] = []

    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
            && sectionsToDelete.isEmpty
    }
}

/// The sections of a collection. Sections are identified by their keys, and elements by their
/// objects or values.
struct SectionsSubject<Key: _Persistable & Hashable, Element: RealmCollectionValue>: ObservedSubject
{
    private var portable: Portable
    private let key: SectionKey<Key, Element>
    /// The parts of an object element whose changes count.
    private let paths: SharedPaths?
    let tables: Set<TableID>
    /// The class of object elements.
    let objects: ClassReference?

    /// The sections in one version. Does not keep the frozen collection: a state outlives the
    /// version if the sections did not change.
    struct State: @unchecked Sendable {
        // @unchecked: sections are immutable, and their keys are values.
        /// Nil if the collection did not exist.
        let sections: SectionsState<Key, Element>.Sections?
    }

    init(_ state: SectionsState<Key, Element>, _ paths: ObservedPaths?) {
        portable = state.base.portable
        key = state.key
        self.paths = paths.map(SharedPaths.init)
        // The key function may read everything that it can reach.
        let binding = state.base.state.binding
        objects = state.base.state.values == nil ? binding.reference : nil
        tables = state.base.core.schema.tablesReachable(from: binding.table)
    }

    func state(in core: RealmCore) -> State { State(sections: collection(in: core)?.sections()) }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        portable = portable.following(moves, in: core)
    }

    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State? {
        // Of values, the rows are positions.
        guard let objects else { return state }
        let table = old.binding(for: objects).table
        return State(sections: state.sections?.mappingRows { moves.key($0, in: table) })
    }

    /// The same sections of a live collection, whose rows may have other keys by now.
    func named(as sections: SectionsState<Key, Element>) -> SectionsSubject {
        var named = self
        named.portable = sections.base.portable
        return named
    }

    /// The sections in a frozen realm; nil if the collection does not exist.
    ///
    /// - Parameter sections: The sections, if they are known.
    func collection(
        in core: RealmCore, assuming sections: SectionsState<Key, Element>.Sections? = nil
    ) -> SectionsState<Key, Element>? {
        Results<Element>.counterpart(of: portable, in: core).map {
            SectionsState($0, by: key, assuming: sections)
        }
    }

    /// The values in the sections; nil if they contain objects.
    private func values(in core: RealmCore) -> ManagedCollection? {
        Results<Element>.counterpart(of: portable, in: core)?.state.values
    }

    func change(from state: State, in context: ChangeContext) -> (
        state: State, change: SectionsChanges?
    ) {
        let next = self.state(in: context.new)
        var changes = SectionsChanges()
        guard let old = state.sections else { return (next, nil) }
        guard let new = next.sections else {
            changes.sectionsToDelete = Array(old.keys.indices)
            return (next, changes.isEmpty ? nil : changes)
        }
        compareSections(old, new, &changes)
        let (deleted, inserted) = (Set(changes.sectionsToDelete), Set(changes.sectionsToInsert))
        let pairs = zip(
            old.keys.indices.filter { !deleted.contains($0) },
            new.keys.indices.filter { !inserted.contains($0) })
        if let before = values(in: context.old), let after = values(in: context.new) {
            compareValues(before, old, after, new, pairs, &changes)
        } else {
            compareRows(old, new, pairs, context, &changes)
        }
        addNewSections(new, &changes)
        return (next, changes.isEmpty ? nil : changes)
    }

    /// Sections that changed their order are deleted and inserted.
    private func compareSections(
        _ old: SectionsState<Key, Element>.Sections, _ new: SectionsState<Key, Element>.Sections,
        _ changes: inout SectionsChanges
    ) {
        var numbers: [Key: Int64] = [:]
        func number(_ key: Key) -> Int64 {
            if let known = numbers[key] { return known }
            numbers[key] = Int64(numbers.count)
            return Int64(numbers.count - 1)
        }
        let difference = SequenceDifference(
            from: ContiguousArray(old.keys.map(number)), to: ContiguousArray(new.keys.map(number)))
        changes.sectionsToDelete = Array(difference.deletions)
        changes.sectionsToInsert = Array(difference.insertions)
    }

    /// Compares the rows of objects.
    private func compareRows(
        _ old: SectionsState<Key, Element>.Sections, _ new: SectionsState<Key, Element>.Sections,
        _ pairs: some Sequence<(Int, Int)>,
        _ context: ChangeContext, _ changes: inout SectionsChanges
    ) {
        let changed =
            paths?.changedRows(among: ContiguousArray(old.rows.joined()), in: context) ?? []
        for (oldSection, newSection) in pairs {
            let difference = SequenceDifference(
                from: old.rows[oldSection], to: new.rows[newSection])
            let rows = CollectionChanges(difference, of: old.rows[oldSection], modified: changed)
            let delivered = rows.keepingModifiedPlaces(
                old.rows[oldSection], new.rows[newSection], modified: changed)
            changes.add(rows, delivered, oldSection, newSection)
        }
    }

    /// Compares values, whose rows are positions in their collection. Equal values get equal
    /// numbers, which are compared.
    private func compareValues(
        _ before: ManagedCollection, _ old: SectionsState<Key, Element>.Sections,
        _ after: ManagedCollection, _ new: SectionsState<Key, Element>.Sections,
        _ pairs: some Sequence<(Int, Int)>, _ changes: inout SectionsChanges
    ) {
        var numbers = ElementNumbers()
        func all(_ elements: StoredCollection) -> ContiguousArray<Int64> {
            numbers.numbers(of: elements, 0..<elements.count)
        }
        let (before, after) = (all(before.current("observing")), all(after.current("observing")))
        for (oldSection, newSection) in pairs {
            let oldNumbers = ContiguousArray(old.rows[oldSection].lazy.map { before[Int($0)] })
            let newNumbers = ContiguousArray(new.rows[newSection].lazy.map { after[Int($0)] })
            let rows = ElementComparison.changes(oldNumbers, newNumbers, offset: 0)
            changes.add(rows, rows.keepingModifiedPlaces(), oldSection, newSection)
        }
    }

    private func addNewSections(
        _ new: SectionsState<Key, Element>.Sections, _ changes: inout SectionsChanges
    ) {
        if changes.sectionsToInsert.isEmpty { return }
        for section in changes.sectionsToInsert {
            let places = new.rows[section].indices.map {
                SectionsChanges.Place(section: section, item: $0)
            }
            changes.insertions += places
            changes.delivered.insertions += places
        }
        changes.insertions.sort { ($0.section, $0.item) < ($1.section, $1.item) }
        changes.delivered.insertions.sort { ($0.section, $0.item) < ($1.section, $1.item) }
    }
}

extension SectionsChanges {
    /// Adds the changes of a section that stays.
    fileprivate mutating func add(
        _ rows: CollectionChanges, _ delivered: CollectionChanges, _ oldSection: Int,
        _ newSection: Int
    ) {
        func before(_ items: ContiguousArray<Int>) -> [Place] {
            items.map { Place(section: oldSection, item: $0) }
        }
        func after(_ items: ContiguousArray<Int>) -> [Place] {
            items.map { Place(section: newSection, item: $0) }
        }
        deletions += before(rows.deletions)
        insertions += after(rows.insertions)
        modifications += before(rows.modifications)
        modificationsNow += after(rows.modificationsNow)
        self.delivered.deletions += before(delivered.deletions)
        self.delivered.insertions += after(delivered.insertions)
        self.delivered.modifications += before(delivered.modifications)
    }
}
