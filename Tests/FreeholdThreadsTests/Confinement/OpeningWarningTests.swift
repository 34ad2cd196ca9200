import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Realms that are opened for a thread inside of a task.
@Suite struct OpeningWarningTests {
    private static func configuration(_ directory: TemporaryDirectory) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
    }

    /// The warnings about the place where `body` opens its realm, whose line it returns.
    private func warnings(_ body: (Realm.Configuration) async throws -> UInt) async throws
        -> [ConfinementViolation]
    {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let line = try await body(Self.configuration(directory))
        try onNewThread { try expectSound(Self.configuration(directory)) }
        return ReportRecorder.shared.warnings(line: line)
    }

    private static func openInTask(_ configuration: Realm.Configuration, line: UInt) throws -> UInt
    {
        for _ in 1...3 {
            let realm = try Realm(configuration: configuration, line: line)
            try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            realm.refresh()
        }
        return line
    }

    /// Synchronous code that runs in a task, as a test does, and is done with its realm when it
    /// returns.
    @Test func realmsThatGoWithTheWorkThatOpenedThemAreNotWarnedOf() async throws {
        let inTask = try await warnings { configuration in
            try await Task.detached { try Self.openInTask(configuration, line: 1_000_001) }.value
        }
        let opener = Opener()
        let onActor = try await warnings { try await opener.openAndForget($0, line: 1_000_002) }
        // The actor has been asked about the realm by the time that it is warned of this one,
        // in all probability.
        _ = try await warnings { try await opener.open($0, line: 1_000_003) }
        #expect(inTask.isEmpty && onActor.isEmpty)
        #expect(
            ReportRecorder.shared.warnings(line: 1_000_001).isEmpty
                && ReportRecorder.shared.warnings(line: 1_000_002).isEmpty)
    }

    private static func open(_ configuration: Realm.Configuration, line: UInt) throws -> Realm {
        try Realm(configuration: configuration, line: line)
    }

    /// A task opens a realm and leaves it where the next one finds it: on the same thread,
    /// which is luck.
    private static func shareBetweenTasks(
        _ configuration: Realm.Configuration, line: UInt,
        _ use: @escaping @Sendable (Realm) throws -> Void
    ) async throws {
        try await Task.detached {
            nonisolated(unsafe) let realm = try Self.open(configuration, line: line)
            try use(realm)
            // Runs here and now, as another task.
            let other = Task.immediate { try use(realm) }
            try await other.value
        }.value
    }

    @Test func anotherTaskThatUsesTheRealmIsWarnedOnce() async throws {
        let warnings = try await warnings { configuration in
            try await Self.shareBetweenTasks(configuration, line: 1_000_004) { realm in
                for _ in 1...3 { try realm.write {} }
            }
            try await Self.shareBetweenTasks(configuration, line: 1_000_004) { $0.refresh() }
            return 1_000_004
        }
        #expect(warnings.count == 1)
        let warning = try #require(warnings.first)
        #expect(
            warning.message
                == "Realm opened for a thread, but its task may change threads at each await.")
        #expect(warning.path.hasSuffix("test.realm"))
        #expect(warning.accessed.kind == .task)
        #expect(
            warning.remedy.hasPrefix(
                """
                Open it with try await Realm.open(), on an actor or in the task that uses \
                it, or work in Realm.performBackgroundTask
                """
            ))
        #expect(
            warning.description.contains(
                """
                  Opened: at FreeholdThreadsTests/OpeningWarningTests.swift:1000004 in a task \
                without an actor on thread
                """
            ))
    }

    @Test func refreshingAndOpeningAgainAreUses() async throws {
        let refreshing = try await warnings { configuration in
            try await Self.shareBetweenTasks(configuration, line: 1_000_005) { $0.refresh() }
            return 1_000_005
        }
        let opening = try await warnings { configuration in
            try await Self.shareBetweenTasks(configuration, line: 1_000_006) { realm in
                let again = try Realm(configuration: configuration, line: 1_000_007)
                #expect(again == realm)
            }
            return 1_000_006
        }
        #expect(refreshing.count == 1 && opening.count == 1)
    }

    private actor Opener {
        private var realm: Realm?

        /// Waits for the warning: the actor has to come to it.
        func open(_ configuration: Realm.Configuration, line: UInt) async throws -> UInt {
            try keep(configuration, line: line)
            while ReportRecorder.shared.warnings(line: line).isEmpty { await Task.yield() }
            // The realm may go only on its thread.
            return line
        }

        private func keep(_ configuration: Realm.Configuration, line: UInt) throws {
            realm = try Realm(configuration: configuration, line: line)
        }

        func openAndForget(_ configuration: Realm.Configuration, line: UInt) throws -> UInt {
            let realm = try Realm(configuration: configuration, line: line)
            try realm.write { realm.add(Fixture.Dog(name: "Rex")) }
            return line
        }
    }

    @Test func anActorThatKeepsARealmIsWarnedByName() async throws {
        let opener = Opener()
        let warnings = try await warnings { try await opener.open($0, line: 1_000_008) }
        #expect(warnings.count == 1)
        #expect(warnings.first?.opened.kind == .actor)
        #expect(warnings.first?.opened.actor == "Opener")
        #expect(
            warnings.first?.remedy.hasPrefix(
                "Open it with try await Realm.open() in the actor 'Opener'") == true)
    }

    @Test func otherPlacesAreNotWarned() async throws {
        let onMain = try await warnings { configuration in
            try await MainActor.run { _ = try Realm(configuration: configuration, line: 1_000_022) }
            return 1_000_022
        }
        let onThread = try await warnings { configuration in
            try await awaitThread { _ = try Realm(configuration: configuration, line: 1_000_023) }
            return 1_000_023
        }
        let onQueue = try await warnings { configuration in
            // In the task, by sync: the queue is what runs it.
            try DispatchQueue(label: "test.serial").sync {
                _ = try Realm(configuration: configuration, line: 1_000_024)
            }
            return 1_000_024
        }
        let forQueue = try await warnings { configuration in
            let queue = DispatchQueue(label: "test.serial")
            try queue.sync {
                _ = try Realm(configuration: configuration, queue: queue, line: 1_000_025)
            }
            return 1_000_025
        }
        let forActor = try await warnings { configuration in
            _ = try await HomeActor().open(configuration, line: 1_000_026)
            return 1_000_026
        }
        #expect([onMain, onThread, onQueue, forQueue, forActor].allSatisfy { $0.isEmpty })
    }

    @Test func anActorOnAThreadOfItsOwnIsNotWarned() async throws {
        let warnings = try await warnings { try await ThreadActor().open($0) }
        #expect(warnings.isEmpty)
    }

    @Test func warningsArePrintedWithoutAHandler() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent])
        {
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            Realm.confinementHandler = nil
            let configuration = Self.configuration(directory)
            try await Self.shareBetweenTasks(configuration, line: 1_000_028) { $0.refresh() }
        }
        expectMessage(
            result,
            """
            Warning: Realm opened for a thread, but its task may change threads at each await.\n  \
            What: Keeping a realm of a thread for later, at '
            """,
            """
            \n  Opened: at FreeholdThreadsTests/OpeningWarningTests.swift:1000028 in a task \
            without an actor
            """,
            "\n  Remedy: Open it with")
    }
}

/// An actor that runs on one thread.
private actor ThreadActor {
    private let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(_ configuration: Realm.Configuration) throws -> UInt {
        _ = try Realm(configuration: configuration, line: 1_000_027)
        return 1_000_027
    }
}

/// Runs each job on a new thread: one at a time, as the only test that uses it does.
private final class ThreadExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        startThread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
