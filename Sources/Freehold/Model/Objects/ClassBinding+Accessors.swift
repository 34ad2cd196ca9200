import FreeholdStorage

extension ClassBinding {
    /// Creates a managed object for a row. One allocation.
    @inline(__always)
    func makeAccessor(key: Int64, cluster: ClusterView, row: Int) -> ObjectBase {
        let object = accessors.make()
        bind(object, key: key, cluster: cluster, row: row)
        return object
    }

    /// Moves an object of this binding to another row. The caller must have the only reference
    /// to it, and its class must have only persisted state
    /// (``ClassSchema/hasOnlyPersistedState``).
    @inline(__always)
    func move(_ object: ObjectBase, key: Int64, cluster: ClusterView, row: Int) {
        object.columns = cluster.readyColumns
        object.cluster = UnsafeClusterReference(cluster)
        object.row = row
        object.key = key
        object.generation = core.generation
    }

    /// Makes an unmanaged object managed in place. Its values must already be stored in the row:
    /// they are dropped.
    func attach(_ object: ObjectBase, to row: MutableRow) {
        accessors.attach(object)
        bind(object, key: row.key.rawValue, cluster: row.cluster, row: row.row)
    }

    @inline(__always)
    private func bind(_ object: ObjectBase, key: Int64, cluster: ClusterView, row: Int) {
        object.core = core
        object.gate = gate
        object.binding = Unmanaged.passUnretained(self)
        object.primaryKeyPosition = primaryKeyPosition
        object._managed = true
        move(object, key: key, cluster: cluster, row: row)
    }
}
