import Foundation
import Freehold

/// A piece of work. Whichever process claims it does it; the others leave it alone.
final class Job: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var milliseconds = 0
    @Persisted(indexed: true) var state = State.waiting
    @Persisted var worker: String?
    /// The claim ends here. A worker that was killed claims nothing for longer.
    @Persisted var claimedUntil: Date?
    @Persisted var attempts = 0

    enum State: String, PersistableEnum { case waiting, claimed, finished }
}
