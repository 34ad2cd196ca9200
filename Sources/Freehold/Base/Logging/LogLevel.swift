/// How much is logged. Each level includes those before it.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable, CustomStringConvertible {
    /// Logs nothing.
    case off
    /// Logs only what ends the process.
    case fatal
    /// Failures: damaged files, commits that the medium refused.
    case error
    /// Conditions to correct: versions that are kept for long and make a file grow, realms opened
    /// where a task may leave them.
    case warn
    /// Rare events: files that are created, migrated, compacted, copied.
    case info
    /// Files that are opened and closed, changes of schemas.
    case detail
    /// Each commit.
    case debug
    /// Each request for a file, and each write transaction that requests a write grant.
    case trace
    /// Everything.
    case all

    /// Whether a level logs less than another one.
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }

    /// The name: "warn".
    public var description: String {
        switch self {
        case .off: "off"
        case .fatal: "fatal"
        case .error: "error"
        case .warn: "warn"
        case .info: "info"
        case .detail: "detail"
        case .debug: "debug"
        case .trace: "trace"
        case .all: "all"
        }
    }
}
