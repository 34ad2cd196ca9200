/// Filling a column from another one, cluster by cluster.
extension MutableTable {
    /// A value to be converted.
    package struct Source {
        /// The table, for values stored outside of the cluster.
        package let table: TableView
        package let cluster: ClusterView
        package let row: Int
        package let column: ColumnID
        package let view: ColumnView

        package var isNull: Bool { view.isNull(at: row) }

        /// Calls `body` with the text or bytes. The buffer is valid during the call.
        package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            table.withBytes(cluster, column, row, body)
        }
    }

    /// Calls `body` with each row's value of a column, and with the row for writing the
    /// converted value into another column. O(rows); takes memory for the written values.
    ///
    /// - Parameter progress: Called after each cluster with its row count.
    package func fill(
        _ target: ColumnID, from source: ColumnID, progress: (Int) -> Void,
        _ body: (Source, MutableRow) -> Void
    ) {
        precondition(target != source, "a column is filled from another one")
        for index in 0..<clusterCount {
            let cluster = mutableCluster(at: index)
            let view = cluster.columns[source.position]
            for row in 0..<cluster.count {
                body(
                    Source(table: self, cluster: cluster, row: row, column: source, view: view),
                    MutableRow(table: self, cluster: cluster, row: row))
            }
            progress(cluster.count)
        }
    }

    /// Calls `body` with each row's collection that is not empty, and with the row's collection
    /// in another column. O(elements).
    package func fillElements(
        of target: ColumnID, from source: ColumnID, _ kind: StoredCollectionKind,
        progress: (Int) -> Void, _ body: (StoredCollection, MutableStoredCollection) -> Void
    ) {
        for index in 0..<clusterCount {
            for row in 0..<cluster(at: index).count {
                let cluster = cluster(at: index)
                let stored = collection(of: source, kind, cluster, row: row)
                if stored.count == 0 { continue }
                guard let tree = mutableCollection(of: target, key: cluster.key(at: row)) else {
                    continue
                }
                body(stored, tree)
                settleSmallElements(of: target, key: cluster.key(at: row))
            }
            progress(cluster(at: index).count)
        }
    }
}
