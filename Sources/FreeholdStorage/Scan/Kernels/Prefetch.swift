internal import CLMDB

/// Hides the latency of memory between two clusters.
///
/// A scan of one column reads a few kilobytes, then jumps to the next cluster's page, which the processor cannot foresee. While
/// one cluster is being computed, the beginning of the next one's column is on its way; from there on the hardware follows.
enum Prefetch {
    private static let lineSize = 64
    private static let lineCount = 64

    /// Asks for the first lines of a column's values.
    @inline(__always)
    static func values(of column: ColumnID, in cluster: ClusterView) {
        let view = cluster.columnView(column)
        let size = min(StoredColumn.valuesSize(view.encoding, cluster.count), lineSize * lineCount)
        var offset = 0
        while offset < size {
            freehold_prefetch(view.data + offset)
            offset &+= lineSize
        }
    }
}
