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
}
