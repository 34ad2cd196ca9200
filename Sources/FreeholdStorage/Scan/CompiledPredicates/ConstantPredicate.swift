/// Matches every row, or none.
final class ConstantPredicate: CompiledPredicate {
    let value: Bool

    init(table: TableView, value: Bool) {
        self.value = value
        super.init(table: table, rowCost: 0.02, matchesNull: value)
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        Mask.fill(mask, count: cluster.count, with: value)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool { value }

    override func count(_ cluster: ClusterView, _ run: ScanRun) -> Int { value ? cluster.count : 0 }

    override func access() -> AccessPath? { value ? nil : .rowKeys([]) }

    override var summary: String { value ? "all" : "none" }
}

/// Whether a column is null, or is not null.
final class NullPredicate: CompiledPredicate {
    let column: ColumnID

    init(table: TableView, column: ColumnID, matchesNull: Bool) {
        self.column = column
        super.init(table: table, rowCost: 0.2, matchesNull: matchesNull)
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let view = view(column, in: cluster)
        if let nulls = view.nulls {
            Bitmap.expand(nulls, count: cluster.count, inverted: !matchesNull, into: mask)
        } else {
            Mask.fill(
                mask, count: cluster.count,
                with: (view.encoding == .absent && view.isNullable) == matchesNull)
        }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        view(column, in: cluster).isNull(at: row) == matchesNull
    }

    override func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        let view = view(column, in: cluster)
        let nulls: Int
        if let bitmap = view.nulls {
            nulls = Bitmap.population(bitmap, count: cluster.count)
        } else {
            nulls = view.encoding == .absent && view.isNullable ? cluster.count : 0
        }
        return matchesNull ? nulls : cluster.count - nulls
    }

    override func access() -> AccessPath? {
        matchesNull && !table.isRowKey(column) && table.index(of: column) != nil
            && table.definition[column]?.countsBacklinks != true ? .equal(column, [.null]) : nil
    }

    override var summary: String { "\(name(of: column)) \(matchesNull ? "==" : "!=") null" }
}
