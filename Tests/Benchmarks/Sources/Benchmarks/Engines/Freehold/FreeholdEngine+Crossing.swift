import CMeasurement
import Dispatch
import Foundation
import Freehold

/// Threads, actors and background writers.
///
/// - `thread-round-trip`: two threads with a mutex and two condition variables, one of which
///   sleeps for a millisecond before it wakes the other.
/// - `async-hold`: an actor on a thread that has other work, too, changes one object with
///   `asyncWrite`, a thousand times, while each `fdatasync` takes 20 ms longer. The calls are
///   made by a task of the actor's own, as on the main actor, and other work comes between.
///   What a call held is the time of all jobs that ran on the actor's thread from the call to
///   its return.
/// - `single-commit`, `grouped-commit`: the same thousand changes, one after another with
///   `write`, and as tasks that all call `asyncWrite` of one actor.
extension FreeholdEngine {
    private static let calls = 1_000

    func threadRoundTrip() -> Sample {
        var trips = [Double](repeating: 0, count: Self.calls)
        precondition(
            measurement_round_trips(&trips, Int32(Self.calls)), "The system starts no thread.")
        return Sample(value: trips.sorted()[Self.calls / 2], answer: nil)
    }

    func asyncHold(worst: Bool) throws -> Sample {
        let holds = try holds ?? measureHolds()
        self.holds = holds
        return Sample(value: worst ? holds.last! : holds[holds.count / 2], answer: nil)
    }

    /// Ascending.
    private func measureHolds() throws -> [Double] {
        nonisolated(unsafe) var holds: [Double] = []
        _ = try withCopy { realm in
            let (configuration, identifier) = (realm.configuration, dataset.hotIdentifier)
            let executor = TimingExecutor()
            executor.start()
            defer { executor.end() }
            let writer = TimedWriter(executor)
            try waiting {
                try await writer.open(configuration)
                // Warm: the writer thread, the first turn.
                _ = try await writer.measureHolds(identifier, calls: 10)
                measurement_delay_syncs(20_000)
                holds = try await writer.measureHolds(identifier, calls: Self.calls)
                measurement_delay_syncs(0)
            }
            return Sample(value: 0, answer: nil)
        }
        return holds.sorted()
    }

    func singleCommits() throws -> Sample {
        try withCopy { realm in
            let person = realm.object(ofType: Person.self, forPrimaryKey: dataset.hotIdentifier)!
            let before = person.age
            let value = try nanoseconds(per: Self.calls) {
                for _ in 0..<Self.calls { try realm.write { person.age += 1 } }
            }
            return Sample(value: value, answer: person.age - before)
        }
    }

    func groupedCommits() throws -> Sample {
        try withCopy { realm in
            let (configuration, identifier) = (realm.configuration, dataset.hotIdentifier)
            let before = realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age
            let writer = Writer()
            try waiting {
                try await writer.open(configuration)
            }
            let value = try nanoseconds(per: Self.calls) {
                try waiting {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<Self.calls {
                            group.addTask { try await writer.increment(identifier) }
                        }
                        try await group.waitForAll()
                    }
                }
            }
            realm.refresh()
            return Sample(
                value: value,
                answer: realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age - before)
        }
    }
}

/// An ordinary actor whose realm writes.
private actor Writer {
    private var realm: Realm?

    func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func increment(_ identifier: Int) async throws {
        guard let realm else { return }
        try await realm.asyncWrite {
            realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age += 1
        }
    }
}

/// The same on an executor that is watched.
private actor TimedWriter {
    private let executor: TimingExecutor
    private var realm: Realm?

    init(_ executor: TimingExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    /// What each of some calls held the executor's thread, in nanoseconds.
    func measureHolds(_ identifier: Int, calls: Int) async throws -> [Double] {
        guard let realm else { return [] }
        var holds: [Double] = []
        for _ in 0..<calls {
            try await Task.sleep(for: .milliseconds(1))
            executor.restart()
            try await realm.asyncWrite {
                realm.object(ofType: Person.self, forPrimaryKey: identifier)!.age += 1
            }
            holds.append(executor.elapsed)
        }
        return holds
    }
}

/// Runs jobs on a thread that has other work to do, and adds up how long they hold it.
///
/// The other work is the point: a thread that sleeps for the 20 ms of a sync loses nothing by
/// being held, and wakes up with cold caches, which makes all that it does several times as
/// long.
private final class TimingExecutor: SerialExecutor, @unchecked Sendable {
    // @unchecked: `jobs` and `isEnding` are protected by `lock`; the times belong to the thread.
    private let lock = NSLock()
    private var jobs: [UnownedJob] = []
    private var isEnding = false
    /// When the running job began, or the clock was restarted in it.
    private var beginning: UInt64 = 0
    private var sum: UInt64 = 0

    func start() {
        Thread { self.run() }.start()
    }

    func end() { lock.withLock { isEnding = true } }

    private func run() {
        var other = [Int](repeating: 1, count: 4_096)
        while true {
            let (job, isOver) = lock.withLock {
                (jobs.isEmpty ? nil : jobs.removeFirst(), isEnding)
            }
            if let job {
                beginning = Self.now
                job.runSynchronously(on: asUnownedSerialExecutor())
                sum += Self.now - beginning
            } else if isOver {
                return
            } else {
                for index in other.indices { other[index] &+= index }
                measurement_memory_barrier()
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.withLock { jobs.append(job) }
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// In a job.
    func restart() {
        sum = 0
        beginning = Self.now
    }

    /// Nanoseconds of jobs since the restart. In a job.
    var elapsed: Double { Double(sum + Self.now - beginning) }
}

/// Waits for asynchronous work on the calling thread, which is none of its.
func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
    nonisolated(unsafe) var outcome: Result<Void, any Error> = .success(())
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await body() } catch { outcome = .failure(error) }
        done.signal()
    }
    done.wait()
    try outcome.get()
}
