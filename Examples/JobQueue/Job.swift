import Foundation
import Freehold

/// A piece of work. The process that claims it does it.
final class Job: Object {
    @Persisted(primaryKey: true, autoIncrement: true) var number: Int
    @Persisted var milliseconds = 0
    @Persisted(indexed: true) var state = State.waiting
    @Persisted var worker: String?
    /// The time when the claim expires, so that the claim of a killed worker ends.
    @Persisted var claimedUntil: Date?
    @Persisted var attempts = 0

    enum State: String, PersistableEnum { case waiting, claimed, finished }
}
