import FreeholdStorage

extension Logger {
    /// A logger whose function is also told what each message is about.
    ///
    /// ```swift
    /// Logger.shared = Logger { level, category, message in print("\(category.rawValue) \(level): \(message)") }
    /// Logger.setLogLevel(.debug, for: Category.Storage.transaction)
    /// ```
    ///
    /// - Parameter function: Called with each message of the levels that the categories have.
    public convenience init(
        function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) {
        self.init(ownLevel: nil, function)
    }

    /// As ``init(function:)``, with a level for all categories.
    @available(*, deprecated, message: "Use init(function:) and setLogLevel(_:for:).")
    public convenience init(
        level: LogLevel, function: @escaping @Sendable (LogLevel, any LogCategory, String) -> Void
    ) {
        self.init(ownLevel: level, function)
    }

    /// Sets how much of a category, and of all categories that belong to it, the shared logger
    /// is told.
    ///
    /// - Parameters:
    ///   - level: The last level that is logged.
    ///   - category: Everything, unless one is given.
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

    /// How much of a category the shared logger is told. O(points in the category's name).
    public static func logLevel(for category: any LogCategory) -> LogLevel {
        level(of: category.rawValue, in: shared)
    }

    /// The level of the nearest category above that has one.
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
