/// A predicate on the target row of a to-one link. A null link makes the rest of the path null.
///
/// A scan evaluates the rest of the path once on the whole target table; then it looks up each
/// row's link in the set of matching keys. For a few rows, or a much larger target table, each
/// row's link is followed instead.
final class LinkPredicate: CompiledPredicate {
    let column: ColumnID
    let target: CompiledPredicate
    /// The matching keys of the target; nil until first needed.
    private(set) var targetKeys: IntegerSet?
    private let source: TableSource
    /// Whether the result for a target depends on more than its row, so that it must be
    /// evaluated for each link.
    private let isCorrelated: Bool

    /// - Parameter matchesNull: Whether a null link matches; by default, the result of the
    ///   target's predicate for null.
    init(
        table: TableView, column: ColumnID, target: CompiledPredicate, source: TableSource,
        matchesNull: Bool? = nil, isCorrelated: Bool = false
    ) {
        self.isCorrelated = isCorrelated
        self.column = column
        self.target = target
        self.source = source
        super.init(table: table, rowCost: 3, matchesNull: matchesNull ?? target.matchesNull)
    }

    override func preparationCost(atMost limit: Double) throws(StorageError) -> Double? {
        if targetKeys != nil || matchesNull || isCorrelated { return nil }
        return try ScanPlan.cost(of: target, atMost: limit)
    }

    override func prepareAccess() throws(StorageError) { try findTargets() }

    override func prepare() throws(StorageError) {
        if targetKeys != nil { return }
        if isCorrelated || target.table.count > LinkPredicate.targetsWorthAScan * table.count {
            return try target.prepare()
        }
        try findTargets()
    }

    /// Evaluates the rest of the path on its whole table.
    func findTargets() throws(StorageError) {
        if targetKeys != nil || isCorrelated { return }
        let plan = try ScanPlan(target, in: target.table)
        targetKeys = IntegerSet(try plan.keys(ScanRun()))
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        guard let targetKeys else { return super.fill(mask, cluster, run) }
        let view = view(column, in: cluster)
        if view.encoding == .absent {
            Mask.fill(mask, count: cluster.count, with: matchesNull)
        } else if targetKeys.isEmpty {
            Mask.fill(mask, count: cluster.count, with: false)
        } else {
            targetKeys.fill(mask, view, cluster.count, run)
        }
        if let nulls = view.nulls {
            Bitmap.overlay(nulls, count: cluster.count, value: matchesNull, on: mask)
        }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        let view = view(column, in: cluster)
        if view.encoding == .absent || view.isNull(at: row) { return matchesNull }
        let key = view.integer(at: row)
        if let targetKeys { return targetKeys.contains(key) }
        // A dangling link matches nothing, here and in the set.
        guard let (cluster, row) = target.table.find(linked: key) else { return false }
        return target.matches(row, cluster, run)
    }

    override func access() -> AccessPath? {
        guard let targetKeys, !matchesNull, targetKeys.count <= LinkPredicate.mostTargets,
            table.index(of: column) != nil
        else { return nil }
        return .equal(column, targetKeys.values.map { .integer($0) })
    }

    /// A target table with this many times more rows than there are links is not scanned; the
    /// links are followed instead.
    static let targetsWorthAScan = 16
    /// With more targets than this, backlinks are not looked up target by target.
    static let mostTargets = 4096

    override var summary: String {
        let isCompound =
            target is ConjunctionPredicate || target is DisjunctionPredicate
            || target is NegationPredicate
        return "\(name(of: column))\(isCompound ? " → " : ".")\(target.summary)"
    }
}
