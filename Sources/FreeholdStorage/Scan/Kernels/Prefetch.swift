/// Hides the latency of memory between two clusters.
///
/// A scan of one column reads a few kilobytes, then jumps to the next cluster's page, which the
/// processor cannot foresee. While one cluster is being computed, the beginning of the next
/// one's column is on its way; from there on the hardware follows.
package enum Prefetch {
    private static let lineSize = 64
    private static let lineCount = 64

    /// How many columns of a row are asked for.
    private static let columnCount = 8

    /// Asks for the values of a row's first columns, but for text: for one who is about to make
    /// an object of the row, whose properties are read next.
    ///
    /// - Parameters:
    ///   - columns: All that the row's cluster has, ready to be read
    ///     (``ClusterView/readyColumns``).
    ///   - count: How many there are.
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

    /// Asks for the first lines of a column's values.
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
