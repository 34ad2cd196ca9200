/// Whether a boolean is one of the wanted values.
final class BooleanPredicate: ColumnPredicate {
    private let matchesTrue: Bool
    private let matchesFalse: Bool

    init(
        table: TableView, column: ColumnID, matchesTrue: Bool, matchesFalse: Bool, matchesNull: Bool
    ) {
        self.matchesTrue = matchesTrue
        self.matchesFalse = matchesFalse
        super.init(table: table, column: column, rowCost: 0.2, matchesNull: matchesNull)
    }

    override func fillValues(_ mask: MaskBytes, _ view: ColumnView, _ count: Int, _ run: ScanRun) {
        if view.encoding != .bits || matchesTrue == matchesFalse {
            Mask.fill(mask, count: count, with: view.encoding == .bits ? matchesTrue : matchesFalse)
        } else {
            Bitmap.expand(view.data, count: count, inverted: matchesFalse, into: mask)
        }
    }

    override func matchesValue(_ row: Int, _ view: ColumnView) -> Bool {
        view.boolean(at: row) ? matchesTrue : matchesFalse
    }

    override func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        let view = view(column, in: cluster)
        guard view.encoding == .bits, view.nulls == nil else { return super.count(cluster, run) }
        let trues = Bitmap.population(view.data, count: cluster.count)
        return (matchesTrue ? trues : 0) + (matchesFalse ? cluster.count - trues : 0)
    }

    override func access() -> AccessPath? {
        guard table.index(of: column) != nil else { return nil }
        return .equal(
            column,
            (matchesNull ? [.null] : []) + (matchesFalse ? [.boolean(false)] : [])
                + (matchesTrue ? [.boolean(true)] : []))
    }

    override var summary: String {
        let values =
            (matchesTrue ? ["true"] : []) + (matchesFalse ? ["false"] : [])
            + (matchesNull ? ["null"] : [])
        return "\(name(of: column)) in {\(values.joined(separator: ", "))}"
    }
}
