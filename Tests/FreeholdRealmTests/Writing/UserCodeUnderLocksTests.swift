import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Code of the program that the library runs, or whose last reference it releases, may use the
/// library. Each in a process of its own, which an alarm ends where it waits for itself.
@Suite struct UserCodeUnderLocksTests {
    @Test func anInitialValueOpensTheSameFile() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            try withTemporaryDirectory { directory in
                let configuration = Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Counted.self])
                Hooks.onInit.value = { Hooks.count(in: directory) }
                let realm = try Realm(configuration: configuration)
                try realm.write { _ = realm.create(Counted.self) }
                try #require(realm.objects(Counted.self).count == 1)
            }
        }
    }

    @Test func aDeinitialiserOpensTheSameFile() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            try withTemporaryDirectory { directory in
                @Sendable func open(_ type: ObjectBase.Type) throws -> Realm {
                    try Realm(
                        configuration: Realm.Configuration(
                            fileURL: directory.file(), objectTypes: [type]))
                }
                // Keeps the file open.
                let kept = try open(Fixture.Tagged.self)
                try onNewThread { _ = try open(Counted.self) }
                // Another class changes the file's catalog: what was made for the old one is
                // replaced.
                try onNewThread { _ = try open(Fixture.Dog.self) }
                Hooks.onDeinit.value = { Hooks.count(in: directory) }
                try onNewThread { _ = try open(Counted.self) }
                try #require(Hooks.calls.value > 0)
                Hooks.onDeinit.value = nil
                withExtendedLifetime(kept) {}
            }
        }
    }

    @Test func aLoggerThatIsReplacedUsesTheNewOne() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            let messages = Locker<[String]>([])
            do {
                let last = Farewell {
                    Logger.shared.level = .debug
                    Logger.shared.log(level: .debug, message: "good bye")
                }
                Logger.shared = Logger(level: .info) { _, _ in last.touch() }
            }
            Logger.shared = Logger(level: .info) { _, message in
                messages.update { $0.append(message) }
            }
            try #require(messages.value == ["good bye"])
        }
    }

    /// No opening is under way any more when the logger hears of it.
    @Test func aLoggerThatHearsOfAnOpenedFileOpensAnother() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            try withTemporaryDirectory { directory in
                let other = Realm.Configuration(
                    fileURL: directory.file("other.realm"), objectTypes: [Fixture.Dog.self])
                let isInside = Locker(false)
                let opened = Locker(0)
                Logger.shared = Logger(level: .all) { _, message in
                    guard message.hasSuffix(": created"), !isInside.value else { return }
                    isInside.value = true
                    if (try? Realm(configuration: other)) != nil { opened.update { $0 += 1 } }
                }
                let realm = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: directory.file(), objectTypes: [Fixture.Dog.self]))
                try #require(realm.isEmpty && opened.value == 1)
            }
        }
    }

    @Test func aConfinementHandlerThatIsReplacedLooksAtTheNewOne() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            let hasHandler = Locker<Bool?>(nil)
            do {
                let last = Farewell { hasHandler.value = Realm.confinementHandler != nil }
                Realm.confinementHandler = { _ in last.touch() }
            }
            Realm.confinementHandler = nil
            try #require(hasHandler.value == false)
        }
    }

    @Test func aDefaultConfigurationThatIsReplacedLooksAtTheNewOne() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            let version = Locker<UInt64>(0)
            do {
                let last = Farewell {
                    version.value = Realm.Configuration.defaultConfiguration.schemaVersion
                }
                Realm.Configuration.defaultConfiguration = Realm.Configuration(
                    shouldCompactOnLaunch: { _, _ in
                        last.touch()
                        return false
                    })
            }
            Realm.Configuration.defaultConfiguration = Realm.Configuration(schemaVersion: 5)
            let isEnded = version.value == 5
            try #require(isEnded)
        }
    }

    /// What is known of key paths is forgotten when it is too much, and what they hold with it.
    @Test func anArgumentOfAKeyPathUsesKeyPathsAsItEnds() async {
        await #expect(processExitsWith: .success) {
            alarm(30)
            let ends = Locker(0)
            for number in 0...4_200 {
                let argument = Argument(
                    number: number,
                    last: number > 0
                        ? nil
                        : Farewell {
                            _ = SortDescriptor(keyPath: \Fixture.Person.name)
                            ends.update { $0 += 1 }
                        })
                _ = SortDescriptor(keyPath: \Fixture.Person.[argument])
            }
            try #require(ends.value == 1)
        }
    }
}

/// What ``Counted`` does besides.
private enum Hooks {
    static let onInit = Locker<(@Sendable () -> Void)?>(nil)
    static let onDeinit = Locker<(@Sendable () -> Void)?>(nil)
    static let calls = Locker(0)

    /// Opens the file for other classes, on another thread: the calling one may have a realm of it.
    static func count(in directory: TemporaryDirectory) {
        calls.update { $0 += 1 }
        _ = try? onNewThread {
            try Realm(
                configuration: Realm.Configuration(
                    fileURL: directory.file(), objectTypes: [Fixture.Tagged.self])
            )
            .objects(Fixture.Tagged.self).count
        }
    }
}

private final class Counted: Object {
    @Persisted var id = Counted.initial()

    deinit { Hooks.onDeinit.value?() }

    private static func initial() -> Int {
        Hooks.onInit.value?()
        return 0
    }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Calls a function when the last reference to it ends.
private final class Farewell: Sendable {
    private let say: @Sendable () -> Void

    init(_ say: @escaping @Sendable () -> Void) { self.say = say }

    deinit { say() }

    func touch() {}
}

private struct Argument: Hashable {
    let number: Int
    let last: Farewell?

    static func == (a: Argument, b: Argument) -> Bool { a.number == b.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Fixture.Person {
    fileprivate subscript(_ argument: Argument) -> Int { age }
}
