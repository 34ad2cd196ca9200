/// Compares two values of the same row, in its own columns or at the end of paths of links.
final class ColumnsPredicate: CompiledPredicate {
    private let left: ValueReader
    private let right: ValueReader
    private let comparison: ScanComparison
    private let kind: Kind

    /// The type in which the two columns are compared.
    enum Kind {
        case integers, doubles, numbers, booleans, text, wide
    }

    init(
        table: TableView, left: ValueReader, _ comparison: ScanComparison, right: ValueReader,
        kind: Kind
    ) {
        self.left = left
        self.right = right
        self.comparison = comparison
        self.kind = kind
        let cost =
            left.isDirect && right.isDirect
            ? (kind == .integers || kind == .doubles ? 1.0 : 8.0) : 80.0
        super.init(table: table, rowCost: cost, matchesNull: false)
    }

    override func fill(_ mask: MaskBytes, _ cluster: ClusterView, _ run: ScanRun) {
        guard left.isDirect, right.isDirect, kind == .integers || kind == .doubles else {
            return super.fill(mask, cluster, run)
        }
        let a = view(left.column, in: cluster)
        let b = view(right.column, in: cluster)
        let count = cluster.count
        let (x, y) = run.integerRoom(for: count)
        if kind == .integers {
            a.decodeIntegers(count: count, into: x)
            b.decodeIntegers(count: count, into: y)
            fill(mask, x, y, count)
        } else if a.encoding == .float64 && b.encoding == .float64 {
            let bytes = count &* 8
            UnsafeMutableRawPointer(x).copyMemory(from: a.data, byteCount: bytes)
            UnsafeMutableRawPointer(y).copyMemory(from: b.data, byteCount: bytes)
            x.withMemoryRebound(to: Double.self, capacity: count) { x in
                y.withMemoryRebound(to: Double.self, capacity: count) { y in fill(mask, x, y, count)
                }
            }
        } else {
            return super.fill(mask, cluster, run)
        }
        if a.nulls == nil && b.nulls == nil && a.encoding != .absent && b.encoding != .absent {
            return
        }
        for row in 0..<count {
            let firstIsNull = a.isNull(at: row)
            let secondIsNull = b.isNull(at: row)
            if firstIsNull || secondIsNull {
                mask[row] = Mask.byte(matchesNulls(firstIsNull, secondIsNull))
            }
        }
    }

    @inline(__always)
    private func fill<Number: Comparable>(
        _ mask: MaskBytes, _ x: UnsafeMutablePointer<Number>, _ y: UnsafeMutablePointer<Number>,
        _ count: Int
    ) {
        switch comparison {
        case .equal: for row in 0..<count { mask[row] = Mask.byte(x[row] == y[row]) }
        case .notEqual: for row in 0..<count { mask[row] = Mask.byte(x[row] != y[row]) }
        case .less: for row in 0..<count { mask[row] = Mask.byte(x[row] < y[row]) }
        case .lessOrEqual: for row in 0..<count { mask[row] = Mask.byte(x[row] <= y[row]) }
        case .greater: for row in 0..<count { mask[row] = Mask.byte(x[row] > y[row]) }
        case .greaterOrEqual: for row in 0..<count { mask[row] = Mask.byte(x[row] >= y[row]) }
        }
    }

    private func matchesNulls(_ firstIsNull: Bool, _ secondIsNull: Bool) -> Bool {
        switch comparison {
        case .equal, .lessOrEqual, .greaterOrEqual: firstIsNull && secondIsNull
        case .notEqual: firstIsNull != secondIsNull
        case .less, .greater: false
        }
    }

    override func matches(_ row: Int, _ cluster: ClusterView, _ run: ScanRun) -> Bool {
        let first = left.place(row, cluster)
        let second = right.place(row, cluster)
        guard let first, let second else { return matchesNulls(first == nil, second == nil) }
        switch kind {
        case .integers:
            return holds(first.view.integer(at: first.row), second.view.integer(at: second.row))
        case .doubles:
            return holds(first.view.double(at: first.row), second.view.double(at: second.row))
        case .booleans:
            return holds(
                first.view.boolean(at: first.row) ? 1 : 0,
                second.view.boolean(at: second.row) ? 1 : 0)
        case .numbers: return matchesNumbers(left.number(at: first), right.number(at: second))
        case .wide:
            let x = left.wideKey(at: first)
            let y = right.wideKey(at: second)
            if left.isDecimal && (x == DecimalOrder.notANumber || y == DecimalOrder.notANumber) {
                return comparison == .notEqual
            }
            return holds(x, y)
        case .text:
            return left.withBytes(at: first) { x in
                right.withBytes(at: second) { y in
                    if comparison == .equal || comparison == .notEqual {
                        return ByteComparison.areEqual(x, y) == (comparison == .equal)
                    }
                    return holds(ByteComparison.compare(x, y), 0)
                }
            }
        }
    }

    @inline(__always)
    private func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
        switch comparison {
        case .equal: a == b
        case .notEqual: a != b
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        }
    }

    private func matchesNumbers(_ a: ScanValue, _ b: ScanValue) -> Bool {
        switch (a, b) {
        case (.integer(let x), .double(let y)): ColumnsPredicate.holds(x, comparison, y)
        case (.double(let x), .integer(let y)): ColumnsPredicate.holds(y, comparison.mirrored, x)
        case (.double(let x), .double(let y)): holds(x, y)
        case (.integer(let x), .integer(let y)): holds(x, y)
        default: false
        }
    }

    /// Compares an integer with a double by mathematical value.
    private static func holds(_ a: Int64, _ comparison: ScanComparison, _ b: Double) -> Bool {
        switch ScanLimits.integerInterval(comparison, .double(b)) {
        case .interval(let range): range.contains(a)
        case .complement(let range): !range.contains(a)
        case .all: true
        case .none: false
        }
    }

    override var summary: String { "\(left.name) \(comparison.symbol) \(right.name)" }
}

/// Reads the value at the end of a path from rows of one table.
struct ValueReader {
    /// The place of a non-null value.
    struct Place {
        var view: ColumnView
        var cluster: ClusterView
        var row: Int
    }

    /// The table that the path begins in.
    let origin: TableView
    /// The links to follow, each with its target table.
    let links: [(column: ColumnID, target: TableView)]
    /// The table that the column belongs to.
    let table: TableView
    let column: ColumnID
    let type: ColumnType

    /// Nil unless the path consists of to-one links to a column.
    init?(_ path: ScanPath, in table: TableView, source: TableSource) {
        guard let (links, end) = ValueReader.follow(path.links, in: table, source: source),
            let type = end.type(of: path.column)
        else { return nil }
        origin = table
        self.links = links
        self.table = end
        column = path.column
        self.type = type
    }

    /// The target tables of to-one links; nil if one of them is no such link.
    static func follow(
        _ path: [ColumnID], in table: TableView, source: TableSource
    ) -> (links: [(column: ColumnID, target: TableView)], end: TableView)? {
        var links: [(column: ColumnID, target: TableView)] = []
        var current = table
        for link in path {
            guard let definition = current.definition[link], definition.type == .link,
                let target = definition.target
            else { return nil }
            current = source.table(target)
            links.append((link, current))
        }
        return (links, current)
    }

    /// Whether the column holds collections, whose cells are not values.
    var hasElements: Bool { table.definition[column]?.collection != nil }

    var isDirect: Bool { links.isEmpty }
    var isDecimal: Bool { type == .decimal }

    /// The place of a row's value; nil if it is null. O(links × log clusters).
    func place(_ row: Int, _ cluster: ClusterView) -> Place? {
        guard let (cluster, row) = follow(row, cluster) else { return nil }
        let view = cluster.columnView(column)
        return view.isNull(at: row) ? nil : Place(view: view, cluster: cluster, row: row)
    }

    /// The row that has the value; nil if a link on the path is null or dangles. O(links × log
    /// clusters).
    @inline(__always)
    func follow(_ row: Int, _ cluster: ClusterView) -> (cluster: ClusterView, row: Int)? {
        var place = (cluster: cluster, row: row)
        for (column, target) in links {
            let view = place.cluster.columnView(column)
            if view.encoding == .absent || view.isNull(at: place.row) { return nil }
            guard let found = target.find(linked: view.integer(at: place.row)) else { return nil }
            place = found
        }
        return place
    }

    /// The value of a numeric column.
    func number(at place: Place) -> ScanValue {
        switch type {
        case .float: .double(Double(place.view.float(at: place.row)))
        case .double, .timestamp: .double(place.view.double(at: place.row))
        default: .integer(place.view.integer(at: place.row))
        }
    }

    func wideKey(at place: Place) -> UInt128 { type.wideKey(at: place.row, in: place.view) }

    @inline(__always)
    func withBytes<Result>(at place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if place.view.isBlob(at: place.row) {
            return table.withBlob(column: column, key: place.cluster.key(at: place.row), body)
        }
        return body(place.view.heapBytes(at: place.row))
    }
}

extension ClusterView {
    /// The view of a column; an absent one if the cluster lacks the column.
    @inline(__always)
    final func columnView(_ column: ColumnID) -> ColumnView {
        column.position < columnCount
            ? columns[column.position] : .absent(count: count, isNullable: true)
    }
}

extension TableView {
    /// The type of a column; row keys are integers. Nil if there is no such column.
    final func type(of column: ColumnID) -> ColumnType? {
        column.position < kinds.count ? kinds.byPosition[column.position]?.type : nil
    }
}
