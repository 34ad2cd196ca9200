import Foundation
import FreeholdStorage
import Synchronization

/// Receives the log messages of Freehold.
///
/// ```swift
/// Logger.shared = Logger(level: .info) { level, message in
///     print("\(level): \(message)")
/// }
/// Logger.shared.level = .debug
/// ```
///
/// Only one logger, ``shared``, is used. The initial one prints warnings and everything more
/// severe to the standard error. The product `FreeholdLogging` has a logger for swift-log.
///
/// A message of a level that is not logged is not made; checking the level costs a load. The
/// function is called on the thread where the message arises, also in the middle of a commit.
/// Calls may come at any time, on several threads at once. The function should be quick,
/// use no realm and wait for nothing.
///
/// Messages contain nothing confidential. They have paths, names of classes and properties,
/// numbers and errors, but never values.
///
/// Uses of realms in wrong places are not logged: see ``Realm/confinementHandler``.
///
/// Thread rule: any thread.
public final class Logger: Sendable {
    /// The raw value of its level. It is `noLevel` until the logger takes over the level of the
    /// shared logger that it replaces.
    private let currentLevel: Atomic<Int>
    private static let noLevel = -1
    private let logFunction: @Sendable (LogLevel, any LogCategory, String) -> Void

    private static let current = Locked(
        processWide: Logger(level: .warn) { level, message in
            FileHandle.standardError.write(Data("Freehold \(level): \(message)\n".utf8))
        })
    /// The levels of categories that have their own, by name. Neither lock is taken while the
    /// other one is held.
    static let categoryLevels = Locked<[String: LogLevel]>(processWide: [:])

    private static let installed: Void = install(current.withLock { $0 })

    /// Makes a logger that calls a function.
    ///
    /// - Parameters:
    ///   - level: The last level that is logged.
    ///   - logFunction: Called with each message.
    public convenience init(
        level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
    ) { self.init(ownLevel: level) { level, _, message in logFunction(level, message) } }

    init(
        ownLevel: LogLevel?,
        _ logFunction: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) {
        currentLevel = Atomic(ownLevel?.rawValue ?? Self.noLevel)
        self.logFunction = logFunction
    }

    /// The logger in use. Set it before realms are opened, so that no message is missed.
    public static var shared: Logger {
        get {
            start()
            return current.withLock { $0 }
        }
        set {
            start()
            let previous = current.exchange(newValue)
            if !newValue.takeLevel(of: previous) { categoryLevels.withLock { $0.removeAll() } }
            install(newValue)
        }
    }

    /// The last level that is logged. Setting that of the shared logger sets it for all categories.
    public var level: LogLevel {
        get {
            let own = currentLevel.load(ordering: .relaxed)
            return own == Self.noLevel ? Logger.shared.level : LogLevel(rawValue: own) ?? .off
        }
        set {
            currentLevel.store(newValue.rawValue, ordering: .relaxed)
            guard Logger.current.withLock({ $0 === self }) else { return }
            Logger.categoryLevels.withLock { $0.removeAll() }
            Logger.install(self)
        }
    }

    /// Takes the level of another logger. Returns whether this logger had no level of its own.
    private func takeLevel(of other: Logger) -> Bool {
        currentLevel.compareExchange(
            expected: Self.noLevel, desired: other.currentLevel.load(ordering: .relaxed),
            ordering: .relaxed
        ).exchanged
    }

    /// Logs a message of the program, if the logger's level includes it; otherwise the message is
    /// not made.
    public func log(level: LogLevel, message: @autoclosure () -> String) {
        if level != .off, level <= self.level { logFunction(level, Category.realm, message()) }
    }

    /// Sends the messages of the storage layer to the initial logger, unless another one was set.
    /// Called whenever a file is opened; acts once.
    static func start() { _ = installed }

    static func install(_ logger: Logger) {
        EventLog.install(upTo: { level(of: $0.category.rawValue, in: logger).rawValue }) {
            level, topic, message in
            // Realm's prefix for messages of its storage.
            logger.logFunction(
                LogLevel(rawValue: level.rawValue) ?? .all, topic.category, "DB: " + message)
        }
    }
}
