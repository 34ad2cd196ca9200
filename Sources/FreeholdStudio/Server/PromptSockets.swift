import FlyingFox
import FlyingSocks
import Foundation

/// Sends small pieces at once.
///
/// The server writes the head of an answer, its body and each event for itself. By default the
/// system keeps the second piece back until the first is acknowledged, and browsers acknowledge
/// after 40 ms.
struct PromptSockets: AsyncSocketPool {
    private let pool: any AsyncSocketPool

    init(logger: some Logging) { pool = HTTPServer.defaultPool(logger: logger) }

    func prepare() async throws { try await pool.prepare() }

    func run() async throws { try await pool.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        // Of the listening socket, too, from which accepted ones inherit it.
        try? socket.setValue(
            true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        try await pool.suspendSocket(socket, untilReadyFor: events)
    }
}
