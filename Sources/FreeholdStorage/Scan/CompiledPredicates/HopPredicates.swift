/// Whether any element of a collection, or its target row, satisfies a predicate.
///
/// For collections of links, a scan first evaluates the predicate once on the whole target
/// table, as in ``LinkPredicate``; then it looks up each element in the set of keys. Small
/// collections are read in place, in their rows' cells.
final class CollectionPredicate: CompiledPredicate {
    private let hop: CollectionHop
    /// The predicate for the hop's space.
    private let element: CompiledPredicate
    /// A leaf with more elements than this is tested like a cluster.
    private static let mostSingleElements = 48

    init(_ hop: CollectionHop, _ element: CompiledPredicate) {
        self.hop = hop
        self.element = element
        super.init(
            table: hop.table,
            rowCost: 25 + Double(CollectionTable.expectedElements) * (element.rowCost + 6),
            matchesNull: false)
    }

    override func prepare() throws(StorageError) { try element.prepare() }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        let count = cluster.count
        if !table.hasChangedElements, cluster.columnView(hop.column).encoding == .absent {
            return Mask.fill(mask, count: count, with: false)
        }
        if let targets = (element as? LinkPredicate)?.targetKeys {
            if targets.isEmpty { return Mask.fill(mask, count: count, with: false) }
            for row in 0..<count {
                var isFound = false
                hop.forEachLeaf(row, cluster) { leaf in
                    isFound = targets.containsAny(of: leaf.values, leaf.count)
                    return !isFound
                }
                mask[row] = Mask.byte(isFound)
            }
            return
        }
        if let compiled = element as? ColumnPredicate, compiled.column == CollectionTable.element {
            for row in 0..<count {
                var isFound = false
                hop.forEachLeaf(row, cluster) { leaf in
                    var element = 0
                    while element < leaf.count, !isFound {
                        isFound =
                            leaf.values.isNull(at: element)
                            ? compiled.matchesNull : compiled.matchesValue(element, leaf.values)
                        element &+= 1
                    }
                    return !isFound
                }
                mask[row] = Mask.byte(isFound)
            }
            return
        }
        for row in 0..<count { mask[row] = Mask.byte(matches(row, cluster, run)) }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        var isFound = false
        hop.visit(row, cluster, run) { leaf, rows, _ in
            if rows.count > CollectionPredicate.mostSingleElements {
                let mask = run.borrowMask(for: rows.count)
                defer { run.returnMask() }
                element.fill(mask, leaf, run)
                isFound = !Mask.isZero(mask, count: rows.count)
            } else {
                for row in rows where element.matches(row, leaf, run) {
                    isFound = true
                    break
                }
            }
            return !isFound
        }
        return isFound
    }

    // MARK: By backlinks

    override func preparationCost(atMost limit: Double) throws(StorageError) -> Double? {
        guard hop.leadsToRows, let link = element as? LinkPredicate, !link.matchesNull else {
            return nil
        }
        return try link.preparationCost(atMost: limit)
    }

    override func prepareAccess() throws(StorageError) {
        try (element as? LinkPredicate)?.findTargets()
    }

    override func access() -> AccessPath? {
        guard hop.leadsToRows, let targets = (element as? LinkPredicate)?.targetKeys,
            targets.count <= LinkPredicate.mostTargets,
            let target = table.definition[hop.column]?.target, table.index(of: hop.column) != nil
        else { return nil }
        return .backlinks(hop.column, target, targets.values)
    }

    override var summary: String { "any of \(hop.name): \(element.summary)" }
}

/// Whether any row that links to a row satisfies a predicate.
///
/// A scan first finds the rows that satisfy the predicate, then their targets. For a few rows,
/// or if there are many more possible linking rows, the index finds the backlinks of each row.
final class BacklinksPredicate: CompiledPredicate {
    private let hop: BacklinksHop
    private let origin: CompiledPredicate
    /// The targets of rows that satisfy the predicate; nil until first needed.
    private var linked: IntegerSet?
    /// Whether the predicate depends on more than its row, so that it must be evaluated for each
    /// link.
    private let isCorrelated: Bool

    init(_ hop: BacklinksHop, _ origin: CompiledPredicate, isCorrelated: Bool) {
        self.hop = hop
        self.origin = origin
        self.isCorrelated = isCorrelated
        super.init(table: hop.table, rowCost: 3, matchesNull: false)
    }

    override func prepare() throws(StorageError) {
        if linked != nil { return }
        let all = Double(hop.space.count) * (origin.rowCost + 5)
        if isCorrelated || Double(table.count) * hop.rowCost < all { return try origin.prepare() }
        try prepareAccess()
    }

    override func prepareAccess() throws(StorageError) {
        if linked != nil || isCorrelated { return }
        var keys: ContiguousArray<Int64>?
        if (origin as? ConstantPredicate)?.value != true {
            keys = try ScanPlan(origin, in: hop.space).keys(ScanRun())
        }
        var targets: ContiguousArray<Int64> = []
        hop.forEachTarget(of: keys) { targets.append($0) }
        linked = IntegerSet(targets)
    }

    override func preparationCost(atMost limit: Double) throws(StorageError) -> Double? {
        linked != nil || isCorrelated ? nil : try ScanPlan.cost(of: origin, atMost: limit)
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        if let linked {
            if linked.isEmpty { return Mask.fill(mask, count: cluster.count, with: false) }
            return linked.fill(mask, cluster.columns[0], cluster.count, run)
        }
        for row in 0..<cluster.count { mask[row] = Mask.byte(matches(row, cluster, run)) }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        if let linked { return linked.contains(cluster.key(at: row).rawValue) }
        var isFound = false
        hop.visit(row, cluster, run) { cluster, rows, _ in
            for row in rows where origin.matches(row, cluster, run) { isFound = true }
            return !isFound
        }
        return isFound
    }

    override func access() -> AccessPath? {
        guard let linked, linked.count <= LinkPredicate.mostTargets else { return nil }
        return .rowKeys(linked.values)
    }

    override var summary: String { "any of \(hop.name): \(origin.summary)" }
}

/// Whether any element of a list or map inside a mixed value satisfies a predicate.
final class MixedCollectionPredicate: CompiledPredicate {
    private let hop: MixedCollectionHop
    private let element: CompiledPredicate

    init(_ hop: MixedCollectionHop, _ element: CompiledPredicate) {
        self.hop = hop
        self.element = element
        super.init(
            table: hop.table,
            rowCost: hop.rowCost + Double(CollectionTable.expectedElements) * element.rowCost,
            matchesNull: false)
    }

    override func prepare() throws(StorageError) { try element.prepare() }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        var isFound = false
        hop.visit(row, cluster, run) { leaf, rows, _ in
            for row in rows where element.matches(row, leaf, run) {
                isFound = true
                break
            }
            return !isFound
        }
        return isFound
    }

    override var summary: String { "any of \(hop.name): \(element.summary)" }
}

extension IntegerSet {
    /// Whether the set has any of a column's values; null rows are ignored.
    @inline(__always)
    func containsAny(of view: ColumnView, _ count: Int) -> Bool {
        var row = 0
        if let nulls = view.nulls {
            while row < count {
                if !Bitmap.isSet(nulls, row), contains(view.integer(at: row)) { return true }
                row &+= 1
            }
            return false
        }
        if view.encoding == .absent { return false }
        while row < count {
            if contains(view.integer(at: row)) { return true }
            row &+= 1
        }
        return false
    }
}
