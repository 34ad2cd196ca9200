/// How a ``SimulatedUpstream`` treats the calls of its clients: shares of them, from 0 to 1.
///
/// Which calls are meant depends on the seed alone, and on how many calls the client has made: not
/// on the time, nor on other clients. Clients count in the order in which they connect first.
///
/// ```swift
/// let upstream = SimulatedUpstream(seed: 7, faults: .some)
/// ```
public struct SimulatedFaults: Sendable, Hashable {
    /// Calls that do not arrive. As with the next two, the connection is broken then.
    public var lostRequests = 0.0
    /// Calls that are done, and whose answers are lost.
    public var lostAnswers = 0.0
    /// Calls that arrive late: after their client has learnt that the connection is broken, among
    /// later calls of others. They are refused if the client has connected again by then.
    public var lateRequests = 0.0
    /// Calls that arrive twice.
    public var repeatedRequests = 0.0
    /// Calls with which the server restarts: the connections of all clients are broken. What it
    /// had acknowledged stays.
    public var restarts = 0.0
    /// The longest that a call takes. Each takes a random part of that, so calls of different
    /// connections overtake each other.
    public var longestDelay = Duration.zero

    /// No faults.
    public static let none = SimulatedFaults()

    /// Each of them in one of fifty calls, and delays of up to five milliseconds.
    public static let some = {
        var faults = SimulatedFaults()
        (faults.lostRequests, faults.lostAnswers) = (0.02, 0.02)
        (faults.lateRequests, faults.repeatedRequests) = (0.02, 0.02)
        (faults.restarts, faults.longestDelay) = (0.02, .milliseconds(5))
        return faults
    }()

    /// No faults, to set those that are wanted.
    public init() {}
}

/// The faults of one client's calls.
struct SimulatedFate: Sendable {
    enum Kind: Sendable, Equatable {
        case none, lostRequest, lostAnswer, repeated, restart
        /// Arrives when so many other calls have come.
        case late(calls: Int)
    }

    private var random: SimulatedRandom

    /// - Parameter client: Its place among those of the server.
    init(seed: UInt64, client: Int) {
        random = SimulatedRandom(state: seed)
        for _ in 0..<client { _ = random.next() }
        // Neighbouring states would give the same numbers, one later.
        random = SimulatedRandom(state: random.next())
    }

    /// What becomes of the next call, and how long it takes.
    mutating func next(_ faults: SimulatedFaults) -> (kind: Kind, delay: Duration) {
        // As many numbers for each call, whatever the faults are.
        var choice = Double.random(in: 0..<1, using: &random)
        let part = Double.random(in: 0..<1, using: &random)
        let calls = Int.random(in: 1...3, using: &random)
        let shares: [(Kind, Double)] = [
            (.lostRequest, faults.lostRequests), (.lostAnswer, faults.lostAnswers),
            (.late(calls: calls), faults.lateRequests), (.repeated, faults.repeatedRequests),
            (.restart, faults.restarts),
        ]
        for (kind, share) in shares {
            if choice < share { return (kind, faults.longestDelay * part) }
            choice -= max(share, 0)
        }
        return (.none, faults.longestDelay * part)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
private struct SimulatedRandom: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
