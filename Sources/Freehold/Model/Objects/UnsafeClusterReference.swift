import FreeholdStorage

/// A cluster that its holder does not keep: it may be gone once the realm has moved on.
///
/// Not an `Unmanaged`, which mirrors follow: who dumps an object must not come by a cluster
/// that is gone.
struct UnsafeClusterReference {
    private let address: UnsafeRawPointer

    @inline(__always)
    init(_ cluster: ClusterView) {
        address = UnsafeRawPointer(Unmanaged.passUnretained(cluster).toOpaque())
    }

    /// The cluster, for one who knows that it is there.
    @inline(__always)
    var unmanaged: Unmanaged<ClusterView> { .fromOpaque(address) }
}
