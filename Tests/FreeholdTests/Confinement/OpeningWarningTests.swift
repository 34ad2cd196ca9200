import Dispatch
import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Realms that are opened for a thread inside of a task.
@Suite struct OpeningWarningTests {
    private static func configuration(_ directory: TemporaryDirectory) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
    }

    /// The warnings about the place where `body` opens its realm, whose line it returns.
    private func warnings(_ body: (Realm.Configuration) async throws -> UInt) async throws -> [ConfinementViolation] {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let line = try await body(Self.configuration(directory))
        try onNewThread { try expectSound(Self.configuration(directory)) }
        return ReportRecorder.shared.warnings(line: line)
    }

    private static func openInTask(_ configuration: Realm.Configuration, line: UInt = 1_000_001) throws -> UInt {
        for _ in 1 ... 3 { _ = try Realm(configuration: configuration, line: line) }
        return line
    }

    @Test func aTaskIsWarnedOnceForEachPlace() async throws {
        let warnings = try await warnings { configuration in
            try await Task.detached { _ = try Self.openInTask(configuration) }.value
            return try await Task.detached { try Self.openInTask(configuration) }.value
        }
        #expect(warnings.count == 1)
        let warning = try #require(warnings.first)
        #expect(warning.message == "Realm opened for a thread that its task may leave at any await.")
        #expect(warning.path.hasSuffix("test.realm"))
        #expect(warning.accessed.kind == .task)
        #expect(warning.remedy.hasPrefix("Open it with try await Realm.open() on an actor, or work in Realm.performBackgroundTask"))
        #expect(warning.description.contains("  Opened: at FreeholdTests/OpeningWarningTests.swift:1000001 in a task without an actor on thread"))
    }

    @Test func eachPlaceIsWarned() async throws {
        let first = try await warnings { configuration in
            try await Task.detached { try Self.openInTask(configuration, line: 1_000_002) }.value
        }
        let second = try await warnings { configuration in
            try await Task.detached { try Self.openInTask(configuration, line: 1_000_003) }.value
        }
        #expect(first.count == 1 && second.count == 1)
    }

    private actor Opener {
        func open(_ configuration: Realm.Configuration) throws -> UInt {
            _ = try Realm(configuration: configuration, line: 1_000_004)
            return 1_000_004
        }
    }

    @Test func anActorIsWarnedByName() async throws {
        let warnings = try await warnings { try await Opener().open($0) }
        #expect(warnings.count == 1)
        #expect(warnings.first?.accessed.kind == .actor)
        #expect(warnings.first?.accessed.actor == "Opener")
        #expect(warnings.first?.remedy.hasPrefix("Open it with try await Realm.open() in the actor 'Opener'") == true)
    }

    @Test func otherPlacesAreNotWarned() async throws {
        let onMain = try await warnings { configuration in
            try await MainActor.run { _ = try Realm(configuration: configuration, line: 1_000_005) }
            return 1_000_005
        }
        let onThread = try await warnings { configuration in
            try await runOnThread { _ = try Realm(configuration: configuration, line: 1_000_006) }
            return 1_000_006
        }
        let onQueue = try await warnings { configuration in
            // In the task, by sync: the queue is what runs it.
            try DispatchQueue(label: "test.serial").sync { _ = try Realm(configuration: configuration, line: 1_000_007) }
            return 1_000_007
        }
        let forQueue = try await warnings { configuration in
            let queue = DispatchQueue(label: "test.serial")
            try queue.sync { _ = try Realm(configuration: configuration, queue: queue, line: 1_000_008) }
            return 1_000_008
        }
        let forActor = try await warnings { configuration in
            _ = try await HomeActor().open(configuration, line: 1_000_009)
            return 1_000_009
        }
        #expect([onMain, onThread, onQueue, forQueue, forActor].allSatisfy { $0.isEmpty })
    }

    @Test func anActorOnAThreadOfItsOwnIsNotWarned() async throws {
        let warnings = try await warnings { try await ThreadActor().open($0) }
        #expect(warnings.isEmpty)
    }

    @Test func warningsArePrintedWithoutAHandler() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let directory = try TemporaryDirectory()
            defer { directory.delete() }
            Realm.confinementHandler = nil
            let configuration = Self.configuration(directory)
            try await Task.detached { _ = try Self.openInTask(configuration) }.value
        }
        expectMessage(
            result, "Warning: Realm opened for a thread that its task may leave at any await.\n  What: Opening a realm for the calling thread, at '",
            "\n  Opened: at FreeholdTests/OpeningWarningTests.swift:1000001 in a task without an actor", "\n  Remedy: Open it with")
    }
}

/// An actor that runs on one thread.
private actor ThreadActor {
    private let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(_ configuration: Realm.Configuration) throws -> UInt {
        _ = try Realm(configuration: configuration, line: 1_000_010)
        return 1_000_010
    }
}

/// Runs each job on a new thread: one at a time, as the only test that uses it does.
private final class ThreadExecutor: SerialExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread { job.runSynchronously(on: self.asUnownedSerialExecutor()) }.start()
    }
}
