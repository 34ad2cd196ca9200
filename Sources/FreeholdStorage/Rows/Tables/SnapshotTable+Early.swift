import Synchronization

/// Finding rows while the directory is not loaded, and loading it.
extension SnapshotTable {
    /// Loads the directory, unless another thread did. The caller holds the lock of `early`.
    func loadHoldingLock() {
        if isLoaded.load(ordering: .relaxed) { return }
        let directory = storedDirectory()
        if let storedCount, directory.rowCount != storedCount {
            corruption.note(
                StorageError.damaged(
                    """
                    The facts of table \(definition.name) say that it has \(storedCount) rows, \
                    and its clusters have \(directory.rowCount).
                    """, path: path))
        }
        publish(directory)
    }

    /// The cluster for a key, from the file while the directory is not loaded.
    @inline(never)
    func earlyCluster(covering key: Int64) -> ClusterView? {
        guard let early else {
            preconditionFailure("A directory that is not loaded at once leaves early clusters.")
        }
        switch early.find(key, isLoaded, load: loadHoldingLock) {
        case .found(let cluster): return cluster.takeUnretainedValue()
        case .isLoaded: return self.cluster(covering: key)
        case .unknown: break
        }
        // Without the lock, so that threads read different clusters at once.
        guard let place = storedPlace(covering: key) else { return nil }
        let cluster = makeView(
            firstKey: place.firstKey, count: place.count,
            before: place.lastKey == .max ? nil : place.lastKey + 1)
        let reference = Unmanaged.passRetained(cluster)
        switch early.add(reference, place, isLoaded) {
        case .added:
            remember(cluster)
            return cluster
        case .other(let known):
            reference.release()
            return known.takeUnretainedValue()
        case .isLoaded:
            reference.release()
            return self.cluster(covering: key)
        }
    }

    /// The first or the last row, while the directory is not loaded; nil for other positions, and
    /// where the file has none.
    func earlyPlace(position: Int, of count: Int) -> (cluster: ClusterView, row: Int)? {
        guard count > 0 else { return nil }
        if position == 0 {
            guard let key = storedFirstKey(), let cluster = cluster(covering: key),
                cluster.count > 0
            else { return nil }
            return (cluster, 0)
        }
        guard position == count - 1, let cluster = cluster(covering: .max), cluster.count > 0 else {
            return nil
        }
        return (cluster, cluster.count - 1)
    }
}
