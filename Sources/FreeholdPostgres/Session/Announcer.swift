/// When to tell other clients of pushes, by `NOTIFY`.
///
/// A transaction that notifies takes a lock of the whole database until it is durable: in the one
/// of a push that costs nine tenths of the throughput. So the announcement follows in a
/// transaction of its own, which writes nothing, and at most one in 5 ms.
struct Announcer {
    private static let interval = Duration.milliseconds(5)

    private let statement: Statement
    private let began: ContinuousClock.Instant
    private var last: ContinuousClock.Instant?
    private var isPending = false

    init(_ statement: Statement, at now: ContinuousClock.Instant = .now) {
        self.statement = statement
        began = now
    }

    /// When to announce what was pushed; nil if nothing was.
    var deadline: ContinuousClock.Instant? {
        guard isPending else { return nil }
        return last.map { $0 + Self.interval } ?? began
    }

    /// Notes a push, and returns the statement if it may be sent now.
    mutating func announce(at now: ContinuousClock.Instant = .now) -> Statement? {
        isPending = true
        return takeIfDue(at: now)
    }

    /// The statement for earlier pushes, if its time has come.
    mutating func takeIfDue(at now: ContinuousClock.Instant = .now) -> Statement? {
        guard let deadline, deadline <= now else { return nil }
        (last, isPending) = (now, false)
        return statement
    }
}

extension ServerConnection {
    func announceIfDue() throws(ServerError) {
        if let statement = announcer?.takeIfDue() { try send(statement) }
    }
}
