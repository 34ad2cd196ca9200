import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Tasks that prefer an executor (SE-0417) are suspended by each `await`, also by those of their own actor, so others go on
/// between any two of them.
@Suite("Asynchronous writes of tasks with an executor", .timeLimit(.minutes(10))) struct TaskExecutorWriteTests {
    final class Note: Object {
        @Persisted var number = 0
    }

    private actor Writer {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws { realm = try await Realm.open(configuration: configuration) }

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
        try await writer.open(Realm.Configuration(fileURL: directory.file(), objectTypes: [Note.self]))
        var random = SeededGenerator(test: "tasks with an executor")
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
    private final class SteppedExecutor: TaskExecutor {
        private let waiting = Locker((jobs: [UnownedJob](), isOver: false))
        private let changed = DispatchSemaphore(value: 0)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            waiting.update { $0.jobs.append(job) }
            changed.signal()
        }

        /// Nothing of the task runs any more.
        func end() {
            waiting.update { $0.isOver = true }
            changed.signal()
        }

        /// Runs so many jobs, waiting for each.
        ///
        /// - Returns: Whether there were fewer, because the task is over.
        func run(_ count: Int) -> Bool {
            var left = count
            while left > 0 {
                changed.wait()
                let job = waiting.update { waiting in waiting.jobs.isEmpty ? nil : waiting.jobs.removeFirst() }
                guard let job else { return true }
                job.runSynchronously(on: asUnownedTaskExecutor())
                left -= 1
            }
            return false
        }
    }

    /// Others write wherever the executor of a task in `asyncWrite` stops, and the task's write ends when it goes on.
    @Test func othersWriteWhereverTheExecutorStops() async throws {
        let directory = try TemporaryDirectory()
        var configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: [Note.self])
        configuration.durability = .none
        let fixed = configuration
        let writer = Writer()
        try await writer.open(fixed)
        var (steps, isOver) = (0, false)
        while !isOver {
            let (number, executor) = (steps, SteppedExecutor())
            let task = Task(executorPreference: executor) {
                defer { executor.end() }
                try await writer.add(number)
            }
            isOver = try await onThreadsOfTheirOwn {
                let isOver = executor.run(number)
                let realm = try Realm(configuration: fixed)
                try realm.write { realm.create(Note.self).number = -1 }
                if !isOver { _ = executor.run(.max) }
                return isOver
            }
            try await task.value
            steps += 1
        }
        #expect(steps > 3)
        #expect(try await onThreadsOfTheirOwn { try Realm(configuration: fixed).objects(Note.self).count } == 2 * steps)
        #expect(try await writer.problems() == [])
        directory.delete()
    }
}
