/// Hides the latency of memory between two clusters.
///
/// A scan of one column reads a few kilobytes, then jumps to the next cluster's page, which the
/// processor cannot predict. While one cluster is evaluated, the beginning of the next one's
/// column is prefetched; from there on, the hardware follows.
package enum Prefetch {
    private static let lineSize = 64
    private static let lineCount = 64

    /// The number of columns of a row that are prefetched.
    private static let columnCount = 8

    /// Prefetches the values of a row's first columns, except text. For callers that are about
    /// to create an object for the row and read its properties.
    ///
    /// - Parameters:
    ///   - columns: All columns of the row's cluster, ready (``ClusterView/readyColumns``).
    ///   - count: The number of columns.
    package static func row(_ row: Int, in columns: UnsafeMutablePointer<ColumnView>, count: Int) {
        var view = columns
        let last = columns + min(count &- 1, columnCount)
        while view < last {
            view += 1
            let shift: Int
            switch view.pointee.encoding {
            case .delta8: shift = 0
            case .delta16: shift = 1
            case .delta32, .float32: shift = 2
            case .integer64, .float64: shift = 3
            default: continue
            }
            Memory.prefetch(view.pointee.data + row &<< shift)
        }
    }

    /// Prefetches the first lines of a column's values.
    @inline(__always)
    static func values(of column: ColumnID, in cluster: ClusterView) {
        let view = cluster.columnView(column)
        let size = min(StoredColumn.valuesSize(view.encoding, cluster.count), lineSize * lineCount)
        var offset = 0
        while offset < size {
            Memory.prefetch(view.data + offset)
            offset &+= lineSize
        }
    }
}
