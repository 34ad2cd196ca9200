import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Tasks that prefer an executor (SE-0417) are suspended by each `await`, also by those of
/// their own actor, so others go on between any two of them.
@Suite("Asynchronous writes of tasks with an executor", .timeLimit(.minutes(10)))
struct TaskExecutorWriteTests {
    final class Note: Object {
        @Persisted var number = 0
    }

    private actor Writer {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func add(_ number: Int) async throws {
            guard let realm else { return }
            try await realm.asyncWrite { realm.create(Note.self).number = number }
        }

        func count() -> Int { realm?.objects(Note.self).count ?? 0 }

        func problems() throws -> [String] { try realm?.check() ?? [] }
    }

    private final class Executor: TaskExecutor {
        private let queue = DispatchQueue(label: "preferred")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Each write ends, with its object stored or with the error of its task's cancellation.
    @Test(arguments: [false, true]) func eachWriteEnds(isCancelled: Bool) async throws {
        let directory = try TemporaryDirectory()
        let (writer, executor) = (Writer(), Executor())
        try await writer.open(
            Realm.Configuration(fileURL: directory.file(), objectTypes: [Note.self]))
        var random = Seed.random()
        var stored = 0
        for _ in 0..<100 {
            let tasks = (0..<6).map { number in
                Task(executorPreference: executor) { try await writer.add(number) }
            }
            for task in tasks where isCancelled && Bool.random(using: &random) {
                if Bool.random(using: &random) { await Task.yield() }
                task.cancel()
            }
            for task in tasks where await (try? task.value) != nil { stored += 1 }
        }
        #expect(await writer.count() == stored)
        if !isCancelled { #expect(stored == 600) }
        #expect(try await writer.problems() == [])
        directory.delete()
    }

    /// Its jobs run when ``run(_:)`` is called.
    private final class SteppedExecutor: TaskExecutor, SerialExecutor {
        private let jobs = Locker<[UnownedJob]>([])
        /// Signalled with each job, and without one when a task is over.
        private let changed = DispatchSemaphore(value: 0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.update { $0.append(job) }
            changed.signal()
        }

        func noteEnd() { changed.signal() }

        /// Runs so many jobs, waiting for each.
        ///
        /// - Returns: Whether there were fewer, because the task is over.
        func run(_ count: Int) -> Bool {
            for _ in 0..<count {
                changed.wait()
                guard let job = jobs.update({ $0.isEmpty ? nil : $0.removeFirst() }) else {
                    return true
                }
                job.runSynchronously(
                    isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            }
            return false
        }
    }

    /// Its jobs run on an executor of its own, and so not on those that tasks prefer.
    private actor SteppedWriter {
        nonisolated let executor = SteppedExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func add(_ number: Int) async throws {
            guard let realm else { return }
            try await realm.asyncWrite { realm.create(Note.self).number = number }
        }

        func close() { realm = nil }
    }

    /// Begins a task, and runs so many jobs of its actor.
    private func begin(
        _ writer: SteppedWriter, jobs: Int,
        _ body: @escaping @Sendable (SteppedWriter) async throws -> Void
    ) async throws -> (task: Task<Void, any Error>, isOver: Bool) {
        let task = Task(executorPreference: Executor()) {
            defer { writer.executor.noteEnd() }
            try await body(writer)
        }
        return (task, try await awaitThread { writer.executor.run(jobs) })
    }

    /// Others write wherever an actor stops whose task is in `asyncWrite`, and the task's write
    /// ends when it goes on.
    @Test func othersWriteWhereverTheActorStops() async throws {
        let directory = try TemporaryDirectory()
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: [Note.self])
        configuration.durability = .none
        let (fixed, writer) = (configuration, SteppedWriter())
        try await begin(writer, jobs: .max) { try await $0.open(fixed) }.task.value
        var (jobs, isOver) = (0, false)
        while !isOver {
            let number = jobs
            let (task, isLast) = try await begin(writer, jobs: jobs) { try await $0.add(number) }
            try await awaitThread {
                let realm = try Realm(configuration: fixed)
                try realm.write { realm.create(Note.self).number = -1 }
                if !isLast { _ = writer.executor.run(.max) }
            }
            try await task.value
            jobs += 1
            isOver = isLast
        }
        #expect(jobs > 3)
        try await begin(writer, jobs: .max) { await $0.close() }.task.value
        let stored = jobs
        try await awaitThread {
            let realm = try Realm(configuration: fixed)
            #expect(realm.objects(Note.self).count == 2 * stored)
            #expect(try realm.check() == [])
        }
        directory.delete()
    }
}
