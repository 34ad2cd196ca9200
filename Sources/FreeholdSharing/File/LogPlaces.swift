import Foundation
import FreeholdStorage

/// What commits of the log are to a file that is about to apply them.
struct LogPlaces {
    enum Place {
        /// The file has it.
        case known
        /// The first of the pending commits.
        case pending
        /// The same, with other bytes: it was damaged on its way, or on the server.
        case damaged
        /// Of another file, or of this one and not pending.
        case other
    }

    private(set) var all: [Place] = []

    /// - Parameters:
    ///   - logged: The next commits of the log.
    ///   - last: The last number of each client that the file has.
    init(
        of logged: ArraySlice<LoggedCommit>, _ last: [UUID: Int64], _ outbox: Outbox,
        _ state: SharingState
    ) {
        var last = last
        var pending = outbox.commits
        for entry in logged {
            if entry.clientSequence <= last[entry.client, default: 0] {
                all.append(.known)
                continue
            }
            last[entry.client] = entry.clientSequence
            if let first = pending.first, Self.isEntry(entry, of: first, state) {
                pending.removeFirst()
                all.append(first.hasPayload(entry.payload) ? .pending : .damaged)
            } else {
                all.append(.other)
            }
        }
    }

    /// Whether an entry of the log is a pending commit.
    ///
    /// One of a former client may be another commit with the same number, which the file made that
    /// has that identity now. Their bytes differ: each commit has random ones.
    private static func isEntry(
        _ entry: LoggedCommit, of pending: PendingCommit, _ state: SharingState
    ) -> Bool {
        guard entry.clientSequence == pending.sequence else { return false }
        if entry.client == state.client { return true }
        return state.formerClients.contains {
            $0.id == entry.client && entry.clientSequence <= $0.lastSequence
        } && pending.hasPayload(entry.payload)
    }
}
