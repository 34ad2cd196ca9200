import FreeholdStorage

extension Logger {
    /// Makes a logger whose function also gets the category of each message.
    ///
    /// ```swift
    /// Logger.shared = Logger { level, category, message in
    ///     print("\(category.rawValue) \(level): \(message)")
    /// }
    /// Logger.setLogLevel(.debug, for: Category.Storage.transaction)
    /// ```
    ///
    /// - Parameter function: Called with each message that the level of its category includes.
    public convenience init(
        function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) { self.init(ownLevel: nil, function) }

    /// As ``init(function:)``, with a level for all categories.
    @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
    public convenience init(
        level: LogLevel, function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) { self.init(ownLevel: level, function) }

    /// Sets the level of a category, and of all categories that belong to it, for the shared
    /// logger.
    ///
    /// - Parameters:
    ///   - level: The last level that is logged.
    ///   - category: The category; all by default.
    public static func setLogLevel(
        _ level: LogLevel, for category: any LogCategory = Category.realm
    ) {
        start()
        let name = category.rawValue
        if name == Category.realm.rawValue { return shared.level = level }
        categoryLevels.withLock { levels in
            levels = levels.filter { !$0.key.hasPrefix(name + ".") }
            levels[name] = level
        }
        install(shared)
    }

    /// Returns the level of a category for the shared logger. O(points in the category's name).
    public static func logLevel(for category: any LogCategory) -> LogLevel {
        level(of: category.rawValue, in: shared)
    }

    /// Returns the level of the category, or of the nearest category above it that has one.
    static func level(of category: String, in logger: Logger) -> LogLevel {
        let levels = categoryLevels.withLock { $0 }
        var name = Substring(category)
        while !name.isEmpty {
            if let level = levels[String(name)] { return level }
            name = name[..<(name.lastIndex(of: ".") ?? name.startIndex)]
        }
        return logger.level
    }
}

extension EventLog.Topic {
    var category: Category.Storage {
        switch self {
        case .files: .all
        case .transactions: .transaction
        }
    }
}
