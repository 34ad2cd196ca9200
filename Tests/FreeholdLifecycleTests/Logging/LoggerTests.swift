import Foundation
import Freehold
import FreeholdLogging
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Logging
import Testing

/// The shared logger belongs to the process, so each test that replaces it runs in one of its own.
@Suite struct LoggerTests {
    @Test func messagesOfTheLevelAndBelow() {
        let seen = Locker<[String]>([])
        let logger = Freehold.Logger(level: .info) { level, message in
            seen.update { $0.append("\(level) \(message)") }
        }
        logger.log(level: .error, message: "a")
        logger.log(level: .info, message: "b")
        logger.log(level: .detail, message: "c")
        logger.log(level: .off, message: "never")
        logger.level = .off
        logger.log(level: .fatal, message: "d")
        logger.level = .all
        logger.log(level: .trace, message: "e")
        #expect(seen.value == ["error a", "info b", "trace e"])
    }

    @Test func disabledMessagesAreNotMade() {
        let logger = Freehold.Logger(level: .warn) { _, _ in }
        func message() -> String {
            Issue.record("made")
            return ""
        }
        logger.log(level: .info, message: message())
    }

    @Test func levelsAreInRealmsOrder() {
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(
            LogLevel.allCases.map(\.description) == [
                "off", "fatal", "error", "warn", "info", "detail", "debug", "trace", "all",
            ])
    }

    private actor Keeper {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func write() throws { try realm?.write {} }
    }

    /// Once for each place, however often it waits.
    @Test func writesThatKeepAThreadOfTheTasksPool() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            alarm(60)
            let seen = Locker<[String]>([])
            Freehold.Logger.shared = Freehold.Logger(level: .warn) { _, message in
                seen.update { $0.append(message) }
            }
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            let keeper = Keeper()
            try await keeper.open(configuration)
            let writer = try Store.open(Store.Options(path: path)).environment.writer
            for _ in 0..<2 {
                let isHeld = DispatchSemaphore(value: 0)
                startThread {
                    try? Realm(configuration: configuration).write {
                        isHeld.signal()
                        while writer.waitingCount == 0 { sched_yield() }
                        let end = ContinuousClock.now + .milliseconds(30)
                        while ContinuousClock.now < end { sched_yield() }
                    }
                }
                await wait(for: isHeld)
                try await keeper.write()
            }
            let messages = seen.value.filter { $0.contains("waited") }
            try #require(messages.count == 1, "\(seen.value)")
            try #require(
                messages[0].contains("LoggerTests.swift:") && messages[0].contains("tasks' pool"))
        }
        directory.delete()
    }

    @Test func theLifeOfAFile() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let seen = Locker<[String]>([])
            Freehold.Logger.shared = Freehold.Logger(level: .trace) { level, message in
                seen.update { $0.append("\(level) \(message)") }
            }
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Person(id: 1, name: "secret")) }
            }
            // Its end is the writer thread's; opening the file again waits for it.
            Freehold.Logger.shared.level = .detail
            try onNewThread { _ = try Realm(configuration: configuration) }
            let messages = seen.value
            try #require(messages.contains("info DB: \(path): created"), "\(messages)")
            try #require(
                messages.contains { $0.hasPrefix("debug DB: \(path): committed version ") },
                "\(messages)")
            try #require(messages.contains("detail DB: \(path): closed"), "\(messages)")
            try #require(messages.contains("detail DB: \(path): opened"), "\(messages)")
            try #require(messages.contains("trace DB: \(path): open requested"), "\(messages)")
            try #require(
                messages.contains("trace DB: \(path): a write requests the write grant"),
                "\(messages)")
            try #require(!messages.contains { $0.contains("secret") })
        }
        directory.delete()
    }

    @Test func warnsOfVersionsThatAreKept() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .success) { [path = directory.file().path as String] in
            let warned = DispatchSemaphore(value: 0)
            let seen = Locker<[String]>([])
            Freehold.Logger.shared = Freehold.Logger(level: .warn) { _, message in
                guard message.contains("Old versions") else { return }
                seen.update { $0.append(message) }
                warned.signal()
            }
            Realm.pinnedByteWarningThreshold = 100_000
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), objectTypes: Fixture.all)
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Fixture.Person(id: 0)) }
                let frozen = realm.freeze(); let line = #line
                for id in 1...200 { try realm.write { realm.add(Fixture.Person(id: id)) } }
                warned.wait()
                let message = try #require(seen.value.first)
                try #require(message.contains("is read by a frozen value"), "\(message)")
                try #require(message.contains("LoggerTests.swift:\(line)"), "\(message)")
                try #require(seen.value.count == 1)
                withExtendedLifetime(frozen) {}
            }
        }
        directory.delete()
    }

    @Test func theFirstLoggerPrintsWarnings() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            Freehold.Logger.shared.log(level: .warn, message: "look here")
            Freehold.Logger.shared.log(level: .info, message: "not here")
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("Freehold warn: look here\n"))
        #expect(!output.contains("not here"))
    }

    @Test func swiftLogGetsTheMessages() {
        let seen = Locker<[String]>([])
        var target = Logging.Logger(label: "freehold") { _ in RecordingHandler(seen: seen) }
        target.logLevel = .notice
        let logger = Freehold.Logger(target)
        #expect(logger.level == .detail)
        logger.log(level: .warn, message: "a")
        logger.log(level: .info, message: "b")
        logger.log(level: .detail, message: "c")
        logger.log(level: .fatal, message: "d")
        #expect(seen.value == ["warning Freehold a", "notice Freehold b", "critical Freehold d"])
        for level in LogLevel.allCases where level != .off && level != .all {
            #expect(
                LogLevel(Logging.Logger.Level(level)) >= level, "what passes on a level logs it")
        }
    }
}

private struct RecordingHandler: LogHandler {
    let seen: Locker<[String]>
    var metadata: Logging.Logger.Metadata = [:]
    var logLevel = Logging.Logger.Level.trace

    init(seen: Locker<[String]>) { self.seen = seen }

    subscript(metadataKey key: String) -> Logging.Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        seen.update { $0.append("\(event.level) \(event.source) \(event.message)") }
    }
}
