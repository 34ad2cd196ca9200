import FreeholdStorage

/// A `writeShared` on its way.
struct SharedRequest {
    enum Phase {
        /// Its block is to be run at the head.
        case waiting
        /// Its block runs.
        case running
        /// Its commit is to be pushed.
        case ready(commit: ContiguousArray<UInt8>)
        /// Its commit is being pushed.
        case pushing(commit: ContiguousArray<UInt8>)
        /// The answer to a push was lost.
        case unknown
    }

    let id: UInt64
    var phase = Phase.waiting
    /// The numbers that its commits were pushed with.
    var attempts: [Int64] = []
    /// Whether one of the attempts may be in the log, as far as is known: not after a conflict, nor
    /// once the log was read after a push without an answer.
    var mayBeInLog = false
    var conflicts = 0
    /// When to give up; nil for as soon as the connection is known to be broken.
    var deadline: Double?
    /// The version of the local file that the block ran on.
    var base: Int64 = -1
    /// The number of the last commit that was pending when its turn came, or its last attempt
    /// ended: those that one push does not take are pushed before it.
    var outboxEnd: Int64?
    /// How many commits were pending when the block ran.
    var pendingCount = 0
}
