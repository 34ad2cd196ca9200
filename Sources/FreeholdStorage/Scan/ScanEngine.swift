/// Evaluates queries on a table's rows at one version: the matching rows, their number, their
/// order, and aggregates.
///
/// A query compiles its predicate for the table (`CompiledPredicates/`) and chooses a plan to
/// evaluate them (`Planner/`). It then runs them cluster by cluster over masks of one byte per
/// row (`Kernels/`). There are no allocations or calls per value. Hops to other rows and to
/// elements (`Hops/`) and computed values (`Operands/`) are evaluated row by row, unless the
/// result can be found for all rows at once.
///
/// Any thread may query a snapshot; only the one that runs the transaction may query a write
/// set.
package struct ScanEngine: Sendable {
    package let source: TableSource

    /// - Parameter source: The tables that the links of paths lead to.
    package init(source: TableSource) { self.source = source }

    /// The number of matching rows. At most O(rows); O(log rows) for a comparison with a single
    /// indexed value in a snapshot.
    package func count(_ predicate: ScanPredicate, in table: TableView) throws(StorageError) -> Int
    { try Self.count(predicate, in: table, source: source) }

    /// As ``count(_:in:)``, but evaluates the source only if needed.
    package static func count(
        _ predicate: ScanPredicate, in table: TableView, source: @autoclosure () -> TableSource
    ) throws(StorageError) -> Int {
        if let count = try directCount(predicate, in: table) { return count }
        return try ScanEngine(source: source()).plan(predicate, in: table).count(ScanRun())
    }

    /// The keys of the matching rows, ascending. At most O(rows); O(candidates) with an access
    /// path.
    package func keys(_ predicate: ScanPredicate, in table: TableView) throws(StorageError)
        -> ContiguousArray<Int64>
    { try plan(predicate, in: table).keys(ScanRun()) }

    /// The smallest key of a matching row, or nil. Stops at the first cluster that has one.
    package func firstKey(_ predicate: ScanPredicate, in table: TableView) throws(StorageError)
        -> Int64?
    { try plan(predicate, in: table).firstKey(ScanRun()) }

    /// Whether a row exists and matches. O(log clusters) for each link that is followed.
    package func matches(_ predicate: ScanPredicate, key: RowKey, in table: TableView) -> Bool {
        guard let (cluster, row) = table.locate(key) else { return false }
        return ScanCompiler(source: source).compile(predicate, in: table).matches(
            row, cluster, ScanRun())
    }

    /// Explains how the predicate is evaluated.
    ///
    /// - Parameter running: Whether to also evaluate it, for the actual number of rows.
    package func explain(_ predicate: ScanPredicate, in table: TableView, running: Bool = false)
        throws(StorageError) -> ScanExplanation
    { try plan(predicate, in: table).explanation(running: running) }

    /// Describes a predicate for people.
    package func summary(of predicate: ScanPredicate, in table: TableView) -> String {
        ScanCompiler(source: source).compile(predicate, in: table).summary
    }

    /// Describes a path by its names, for people.
    package func name(of path: ScanPath, in table: TableView) -> String {
        ValueReader(path, in: table, source: source)?.name ?? table.name(of: path.column)
    }

    func plan(_ predicate: ScanPredicate, in table: TableView) throws(StorageError) -> ScanPlan {
        try ScanPlan(ScanCompiler(source: source).compile(predicate, in: table), in: table)
    }

    /// Answers the most common queries without compiling: one value of an index, one row by its
    /// key.
    package static func directCount(_ predicate: ScanPredicate, in table: TableView)
        throws(StorageError) -> Int?
    {
        guard case .compare(let path, .equal, let value) = predicate, path.links.isEmpty,
            let type = table.type(of: path.column)
        else { return nil }
        switch (type, value) {
        case (.integer, .integer(let integer)) where table.isRowKey(path.column):
            return table.contains(RowKey(rawValue: integer)) ? 1 : 0
        case (.integer, .integer), (.boolean, .boolean), (.text, .text), (.bytes, .bytes),
            (_, .fixed), (.link, .link):
            if case .fixed(let fixed) = value, fixed.kind != type { return nil }
            if table.isDirty { return nil }
            if case .text(let text) = value,
                let count = try table.indexedCount(of: path.column, equalToPlain: text)
            {
                return count
            }
            guard let index = table.index(of: path.column) else { return nil }
            let key = value.indexKey
            return key.isExact ? try index.count(equalTo: key) : nil
        default: return nil
        }
    }
}
