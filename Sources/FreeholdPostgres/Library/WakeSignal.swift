import CPostgres

/// Ends the wait of a thread for its socket.
final class WakeSignal: Sendable {
    private let descriptor: Int32

    init() throws(ServerError) {
        descriptor = freehold_pq_wake_open()
        guard descriptor >= 0 else {
            throw ServerError(.noResources, message: "The process has no file descriptor left.")
        }
    }

    deinit { freehold_pq_wake_close(descriptor) }

    /// Thread rule: any.
    func signal() { freehold_pq_wake_signal(descriptor) }

    func clear() { freehold_pq_wake_clear(descriptor) }

    /// Waits for a socket, a signal or a time.
    ///
    /// - Parameters:
    ///   - socket: Negative for none.
    ///   - timeout: Nil for none.
    func wait(
        for socket: Int32, toRead: Bool = true, toWrite: Bool = false, timeout: Duration? = nil
    ) -> Wakening {
        let milliseconds = timeout.map { duration in
            let parts = min(duration, .milliseconds(Int32.max)).components
            // A part of a millisecond is a whole one: otherwise the last of them would spin.
            let count =
                parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / Int64(1e15)
            return Int32(clamping: max(0, count))
        }
        return Wakening(
            rawValue: freehold_pq_wait(
                socket, toRead ? 1 : 0, toWrite ? 1 : 0, descriptor, milliseconds ?? -1))
    }
}

/// Why a wait ended; empty after the time.
struct Wakening: OptionSet {
    let rawValue: Int32

    static let readable = Wakening(rawValue: Int32(FREEHOLD_PQ_READABLE))
    static let writable = Wakening(rawValue: Int32(FREEHOLD_PQ_WRITABLE))
    static let signalled = Wakening(rawValue: Int32(FREEHOLD_PQ_WOKEN))
}
