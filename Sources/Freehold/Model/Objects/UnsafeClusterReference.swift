import FreeholdStorage

/// An unowned reference to a cluster, which may be gone once the realm has moved on.
///
/// Not an `Unmanaged`, because mirrors follow that: dumping an object must not reach a released
/// cluster.
struct UnsafeClusterReference {
    private let address: UnsafeRawPointer

    @inline(__always)
    init(_ cluster: ClusterView) {
        address = UnsafeRawPointer(Unmanaged.passUnretained(cluster).toOpaque())
    }

    /// The cluster. The caller knows that it exists.
    @inline(__always)
    var unmanaged: Unmanaged<ClusterView> { .fromOpaque(address) }
}
