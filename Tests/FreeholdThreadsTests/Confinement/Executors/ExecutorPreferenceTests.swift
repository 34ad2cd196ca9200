import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Glibc
import Testing

/// Tasks that prefer a pinned executor: where they run, and what their realms belong to.
/// `NaturalProgram.executorPreferences` are programs of the kind.
@Suite(.timeLimit(.minutes(10))) struct ExecutorPreferenceTests {
    typealias Person = Fixture.Person

    private actor Pinned: PinnedActor {
        let executor: PinnedExecutor
        init(_ executor: PinnedExecutor) { self.executor = executor }

        func thread() -> pthread_t { pthread_self() }
        func opened(_ configuration: Realm.Configuration) async throws -> Smuggled<Realm> {
            Smuggled(value: try await Realm.open(configuration: configuration))
        }
    }

    private struct Smuggled<Value>: @unchecked Sendable {
        // Sendable: it is what these tests are about.
        let value: Value
    }

    private func withConfiguration(
        _ body: (Realm.Configuration, PinnedExecutor) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await body(configuration, PinnedExecutor("preferred"))
        let problems = try onNewThread { try Realm(configuration: configuration).check() }
        #expect(problems.isEmpty, "The file is kept at \(directory.url.path).")
        if problems.isEmpty { directory.delete() }
    }

    private static func thread() async -> pthread_t { pthread_self() }

    @Test func whatBelongsToNoActorRunsOnTheThread() async throws {
        let executor = PinnedExecutor("preferred")
        let own = await Pinned(executor).thread()
        let threads = await Task(executorPreference: executor) {
            var threads: Set<pthread_t> = [pthread_self()]
            for _ in 0..<20 {
                await Task.yield()
                threads.insert(await Self.thread())
            }
            async let child = Self.thread()
            threads.insert(await child)
            return threads
        }.value
        #expect(threads == [own])
        let elsewhere = await Task { await Self.thread() }.value
        #expect(elsewhere != own)
    }

    /// Of the task, of an actor on the executor, and of synchronous code there.
    @Test func theRealmIsOne() async throws {
        try await withConfiguration { configuration, executor in
            let pinned = Pinned(executor)
            let isOne = try await Task(executorPreference: executor) {
                func synchronously() throws -> Realm { try Realm(configuration: configuration) }
                let realm = try await Realm.open(configuration: configuration)
                let actors = try await pinned.opened(configuration).value
                return try realm == synchronously() && realm == actors
            }.value
            #expect(isOne)
        }
    }

    @Test func notificationsAndWritesComeToTheThread() async throws {
        try await withConfiguration { configuration, executor in
            let own = await Pinned(executor).thread()
            let threads = try await Task(executorPreference: executor) {
                let realm = try await Realm.open(configuration: configuration)
                nonisolated(unsafe) var threads: [pthread_t] = []
                let token = realm.objects(Person.self).observe { _ in threads.append(pthread_self())
                }
                await withCheckedContinuation { continuation in
                    realm.writeAsync {
                        realm.add(Person(id: 1))
                    } onComplete: { error in
                        #expect(error == nil)
                        threads.append(pthread_self())
                        continuation.resume()
                    }
                }
                // The completion and the initial call, which may come after the write.
                while threads.count < 2 { await Task.yield() }
                token.invalidate()
                return Set(threads)
            }.value
            #expect(threads == [own])
        }
    }

    /// The executor is gone after the task, and its thread; the actors of others never saw its
    /// realm.
    @Test func theThreadEndsWithTheTask() async throws {
        let directory = try TemporaryDirectory()
        defer { directory.delete() }
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        weak var ended: PinnedExecutor?
        do {
            let executor = PinnedExecutor("short")
            ended = executor
            try await Task(executorPreference: executor) {
                let realm = try await Realm.open(configuration: configuration)
                try await realm.asyncWrite { realm.add(Person(id: 1)) }
            }.value
        }
        while ended != nil { await Task.yield() }
        #expect(
            try onNewThread { try Realm(configuration: configuration).objects(Person.self).count }
                == 1)
    }

    /// Behind the end of the preference the task is on other threads.
    @Test func aRealmThatLeavesThePreferenceIsReported() async throws {
        try await withConfiguration { configuration, executor in
            let realm = try await withTaskExecutorPreference(executor) {
                Smuggled(value: try await Realm.open(configuration: configuration))
            }
            let violation = try #require(throws: ConfinementViolation.self) {
                try realm.value.write {}
            }
            #expect(violation.message == "Realm accessed from incorrect thread.")
            #expect(violation.confinedTo == "the executor 'preferred'")
            #expect(
                violation.remedy.hasPrefix(
                    """
                    Write in a method of an actor that the executor 'preferred' runs (try \
                    await realm.asyncWrite { … }), or work in 
                    """
                ))
            await withTaskExecutorPreference(executor) { withExtendedLifetime(realm.value) {} }
        }
    }

    @Test func asyncWriteOfARealmElsewhereIsRefused() async throws {
        try await withConfiguration { configuration, executor in
            let other = PinnedExecutor("other")
            let realm = try await Task(executorPreference: executor) {
                Smuggled(value: try await Realm.open(configuration: configuration))
            }.value
            await #expect(throws: ConfinementViolation.self) {
                try await Task(executorPreference: other) { try await realm.value.asyncWrite {} }
                    .value
            }
        }
    }
}
