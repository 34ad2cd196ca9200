import FreeholdStorage

/// The objects of a query or another row source: all objects of a class, filtered, sorted,
/// distinct, limited, linking.
struct QuerySubject: ObservedSubject {
    let reference: ClassReference
    private var rows: (any RowSource)?
    private var predicate: ScanPredicate
    private let sorts: [ScanSort]
    /// The parts of an object whose changes count.
    private let paths: SharedPaths
    let tables: Set<TableID>
    /// The tables that decide which objects are in the collection, and their order.
    private let decisive: Set<TableID>

    /// Whether an object can occur several times in the collection.
    var mayRepeat: Bool { rows != nil }

    /// The contents of the collection.
    enum State: Sendable {
        /// All rows of the table, which the version knows.
        case table
        case keys(ContiguousArray<Int64>)
        /// Keys that a draft's rows got later, in the order in which the observer knows the rows.
        /// The order of their keys may be another one.
        case moved(ContiguousArray<Int64>)
    }

    init(_ state: ResultsState, _ paths: ObservedPaths) {
        reference = state.binding.reference
        rows = state.rows
        predicate = state.predicate
        sorts = state.sorts
        self.paths = SharedPaths(paths)
        let table = state.binding.table
        let isSimple =
            state.rows == nil && state.predicate.staysInTable
            && state.sorts.allSatisfy { $0.path.links.isEmpty }
        decisive = isSimple ? [table] : state.core.schema.tablesReachable(from: table)
        tables = decisive.union(self.paths.tables)
    }

    private func query(in core: RealmCore) -> ResultsState {
        ResultsState(
            core: core, binding: core.binding(for: reference), from: rows, predicate: predicate,
            sorts: sorts)
    }

    func state(in core: RealmCore) -> State {
        let query = query(in: core)
        return query.isWholeTable ? .table : .keys(query.keys())
    }

    mutating func follow(_ moves: ArraySlice<RowMove>, in core: RealmCore) {
        rows = rows?.following(moves.key, in: core)
        predicate = predicate.mappingRows(moves.key)
    }

    func state(_ state: State, following moves: ArraySlice<RowMove>, in old: RealmCore) -> State? {
        let table = old.binding(for: reference).table
        if moves.allSatisfy({ $0.keys[table]?.isEmpty ?? true }) { return state }
        let keys =
            switch state {
            case .table: query(in: old).keys()
            case .keys(let keys), .moved(let keys): keys
            }
        return .moved(ContiguousArray(keys.map { moves.key($0, in: table) }))
    }

    func change(from state: State, in context: ChangeContext) -> (
        state: State, change: CollectionChanges?
    ) {
        let changes =
            switch state {
            case .table: tableChanges(context)
            case .keys(let old): keyChanges(old, context, ascends: rows == nil && sorts.isEmpty)
            case .moved(let old): keyChanges(old, context, ascends: false)
            }
        return (changes.state, changes.changes.isEmpty ? nil : changes.changes)
    }

    private func tableChanges(_ context: ChangeContext) -> (
        state: State, changes: CollectionChanges
    ) {
        let (old, new) = (query(in: context.old).table, query(in: context.new).table)
        let difference = context.difference.changes(of: old.id)
        func positions(_ keys: ContiguousArray<Int64>, in table: TableView) -> ContiguousArray<Int>
        { ContiguousArray(keys.lazy.compactMap { table.position(of: RowKey(rawValue: $0)) }) }
        var changes = CollectionChanges()
        changes.deletions = positions(difference.deletions, in: old)
        changes.insertions = positions(difference.insertions, in: new)
        changes.modifications = positions(paths.changedRows(in: context), in: old)
        return (.table, changes)
    }

    private func keyChanges(
        _ old: ContiguousArray<Int64>, _ context: ChangeContext, ascends: Bool
    ) -> (state: State, changes: CollectionChanges) {
        let new =
            decisive.isDisjoint(with: context.difference.changedTables)
            ? old : query(in: context.new).keys()
        let difference =
            ascends
            ? SequenceDifference(fromAscending: old, to: new)
            : SequenceDifference(from: old, to: new)
        return (
            query(in: context.new).isWholeTable ? .table : .keys(new),
            CollectionChanges(
                difference, of: old, modified: paths.changedRows(among: old, in: context))
        )
    }
}

extension BoundSchema {
    /// The tables that can be reached from one through links in either direction, at any
    /// distance.
    func tablesReachable(from table: TableID) -> Set<TableID> {
        // In both directions, so that all connected tables have the same set.
        var neighbours: [TableID: Set<TableID>] = [:]
        for bound in classes {
            for property in bound.schema.properties {
                let targets =
                    property.objectType.map { type in self[type].map { [$0] } ?? [] }
                    ?? (property.type == .any ? classes : [])
                for target in targets {
                    neighbours[bound.table, default: []].insert(target.table)
                    neighbours[target.table, default: []].insert(bound.table)
                }
            }
        }
        var found: Set<TableID> = [table]
        var open = [table]
        while let next = open.popLast() {
            for neighbour in neighbours[next] ?? [] where found.insert(neighbour).inserted {
                open.append(neighbour)
            }
        }
        return found
    }
}
