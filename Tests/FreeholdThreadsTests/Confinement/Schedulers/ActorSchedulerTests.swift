import Foundation
import FreeholdRealmTestSupport
import Testing

@testable import Freehold

@Suite struct ActorSchedulerTests {
    private actor Place {
        private(set) var numbers: [Int] = []

        func add(_ number: Int) { numbers.append(number) }
    }

    @Test func workRunsInTheOrderInWhichItCame() async {
        let place = Place()
        let scheduler = ActorScheduler(place)
        let count = 20_000
        await withCheckedContinuation { continuation in
            for number in 0..<count {
                scheduler.run {
                    place.assumeIsolated { $0.add(number) }
                    if number == count - 1 { continuation.resume() }
                }
            }
        }
        // Behind what was late.
        await withCheckedContinuation { continuation in scheduler.run { continuation.resume() } }
        #expect(await place.numbers == Array(0..<count))
    }

    /// Tasks may reach an actor, and be run by its executor, in any order.
    @Test func theOrderIsNotTheExecutors() async {
        let executor = ReversingExecutor(jobCount: 3)
        let place = Steered(executor)
        let scheduler = ActorScheduler(place)
        for number in 0..<3 { scheduler.run { place.assumeIsolated { $0.numbers.append(number) } } }
        await withCheckedContinuation { continuation in
            executor.whenAllHaveCome { continuation.resume() }
        }
        let numbers = executor.runReversed { place.assumeIsolated { $0.numbers } }
        #expect(numbers == [0, 1, 2])
    }

    private actor Steered {
        private let executor: ReversingExecutor
        var numbers: [Int] = []

        init(_ executor: ReversingExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }
    }
}

/// Keeps jobs until a certain number has come, and runs them last first where it is told to.
private final class ReversingExecutor: SerialExecutor, @unchecked Sendable {
    // @unchecked: `jobs` and `whenFull` are protected by `lock`, `isRunning` is used by the
    // thread that runs the jobs.
    private let lock = NSLock()
    private let jobCount: Int
    private var jobs: [UnownedJob] = []
    private var whenFull: (@Sendable () -> Void)?
    private var isRunning = false

    init(jobCount: Int) { self.jobCount = jobCount }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let called = lock.withLock { () -> (@Sendable () -> Void)? in
            jobs.append(job)
            return jobs.count == jobCount ? whenFull : nil
        }
        called?()
    }

    func whenAllHaveCome(_ body: @escaping @Sendable () -> Void) {
        let isFull = lock.withLock {
            whenFull = body
            return jobs.count >= jobCount
        }
        if isFull { body() }
    }

    /// Runs the jobs, the last first, then a body as their actor.
    func runReversed<Result>(_ body: () -> Result) -> Result {
        let taken = lock.withLock { jobs }
        isRunning = true
        defer { isRunning = false }
        for job in taken.reversed() { job.runSynchronously(on: asUnownedSerialExecutor()) }
        return body()
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func isIsolatingCurrentContext() -> Bool? { isRunning }

    func checkIsolated() { precondition(isRunning) }
}
