/// Follows to-one links from a row, then a hop.
struct HopWalk {
    let links: [(column: ColumnID, target: TableView)]
    let hop: Hop

    /// Calls `body` as in ``Hop/visit(_:_:_:_:)``; not at all if a link is null.
    func visit(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun,
        _ body: (ClusterView, Range<Int>, Int) -> Bool
    ) {
        guard let place = follow(row, cluster) else { return }
        hop.visit(place.row, place.cluster, run, body)
    }

    func count(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Int {
        guard let place = follow(row, cluster) else { return 0 }
        return hop.count(place.row, place.cluster, run)
    }

    private func follow(_ row: Int, _ cluster: ClusterView) -> (cluster: ClusterView, row: Int)? {
        var place = (cluster: cluster, row: row)
        for (column, target) in links {
            let view = place.cluster.columnView(column)
            guard !view.isNull(at: place.row),
                let found = target.find(linked: view.integer(at: place.row))
            else { return nil }
            place = found
        }
        return place
    }

    var rowCost: Double { hop.rowCost + Double(links.count) * 60 }
}

/// The number of a hop's targets that satisfy a predicate.
final class CountOperand: Operand {
    private let walk: HopWalk
    /// Nil if all targets count.
    private let condition: CompiledPredicate?

    init(_ walk: HopWalk, _ condition: CompiledPredicate?) {
        self.walk = walk
        self.condition = condition
        super.init(.number)
    }

    override func prepare() throws(StorageError) {
        try condition?.prepare()
        if condition == nil, let hop = walk.hop as? BacklinksHop,
            hop.table.count >= hop.space.count / 16
        {
            hop.countAll()
        }
    }

    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool {
        guard let condition else { return body(.integer(Int64(walk.count(row, cluster, run)))) }
        var count: Int64 = 0
        walk.visit(row, cluster, run) { cluster, rows, times in
            for row in rows where condition.matches(row, cluster, run) { count += Int64(times) }
            return true
        }
        return body(.integer(count))
    }

    override var rowCost: Double {
        walk.rowCost
            + (condition.map { $0.rowCost * Double(CollectionTable.expectedElements) } ?? 0)
    }

    override var summary: String {
        "count of \(walk.hop.name)" + (condition.map { " where \($0.summary)" } ?? "")
    }
}

/// An aggregate of the values at the end of a path from a hop's targets.
final class AggregateOperand: Operand {
    private let aggregate: ScanAggregate
    private let walk: HopWalk
    private let reader: ValueReader

    init(_ aggregate: ScanAggregate, _ walk: HopWalk, _ reader: ValueReader) {
        self.aggregate = aggregate
        self.walk = walk
        self.reader = reader
        let values = OperandComparison.Class(reader.type)
        let isInTypeOfValues = reader.type.hasExtremes && aggregate != .sum
        super.init(isInTypeOfValues || values == .any ? values : .number)
    }

    override func with(
        _ row: Int, _ cluster: ClusterView, _ run: ScanRun, _ body: (OperandValue) -> Bool
    ) -> Bool {
        var total = OperandTotal(aggregate)
        walk.visit(row, cluster, run) { cluster, rows, times in
            for row in rows {
                guard let place = reader.place(row, cluster) else { continue }
                _ = reader.withValue(at: place, target: nil, []) { value in
                    total.add(value, times: times)
                    return true
                }
            }
            return true
        }
        return body(total.result)
    }

    override var rowCost: Double {
        walk.rowCost + (reader.isDirect ? 10 : 80) * Double(CollectionTable.expectedElements)
    }

    override var summary: String {
        "\(aggregate) of \(walk.hop.name) \(reader.table.name(of: reader.column))"
    }
}
