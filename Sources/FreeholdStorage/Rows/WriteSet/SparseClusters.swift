/// The changed clusters of a table whose directory is not loaded.
///
/// A transaction that changes a few rows of a large table needs none of its directory: the first
/// key of a stored cluster identifies the changed one in its place, and clusters of new rows
/// follow all others. All other changes load the directory: ``MutableTable/open()``.
struct SparseClusters {
    /// Changed clusters, by the first keys of the stored ones that they replace. Owned by the
    /// table's `dirty`.
    private(set) var replacing: [Int64: Unmanaged<ClusterView>] = [:]
    /// Clusters of new rows, which follow all stored ones; ascending. Owned as `replacing`.
    private(set) var appended: ContiguousArray<Unmanaged<ClusterView>> = []
    /// The number of rows that were added, less those that were deleted.
    var addedRowCount = 0

    /// A transaction that adds more clusters loads the directory, whose cost it hardly notices.
    static let mostAppended = 2

    var isEmpty: Bool { replacing.isEmpty && appended.isEmpty }

    /// The cluster in the place of a stored one.
    func current(of stored: ClusterView) -> ClusterView {
        replacing[stored.firstKey]?.takeUnretainedValue() ?? stored
    }

    /// The cluster of new rows that covers a key; nil if a stored one does.
    func appended(covering key: Int64) -> ClusterView? {
        appended.last {
            $0._withUnsafeGuaranteedRef(\.firstKey) <= key
        }?.takeUnretainedValue()
    }

    /// - Parameter cluster: Has the first key of the stored one.
    mutating func replace(with cluster: MutableCluster) {
        replacing[cluster.firstKey] = .passUnretained(cluster)
    }

    /// - Parameter cluster: Its first key is above all others.
    mutating func append(_ cluster: MutableCluster) { appended.append(.passUnretained(cluster)) }
}
