import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import TortureCalls

/// A realm of an actor, whose tasks wait in `asyncWrite`. The actor's jobs, and those of the
/// tasks' pool, run when the machine steps them.
actor MachineTasks {
    private struct Thrown: Error {}

    private nonisolated let executor = SteppedExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let path: String
    private let features: MachineFeatures
    private var realm: Realm?
    /// Those that have not ended, by the number of their write.
    private nonisolated let tasks = Locked<[Int: Task<Void, Never>]>([:])

    init(_ path: String, _ features: MachineFeatures) {
        (self.path, self.features) = (path, features)
    }

    nonisolated var isBusy: Bool {
        executor.jobCount > 0 || torture_pool_jobs() > 0 || tasks.withLock { !$0.isEmpty }
    }

    /// Runs the jobs that there are.
    nonisolated func run() {
        for _ in 0..<torture_pool_jobs() { torture_run_pool_job() }
        for _ in 0..<executor.jobCount { executor.runNext() }
    }

    nonisolated func runAll() { while torture_run_pool_job() != 0 || executor.runNext() {} }

    nonisolated func open() {
        begin { await $0.openRealm() }
        runAll()
    }

    nonisolated func close() {
        begin { await $0.closeRealm() }
        runAll()
    }

    /// - Parameter isPreferring: Whether the task prefers an executor, which suspends it with
    ///   each `await`.
    nonisolated func write(_ number: Int, throwing: Bool, isPreferring: Bool) {
        let task = begin { actor in
            if isPreferring {
                await actor.write(number, throwing)
            } else {
                await actor.begin(number, throwing)
            }
        }
        tasks.withLock { $0[number] = task }
    }

    /// Begins another task, which prefers nothing.
    private func begin(_ number: Int, _ throwing: Bool) {
        let wasCancelled = Task.isCancelled
        // At once: it must not come by way of the pool.
        let task = Task.immediate { await self.write(number, throwing) }
        // Unless it has ended.
        tasks.withLock { if $0[number] != nil { $0[number] = task } }
        if wasCancelled { task.cancel() }
    }

    nonisolated func cancel(_ random: inout SeededGenerator) {
        guard let victim = tasks.withLock({ $0.keys.sorted() }).randomElement(using: &random) else {
            return
        }
        tasks.withLock { $0[victim] }?.cancel()
    }

    nonisolated func cancelAll() {
        for (_, task) in tasks.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { task.cancel() }
    }

    /// A task whose first job the actor has when this returns.
    @discardableResult
    private nonisolated func begin(_ body: @escaping @Sendable (MachineTasks) async -> Void)
        -> Task<Void, Never>
    {
        Task(executorPreference: InlineExecutor.shared) { await body(self) }
    }

    private func openRealm() {
        do {
            realm = try Realm.openHere(MachineProcessCommand.configuration(path, features), self)
        } catch {
            MachineWork.say("unopened", error)
        }
    }

    private func closeRealm() { realm = nil }

    private func write(_ number: Int, _ throwing: Bool) async {
        await store(number, throwing)
        // Without the realm, which the file's end waits for.
        tasks.withLock { $0[number] = nil }
    }

    private func store(_ number: Int, _ throwing: Bool) async {
        guard let realm else { return MachineWork.say("cancelled \(number)") }
        do {
            try await realm.asyncWrite {
                MachineWork.store(number, in: realm)
                if throwing { throw Thrown() }
                MachineWork.say("committed \(number)")
            }
            MachineWork.say("stored \(number)")
        } catch is Thrown {
            MachineWork.say("cancelled \(number)")
        } catch is CancellationError {
            MachineWork.say("cancelled \(number)")
        } catch {
            MachineWork.say("failed \(number)", error)
        }
    }
}

/// An actor's jobs, in their order. Any thread adds one; one thread runs them.
final class SteppedExecutor: SerialExecutor {
    private let jobs = Locked<[UnownedJob]>([])

    var jobCount: Int { jobs.withLock { $0.count } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// False if there is none.
    @discardableResult
    func runNext() -> Bool {
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
        job.runSynchronously(on: asUnownedSerialExecutor())
        return true
    }
}
