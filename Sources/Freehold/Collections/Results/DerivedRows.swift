import FreeholdStorage

/// The rows of a query, in order, without those left out by position or by value: the source of
/// `limit`, `offset` and `distinct`.
///
/// It is a source of its own, so every further operation works on exactly these rows.
final class DerivedRows: RowSource {
    enum Step: Sendable {
        /// The rows after the first `offset`, at most `limit` of them.
        case slice(offset: Int, limit: Int)
        /// The first row of each combination of values.
        case distinct([ScanPath])
    }

    /// The greatest number of steps on each other. As many fit a stack of 512 KiB in a debug
    /// build.
    static let maximumDepth = 64

    /// The class and source of the rows.
    private let reference: ClassReference
    private let rows: (any RowSource)?
    private let predicate: ScanPredicate
    private let sorts: [ScanSort]
    private let step: Step
    /// The number of steps. Each works on the rows of the step below, which it finds by
    /// recursion.
    private let depth: Int

    /// Traps if there are too many steps.
    init(_ state: ResultsState, _ step: Step) {
        reference = state.binding.reference
        rows = state.rows
        depth = ((rows as? DerivedRows)?.depth ?? 0) + 1
        if depth > Self.maximumDepth {
            misuse(
                """
                Too many steps: \(depth) of limit, offset and distinct(by:), each \
                on the result of the one before.
                """,
                remedy: """
                    At most \(Self.maximumDepth) may follow each other. Add the \
                    numbers up, or freeze the elements into an array.
                    """)
        }
        predicate = state.predicate
        sorts = state.sorts
        self.step = step
    }

    private init(
        _ other: DerivedRows, from rows: (any RowSource)?, _ predicate: ScanPredicate
    ) {
        (reference, sorts, step, depth) = (other.reference, other.sorts, other.step, other.depth)
        self.rows = rows
        self.predicate = predicate
    }

    func following(_ newKey: (Int64, TableID) -> Int64, in core: RealmCore) -> any RowSource {
        DerivedRows(
            self, from: rows?.following(newKey, in: core),
            predicate.mappingRows(newKey))
    }

    func keys(in core: RealmCore) throws(StorageError) -> ContiguousArray<Int64> {
        let table = core.table(of: core.binding(for: reference))
        let engine = ScanEngine(source: core.source)
        switch step {
        case .slice(let offset, let limit):
            let end = offset.addingReportingOverflow(limit)
            if rows == nil, !end.overflow {
                let keys = try engine.keys(
                    predicate, in: table, sortedBy: sorts, limit: end.partialValue)
                return offset == 0 ? keys : ContiguousArray(keys.dropFirst(offset))
            }
            return ContiguousArray(
                try allKeys(in: core, engine, table).dropFirst(offset).prefix(limit))
        case .distinct(let paths):
            // Nil means all rows of the table, for which no keys are needed.
            var keys: ContiguousArray<Int64>?
            if case .all = predicate, rows == nil, sorts.isEmpty {
            } else {
                keys = try allKeys(in: core, engine, table)
            }
            return try engine.distinct(keys, in: table, by: paths)
        }
    }

    private func allKeys(in core: RealmCore, _ engine: ScanEngine, _ table: TableView)
        throws(StorageError) -> ContiguousArray<Int64>
    { try ResultsState.evaluate(rows, predicate, sorts, in: core, engine, table) }

    func count(in core: RealmCore) throws(StorageError) -> Int? {
        guard case .slice(let offset, let limit) = step, case .all = predicate else { return nil }
        guard
            let count = try rows.map({ rows throws(StorageError) in try rows.count(in: core) })
                ?? core.table(of: core.binding(for: reference)).count
        else { return nil }
        return min(max(0, count - offset), limit)
    }

    func name(in core: RealmCore) -> String { core.binding(for: reference).schema.className }

    func plan(in core: RealmCore, running: Bool) throws(StorageError) -> QueryPlan {
        let planner = QueryPlanner(
            core: core, engine: ScanEngine(source: core.source),
            table: core.table(of: core.binding(for: reference)), running: running)
        let count = running ? try keys(in: core).count : nil
        return switch step {
        case .slice(let offset, let limit):
            try planner.slice(rows, predicate, sorts, offset: offset, limit: limit, count: count)
        case .distinct(let paths):
            try planner.distinct(rows, predicate, sorts, by: paths, count: count)
        }
    }
}

extension ResultsState {
    /// Returns the elements after the first `offset`, at most `limit` of them.
    func sliced(offset: Int, limit: Int) -> ResultsState {
        if values != nil { return following([.slice(offset: offset, limit: limit)]) }
        return derived(.slice(offset: offset, limit: limit))
    }

    /// Returns the first object of each combination of the values of some properties. Traps if
    /// one of them cannot be compared.
    func distinct(by keyPaths: some Sequence<String>) -> ResultsState {
        let keyPaths = Array(keyPaths)
        if keyPaths.isEmpty { return self }
        guard values != nil else { return derived(.distinct(keyPaths.map(sortPath))) }
        for keyPath in keyPaths where keyPath != "self" {
            refuse(keyPath, "arrays of '\(elementName)' can only be sorted on 'self'.")
        }
        return distinct
    }

    private func derived(_ step: DerivedRows.Step) -> ResultsState {
        ResultsState(core: core, binding: binding, from: DerivedRows(self, step))
    }
}
