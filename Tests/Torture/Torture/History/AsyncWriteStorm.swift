import Dispatch
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// F12: asynchronous writes from queues, actors, pinned actors and threads at random; each
/// completes once, and a watchdog looks for standstills.
struct AsyncWriteStorm: Sendable {
    private let report: TortureReport
    private let configuration: Realm.Configuration
    private let count: Int
    /// How many writes were asked for, and which completed how often.
    private let state: Locked<State>

    private struct State {
        var asked = 0
        var completions: [Int]
        var completed = 0
    }

    init(_ command: HistoryCommand) throws {
        report = try TortureReport("async-writes", command.options)
        configuration = HistoryData.configuration(
            report.path("storm.realm"), isEncrypted: command.encrypted, isDurable: command.durable)
        count = command.count
        state = Locked(State(completions: Array(repeating: 0, count: command.count)))
    }

    /// The number of the next write; nil when there were enough.
    private func next() -> Int? {
        state.withLock { state in
            guard state.asked < count else { return nil }
            state.asked += 1
            return state.asked - 1
        }
    }

    private func complete(_ write: Int, _ error: (any Error)?) {
        if let error { report.find("Write \(write) fails: \(error)") }
        state.withLock {
            $0.completions[write] += 1
            $0.completed += 1
        }
    }

    private var completed: Int { state.withLock { $0.completed } }

    func run() throws {
        try HistoryData.prepare(try Realm(configuration: configuration))
        let done = DispatchSemaphore(value: 0)
        let storm = self
        startThread {
            do {
                try runThreads(
                    (0..<12).map { number in
                        {
                            switch number % 4 {
                            case 0: try storm.runQueue(number)
                            case 1: try storm.runShortThreads(number)
                            case 2: storm.runActor(number)
                            default: try storm.runSynchronous(number)
                            }
                        }
                    })
            } catch {
                storm.report.find("A participant fails: \(error)")
            }
            done.signal()
        }
        // Five seconds without a completion are a standstill; on a machine that is busy, three
        // times.
        var (last, strikes) = (-1, 0)
        while done.wait(timeout: .now() + 5) == .timedOut {
            let now = completed
            strikes = now == last ? strikes + 1 : 0
            last = now
            if strikes == 3 {
                report.find("A standstill after \(now) of \(count) writes.")
                try report.finish()
            }
        }
        let (completions, completed) = state.withLock { ($0.completions, $0.completed) }
        report.set("writes", completed)
        report.expect(
            completions.allSatisfy { $0 == 1 },
            """
            \(completions.count { $0 == 0 }) writes never completed, \
            \(completions.count { $0 > 1 }) more than once.
            """
        )
        let realm = try Realm(configuration: configuration)
        let seen = HistoryData.look(realm, 0)
        report.expect(
            seen.problem == nil && seen.number == UInt64(count),
            "\(count) writes completed, \(seen.number) are there. \(seen.problem ?? "")")
        for problem in try realm.check() { report.find(problem) }
        try report.finish()
    }

    /// One of the writes. In a transaction.
    private func change(_ realm: Realm, _ number: Int, _ write: Int) {
        var random = SeededGenerator(seed: report.seed &+ UInt64(write))
        _ = HistoryData.change(realm, number, &random)
    }

    /// Any queue of four asks for some writes, and waits for them at times. The realm goes when
    /// its writes are done.
    private func runQueue(_ number: Int) throws {
        var random = SeededGenerator(seed: report.seed &+ UInt64(number))
        let queues = (0..<4).map { DispatchQueue(label: "storm \(number).\($0)") }
        let group = DispatchGroup()
        while let first = next() {
            let writes = [first] + (0..<random.int(0...4)).compactMap { _ in next() }
            let isGrouped = random.once(in: 2)
            let queue = random.pick(queues)
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                for write in writes {
                    group.enter()
                    realm.beginAsyncWrite {
                        change(realm, number, write)
                        realm.commitAsyncWrite(allowGrouping: isGrouped) { error in
                            complete(write, error)
                            group.leave()
                        }
                    }
                }
            }
            if random.once(in: 3) { group.wait() }
        }
        group.wait()
    }

    /// Threads that ask for writes and end; that finishes them.
    private func runShortThreads(_ number: Int) throws {
        var random = SeededGenerator(seed: report.seed &+ UInt64(number))
        while let first = next() {
            let writes = [first] + (0..<random.int(0...4)).compactMap { _ in next() }
            try runThreads(1) { _ in
                let realm = try Realm(configuration: configuration)
                for write in writes {
                    realm.writeAsync {
                        change(realm, number, write)
                    } onComplete: {
                        complete(write, $0)
                    }
                }
            }
        }
    }

    private actor Home {
        private var realm: Realm?

        func write(_ configuration: Realm.Configuration, _ body: @Sendable (Realm) -> Void)
            async throws
        {
            if realm == nil { realm = try await Realm.open(configuration: configuration) }
            guard let realm else { return }
            try await realm.asyncWrite { body(realm) }
        }
    }

    /// Tasks of an actor that lives for some writes.
    private func runActor(_ number: Int) {
        let done = DispatchSemaphore(value: 0)
        Task {
            while let first = next() {
                let home = Home()
                let writes = [first] + (0..<8).compactMap { _ in next() }
                await withTaskGroup(of: Void.self) { group in
                    for write in writes {
                        group.addTask {
                            do {
                                try await home.write(configuration) { change($0, number, write) }
                                complete(write, nil)
                            } catch {
                                complete(write, error)
                            }
                        }
                    }
                }
            }
            done.signal()
        }
        done.wait()
    }

    private func runSynchronous(_ number: Int) throws {
        let realm = try Realm(configuration: configuration)
        while let write = next() {
            try realm.write { change(realm, number, write) }
            complete(write, nil)
        }
    }
}
