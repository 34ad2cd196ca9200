import Foundation
import FreeholdStorage
import Synchronization

/// Where Freehold says what it does.
///
/// ```swift
/// Logger.shared = Logger(level: .info) { level, message in
///     print("\(level): \(message)")
/// }
/// Logger.shared.level = .debug
/// ```
///
/// One logger is asked, ``shared``. The first one prints what is at least a warning to the standard error. The product `FreeholdLogging` has one that passes everything on
/// to swift-log.
///
/// Messages of a level that is not logged cost a load; they are not made. The function is called on the thread where the message arises, at any time, by several threads at once, the
/// writer thread of a file among them: it should be quick, use no realm and wait for nothing. What is confidential is never in a message: paths, names of classes and properties,
/// numbers and errors are; values are not.
///
/// Wrong uses of realms are no matter of this logger: see ``Realm/confinementHandler``.
///
/// Thread rule: any thread.
public final class Logger: Sendable {
    private let currentLevel: Atomic<Int>
    private let logFunction: @Sendable (LogLevel, String) -> Void

    private static let current = Locked(processWide: Logger(level: .warn) { level, message in
        FileHandle.standardError.write(Data("Freehold \(level): \(message)\n".utf8))
    })

    private static let installed: Void = install(current.withLock { $0 })

    /// A logger that calls a function.
    ///
    /// - Parameters:
    ///   - level: The last level that is logged.
    ///   - logFunction: Called with each message.
    public init(level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void) {
        currentLevel = Atomic(level.rawValue)
        self.logFunction = logFunction
    }

    /// The logger that is asked. Set it before realms are opened, to miss nothing.
    public static var shared: Logger {
        get {
            start()
            return current.withLock { $0 }
        }
        set {
            start()
            _ = current.exchange(newValue)
            install(newValue)
        }
    }

    /// The last level that is logged.
    public var level: LogLevel {
        get { LogLevel(rawValue: currentLevel.load(ordering: .relaxed)) ?? .off }
        set {
            currentLevel.store(newValue.rawValue, ordering: .relaxed)
            if Logger.current.withLock({ $0 === self }) { Logger.install(self) }
        }
    }

    /// Logs a message of the program's, if the logger's level includes it; else the message is not made.
    public func log(level: LogLevel, message: @autoclosure () -> String) {
        if level != .off, level <= self.level { logFunction(level, message()) }
    }

    /// Makes the storage layer talk to the first logger, unless another one came before. Once; whenever a file is opened.
    static func start() { _ = installed }

    private static func install(_ logger: Logger) {
        EventLog.install(upTo: logger.level.rawValue) { level, message in
            // Realm's word for what its storage says.
            logger.logFunction(LogLevel(rawValue: level.rawValue) ?? .all, "DB: " + message)
        }
    }
}
