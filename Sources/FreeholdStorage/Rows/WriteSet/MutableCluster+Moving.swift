/// Moving rows between clusters.
extension MutableCluster {
    /// Returns a cluster with the same rows and room for more. Only for clusters without row
    /// keys (``ColumnKinds/init(leafOf:)``). O(capacity).
    func grown(to capacity: Int) -> MutableCluster {
        let larger = MutableCluster(self, kinds: kinds, capacity: capacity)
        larger.makeAllMutable()
        return larger
    }

    /// Moves the rows from `row` on into a new cluster, which begins with the first of them.
    /// O(rows).
    func split(at row: Int) -> MutableCluster {
        let upper = MutableCluster(
            firstKey: key(at: row).rawValue, kinds: kinds, capacity: capacity)
        upper.appendRows(of: self, from: row, to: count)
        var keeps = [UInt8](repeating: 1, count: count)
        for removed in row..<count { keeps[removed] = 0 }
        keepRows(&keeps, keptCount: row)
        return upper
    }

    /// Appends rows of another cluster of the same table, whose keys must be greater than all
    /// of this one's.
    func appendRows(of other: ClusterView, from: Int, to: Int) {
        for row in from..<to {
            let target = count
            insertRow(other.key(at: row).rawValue, at: target)
            copyValues(of: other, row, to: target)
        }
    }

    /// Copies all non-null values of a row from another cluster of the same table. The target
    /// row must be null or zero.
    func copyValues(of other: ClusterView, _ row: Int, to target: Int) {
        for position in 1..<columnCount {
            guard let kind = kinds.byPosition[position], !kind.isRowKey else { continue }
            let source = other.columns[position]
            if source.encoding == .absent || source.isNull(at: row) { continue }
            switch kind.type.layout {
            case .integers: setInteger(position, target, source.integer(at: row))
            case .bits: setBoolean(position, target, source.boolean(at: row))
            case .floats: setFloat(position, target, source.float(at: row))
            case .doubles: setDouble(position, target, source.double(at: row))
            case .fixed12: setFixed12(position, target, source.fixed12(at: row))
            case .fixed16: setFixed16(position, target, source.fixed16(at: row))
            case .heap:
                setHeapBytes(
                    position, target, source.heapBytes(at: row), isBlob: source.isBlob(at: row))
            }
        }
    }
}
