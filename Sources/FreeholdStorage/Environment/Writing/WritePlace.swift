/// One place in a ``WriteQueue``: a waiting thread, or a request. The queue and the grant
/// retain it.
///
/// The variables are protected by the queue's monitor.
package class WritePlace: @unchecked Sendable {
    // @unchecked: the queue's monitor protects the variables.
    enum State {
        /// In the queue, ready.
        case waiting
        /// In the queue, skipped: an offer was withdrawn, and the owner has not tried to accept
        /// since.
        case away
        /// This place has the grant, and waits for the lock between processes.
        case reserved
        case offered
        /// Accepted, cancelled, failed or absorbed.
        case ended
    }

    /// The requester, if one grant may serve several of its places.
    let owner: ObjectIdentifier?
    /// Its order among the places of the queue.
    var number: UInt64 = 0
    var state = State.waiting
    /// Whether the place ended because its owner cancelled.
    var isTakenBack = false
    /// The number of withdrawn offers.
    var withdrawals = 0

    init(owner: ObjectIdentifier?) { self.owner = owner }

    /// Tells the place that it has the grant. Called without the queue's monitor: before the
    /// place is in the queue, or from the thread that passes the grant on.
    func grantHasCome() { preconditionFailure("Each kind of place has its own way to its grant.") }
}

/// A thread that waits for its grant.
final class WaitingThread: WritePlace, @unchecked Sendable {
    // @unchecked: `hasGrant` is protected by `wake`.
    let identity: WriterIdentity
    private let wake = Monitor()
    private var hasGrant = false

    init(_ identity: WriterIdentity) {
        self.identity = identity
        super.init(owner: nil)
    }

    override func grantHasCome() {
        wake.withLock {
            hasGrant = true
            wake.wakeOne()
        }
    }

    /// Waits for the grant. Returns false if the deadline passed first; the grant may still
    /// come.
    func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        wake.withLock {
            while !hasGrant {
                if let deadline {
                    let left = deadline - .now
                    if left <= .zero { return false }
                    wake.wait(for: left)
                } else {
                    wake.wait()
                }
            }
            return true
        }
    }
}
