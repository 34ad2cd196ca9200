/// How a term is evaluated on its table: by a scan of some or all clusters, or by candidates that an index finds.
///
/// Costs are rough, in nanoseconds, and only compared with each other. A conjunction starts from the operand whose
/// candidates cost least; its other operands are tested on the candidates. Estimates of an index stop at the number of
/// candidates above which it would not be chosen.
struct ScanPlan {
    let term: ScanTerm
    let table: TableView
    /// The clusters that matches can be in.
    let clusters: Range<Int>
    /// What finds the candidates; nil for a scan.
    let access: ScanAccess?
    /// What a candidate must also satisfy; nil where candidates are matches as they are.
    let rest: ScanTerm?

    private static let lookupCost = 400.0
    /// To take a key from an index.
    private static let keyCost = 15.0
    /// To find the row of a key and test it.
    private static let rowCost = 130.0

    init(_ term: ScanTerm, in table: TableView) throws(StorageError) {
        self.term = term
        self.table = table
        let clusters = ScanPlan.clusters(of: term.rowKeyInterval, in: table)
        self.clusters = clusters

        let rows = table.clusterCount == 0 ? 0 : Double(table.count) * Double(clusters.count) / Double(table.clusterCount)
        var bestCost = rows * (term.rowCost + 0.15)
        var best: (access: ScanAccess, operand: Int?)?
        let operands = (term as? ConjunctionTerm)?.operands

        func consider(_ access: ScanAccess, _ operand: Int?) throws(StorageError) {
            let isTested = operand != nil || !access.isExact || !access.usesIndexesOnly || table.isTouched
            let each = isTested ? ScanPlan.rowCost : ScanPlan.keyCost
            let lookups = Double(access.lookupCount) * ScanPlan.lookupCost
            if lookups >= bestCost { return }
            let limit = Int(min(bestCost / each, 1e9)) + 1
            let cost = lookups + Double(try access.estimate(in: table, limit: limit)) * each
            if cost < bestCost {
                bestCost = cost
                best = (access, operand)
            }
        }

        if let operands {
            for (index, operand) in operands.enumerated() {
                if let access = operand.access() { try consider(access, index) }
            }
        } else if let access = term.access() {
            try consider(access, nil)
        }
        // Links: whoever scans must evaluate the target first, so evaluate it where even then backlinks could pay.
        for (index, operand) in (operands ?? [term]).enumerated() {
            guard let link = operand as? LinkTerm, !link.matchesNull, link.targetKeys == nil, link.preparationCost < bestCost,
                  link.target.table.count <= LinkTerm.targetsWorthAScan * table.count
            else { continue }
            try link.findTargets()
            if let access = link.access() { try consider(access, operands == nil ? nil : index) }
        }

        access = best?.access
        guard let best else {
            rest = term
            return
        }
        if !best.access.isExact {
            rest = term
        } else if let operands, let chosen = best.operand {
            var others = operands
            others.remove(at: chosen)
            rest = others.count == 1 ? others[0] : ConjunctionTerm(table: table, operands: others)
        } else {
            rest = nil
        }
    }

    /// The clusters that cover an interval of row keys.
    private static func clusters(of interval: ClosedRange<Int64>?, in table: TableView) -> Range<Int> {
        let all = 0..<table.clusterCount
        guard let interval else { return all }
        let first = table.directory.clusterIndex(covering: interval.lowerBound) ?? 0
        guard let last = table.directory.clusterIndex(covering: interval.upperBound) else { return 0..<0 }
        return first..<max(first, last + 1)
    }

    /// Whether the candidates' keys are the answer, without a look at the rows.
    private var keysAreAnswer: Bool {
        guard let access else { return false }
        return rest == nil && access.usesIndexesOnly && !table.isTouched
    }

    /// The candidates in ascending order, each once.
    private func candidates(_ access: ScanAccess) throws(StorageError) -> ContiguousArray<Int64> {
        var list: [Int64] = []
        try access.appendKeys(in: table, to: &list)
        var keys = ContiguousArray(list)
        keys.sortAndRemoveDuplicates()
        return keys
    }

    // MARK: Answers

    /// How many rows match.
    func count(_ run: ScanRun) throws(StorageError) -> Int {
        if keysAreAnswer, let access {
            if let count = try access.directCount(in: table) { return count }
            return try candidates(access).count
        }
        if access == nil {
            if let constant = term as? ConstantTerm { return constant.value ? table.count : 0 }
            try term.prepare()
            var total = 0
            for index in clusters { total &+= term.count(table.cluster(at: index), run) }
            return total
        }
        var total = 0
        try visit(run) { cluster, mask in
            total &+= mask.map { Mask.sum($0, count: cluster.count) } ?? cluster.count
            return true
        }
        return total
    }

    /// The keys of the rows that match, ascending.
    func keys(_ run: ScanRun) throws(StorageError) -> ContiguousArray<Int64> {
        if keysAreAnswer, let access { return try candidates(access) }
        var keys: ContiguousArray<Int64> = []
        if let constant = term as? ConstantTerm, constant.value { keys.reserveCapacity(table.count) }
        try visit(run) { cluster, mask in
            keys.appendKeys(of: cluster, where: mask)
            return true
        }
        return keys
    }

    /// The smallest key of a row that matches.
    func firstKey(_ run: ScanRun) throws(StorageError) -> Int64? {
        if keysAreAnswer, let access { return try candidates(access).first }
        var first: Int64?
        try visit(run) { cluster, mask in
            let row = mask.map { Mask.firstMatch($0, from: 0, count: cluster.count) } ?? 0
            if row < cluster.count { first = cluster.key(at: row).rawValue }
            return first == nil
        }
        return first
    }

    // MARK: Visits

    /// Calls `body` with each cluster that has matches, in ascending order, and their mask; without a mask where every row
    /// matches. Some clusters without a match are visited too. Ends when `body` returns false.
    func visit(_ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) throws(StorageError) {
        guard let access else { return try visitAll(run, body) }
        let keys = try candidates(access)
        if let rest, keys.count > table.count / 8 { try rest.prepare() }
        if table.isTouched && !access.isCurrent {
            // The indexes do not know the touched clusters: those are scanned, and the candidates in them skipped.
            try term.prepare()
            visitWithTouched(keys, run, body)
        } else {
            visit(candidates: keys, run, body)
        }
    }

    private func visitAll(_ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) throws(StorageError) {
        if let constant = term as? ConstantTerm {
            if !constant.value { return }
            for index in clusters where !body(table.cluster(at: index), nil) { return }
            return
        }
        try term.prepare()
        for index in clusters where !scan(index, run, body) { return }
    }

    private func scan(_ index: Int, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) -> Bool {
        let cluster = table.cluster(at: index)
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        term.fill(mask, cluster, run)
        return body(cluster, mask)
    }

    private func visit(candidates keys: ContiguousArray<Int64>, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) {
        let firstKeys = table.directory.firstKeys
        var position = 0
        while position < keys.count {
            guard let index = table.directory.clusterIndex(covering: keys[position]) else {
                position += 1
                continue
            }
            let end = ScanPlan.end(of: index, firstKeys, keys, from: position)
            if !test(keys[position..<end], index, run, body) { return }
            position = end
        }
    }

    private func visitWithTouched(_ keys: ContiguousArray<Int64>, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) {
        let firstKeys = table.directory.firstKeys
        var position = 0
        for index in 0..<table.clusterCount {
            let end = ScanPlan.end(of: index, firstKeys, keys, from: position)
            defer { position = end }
            if table.isTouched(clusterAt: index) {
                if clusters.contains(index), !scan(index, run, body) { return }
            } else if position < end, !test(keys[position..<end], index, run, body) {
                return
            }
        }
    }

    /// Where the keys that belong to a cluster end.
    private static func end(of cluster: Int, _ firstKeys: ContiguousArray<Int64>, _ keys: ContiguousArray<Int64>, from start: Int) -> Int {
        if cluster + 1 == firstKeys.count { return keys.count }
        let limit = firstKeys[cluster + 1]
        var end = start
        while end < keys.count && keys[end] < limit { end &+= 1 }
        return end
    }

    /// Tests the candidates of one cluster.
    private func test(_ keys: ArraySlice<Int64>, _ index: Int, _ run: ScanRun, _ body: (ClusterView, MaskBytes?) -> Bool) -> Bool {
        let cluster = table.cluster(at: index)
        let mask = run.borrowMask(for: cluster.count)
        defer { run.returnMask() }
        Mask.fill(mask, count: cluster.count, with: false)
        var found = 0
        for key in keys {
            guard let row = cluster.row(of: key) else { continue }
            mask[row] = 1
            found += 1
        }
        if found == 0 { return true }
        if let rest { ConjunctionTerm.refine(mask, with: rest, cluster, run, survivors: found) }
        return body(cluster, mask)
    }

    /// One line for people.
    var summary: String {
        guard let access else {
            return "scan \(clusters.count) of \(table.clusterCount) clusters of \(table.definition.name): \(term.summary)"
        }
        return access.summary(in: table) + (rest.map { ", then test " + $0.summary } ?? "")
    }
}

extension ContiguousArray<Int64> {
    /// Appends the keys of a cluster's rows; of those that a mask has, if there is one.
    mutating func appendKeys(of cluster: ClusterView, where mask: MaskBytes?) {
        let view = cluster.columns[0]
        let count = cluster.count
        guard let mask else {
            for row in 0..<count { append(view.integer(at: row)) }
            return
        }
        var row = Mask.firstMatch(mask, from: 0, count: count)
        while row < count {
            append(view.integer(at: row))
            row &+= 1
            if row < count && mask[row] == 0 { row = Mask.firstMatch(mask, from: row, count: count) }
        }
    }
}
