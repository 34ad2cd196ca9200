import FreeholdSharing

/// A task that waits for commits.
struct HeadWait: Sendable {
    let number: Int
    let sequence: Int64
    let continuation: CheckedContinuation<Void, any Error>
    /// The epoch when the wait began: numbers of another one cannot be compared.
    var epoch: Int64 = 0
    /// A notification is a hint that may be lost: the caller looks once a second.
    let deadline = ContinuousClock().now + .seconds(1)

    func isOver(_ known: KnownHead) -> Bool { known.epoch > epoch || known.head > sequence }
}

/// A head that an answer of the server or a notification has told.
struct KnownHead: Sendable, Comparable {
    var epoch: Int64
    var head: Int64

    init(epoch: Int64, head: Int64) {
        self.epoch = epoch
        self.head = head
    }

    /// The payload of a notification, "epoch head". Anybody may send one: it is only a hint.
    init?(_ payload: String) {
        let parts = payload.split(separator: " ").compactMap { Int64($0) }
        guard parts.count == 2 else { return nil }
        self.init(epoch: parts[0], head: parts[1])
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.epoch, left.head) < (right.epoch, right.head)
    }
}
