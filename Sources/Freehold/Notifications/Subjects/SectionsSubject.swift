import Foundation
import FreeholdStorage

/// What happened to the sections of a collection between two versions.
struct SectionsChanges: Equatable, Sendable {
    /// A row of a section.
    struct Place: Equatable, Sendable {
        let section: Int
        let item: Int
    }

    /// Of the old version, without the rows of sections that went.
    var deletions: [Place] = []
    /// Of the new version, with the rows of sections that came.
    var insertions: [Place] = []
    /// Of the old version.
    var modifications: [Place] = []
    /// Of the new version.
    var sectionsToInsert: [Int] = []
    /// Of the old version.
    var sectionsToDelete: [Int] = []

    var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty && sectionsToDelete.isEmpty
    }
}

/// The sections of a collection. Sections are the same if their keys are equal, and stand for the same rows if these are the same.
struct SectionsSubject<Key: _Persistable & Hashable, Element: RealmCollectionValue>: ObservedSubject {
    private let portable: Portable
    private let key: SectionKey<Key, Element>
    /// What counts as a change of an element that is an object.
    private let paths: SharedPaths?
    let tables: Set<TableID>

    /// The sections of one version; nil where the collection was not there.
    struct State: @unchecked Sendable {
        // @unchecked: the sections are immutable, and their keys are values.
        let sections: SectionsState<Key, Element>.Sections?
    }

    init(_ state: SectionsState<Key, Element>, _ paths: ObservedPaths?) {
        portable = state.base.portable
        key = state.key
        self.paths = paths.map(SharedPaths.init)
        // The function may look at whatever it can reach.
        let binding = state.base.state.binding
        tables = state.base.core.schema.tablesReachable(from: binding.table)
    }

    func state(in core: RealmCore) -> State {
        guard let base = Results<Element>.counterpart(of: portable, in: core) else { return State(sections: nil) }
        return State(sections: SectionsState(base, by: key).sections())
    }

    func change(from state: State, in context: ChangeContext) -> (state: State, change: SectionsChanges?) {
        let next = self.state(in: context.new)
        var changes = SectionsChanges()
        guard let old = state.sections else { return (next, nil) }
        guard let new = next.sections else {
            changes.sectionsToDelete = Array(old.keys.indices)
            return (next, changes.isEmpty ? nil : changes)
        }
        compareSections(old, new, &changes)
        compareRows(old, new, context, &changes)
        return (next, changes.isEmpty ? nil : changes)
    }

    /// Sections that changed their order are deleted and inserted.
    private func compareSections(
        _ old: SectionsState<Key, Element>.Sections, _ new: SectionsState<Key, Element>.Sections, _ changes: inout SectionsChanges
    ) {
        var numbers: [Key: Int64] = [:]
        func number(_ key: Key) -> Int64 {
            if let known = numbers[key] { return known }
            numbers[key] = Int64(numbers.count)
            return Int64(numbers.count - 1)
        }
        let difference = SequenceDifference(from: ContiguousArray(old.keys.map(number)), to: ContiguousArray(new.keys.map(number)))
        changes.sectionsToDelete = Array(difference.deletions)
        changes.sectionsToInsert = Array(difference.insertions)
    }

    private func compareRows(
        _ old: SectionsState<Key, Element>.Sections, _ new: SectionsState<Key, Element>.Sections, _ context: ChangeContext, _ changes: inout SectionsChanges
    ) {
        let changed = changedRows(old, new, context)
        let (deleted, inserted) = (Set(changes.sectionsToDelete), Set(changes.sectionsToInsert))
        let before = old.keys.indices.filter { !deleted.contains($0) }
        let after = new.keys.indices.filter { !inserted.contains($0) }
        for (oldSection, newSection) in zip(before, after) {
            let rows = CollectionChanges(
                SequenceDifference(from: old.rows[oldSection], to: new.rows[newSection]), of: old.rows[oldSection], modified: changed)
            changes.deletions += rows.deletions.map { SectionsChanges.Place(section: oldSection, item: $0) }
            changes.insertions += rows.insertions.map { SectionsChanges.Place(section: newSection, item: $0) }
            changes.modifications += rows.modifications.map { SectionsChanges.Place(section: oldSection, item: $0) }
        }
        for section in changes.sectionsToInsert {
            changes.insertions += new.rows[section].indices.map { SectionsChanges.Place(section: section, item: $0) }
        }
        changes.insertions.sort { ($0.section, $0.item) < ($1.section, $1.item) }
    }

    /// The rows that count as changed, ascending. Of values: none, as these are told apart by where they are in their collection.
    private func changedRows(
        _ old: SectionsState<Key, Element>.Sections, _ new: SectionsState<Key, Element>.Sections, _ context: ChangeContext
    ) -> ContiguousArray<Int64> {
        guard let paths else { return [] }
        return paths.changedRows(among: ContiguousArray(old.rows.joined()), in: context)
    }
}
