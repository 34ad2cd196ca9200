import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// `Realm.performBackgroundTask`.
@Suite struct BackgroundTaskTests {
    typealias Person = Fixture.Person

    private func withConfiguration(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Realm.Configuration) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(fileURL: directory.file(), objectTypes: Fixture.all)
        try await body(configuration)
        let problems = try await Realm.performBackgroundTask(configuration: configuration) {
            try $0.check()
        }
        #expect(problems.isEmpty, "The file is kept at \(directory.url.path).")
        if problems.isEmpty { directory.delete() }
    }

    @MainActor @Test func theResultComesBackAndTheMainThreadIsFree() async throws {
        try await withConfiguration { configuration in
            let (isRunning, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let task = Task {
                try await Realm.performBackgroundTask(configuration: configuration) { realm in
                    isRunning.signal()
                    mayEnd.wait()
                    try realm.write { realm.add(Person(id: 1)) }
                    return (count: realm.objects(Person.self).count, isMain: Thread.isMainThread)
                }
            }
            await wait(for: isRunning)
            mayEnd.signal()
            let result = try await task.value
            #expect(result.count == 1 && !result.isMain)
        }
    }

    @Test func errorsAreThrownAndUndo() async throws {
        try await withConfiguration { configuration in
            await #expect(throws: CocoaError.self) {
                try await Realm.performBackgroundTask(configuration: configuration) { realm in
                    try realm.write {
                        realm.add(Person(id: 1))
                        throw CocoaError(.featureUnsupported)
                    }
                }
            }
            let isEmpty = try await Realm.performBackgroundTask(configuration: configuration) {
                $0.isEmpty
            }
            #expect(isEmpty)
            let missing = Realm.Configuration(
                fileURL: configuration.fileURL?.appendingPathComponent("none"),
                objectTypes: Fixture.all)
            await #expect(throws: Realm.Error.self) {
                try await Realm.performBackgroundTask(configuration: missing) { $0.isEmpty }
            }
        }
    }

    @Test func aCancelledTaskDoesNotRunItsBlock() async throws {
        try await withConfiguration { configuration in
            let hasRun = Locker(false)
            let task = Task {
                // Cancelled before it calls.
                withUnsafeCurrentTask { $0?.cancel() }
                try await Realm.performBackgroundTask(configuration: configuration) { _ in
                    hasRun.value = true
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(!hasRun.value)
        }
    }

    @Test func aTaskThatIsCancelledWhileQueuedDoesNotWait() async throws {
        try await withConfiguration { configuration in
            let limit = max(4, ProcessInfo.processInfo.activeProcessorCount)
            let (isRunning, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let holders = (0..<limit).map { _ in
                Task {
                    try await Realm.performBackgroundTask(configuration: configuration) { _ in
                        isRunning.signal()
                        mayEnd.wait()
                    }
                }
            }
            // Other tests use the same threads, but never for long.
            for _ in 0..<limit { await wait(for: isRunning) }
            let hasRun = Locker(false)
            let waiting = Task {
                try await Realm.performBackgroundTask(configuration: configuration) { _ in
                    hasRun.value = true
                }
            }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            for _ in 0..<limit { mayEnd.signal() }
            for holder in holders { try await holder.value }
            #expect(!hasRun.value)
        }
    }

    @Test func manyTasksRunEachWithARealmOfItsOwn() async throws {
        try await withConfiguration { configuration in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<100 {
                    group.addTask {
                        try await Realm.performBackgroundTask(configuration: configuration) {
                            realm in
                            #expect(!realm.isInWriteTransaction)
                            try realm.write { realm.add(Person(id: id)) }
                            // Left open: it goes with the realm.
                            realm.beginWrite()
                            realm.add(Person(id: 1_000 + id))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await Realm.performBackgroundTask(configuration: configuration) {
                    $0.objects(Person.self).map(\.id)
                } == Array(0..<100))
        }
    }

    @Test func asynchronousWritesOfTheBlockAreDone() async throws {
        try await withConfiguration { configuration in
            let done = DispatchSemaphore(value: 0)
            try await Realm.performBackgroundTask(configuration: configuration) { realm in
                realm.writeAsync {
                    realm.add(Person(id: 1))
                } onComplete: { error in
                    #expect(error == nil)
                    done.signal()
                }
            }
            await wait(for: done)
            #expect(
                try await Realm.performBackgroundTask(configuration: configuration) {
                    $0.objects(Person.self).count
                } == 1)
        }
    }
}
