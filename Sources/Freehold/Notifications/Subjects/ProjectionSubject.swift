import FreeholdStorage

/// An object as seen through a projection.
struct ProjectionSubject: ObservedSubject {
    private let table: TableID
    private var key: Int64
    /// The paths that each projected property's value depends on, by the property's index.
    private let properties: [(index: Int, paths: SharedPaths)]
    let tables: Set<TableID>

    /// Whether the object existed.
    typealias State = Bool

    /// - Parameter keyPaths: Key paths in the object's class, each with the index of its
    ///   projected property. Traps if one names no property.
    init(_ object: ObjectBase, _ binding: ClassBinding, _ keyPaths: [(index: Int, keyPath: String)])
    {
        table = binding.table
        key = object.key
        properties = Dictionary(grouping: keyPaths, by: \.index).sorted { $0.key < $1.key }.map {
            index, keyPaths in
            (index, SharedPaths(ObservedPaths(keyPaths.map(\.keyPath), of: binding)))
        }
        tables = properties.reduce(into: [binding.table]) { $0.formUnion($1.paths.tables) }
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        key = moves.key(key, in: table)
    }

    func state(in core: RealmCore) -> Bool {
        core.source.table(table).contains(RowKey(rawValue: key))
    }

    func change(from state: Bool, in context: ChangeContext) -> (
        state: Bool, change: ObjectChanges?
    ) {
        guard state else { return (false, nil) }
        if context.difference.changes(of: table).deletions.containsSorted(key) {
            return (false, .deleted)
        }
        let changed = properties.filter { $0.paths.isChanged(key, in: context) }.map(\.index)
        return (true, changed.isEmpty ? nil : .changed(changed))
    }

    func isLast(_ change: ObjectChanges) -> Bool {
        if case .deleted = change { true } else { false }
    }
}
