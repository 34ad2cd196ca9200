import FreeholdSharing

extension ServerConnection {
    /// Connects to the first host of an address that takes the connection.
    ///
    /// Each host, and each address of a name, has the whole time for itself: one that is silent
    /// does not keep the next one from its turn. A server that answers and refuses the user ends
    /// the search, as in libpq.
    static func connect(
        to address: ServerAddress, wake: WakeSignal, silence: SilenceLimits,
        isInterrupted: @escaping () -> Bool
    ) throws(ServerError) -> ServerConnection {
        var failures: [ServerError] = []
        for name in address.ordered(address.hosts) {
            for host in address.ordered(name.resolved()) {
                do throws(ServerError) {
                    return try ServerConnection(
                        to: address, at: host, wake: wake, silence: silence,
                        isInterrupted: isInterrupted)
                } catch {
                    guard error.kind == .connecting, SharingError.code(of: error) == .unreachable
                    else { throw error }
                    failures.append(error)
                }
            }
        }
        throw ServerError(
            .connection, state: failures.last { !$0.state.isEmpty }?.state ?? "",
            message: failures.map(\.message).joined(separator: "; "))
    }
}
