import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Levels belong to the process, so each test runs in one of its own.
@Suite struct LogCategoryTests {
    private struct Own: LogCategory {
        let rawValue = "Realm.SDK.Import"
    }

    @Test func levelsOfCategories() async {
        await #expect(processExitsWith: .success) {
            func levels() -> [LogLevel] {
                let categories: [any LogCategory] = [
                    Freehold.Category.realm, Freehold.Category.sdk, Freehold.Category.Storage.all,
                    Freehold.Category.Storage.transaction, Own(),
                ]
                return categories.map { Freehold.Logger.logLevel(for: $0) }
            }
            try #require(levels() == [.warn, .warn, .warn, .warn, .warn])
            Freehold.Logger.setLogLevel(.debug, for: Freehold.Category.Storage.transaction)
            try #require(levels() == [.warn, .warn, .warn, .debug, .warn])
            Freehold.Logger.setLogLevel(.error, for: Freehold.Category.Storage.all)
            try #require(
                levels() == [.warn, .warn, .error, .error, .warn], "It is set for those below, too."
            )
            Freehold.Logger.setLogLevel(.trace, for: Freehold.Category.sdk)
            try #require(
                levels() == [.warn, .trace, .error, .error, .trace], "A category of the program's.")
            Freehold.Logger.setLogLevel(.off, for: Own())
            try #require(levels() == [.warn, .trace, .error, .error, .off])
            // A logger without a level of its own has that of the one it replaces.
            let logger = Freehold.Logger { (_: LogLevel, _: any LogCategory, _: String) in }
            Freehold.Logger.setLogLevel(.info)
            try #require(levels() == [.info, .info, .info, .info, .info])
            try #require(logger.level == .info)
            Freehold.Logger.shared = logger
            try #require(levels() == [.info, .info, .info, .info, .info])
            Freehold.Logger.shared.level = .detail
            try #require(levels() == [.detail, .detail, .detail, .detail, .detail])
            Freehold.Logger.shared = Freehold.Logger(level: .fatal) { _, _ in }
            try #require(levels() == [.fatal, .fatal, .fatal, .fatal, .fatal])
            try #require(logger.level == .detail)
        }
    }

    @available(*, deprecated)
    @Test func aLevelForAllCategories() {
        let seen = Locker<[String]>([])
        let logger = Freehold.Logger(level: .info) {
            (level: LogLevel, category: any LogCategory, message: String) in
            seen.update { $0.append("\(category.rawValue) \(level) \(message)") }
        }
        logger.log(level: .info, message: "a")
        logger.log(level: .debug, message: "b")
        #expect(seen.value == ["Realm info a"])
    }

    @Test func messagesWithTheirCategories() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let seen = Locker<[String]>([])
            Freehold.Logger.shared = Freehold.Logger { level, category, message in
                seen.update {
                    $0.append(
                        """
                        \(category.rawValue) \(level) \
                        \(message.replacingOccurrences(of: path, with: "file").prefix(28))
                        """
                    )
                }
            }
            Freehold.Logger.setLogLevel(.off)
            Freehold.Logger.setLogLevel(.debug, for: Freehold.Category.Storage.transaction)
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            let realm = try Realm(configuration: configuration)
            seen.update { $0.removeAll() }
            try realm.write { realm.add(Fixture.Person(id: 1)) }
            try #require(
                seen.value == ["Realm.Storage.Transaction debug DB: file: committed version "])
            Freehold.Logger.setLogLevel(.info, for: Freehold.Category.Storage.all)
            seen.update { $0.removeAll() }
            try realm.write { realm.add(Fixture.Person(id: 2)) }
            try realm.writeCopy(
                configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path + ".copy")))
            try #require(
                seen.value.allSatisfy { $0.hasPrefix("Realm.Storage info DB: ") }
                    && !seen.value.isEmpty, "\(seen.value)")
            seen.update { $0.removeAll() }
            Freehold.Logger.shared.log(level: .warn, message: "off")
            Freehold.Logger.setLogLevel(.warn)
            Freehold.Logger.shared.log(level: .warn, message: "on")
            try #require(seen.value == ["Realm warn on"])
        }
        directory.delete()
    }
}
