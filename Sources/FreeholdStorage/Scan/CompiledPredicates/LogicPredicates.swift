/// Matches if all of its operands do. Cheap operands come first; an operand whose cost grows
/// with the rows sees only the remaining rows.
final class ConjunctionPredicate: CompiledPredicate {
    let operands: [CompiledPredicate]

    init(table: TableView, operands: [CompiledPredicate]) {
        self.operands = operands.sorted { $0.rowCost < $1.rowCost }
        super.init(
            table: table, rowCost: operands.reduce(0) { $0 + $1.rowCost },
            matchesNull: operands.allSatisfy(\.matchesNull))
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let count = cluster.count
        guard let first = operands.first else { return Mask.fill(mask, count: count, with: true) }
        first.fill(mask, cluster, run)
        for operand in operands.dropFirst() {
            if Mask.isZero(mask, count: count) { return }
            ConjunctionPredicate.refine(mask, with: operand, cluster, run)
        }
    }

    /// Clears the rows that `compiled` does not match.
    ///
    /// - Parameter survivors: The number of rows in the mask, if known.
    static func refine(
        _ mask: MaskBytes, with compiled: CompiledPredicate, _ cluster: ClusterView, _ run: ScanRun,
        survivors: Int? = nil
    ) {
        let count = cluster.count
        // A cheap predicate finishes the cluster sooner than its survivors could be counted.
        if survivors != nil || compiled.rowCost >= 1,
            LogicCost.prefersRows(
                survivors ?? Mask.sum(mask, count: count), of: count, rowCost: compiled.rowCost)
        {
            var row = Mask.firstMatch(mask, from: 0, count: count)
            while row < count {
                if !compiled.matches(row, cluster, run) { mask[row] = 0 }
                row = Mask.firstMatch(mask, from: row &+ 1, count: count)
            }
            return
        }
        let other = run.borrowMask(for: count)
        defer { run.returnMask() }
        compiled.fill(other, cluster, run)
        Mask.and(mask, with: other, count: count)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        for operand in operands where !operand.matches(row, cluster, run) { return false }
        return true
    }

    override func prepare() throws(StorageError) {
        for operand in operands { try operand.prepare() }
    }

    /// The access path of one operand; candidates must be tested with the others. The planner
    /// itself chooses by estimates.
    override func access() -> AccessPath? {
        var best: AccessPath?
        for operand in operands {
            guard let access = operand.access() else { continue }
            if best == nil || access.isPoint { best = access }
            if access.isPoint { break }
        }
        return best.map { .superset($0) }
    }

    override var rowKeyInterval: ClosedRange<Int64>? {
        var lower = Int64.min
        var upper = Int64.max
        for operand in operands {
            guard let interval = operand.rowKeyInterval else { continue }
            lower = max(lower, interval.lowerBound)
            upper = min(upper, interval.upperBound)
        }
        if lower == .min && upper == .max { return nil }
        // The bounds exclude each other: any single key is a superset of no match.
        return lower <= upper ? lower...upper : lower...lower
    }

    override var summary: String { "(" + operands.map(\.summary).joined(separator: " and ") + ")" }
}

/// Matches if any of its operands does.
final class DisjunctionPredicate: CompiledPredicate {
    let operands: [CompiledPredicate]

    init(table: TableView, operands: [CompiledPredicate]) {
        self.operands = operands.sorted { $0.rowCost < $1.rowCost }
        super.init(
            table: table, rowCost: operands.reduce(0) { $0 + $1.rowCost },
            matchesNull: operands.contains(where: \.matchesNull))
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let count = cluster.count
        guard let first = operands.first else { return Mask.fill(mask, count: count, with: false) }
        first.fill(mask, cluster, run)
        for operand in operands.dropFirst() {
            if Mask.isAllOne(mask, count: count) { return }
            let other = run.borrowMask(for: count)
            defer { run.returnMask() }
            operand.fill(other, cluster, run)
            Mask.or(mask, with: other, count: count)
        }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        for operand in operands where operand.matches(row, cluster, run) { return true }
        return false
    }

    override func prepare() throws(StorageError) {
        for operand in operands { try operand.prepare() }
    }

    override func access() -> AccessPath? {
        var parts: [AccessPath] = []
        for operand in operands {
            guard let part = operand.access() else { return nil }
            parts.append(part)
        }
        return .union(parts)
    }

    override var summary: String { "(" + operands.map(\.summary).joined(separator: " or ") + ")" }
}

/// Matches if its operand does not.
final class NegationPredicate: CompiledPredicate {
    let operand: CompiledPredicate

    init(table: TableView, operand: CompiledPredicate) {
        self.operand = operand
        super.init(table: table, rowCost: operand.rowCost + 0.05, matchesNull: !operand.matchesNull)
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        operand.fill(mask, cluster, run)
        Mask.invert(mask, count: cluster.count)
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        !operand.matches(row, cluster, run)
    }

    override func count(_ cluster: ClusterView, _ run: ScanRun) -> Int {
        cluster.count - operand.count(cluster, run)
    }

    override func prepare() throws(StorageError) { try operand.prepare() }

    override var summary: String { "not " + operand.summary }
}

/// Decides whether to test rows one by one or the whole cluster.
enum LogicCost {
    /// The cost, in nanoseconds, of finding one row and calling the predicate for it, besides the
    /// test itself.
    private static let callCost = 12.0

    @inline(__always)
    static func prefersRows(_ rows: Int, of count: Int, rowCost: Double) -> Bool {
        Double(rows) * (callCost + rowCost) < Double(count) * rowCost
    }
}
