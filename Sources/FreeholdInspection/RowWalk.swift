package import FreeholdStorage

/// Visits many rows of a version in constant memory.
///
/// A version keeps every cluster that was read through it, so the walk reads through views of the
/// version that it replaces now and then.
package struct RowWalk {
    /// The clusters that one view may resolve.
    private static let clustersPerView = 256
    /// The keys that one view may look up.
    private static let keysPerView = 4096

    private let snapshot: Snapshot
    private let table: TableID
    private let options: RowEncoder.Options

    package init(_ snapshot: Snapshot, _ table: TableID, options: RowEncoder.Options) {
        self.snapshot = snapshot
        self.table = table
        self.options = options
    }

    /// A row on a walk. Valid during the call that gets it.
    package struct Row {
        package let table: TableView
        package let cluster: ClusterView
        package let row: Int

        package init(table: TableView, cluster: ClusterView, row: Int) {
            self.table = table
            self.cluster = cluster
            self.row = row
        }

        package var key: Int64 { cluster.key(at: row).rawValue }
    }

    /// Calls `body` with each row in the order of the keys, and an encoder for it, until it
    /// returns false.
    ///
    /// - Parameter predicate: What rows must fulfil.
    package func forEach(
        _ predicate: ScanPredicate = .all,
        _ body: (Row, inout RowEncoder) throws -> Bool
    ) throws {
        var isAll = false
        if case .all = predicate { isAll = true }
        // The directory stays with this view, so its successors need not read it again.
        let count = snapshot.table(table).clusterCount
        var index = 0
        while index < count {
            let view = snapshot.renewed()
            let rows = view.table(table)
            let engine = ScanEngine(source: view)
            var encoder = RowEncoder(view, options: options)
            let end = min(index + Self.clustersPerView, count)
            if isAll {
                while index < end {
                    let cluster = rows.cluster(at: index)
                    for row in 0..<cluster.count
                    where try !body(Row(table: rows, cluster: cluster, row: row), &encoder) {
                        return
                    }
                    index += 1
                }
                continue
            }
            var keys: ContiguousArray<Int64> = []
            for position in index..<end {
                let cluster = rows.cluster(at: position)
                for row in 0..<cluster.count { keys.append(cluster.key(at: row).rawValue) }
            }
            index = end
            for key in engine.keys(predicate, among: keys, in: rows) {
                guard let place = rows.locate(RowKey(rawValue: key)) else { continue }
                if try !body(Row(table: rows, cluster: place.cluster, row: place.row), &encoder) {
                    return
                }
            }
        }
    }

    /// Calls `body` with the rows of some keys, in their order, until it returns false. Keys
    /// without a row are left out.
    package func forEach(
        keys: some Sequence<Int64>, _ body: (Row, inout RowEncoder) throws -> Bool
    ) throws {
        var view = snapshot.renewed()
        var rows = view.table(table)
        var encoder = RowEncoder(view, options: options)
        var remaining = Self.keysPerView
        for key in keys {
            if remaining == 0 {
                view = snapshot.renewed()
                rows = view.table(table)
                encoder = RowEncoder(view, options: options)
                remaining = Self.keysPerView
            }
            remaining -= 1
            guard let place = rows.locate(RowKey(rawValue: key)) else { continue }
            if try !body(Row(table: rows, cluster: place.cluster, row: place.row), &encoder) {
                return
            }
        }
    }
}
