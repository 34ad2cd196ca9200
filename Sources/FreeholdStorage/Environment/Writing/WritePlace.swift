/// One place in the line of a ``WriteQueue``: a thread that waits, or a request. The line and
/// the turn keep it.
///
/// The variables are protected by the queue's monitor.
package class WritePlace: @unchecked Sendable {
    // @unchecked: as said above.
    enum State {
        /// In the line, ready.
        case waiting
        /// In the line, passed over: an offer was withdrawn, and the owner has not come by since.
        case away
        /// The turn is this place's, and the lock between processes is waited for.
        case reserved
        case offered
        /// Accepted, cancelled, failed or absorbed.
        case ended
    }

    /// Who asked, where a turn may stand for several places.
    let owner: ObjectIdentifier?
    /// Its order among the places of the queue.
    var number: UInt64 = 0
    var state = State.waiting
    /// Ended because its owner cancelled.
    var isTakenBack = false
    /// How many offers were withdrawn.
    var withdrawals = 0

    init(owner: ObjectIdentifier?) { self.owner = owner }

    /// The turn is this place's. Called without the queue's monitor: before the place is in the
    /// line, or from the thread that passes the turn on.
    func turnHasCome() { preconditionFailure("Each kind of place has its own way to its turn.") }
}

/// A thread that waits for its turn.
final class WaitingThread: WritePlace, @unchecked Sendable {
    // @unchecked: `hasTurn` is protected by `wake`.
    let identity: WriterIdentity
    private let wake = Monitor()
    private var hasTurn = false

    init(_ identity: WriterIdentity) {
        self.identity = identity
        super.init(owner: nil)
    }

    override func turnHasCome() {
        wake.withLock {
            hasTurn = true
            wake.wakeOne()
        }
    }

    /// Waits for the turn. False if the deadline passed first; the turn may come nevertheless.
    func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        wake.withLock {
            while !hasTurn {
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
