extension ScanEngine {
    /// The sum of an integer, float, double or timestamp column. O(rows).
    package func sum(column: ColumnID, in table: TableView, of rows: ScanRows) throws(StorageError)
        -> ScanSum
    {
        let type = table.type(of: column)
        var total = ScanSum()
        try visitValues(column, table, rows) { cluster, view, mask, _ in
            let count = cluster.count
            switch type {
            case .integer:
                let part = SumKernels.integers(view, count, mask)
                total.integer += part.sum
                total.count += part.count
            case .double, .timestamp:
                if view.encoding == .float64 {
                    total.double += SumKernels.doubles(view.data, count, mask)
                }
                total.count += mask.map { Mask.sum($0, count: count) } ?? count
            case .float:
                if view.encoding == .float32 {
                    total.double += SumKernels.floats(view.data, count, mask)
                }
                total.count += mask.map { Mask.sum($0, count: count) } ?? count
            default: total.count += mask.map { Mask.sum($0, count: count) } ?? count
            }
        }
        return total
    }

    /// The average of an integer, float, double or timestamp column; nil without values. O(rows).
    package func average(column: ColumnID, in table: TableView, of rows: ScanRows)
        throws(StorageError) -> Double?
    { try sum(column: column, in: table, of: rows).average }

    /// The smallest value of a numeric, decimal or timestamp column, ignoring NaN; nil without
    /// values. O(rows).
    package func min(column: ColumnID, in table: TableView, of rows: ScanRows) throws(StorageError)
        -> ScanValue?
    { try extremes(column, table, rows)?.least }

    /// The largest value of a numeric, decimal or timestamp column, ignoring NaN; nil without
    /// values. O(rows).
    package func max(column: ColumnID, in table: TableView, of rows: ScanRows) throws(StorageError)
        -> ScanValue?
    { try extremes(column, table, rows)?.most }

    /// Calls `body` with the low and the high word of each non-null value of a decimal column.
    /// O(rows).
    package func forEachDecimal(
        column: ColumnID, in table: TableView, of rows: ScanRows, _ body: (UInt64, UInt64) -> Void
    ) throws(StorageError) {
        try visitValues(column, table, rows) { cluster, view, mask, _ in
            for row in 0..<cluster.count where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                let (low, high) = view.fixed16(at: row)
                body(low, high)
            }
        }
    }

    /// Calls `body` with each row's key and non-null value of a column of mixed values; the
    /// value is nil if it is damaged. O(rows), decoding each value.
    package func forEachMixed(
        column: ColumnID, in table: TableView, of rows: ScanRows,
        _ body: (Int64, MixedValue?) -> Void
    ) throws(StorageError) {
        try visitValues(column, table, rows) { cluster, view, mask, _ in
            for row in 0..<cluster.count where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                table.withMixed(column, row, cluster) {
                    body(cluster.key(at: row).rawValue, MixedValue(decoding: $0))
                }
            }
        }
    }

    private func extremes(_ column: ColumnID, _ table: TableView, _ rows: ScanRows)
        throws(StorageError) -> (least: ScanValue, most: ScanValue)?
    {
        guard let type = table.type(of: column), type.hasExtremes else { return nil }
        switch type.layout {
        case .integers:
            var all: (least: Int64, most: Int64)?
            try visitValues(column, table, rows) { cluster, view, mask, run in
                guard let part = ExtremumKernels.integers(view, cluster.count, mask, run) else {
                    return
                }
                all =
                    all.map { (Swift.min($0.least, part.least), Swift.max($0.most, part.most)) }
                    ?? part
            }
            func value(_ integer: Int64) -> ScanValue {
                type == .integer ? .integer(integer) : .fixed(FixedValue(integer, type))
            }
            return all.map { (value($0.least), value($0.most)) }
        case .doubles:
            return try floatingExtremes(column, table, rows, .float64, as: Double.self).map {
                (.double($0.least), .double($0.most))
            }
        case .floats:
            return try floatingExtremes(column, table, rows, .float32, as: Float.self).map {
                (.float($0.least), .float($0.most))
            }
        case .fixed16 where type == .decimal:
            typealias Found = (key: UInt128, low: UInt64, high: UInt64)
            var least: Found?
            var most: Found?
            try forEachDecimal(column: column, in: table, of: rows) { low, high in
                let key = DecimalOrder.key(low: low, high: high)
                if key == DecimalOrder.notANumber { return }
                if least.map({ key < $0.key }) ?? true { least = (key, low, high) }
                if most.map({ key > $0.key }) ?? true { most = (key, low, high) }
            }
            guard let least, let most else { return nil }
            return (.decimal(least.low, least.high), .decimal(most.low, most.high))
        case .fixed12, .fixed16:
            var all: (least: UInt128, most: UInt128)?
            try visitValues(column, table, rows) { cluster, view, mask, _ in
                for row in 0..<cluster.count where mask == nil || mask.unsafelyUnwrapped[row] != 0 {
                    let key = type.wideKey(at: row, in: view)
                    all = (Swift.min(all?.least ?? key, key), Swift.max(all?.most ?? key, key))
                }
            }
            return all.map {
                (
                    .fixed(FixedValue(key: $0.least, kind: type)),
                    .fixed(FixedValue(key: $0.most, kind: type))
                )
            }
        case .bits, .heap: return nil
        }
    }

    @inline(__always)
    private func floatingExtremes<Value: BinaryFloatingPoint & BitwiseCopyable>(
        _ column: ColumnID, _ table: TableView, _ rows: ScanRows, _ encoding: ColumnEncoding,
        as type: Value.Type
    ) throws(StorageError) -> (least: Value, most: Value)? {
        var all: (least: Value, most: Value)?
        try visitValues(column, table, rows) { cluster, view, mask, _ in
            let part =
                view.encoding == encoding
                ? ExtremumKernels.floating(view.data, cluster.count, mask, as: type)
                : mask.map { Mask.isZero($0, count: cluster.count) } ?? (cluster.count == 0)
                    ? nil : (0, 0)
            guard let part else { return }
            all =
                all.map { (Swift.min($0.least, part.least), Swift.max($0.most, part.most)) } ?? part
        }
        return all
    }

    /// Calls `body` with each cluster that has rows, the column's view, and a mask of the
    /// wanted non-null rows. The mask is nil if it would contain every row.
    private func visitValues(
        _ column: ColumnID, _ table: TableView, _ rows: ScanRows,
        _ body: (ClusterView, ColumnView, MaskBytes?, ScanRun) -> Void
    ) throws(StorageError) {
        let run = ScanRun()
        func visit(_ cluster: ClusterView, _ mask: MaskBytes?) {
            let view = cluster.columnView(column)
            let count = cluster.count
            if view.encoding == .absent && view.nulls == nil && view.isNullable { return }
            guard let nulls = view.nulls else { return body(cluster, view, mask, run) }
            let values = run.borrowMask(for: count)
            defer { run.returnMask() }
            Bitmap.expand(nulls, count: count, inverted: true, into: values)
            if let mask { Mask.and(values, with: mask, count: count) }
            body(cluster, view, values, run)
        }
        switch rows {
        case .matching(.all):
            for index in 0..<table.clusterCount {
                table.prefetchViews(of: column, behind: index)
                if index + 1 < table.clusterCount {
                    Prefetch.values(of: column, in: table.cluster(at: index + 1))
                }
                visit(table.cluster(at: index), nil)
            }
        case .matching(let predicate):
            try plan(predicate, in: table).visit(run) { cluster, mask in
                visit(cluster, mask)
                return true
            }
        case .keys(let keys): visitKeys(keys, table, run, visit)
        }
    }

    /// Visits the rows of a list of keys cluster by cluster, once for each time that a key occurs.
    private func visitKeys(
        _ keys: ContiguousArray<Int64>, _ table: TableView, _ run: ScanRun,
        _ visit: (ClusterView, MaskBytes?) -> Void
    ) {
        let sorted = keys.sorted()
        var position = 0
        while position < sorted.count {
            guard let cluster = table.cluster(covering: sorted[position]), cluster.count > 0 else {
                position += 1
                continue
            }
            let first = position
            let last = cluster.lastKey
            let mask = run.borrowMask(for: cluster.count)
            defer { run.returnMask() }
            Mask.fill(mask, count: cluster.count, with: false)
            while position < sorted.count, position == first || sorted[position] <= last {
                if let row = cluster.row(of: sorted[position]) {
                    if mask[row] != 0 {
                        // A repeated key: first the rows so far, then a new mask.
                        visit(cluster, mask)
                        Mask.fill(mask, count: cluster.count, with: false)
                    }
                    mask[row] = 1
                }
                position += 1
            }
            visit(cluster, mask)
        }
    }
}
