public import Foundation

/// What a shared realm does: ``SharedRealm/status``.
public struct SharedStatus: Sendable, Hashable {
    /// The connection to the upstream.
    public enum Connection: Sendable, Hashable {
        /// The client connects for the first time, or waits for a snapshot that it needs
        /// (``SharedStatus/lastError`` is `logGone` then).
        case connecting
        /// The client is connected.
        case online
        /// The client tries to connect again, by itself.
        case offline(since: Date)
        /// The shared realm was closed.
        case closed
    }

    /// The connection.
    public internal(set) var connection: Connection
    /// How many commits of others the file lacks, as far as the client knows.
    public internal(set) var behind: Int64
    /// How many commits of this file wait to be in the log.
    public internal(set) var pending: Int
    /// The number of the last commit of the log that the file has.
    public internal(set) var applied: Int64
    /// The epoch of ``applied``. Numbers can be compared within one epoch only.
    public internal(set) var epoch: Int64
    /// The bytes of the snapshot that were read or written, and all of them; nil if none is under
    /// way.
    public internal(set) var snapshotProgress: Progress?
    /// The last error, until the client is connected again, or what the server did not permit is
    /// permitted. It is `unfitClass` if a commit of another machine has a class or a property in
    /// another form than this file.
    public internal(set) var lastError: SharingError?

    /// How far a snapshot is.
    public struct Progress: Sendable, Hashable {
        /// The bytes so far.
        public var done: Int64
        /// All bytes.
        public var total: Int64
    }

    /// Whether the file has all of the log, and the log all of the file's commits.
    public var isCaughtUp: Bool { connection == .online && behind == 0 && pending == 0 }
}

extension SharedStatus: CustomStringConvertible {
    /// The status as a line for people.
    public var description: String {
        var parts: [String] =
            switch connection {
            case .connecting: ["connecting"]
            case .online: [isCaughtUp ? "caught up" : "online"]
            case .offline(let since): ["offline since \(since.formatted(.iso8601))"]
            case .closed: ["closed"]
            }
        if behind > 0 { parts.append("\(behind) commits behind") }
        if pending > 0 { parts.append("\(pending) commits pending") }
        if let progress = snapshotProgress {
            parts.append("snapshot: \(progress.done) of \(progress.total) bytes")
        }
        if let lastError { parts.append("last error: \(lastError)") }
        return parts.joined(separator: ", ")
    }
}
