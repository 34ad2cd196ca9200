public import Freehold
public import Logging

extension Freehold.Logger {
    /// Passes Freehold's messages on to a logger of swift-log.
    ///
    /// ```swift
    /// import Freehold
    /// import FreeholdLogging
    /// import Logging
    ///
    /// Freehold.Logger.shared = Freehold.Logger(Logging.Logger(label: "freehold"))
    /// ```
    ///
    /// `fatal` becomes `critical`, `warn` `warning`, `detail` `info`; `trace` and `all` are
    /// `trace`.
    ///
    /// - Parameters:
    ///   - logger: What gets the messages. Its own level filters them once more.
    ///   - level: The last level that is passed on; by default what `logger` logs.
    public convenience init(_ logger: Logging.Logger, level: LogLevel? = nil) {
        self.init(level: level ?? LogLevel(logger.logLevel)) { level, message in
            logger.log(level: Logging.Logger.Level(level), "\(message)", source: "Freehold")
        }
    }
}

extension LogLevel {
    /// The level that includes what swift-log logs at a level.
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
    /// What a message of a level is in swift-log.
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
