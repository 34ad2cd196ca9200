/// The evaluation of a compiled predicate on its table: a scan of some or all clusters, or
/// candidates from an access path.
///
/// Costs are rough, in nanoseconds, and only compared with each other. A conjunction starts
/// from the operand with the cheapest candidates; its other operands are tested on these. Index
/// estimates stop at the number of candidates above which the index would not be chosen.
struct ScanPlan {
    let compiled: CompiledPredicate
    let table: TableView
    /// The clusters that may contain matches. Needs the directory, which a plan with an access
    /// path does not.
    var clusters: Range<Int> { ScanPlan.clusters(of: compiled.rowKeyInterval, in: table) }
    /// The access path to the candidates; nil for a scan.
    let access: AccessPath?
    /// The remaining condition for a candidate; nil if all candidates match.
    let rest: CompiledPredicate?

    /// The estimated cost in nanoseconds.
    let cost: Double

    /// The estimated number of candidates; for a scan, of rows.
    let estimatedRows: Int
    /// Whether `estimatedRows` is the exact number.
    let isExactEstimate: Bool

    private static let lookupCost = 400.0
    /// Cheaper work is done without further planning.
    private static let worthPreparing = 5_000.0
    /// The cost of counting a row in an index.
    static let countCost = 2.0
    /// The cost of reading a key from an index.
    private static let keyCost = 15.0
    /// The cost of finding the row of a key and testing it.
    private static let rowCost = 130.0

    init(_ compiled: CompiledPredicate, in table: TableView) throws(StorageError) {
        self.compiled = compiled
        self.table = table
        let rows = ScanPlan.rowCount(of: compiled.rowKeyInterval, in: table)
        var bestCost = rows * (compiled.rowCost + 0.15)
        var best: (access: AccessPath, operand: Int?)?
        var candidates = Int(rows)
        var isCounted = false
        let operands = (compiled as? ConjunctionPredicate)?.operands

        func consider(_ access: AccessPath, _ operand: Int?) throws(StorageError) {
            let isTested =
                operand != nil || !access.isExact || !access.usesIndexesOnly || table.isDirty
            let each = isTested ? ScanPlan.rowCost : ScanPlan.keyCost
            let lookups = Double(access.lookupCount) * ScanPlan.lookupCost
            if lookups >= bestCost { return }
            let limit = Int(min(bestCost / each, 1e9)) + 1
            let estimate = try access.estimate(in: table, limit: limit)
            let cost = lookups + Double(estimate) * each
            if cost < bestCost {
                bestCost = cost
                candidates = estimate
                // A range is counted to its end, unless that is too far.
                if case .range = access { isCounted = estimate < limit } else { isCounted = false }
                best = (access, operand)
            }
        }

        if let operands {
            for (index, operand) in operands.enumerated() {
                if let access = operand.access() { try consider(access, index) }
            }
        } else if let access = compiled.access() {
            try consider(access, nil)
        }
        // A scan must evaluate a link's target first anyway. So the target is evaluated
        // whenever backlinks could pay off even with that cost.
        for (index, operand) in (operands ?? [compiled]).enumerated()
        where bestCost > ScanPlan.worthPreparing {
            guard let cost = try operand.preparationCost(atMost: bestCost), cost < bestCost else {
                continue
            }
            try operand.prepareAccess()
            if let access = operand.access() { try consider(access, operands == nil ? nil : index) }
        }
        cost = bestCost
        estimatedRows = candidates
        isExactEstimate = isCounted

        access = best?.access
        guard let best else {
            rest = compiled
            return
        }
        if !best.access.isExact {
            rest = compiled
        } else if let operands, let chosen = best.operand {
            var others = operands
            others.remove(at: chosen)
            rest =
                others.count == 1 ? others[0] : ConjunctionPredicate(table: table, operands: others)
        } else {
            rest = nil
        }
    }

    /// The estimated cost, in nanoseconds, of finding the matching rows; nil if it exceeds
    /// `limit`. Prepares nothing.
    static func cost(of compiled: CompiledPredicate, atMost limit: Double) throws(StorageError)
        -> Double?
    {
        let table = compiled.table
        let scan = Double(table.count) * (compiled.rowCost + 0.2)
        if scan < limit { return scan }
        for operand in (compiled as? ConjunctionPredicate)?.operands ?? [compiled] {
            guard let access = operand.access() else { continue }
            let lookups = Double(access.lookupCount) * lookupCost
            if lookups >= limit { continue }
            let most = Int(min((limit - lookups) / rowCost, 1e9)) + 1
            let cost = lookups + Double(try access.estimate(in: table, limit: most)) * rowCost
            if cost < limit { return cost }
        }
        return nil
    }

    /// An estimate of the rows in the clusters that cover an interval of row keys.
    private static func rowCount(of interval: ClosedRange<Int64>?, in table: TableView) -> Double {
        guard let interval else { return Double(table.count) }
        let width = UInt64(bitPattern: interval.upperBound &- interval.lowerBound)
        if width < narrowInterval, !table.hasDirectory {
            // A few clusters: no reason to read the directory.
            return min(Double(table.count), Double(narrowInterval))
        }
        let count = table.clusterCount
        if count == 0 { return 0 }
        let covered = clusters(of: interval, in: table).count
        return Double(table.count) * Double(covered) / Double(count)
    }

    /// Intervals with fewer keys lie in one or two clusters.
    private static let narrowInterval: UInt64 = 500

    /// The clusters that cover an interval of row keys.
    private static func clusters(of interval: ClosedRange<Int64>?, in table: TableView) -> Range<
        Int
    > {
        let all = 0..<table.clusterCount
        guard let interval else { return all }
        let first = table.directory.clusterIndex(covering: interval.lowerBound) ?? 0
        guard let last = table.directory.clusterIndex(covering: interval.upperBound) else {
            return 0..<0
        }
        return first..<max(first, last + 1)
    }
}
