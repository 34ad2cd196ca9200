import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// More synchronous writers in actors than the pool has threads, beside asynchronous ones, threads, queues, schedulers that sleep, and other processes. What must not
/// happen is that all of them wait.
struct WritersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writers", abstract: "Lets more writers wait on the tasks' pool than it has threads, and looks for standstills.")

    @OptionGroup var options: RunOptions
    @Option(help: "How long they write.") var seconds = 10
    @Option(help: "How many processes.") var processes = 2
    @Flag(help: "Commits are synced.") var durable = false

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        HistoryData.silenceVersionWarnings()
        let report = try TortureReport("writers", options)
        let path = report.path("writers.realm")
        let realm = try Realm(configuration: HistoryData.configuration(path, isEncrypted: false, isDurable: durable))
        try HistoryData.prepare(realm)
        let deadline = machineNanoseconds() + UInt64(seconds) * 1_000_000_000
        let arguments = ["writers-process", path, "--deadline", "\(deadline)", "--seed", "\(report.seed)"] + (durable ? ["--durable"] : [])
        let children = try (0..<processes).map { try SpawnedProcess(arguments + ["--number", "\($0)"]) }
        let total = Locked(UInt64(0))
        try runThreads(children.map { child in
            {
                child.readLines { line in
                    let words = line.split(separator: " ")
                    guard words.count == 3, words[0] == "count", let count = Int(words[2]) else { return report.find(line) }
                    report.add(String(words[1]), count)
                    total.withLock { $0 += UInt64(count) }
                }
                let end = child.wait()
                report.expect(end == 0, "A process ended with \(end).")
            }
        })
        realm.refresh()
        let seen = HistoryData.look(realm, 0)
        let count = total.withLock { $0 }
        report.expect(seen.problem == nil && seen.number == count, "\(count) writes ended, \(seen.number) are there. \(seen.problem ?? "")")
        for problem in try realm.check() { report.find(problem) }
        try report.finish()
    }
}

/// One of the processes.
struct WritersProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "writers-process", shouldDisplay: false)

    @Argument var path: String
    @Option var deadline: UInt64
    @Option var seed: UInt64
    @Option var number: Int
    @Flag var durable = false

    func run() async throws {
        HistoryData.silenceVersionWarnings()
        let configuration = HistoryData.configuration(path, isEncrypted: false, isDurable: durable)
        let run = WritersRun(configuration: configuration, seed: seed &+ UInt64(number) &* 7_919, deadline: deadline)
        var options = Store.Options(path: path)
        options.durability = durable ? .full : .none
        let environment = try Store.open(options).environment
        Thread.detachNewThread { run.watch(environment) }
        let writers = ProcessInfo.processInfo.activeProcessorCount + 1
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<writers {
                group.addTask { try await run.runActor(index, isAsynchronous: false) }
                group.addTask { try await run.runActor(writers + index, isAsynchronous: true) }
            }
            group.addTask {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    Thread.detachNewThread {
                        let others: [@Sendable () throws -> Void] = [run.runThread, run.runQueue, run.runSleeper]
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
    private let counts = Locked<[String: Int]>([:])

    private var isOver: Bool { machineNanoseconds() >= deadline }

    private func note(_ kind: String) { counts.withLock { $0[kind, default: 0] += 1 } }

    private func change(_ realm: Realm, _ number: Int) {
        var random = SeededGenerator(seed: seed &+ UInt64(number))
        _ = HistoryData.change(realm, number % 16, &random)
    }

    func finish() { for (kind, count) in counts.withLock({ $0 }) { SpawnedProcess.say("count \(kind) \(count)") } }

    /// Ends the process when nothing was written for a while.
    func watch(_ environment: Environment) {
        var (last, since) = (-1, machineNanoseconds())
        while true {
            usleep(200_000)
            let count = counts.withLock { $0.values.reduce(0, +) }
            let now = machineNanoseconds()
            if count != last { (last, since) = (count, now) }
            if now - since < 20_000_000_000 { continue }
            SpawnedProcess.say("A standstill after \(count) writes of process \(getpid()): \(environment.writeQueueState)")
            abort()
        }
    }

    private actor Home {
        private var realm: Realm?

        func open(_ configuration: Realm.Configuration) async throws { realm = try await Realm.open(configuration: configuration) }

        func write(_ body: @Sendable (Realm) -> Void) throws {
            guard let realm else { return }
            try realm.write { body(realm) }
        }

        func writeAsynchronously(_ body: @Sendable (Realm) -> Void) async throws {
            guard let realm else { return }
            try await realm.asyncWrite { body(realm) }
        }
    }

    /// Asynchronous ones come three at a time, so that some share a turn.
    func runActor(_ number: Int, isAsynchronous: Bool) async throws {
        let home = Home()
        try await home.open(configuration)
        while !isOver {
            if isAsynchronous {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await home.writeAsynchronously { change($0, number) }
                            note("asyncWrite")
                        }
                    }
                    try await group.waitForAll()
                }
            } else {
                try await home.write { change($0, number) }
                note("write-in-actors")
            }
        }
    }

    func runThread() throws {
        let realm = try Realm(configuration: configuration)
        while !isOver {
            try realm.write { change(realm, 1) }
            note("write")
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
                    realm.writeAsync { change(realm, 2) } onComplete: { error in
                        if let error { SpawnedProcess.say("An asynchronous write fails: \(error)") }
                        note("writeAsync")
                        group.leave()
                    }
                }
            }
            group.wait()
        }
    }

    /// A thread that asks for a write and comes to it only now and then.
    func runSleeper() throws {
        let realm = try Realm(configuration: configuration)
        while !isOver {
            realm.writeAsync { change(realm, 3) } onComplete: { error in
                if let error { SpawnedProcess.say("An asynchronous write fails: \(error)") }
                note("writeAsync-late")
            }
            usleep(50_000)
            while realm.isPerformingAsynchronousWriteOperations {
                realm.refresh()
                usleep(1_000)
            }
        }
    }
}
