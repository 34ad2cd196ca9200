import Synchronization

/// The clusters of a stored table that were found by key while its directory was not loaded.
///
/// Loading costs a page for about 100 clusters; finding a cluster costs a descent. So a few
/// look-ups are cheaper without the directory, and many are cheaper with it. The look-ups are
/// counted, and the directory is loaded when they have cost about as much.
final class EarlyClusters: @unchecked Sendable {
    // Sendable: `monitor` protects everything. The table owns the clusters.

    /// A table that can have no more clusters is loaded at once: that takes about one page.
    static let fewClusters = 128
    /// The cost of finding a cluster in the file, in look-ups of one that was found before.
    private static let descentCost = 4
    /// Loading this many entries costs as much as a look-up of a cluster that was found before.
    private static let clustersPerLookup = 16

    let monitor = Monitor()
    /// Ascending. Protected by `monitor`.
    private var found: ContiguousArray<(place: Place, cluster: Unmanaged<ClusterView>)> = []
    /// The cost of all look-ups so far. Protected by `monitor`.
    private var cost = 0
    private let mostCost: Int

    /// - Parameter clusterCount: The greatest number of clusters that the table can have.
    init(ofTableWith clusterCount: Int) { mostCost = clusterCount / Self.clustersPerLookup }

    /// The place of a cluster among the keys.
    struct Place {
        let firstKey: Int64
        /// The greatest key that the cluster covers.
        let lastKey: Int64
        let count: Int
    }

    enum Finding {
        case found(Unmanaged<ClusterView>)
        case unknown
        case isLoaded
    }

    enum Adding {
        case added
        /// Another thread was faster.
        case other(Unmanaged<ClusterView>)
        case isLoaded
    }

    /// Looks for the cluster that covers a key, and loads the directory if that is cheaper from
    /// now on.
    ///
    /// - Parameters:
    ///   - isLoaded: Whether the directory is loaded; changes with the lock held only.
    ///   - load: Loads the directory. Called with the lock held.
    func find(_ key: Int64, _ isLoaded: borrowing Atomic<Bool>, load: () -> Void) -> Finding {
        monitor.lock()
        defer { monitor.unlock() }
        if isLoaded.load(ordering: .relaxed) { return .isLoaded }
        let known = known(covering: key)
        cost += known == nil ? Self.descentCost : 1
        if cost > mostCost {
            load()
            return .isLoaded
        }
        return known.map { .found($0) } ?? .unknown
    }

    /// Adds a cluster, which the table owns from then on.
    func add(
        _ cluster: Unmanaged<ClusterView>, _ place: Place, _ isLoaded: borrowing Atomic<Bool>
    ) -> Adding {
        monitor.lock()
        defer { monitor.unlock() }
        if isLoaded.load(ordering: .relaxed) { return .isLoaded }
        if let known = known(covering: place.firstKey) { return .other(known) }
        found.insert((place, cluster), at: index(above: place.firstKey))
        return .added
    }

    /// Removes and returns all clusters. The caller holds the lock, or is alone.
    func takeAll() -> ContiguousArray<Unmanaged<ClusterView>> {
        let clusters = ContiguousArray(found.lazy.map(\.cluster))
        found = []
        return clusters
    }

    private func known(covering key: Int64) -> Unmanaged<ClusterView>? {
        let index = index(above: key)
        guard index > 0, key <= found[index - 1].place.lastKey else { return nil }
        return found[index - 1].cluster
    }

    private func index(above key: Int64) -> Int {
        found.indices.partitionPoint { found[$0].place.firstKey <= key }
    }
}
