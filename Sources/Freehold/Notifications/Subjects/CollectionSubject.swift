import FreeholdStorage

/// The elements of an object's list or set: objects or values, in their order.
///
/// Keeps no elements: both versions are read if the collection's bytes changed, and their common
/// beginning and end are skipped leaf by leaf.
struct CollectionSubject: ObservedSubject {
    private let owner: ClassReference
    private let table: TableID
    private let column: ColumnID
    private var key: Int64
    private let kind: StoredCollectionKind
    /// The parts of an object element whose changes count.
    private let paths: SharedPaths?
    /// The steps that produce an order of the elements; empty for the collection itself.
    private let steps: [ElementStep]
    let tables: Set<TableID>
    /// The class of object elements.
    let objects: ClassReference?

    /// Whether an object can occur several times in the collection.
    var mayRepeat: Bool { kind.shape == .list }

    /// Whether the owner of the collection existed.
    typealias State = Bool

    init(_ elements: ManagedCollection, _ paths: ObservedPaths?, steps: [ElementStep] = []) {
        owner = elements.binding.reference
        table = elements.binding.table
        column = elements.column
        key = elements.key
        kind = elements.kind
        objects = elements.descriptor.reference
        self.paths = paths.map(SharedPaths.init)
        self.steps = steps
        tables = Set([elements.binding.table]).union(self.paths?.tables ?? [])
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        key = moves.key(key, in: table)
    }

    private func collection(in core: RealmCore) -> (table: TableView, collection: StoredCollection)?
    {
        let table = core.table(of: core.binding(for: owner))
        return table.collection(of: column, key: RowKey(rawValue: key)).map { (table, $0) }
    }

    func state(in core: RealmCore) -> Bool { collection(in: core) != nil }

    /// The rows of the objects, in their order; empty if the collection does not exist.
    func rows(in core: RealmCore) -> ContiguousArray<Int64> {
        guard let (table, elements) = collection(in: core) else { return [] }
        defer { withExtendedLifetime(table) {} }
        return rows(of: elements)
    }

    private func rows(of elements: StoredCollection) -> ContiguousArray<Int64> {
        var keys = ContiguousArray<Int64>()
        keys.reserveCapacity(elements.count)
        elements.forEachLeaf { leaf in
            for row in 0..<leaf.count {
                keys.append(leaf.values.isNull(at: row) ? .min : leaf.values.integer(at: row))
            }
            return true
        }
        return keys
    }

    func change(from state: Bool, in context: ChangeContext) -> (
        state: Bool, change: CollectionChanges?
    ) {
        guard state, let (oldTable, old) = collection(in: context.old) else { return (state, nil) }
        guard let (newTable, new) = collection(in: context.new) else {
            let count = orderedCount(old)
            return (
                false, count == 0 ? nil : CollectionChanges(deletions: ContiguousArray(0..<count))
            )
        }
        var changes = CollectionChanges()
        let isChanged = context.difference.isChanged(column, of: RowKey(rawValue: key), in: table)
        if isChanged {
            if steps.isEmpty {
                changes = ElementComparison(old: old, new: new).changes()
            } else {
                changes = ElementComparison.changes(
                    old, old.positions(after: steps), new, new.positions(after: steps))
            }
        }
        if let paths { addChangedObjects(old, paths, context, &changes) }
        withExtendedLifetime((oldTable, newTable)) {}
        return (true, changes.isEmpty ? nil : changes)
    }

    private func orderedCount(_ elements: StoredCollection) -> Int {
        steps.isEmpty ? elements.count : elements.positions(after: steps).count
    }

    /// Adds the positions of objects that stay and count as changed.
    private func addChangedObjects(
        _ old: StoredCollection, _ paths: SharedPaths, _ context: ChangeContext,
        _ changes: inout CollectionChanges
    ) {
        if paths.isUnaffected(in: context) { return }
        let keys = rows(of: old)
        let changed = paths.changedRows(among: keys, in: context)
        if changed.isEmpty { return }
        let modified = CollectionChanges(
            SequenceDifference.deleting(changes.deletions), of: keys, modified: changed
        ).modifications
        changes.modifications = ContiguousArray(Set(changes.modifications).union(modified).sorted())
    }
}

extension SequenceDifference {
    /// A difference with deletions only.
    static func deleting(_ positions: ContiguousArray<Int>) -> SequenceDifference {
        var difference = SequenceDifference(from: [], to: [])
        difference.deletions = positions
        return difference
    }
}
