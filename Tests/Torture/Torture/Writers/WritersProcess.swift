import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// One of the processes of `torture writers`.
struct WritersProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writers-process", shouldDisplay: false)

    @OptionGroup var kinds: WritersOptions
    @Argument var path: String
    @Option var deadline: UInt64
    @Option var seed: UInt64
    @Option var number: Int

    func run() async throws {
        HistoryData.silenceVersionWarnings()
        let run = WritersRun(
            configuration: HistoryData.configuration(
                path, isEncrypted: false, isDurable: kinds.durable),
            seed: seed &+ UInt64(number) &* 7_919, deadline: deadline, isGreedy: kinds.greedy)
        var options = Store.Options(path: path)
        options.durability = kinds.durable ? .full : .none
        let environment = try Store.open(options).environment
        startThread { run.watch(environment) }
        let (writing, asynchronous, isPlain) = (
            kinds.writingCount, kinds.asynchronousCount, kinds.plain
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<writing { group.addTask { try await run.runActor(index) } }
            for index in 0..<asynchronous {
                group.addTask { try await run.runAsynchronousActor(writing + index) }
            }
            group.addTask {
                try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<Void, any Error>) in
                    startThread {
                        let others: [@Sendable () throws -> Void] =
                            [run.runThread] + (isPlain ? [] : [run.runQueue, run.runSleeper])
                        continuation.resume(with: Result { try runThreads(others) })
                    }
                }
            }
            try await group.waitForAll()
        }
        run.finish()
    }
}

struct WritersRun: Sendable {
    let configuration: Realm.Configuration
    let seed: UInt64
    let deadline: UInt64
    let isGreedy: Bool
    private let waits = Locked<[String: WaitTimes]>([:])

    init(configuration: Realm.Configuration, seed: UInt64, deadline: UInt64, isGreedy: Bool) {
        (self.configuration, self.seed, self.deadline, self.isGreedy) = (
            configuration, seed, deadline, isGreedy
        )
    }

    private var isOver: Bool { machineNanoseconds() >= deadline }

    /// In the block of a write that was asked for at a time: it is counted if it is stored.
    private func change(_ realm: Realm, _ number: Int, since start: UInt64) -> UInt64 {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        let wait = machineNanoseconds() - start
        _ = HistoryData.change(realm, number % 16, &random)
        return wait
    }

    private func note(_ kind: String, _ wait: UInt64) {
        waits.withLock { $0[kind, default: WaitTimes()].add(nanoseconds: wait) }
    }

    func finish() {
        for (kind, times) in waits.withLock({ $0 }) {
            SpawnedProcess.say("waits \(kind) \(times.line)")
        }
    }

    /// Ends the process when nothing was written for a while.
    func watch(_ environment: Environment) {
        var (last, since) = (-1, machineNanoseconds())
        while true {
            usleep(200_000)
            let count = waits.withLock { $0.values.reduce(0) { $0 + $1.count } }
            let now = machineNanoseconds()
            if count != last { (last, since) = (count, now) }
            if now - since < 20_000_000_000 { continue }
            SpawnedProcess.say(
                """
                A standstill after \(count) writes of process \(getpid()): \
                \(environment.writeQueueState)
                """
            )
            abort()
        }
    }

    private actor Home {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm.open(configuration: configuration)
        }

        func write(_ body: @Sendable (Realm) -> UInt64) throws -> UInt64 {
            guard let realm else { throw CancellationError() }
            return try realm.write { body(realm) }
        }

        func writeAsynchronously(_ body: @Sendable (Realm) -> UInt64) async throws -> UInt64 {
            guard let realm else { throw CancellationError() }
            return try await realm.asyncWrite { body(realm) }
        }
    }

    func runActor(_ number: Int) async throws {
        let home = Home()
        try await home.open(configuration)
        while !isOver {
            let start = machineNanoseconds()
            note("write-in-actors", try await home.write { change($0, number, since: start) })
            // Else the task keeps its thread of the pool from one write to the next.
            if !isGreedy { await Task.yield() }
        }
    }

    /// Three at a time, so that some share a turn.
    func runAsynchronousActor(_ number: Int) async throws {
        let home = Home()
        try await home.open(configuration)
        while !isOver {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let start = machineNanoseconds()
                        note(
                            "asyncWrite",
                            try await home.writeAsynchronously { change($0, number, since: start) })
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    func runThread() throws {
        let realm = try Realm(configuration: configuration)
        while !isOver {
            let start = machineNanoseconds()
            note("write", try realm.write { change(realm, 1, since: start) })
        }
    }

    private func writeAsync(
        _ realm: Realm, _ number: Int, _ kind: String, then end: @escaping () -> Void = {}
    ) {
        let start = machineNanoseconds()
        var wait: UInt64 = 0
        realm.writeAsync {
            wait = change(realm, number, since: start)
        } onComplete: { error in
            if let error {
                SpawnedProcess.say("An asynchronous write fails: \(error)")
            } else {
                note(kind, wait)
            }
            end()
        }
    }

    func runQueue() throws {
        let queue = DispatchQueue(label: "writers")
        let group = DispatchGroup()
        while !isOver {
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                for _ in 0..<3 {
                    group.enter()
                    writeAsync(realm, 2, "writeAsync") { group.leave() }
                }
            }
            group.wait()
        }
    }

    /// A thread that asks for a write and comes to it only now and then.
    func runSleeper() throws {
        let realm = try Realm(configuration: configuration)
        while !isOver {
            writeAsync(realm, 3, "writeAsync-late")
            usleep(50_000)
            while realm.isPerformingAsynchronousWriteOperations {
                realm.refresh()
                usleep(1_000)
            }
        }
    }
}
