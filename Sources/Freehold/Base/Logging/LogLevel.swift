/// How much is logged: each level includes those before it.
public enum LogLevel: Int, CaseIterable, Sendable, Comparable, CustomStringConvertible {
    /// Nothing.
    case off
    /// Only what ends the process.
    case fatal
    /// What failed: damaged files, commits that the medium refused.
    case error
    /// What should not go on: versions that are kept for long and make a file grow, realms
    /// opened where a task may leave them.
    case warn
    /// What happens rarely: files that are created, migrated, compacted, copied.
    case info
    /// Files that are opened and closed, changes of schemas.
    case detail
    /// Each commit.
    case debug
    /// Each file that is asked for, and each write transaction that asks for its turn.
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
