import FreeholdStorage

/// The changes of an object between two versions.
enum ObjectChanges: Sendable {
    case deleted
    /// The ordinals of the declared properties that changed, ascending.
    case changed([Int])
}

/// One object.
struct ObjectSubject: ObservedSubject {
    private let table: TableID
    private var key: Int64
    /// The columns of the properties, by property ordinal.
    private let columns: [ColumnID]
    private let backlinks: [BoundBacklinks?]
    private let paths: SharedPaths
    let tables: Set<TableID>

    /// Whether the object existed.
    typealias State = Bool

    init(_ object: ObjectBase, _ binding: ClassBinding, _ paths: ObservedPaths) {
        table = binding.table
        key = object.key
        columns = binding.columns
        backlinks = binding.backlinks
        self.paths = SharedPaths(paths)
        tables = self.paths.tables.union([table])
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        key = moves.key(key, in: table)
    }

    /// Usually few of many observed objects change, so each is looked up in the changes.
    func isUnaffected(by context: ChangeContext) -> Bool {
        if paths.paths.followsLinks {
            return tables.isDisjoint(with: context.difference.changedTables)
        }
        return context.withChanges(of: table) {
            !$0.isModified(key, in: paths.paths.nodes[0].columns)
                && !$0.deletions.containsSorted(key)
        }
    }

    func state(in core: RealmCore) -> Bool {
        core.source.table(table).contains(RowKey(rawValue: key))
    }

    func change(from state: Bool, in context: ChangeContext) -> (
        state: Bool, change: ObjectChanges?
    ) {
        guard state else { return (false, nil) }
        let changes = context.difference.changes(of: table)
        if changes.deletions.containsSorted(key) { return (false, .deleted) }
        if !paths.paths.followsLinks, !changes.isModified(key, in: paths.paths.nodes[0].columns) {
            return (true, nil)
        }
        var changed = columns.indices.filter { paths.isChanged(key, by: columns[$0], in: context) }
        for (index, links) in backlinks.enumerated() {
            if let links, paths.isChanged(key, byBacklinks: links.column, in: context) {
                changed.append(columns.count + index)
            }
        }
        return (true, changed.isEmpty ? nil : .changed(changed))
    }

    func isLast(_ change: ObjectChanges) -> Bool {
        if case .deleted = change { true } else { false }
    }
}
