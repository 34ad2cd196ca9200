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
/// One logger is asked, ``shared``. The first one prints what is at least a warning to the
/// standard error. The product `FreeholdLogging` has one that passes everything on to
/// swift-log.
///
/// Messages of a level that is not logged cost a load; they are not made. The function is
/// called on the thread where the message arises, at any time, by several threads at once, the
/// writer thread of a file among them: it should be quick, use no realm and wait for nothing.
/// What is confidential is never in a message: paths, names of classes and properties, numbers
/// and errors are; values are not.
///
/// Wrong uses of realms are no matter of this logger: see ``Realm/confinementHandler``.
///
/// Thread rule: any thread.
public final class Logger: Sendable {
    /// The raw value of its level; `noLevel` until it has one, which comes from the shared
    /// logger that it replaces.
    private let currentLevel: Atomic<Int>
    private static let noLevel = -1
    private let logFunction: @Sendable (LogLevel, any LogCategory, String) -> Void

    private static let current = Locked(
        processWide: Logger(level: .warn) { level, message in
            FileHandle.standardError.write(Data("Freehold \(level): \(message)\n".utf8))
        })
    /// The levels of categories that have one of their own, by name. Neither lock is taken
    /// while the other one is held.
    static let categoryLevels = Locked<[String: LogLevel]>(processWide: [:])

    private static let installed: Void = install(current.withLock { $0 })

    /// A logger that calls a function.
    ///
    /// - Parameters:
    ///   - level: The last level that is logged.
    ///   - logFunction: Called with each message.
    public convenience init(
        level: LogLevel, logFunction: @escaping @Sendable (LogLevel, String) -> Void
    ) {
        self.init(ownLevel: level) { level, _, message in logFunction(level, message) }
    }

    init(
        ownLevel: LogLevel?,
        _ logFunction: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) {
        currentLevel = Atomic(ownLevel?.rawValue ?? Self.noLevel)
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

    /// Returns whether it had no level of its own.
    private func takeLevel(of other: Logger) -> Bool {
        currentLevel.compareExchange(
            expected: Self.noLevel, desired: other.currentLevel.load(ordering: .relaxed),
            ordering: .relaxed
        ).exchanged
    }

    /// Logs a message of the program's, if the logger's level includes it; else the message is
    /// not made.
    public func log(level: LogLevel, message: @autoclosure () -> String) {
        if level != .off, level <= self.level { logFunction(level, Category.realm, message()) }
    }

    /// Makes the storage layer talk to the first logger, unless another one came before. Once;
    /// whenever a file is opened.
    static func start() { _ = installed }

    static func install(_ logger: Logger) {
        EventLog.install(upTo: { level(of: $0.category.rawValue, in: logger).rawValue }) {
            level, topic, message in
            // Realm's word for what its storage says.
            logger.logFunction(
                LogLevel(rawValue: level.rawValue) ?? .all, topic.category, "DB: " + message)
        }
    }
}
