import CMeasurement
import Foundation
import Freehold

/// `frozen-read-…`: threads read one property of objects of one frozen realm, for a fixed time;
/// that time divided by the number of all reads.
///
/// Threads are started and make their objects before the clock starts, and read until it stops.
/// A fixed number of reads for each would measure how evenly the system shares its processors
/// among more threads than there are: the last one to end would run alone.
///
/// Two threads and eight take turns, because what is compared are equals: a change of the
/// machine's load between them would be all that one sees.
extension FreeholdEngine {
    func frozenRead(threads: Int) -> Sample {
        let medians = frozenReads ?? measureFrozenReads()
        frozenReads = medians
        return Sample(value: medians[threads]!, answer: nil)
    }

    /// The median time of a read, by the number of threads.
    private func measureFrozenReads() -> [Int: Double] {
        let frozen = base.freeze()
        var times: [Int: [Double]] = [:]
        let rounds = 21
        for _ in 0..<rounds {
            for threads in [1, 8] { times[threads, default: []].append(time(frozen, threads)) }
        }
        return times.mapValues { $0.sorted()[rounds / 2] }
    }

    private func time(_ frozen: Realm, _ threads: Int) -> Double {
        let race = FrozenRace(frozen, rows: dataset.rows.count, threads: threads)
        let clock = ContinuousClock()
        race.waitUntilReady()
        let start = clock.now
        race.go()
        Thread.sleep(forTimeInterval: 0.1)
        race.stop()
        let elapsed = clock.now - start
        // Of one core: more threads share the cores.
        let cores = min(threads, ProcessInfo.processInfo.activeProcessorCount)
        return elapsed / .nanoseconds(1) / Double(race.waitForReads()) * Double(cores)
    }
}

/// Threads that begin together and count what they do.
private final class FrozenRace: @unchecked Sendable {
    // @unchecked: the variables are protected by `condition`; a frozen realm may be read by any
    // thread.
    private enum Phase { case preparing, running }

    private let frozen: Realm
    private let rows: Int
    private let threads: Int
    private let isOver = measurement_flag_create()!
    private let condition = NSCondition()
    private var phase = Phase.preparing
    private var readyCount = 0
    private var endedCount = 0
    private var reads = 0
    private var sum = 0

    init(_ frozen: Realm, rows: Int, threads: Int) {
        self.frozen = frozen
        self.rows = rows
        self.threads = threads
        for _ in 0..<threads { Thread { self.run() }.start() }
    }

    deinit { measurement_flag_destroy(isOver) }

    private func run() {
        // A thousand for each thread, so that the memory caches hold them.
        let people = frozen.objects(Person.self)
        let kept = (0..<min(1_000, rows)).map { people[$0] }
        var (sum, reads) = (0, 0)
        // Once before the clock starts: the first read of an object is not what is measured.
        for person in kept { sum &+= person.age }
        condition.withLock {
            readyCount += 1
            condition.broadcast()
            while phase == .preparing { condition.wait() }
        }
        while !measurement_flag_is_set(isOver) {
            for person in kept {
                sum &+= person.age
                measurement_memory_barrier()
            }
            reads += kept.count
        }
        condition.withLock {
            self.reads += reads
            self.sum &+= sum
            endedCount += 1
            condition.broadcast()
        }
    }

    func waitUntilReady() {
        condition.withLock { while readyCount < threads { condition.wait() } }
    }

    func go() {
        condition.withLock {
            phase = .running
            condition.broadcast()
        }
    }

    func stop() { measurement_flag_set(isOver) }

    /// The number of all threads' reads.
    func waitForReads() -> Int {
        condition.withLock {
            while endedCount < threads { condition.wait() }
            return reads
        }
    }
}
