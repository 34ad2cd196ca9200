import FreeholdStorage

extension ResultsState {
    /// Returns how the collection is evaluated.
    func plan(running: Bool) -> QueryPlan {
        ask(QueryPlan(.scan, "unknown: the file is damaged")) {
            engine, table throws(StorageError) in
            try QueryPlanner(core: core, engine: engine, table: table, running: running).plan(
                rows, predicate, sorts)
        }
    }
}

/// Describes the evaluation that ``ResultsState/evaluate(_:_:_:in:_:_:)`` and ``DerivedRows``
/// perform.
struct QueryPlanner {
    let core: RealmCore
    let engine: ScanEngine
    let table: TableView
    let running: Bool

    /// Plans all rows that match, in an order.
    func plan(_ rows: (any RowSource)?, _ predicate: ScanPredicate, _ sorts: [ScanSort])
        throws(StorageError) -> QueryPlan
    {
        let matching = try matching(rows, predicate)
        return sorts.isEmpty ? matching : sorted(matching, sorts)
    }

    /// Plans the matching rows of a source or of the table.
    private func matching(_ rows: (any RowSource)?, _ predicate: ScanPredicate) throws(StorageError)
        -> QueryPlan
    {
        guard let rows else { return try found(predicate) }
        let source = try rows.plan(in: core, running: running)
        if case .all = predicate { return source }
        let tested = engine.summary(of: predicate, in: table)
        let count =
            running ? engine.keys(predicate, among: try rows.keys(in: core), in: table).count : nil
        return QueryPlan(.filter, "filter \(tested)", count: count, on: [source])
    }

    private func found(_ predicate: ScanPredicate) throws(StorageError) -> QueryPlan {
        let explanation = try engine.explain(predicate, in: table, running: running)
        let access = QueryPlan(
            explanation.access, isDirty: explanation.isDirty,
            count: explanation.rest == nil ? explanation.matchingRows : nil)
        guard let rest = explanation.rest else { return access }
        return QueryPlan(.filter, "filter \(rest)", count: explanation.matchingRows, on: [access])
    }

    private func sorted(_ input: QueryPlan, _ sorts: [ScanSort]) -> QueryPlan {
        let criteria = sorts.map { sort in
            let order = """
                \(engine.name(of: sort.path, in: table)) \
                \(sort.ascending ? "ascending" : "descending")
                """
            if sort.path.links.isEmpty || sort.nullLinks == .areNulls { return order }
            return "\(order) (nil links \(sort.ascending ? "last" : "first"))"
        }
        return QueryPlan(
            .sort, "sort by \(criteria.joined(separator: ", "))", count: input.count, on: [input])
    }

    /// Plans the rows after the first `offset`, at most `limit` of them.
    func slice(
        _ rows: (any RowSource)?, _ predicate: ScanPredicate, _ sorts: [ScanSort], offset: Int,
        limit: Int, count: Int?
    ) throws(StorageError) -> QueryPlan {
        QueryPlan(
            .slice, QueryPlan.sliceText(offset: offset, limit: limit), count: count,
            on: [try sliced(rows, predicate, sorts, offset: offset, limit: limit)])
    }

    private func sliced(
        _ rows: (any RowSource)?, _ predicate: ScanPredicate, _ sorts: [ScanSort], offset: Int,
        limit: Int
    ) throws(StorageError) -> QueryPlan {
        let end = offset.addingReportingOverflow(limit)
        guard rows == nil, !end.overflow, let first = sorts.first else {
            return try plan(rows, predicate, sorts)
        }
        let order = first.ascending ? "ascending" : "descending"
        switch try engine.explainOrder(
            predicate, in: table, sortedBy: sorts, limit: end.partialValue, running: running)
        {
        case .table: return try matching(nil, predicate)
        case .tableReversed:
            return QueryPlan(
                .sort, "from the last row to the first", on: [try matching(nil, predicate)])
        case .sort: return try plan(nil, predicate, sorts)
        case .index(let name):
            let index = QueryPlan(
                .index, "index \(name) in \(order) order, until there are enough rows")
            if case .all = predicate { return index }
            return QueryPlan(
                .filter, "filter \(engine.summary(of: predicate, in: table))", on: [index])
        }
    }

    /// Plans the first row of each combination of values.
    func distinct(
        _ rows: (any RowSource)?, _ predicate: ScanPredicate, _ sorts: [ScanSort],
        by paths: [ScanPath], count: Int?
    ) throws(StorageError) -> QueryPlan {
        let names = paths.map { path in
            engine.name(of: path, in: table) + (path.links.isEmpty ? "" : " (without nil links)")
        }.joined(separator: ", ")
        return QueryPlan(
            .distinct, "distinct by \(names)", count: count, on: [try plan(rows, predicate, sorts)])
    }
}

extension QueryPlan {
    /// - Parameter count: The number of result rows, if the access path finds exactly those; nil
    ///   if it finds candidates, which were counted.
    fileprivate init(_ access: ScanExplanation.Access, isDirty: Bool, count: Int?) {
        let operation: Operation =
            switch access.kind {
            case .scan: .scan
            case .rowKeys: .keys
            case .index: .index
            case .backlinks: .backlinks
            case .fullText: .fullText
            case .union: .union
            }
        let text = operation == .union ? "union" : access.text
        self.init(
            operation, isDirty ? "\(text), and what the transaction changed" : text,
            estimatedCount: access.estimatedRows, count: count ?? access.foundRows,
            on: access.parts.map { QueryPlan($0, isDirty: false, count: nil) })
    }

    static func sliceText(offset: Int, limit: Int) -> String {
        [offset == 0 ? nil : "offset \(offset)", limit == .max ? nil : "limit \(limit)"].compactMap(
            \.self
        ).joined(separator: ", ")
    }
}

extension ClassBinding {
    /// Returns the name of a column of the class, for messages: "Person.dogs".
    func name(of column: ColumnID) -> String {
        columns.firstIndex(of: column).map { "\(schema.className).\(schema.properties[$0].name)" }
            ?? schema.className
    }
}
