public import Freehold
public import Logging

extension Freehold.Logger {
    /// Makes a logger that sends Freehold's messages to a logger of swift-log.
    ///
    /// ```swift
    /// import Freehold
    /// import FreeholdLogging
    /// import Logging
    ///
    /// Freehold.Logger.shared = Freehold.Logger(Logging.Logger(label: "freehold"))
    /// ```
    ///
    /// `fatal` becomes `critical`, `warn` becomes `warning`, `detail` becomes `info`; `trace` and
    /// `all` become `trace`.
    ///
    /// - Parameters:
    ///   - logger: Receives the messages. Its own level filters them once more.
    ///   - level: The last level that is passed on; by default that of `logger`.
    public convenience init(_ logger: Logging.Logger, level: LogLevel? = nil) {
        self.init(level: level ?? LogLevel(logger.logLevel)) { level, message in
            logger.log(level: Logging.Logger.Level(level), "\(message)", source: "Freehold")
        }
    }
}

extension LogLevel {
    /// Makes the level that includes what swift-log logs at a level.
    public init(_ level: Logging.Logger.Level) {
        self =
            switch level {
            case .trace: .all
            case .debug: .debug
            case .info, .notice: .detail
            case .warning: .warn
            case .error: .error
            case .critical: .fatal
            }
    }
}

extension Logging.Logger.Level {
    /// Makes swift-log's level for a message of a level.
    public init(_ level: LogLevel) {
        self =
            switch level {
            case .off, .fatal: .critical
            case .error: .error
            case .warn: .warning
            case .info: .notice
            case .detail: .info
            case .debug: .debug
            case .trace, .all: .trace
            }
    }
}
