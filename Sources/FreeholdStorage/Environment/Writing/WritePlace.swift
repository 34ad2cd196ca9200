/// One place in a ``WriteQueue``: a thread that waits, or a request. The queue and the grant
/// keep it.
///
/// The variables are protected by the queue's monitor.
package class WritePlace: @unchecked Sendable {
    // @unchecked: as said above.
    enum State {
        /// In the queue, ready.
        case waiting
        /// In the queue, passed over: an offer was withdrawn, and the owner has not come by since.
        case away
        /// The grant is this place's, and the lock between processes is waited for.
        case reserved
        case offered
        /// Accepted, cancelled, failed or absorbed.
        case ended
    }

    /// Who asked, where a grant may stand for several places.
    let owner: ObjectIdentifier?
    /// Its order among the places of the queue.
    var number: UInt64 = 0
    var state = State.waiting
    /// Ended because its owner cancelled.
    var isTakenBack = false
    /// How many offers were withdrawn.
    var withdrawals = 0

    init(owner: ObjectIdentifier?) { self.owner = owner }

    /// The grant is this place's. Called without the queue's monitor: before the place is in the
    /// queue, or from the thread that passes the grant on.
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

    /// Waits for the grant. False if the deadline passed first; the grant may come nevertheless.
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
