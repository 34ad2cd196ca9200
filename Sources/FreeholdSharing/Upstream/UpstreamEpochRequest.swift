/// An epoch that a client wants begun: ``UpstreamConnection/beginEpoch(_:with:_:)``.
public struct UpstreamEpochRequest: Sendable, Hashable {
    /// The epoch that ends. In another one nothing happens: somebody else was first.
    public var endedEpoch: Int64
    /// The log's head. With another one nothing happens either: no commit that the caller does not
    /// know is dropped.
    public var expectedHead: Int64
    /// The number of the epoch that begins. It is above ``endedEpoch``, and above every epoch that
    /// the caller knows: a server that was restored from a backup may have had later ones.
    public var epoch: Int64
    /// The head of the epoch that begins.
    public var head: Int64
    /// Whether nothing happens if the epoch that ends has a snapshot.
    public var onlyIfUnseeded: Bool

    /// Makes a request.
    public init(
        endedEpoch: Int64, expectedHead: Int64, epoch: Int64, head: Int64,
        onlyIfUnseeded: Bool = false
    ) {
        self.endedEpoch = endedEpoch
        self.expectedHead = expectedHead
        self.epoch = epoch
        self.head = head
        self.onlyIfUnseeded = onlyIfUnseeded
    }

    /// Whether a snapshot is that of the epoch's head.
    ///
    /// - Throws: ``SharingError`` with `damagedPayload`; for implementations of ``Upstream``.
    public func check(_ snapshot: UpstreamSnapshot) throws(SharingError) {
        if snapshot.epoch == epoch, snapshot.sequence == head { return }
        throw SharingError(
            .damagedPayload,
            """
            The snapshot is of commit \(snapshot.sequence) in epoch \(snapshot.epoch); the epoch \
            \(epoch) begins at \(head).
            """,
            remedy: "Report a bug in the implementation of the client.")
    }
}
