import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// F15: processes that listen, and processes that write, of which some are killed.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            """
            Several processes observe a file that others write, some of which are killed; \
            each sees every final version, soon and once.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How many commits.") var commits = 3_000
    @Option(help: "How many processes listen.") var listeners = 3
    @Option(help: "How many commits a writer makes at most before it ends or is killed.")
    var length = 60

    /// A longer delay after a kill means that no process looked once a second.
    private static let bound = 1.1

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("watch", options)
        let path = report.path("watch.realm")
        let configuration = HistoryData.configuration(path, isEncrypted: false, isDurable: true)
        let realm = try Realm(configuration: configuration)
        try HistoryData.prepare(realm)
        let children = try (0..<listeners).map { _ in try SpawnedProcess(["watch-listener", path]) }
        let board = WatchBoard(listeners: listeners)
        let reading = DispatchGroup()
        for (number, child) in children.enumerated() {
            reading.enter()
            startThread {
                child.readLines { board.hear(number, $0) }
                reading.leave()
            }
        }
        board.waitUntilReady(seconds: 60, report)
        var random = SeededGenerator(seed: report.seed)
        var acknowledged: [UInt64: UInt64] = [:]
        var slowest: (killed: Double, ended: Double) = (0, 0)
        var (kills, rounds) = (0, 0)
        var settling: [Double] = []
        while acknowledged.count < commits, !report.hasFindings {
            rounds += 1
            let count = random.int(1...length)
            let isKilled = random.once(in: 2)
            let killedAfter = isKilled ? random.int(0...count) : .max
            let writer = try SpawnedProcess([
                "watch-writer", path, "--count", "\(isKilled ? 100_000 : count)", "--seed",
                "\(random.next() >> 16)",
            ])
            var heard = 0
            writer.readLines { line in
                let words = line.split(separator: " ").compactMap { UInt64($0) }
                if words.count == 2 { acknowledged[words[0]] = words[1] }
                heard += 1
                if heard > killedAfter {
                    if random.once(in: 2) { usleep(UInt32(random.int(0...3_000))) }
                    writer.signal(SIGKILL)
                }
            }
            let end = writer.wait()
            let over = machineNanoseconds()
            if !isKilled { report.expect(end == 0, "A writer ended with \(end).") }
            kills += isKilled ? 1 : 0
            realm.refresh()
            let last = HistoryData.look(realm, 0)
            if let problem = last.problem { report.find(problem) }
            // All wait for one: a busy listener is not judged by the machine's clock.
            guard let seconds = board.wait(for: last.number, since: over, seconds: 20) else {
                report.find(
                    """
                    Round \(rounds): after \(isKilled ? "a kill" : "the end of a writer") \
                    version \(last.number) is not seen by all: \(board.newest)
                    """
                )
                break
            }
            settling.append(seconds)
            if isKilled {
                slowest.killed = max(slowest.killed, seconds)
            } else {
                slowest.ended = max(slowest.ended, seconds)
            }
        }
        for child in children { child.tell("end") }
        for child in children {
            let end = child.wait()
            report.expect(end == 0, "A listener ended with \(end).")
        }
        reading.wait()
        for problem in board.problems { report.find(problem) }
        judge(report, board, acknowledged)
        report.set("commits", acknowledged.count)
        report.set("rounds", rounds)
        report.set("kills", kills)
        report.set("ms to the final version after a kill, at most", slowest.killed * 1e3)
        report.set("ms to the final version after an end, at most", slowest.ended * 1e3)
        let median = settling.sorted().quantile(0.5) ?? 0
        report.set("ms to the final version, median", median * 1e3)
        report.expect(
            median < 0.25,
            """
            In half of the rounds it took more than \(median) s until all had seen the \
            final version: no process noticed it.
            """
        )
        report.expect(
            slowest.killed < Self.bound,
            """
            After a kill it took \(slowest.killed) s until all had seen the final version; \
            \(Self.bound) s are allowed.
            """
        )
        for problem in try realm.check() { report.find(problem) }
        try report.finish()
    }

    /// The times from acknowledgement to notice; what is noticed before its writer knows counts
    /// as at once.
    private func judge(
        _ report: TortureReport, _ board: WatchBoard, _ acknowledged: [UInt64: UInt64]
    ) {
        var delays: [Double] = []
        for notices in board.notices {
            for (number, time) in notices {
                if let acknowledgement = acknowledged[number] {
                    delays.append(time > acknowledgement ? Double(time - acknowledgement) / 1e6 : 0)
                }
            }
        }
        delays.sort()
        report.set("notices", board.notices.reduce(0) { $0 + $1.count })
        for (name, part) in [("median", 0.5), ("90 %", 0.9), ("99 %", 0.99)] {
            report.set("ms from commit to notice, \(name)", delays.quantile(part) ?? .nan)
        }
        report.set("ms from commit to notice, at most", delays.last ?? .nan)
        report.expect(delays.count > 20, "There were hardly any notices.")
    }
}

/// What the listeners have said.
final class WatchBoard: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    private var last: [UInt64]
    private var readyCount = 0
    private var found: [String] = []
    private var told: [[(number: UInt64, time: UInt64)]]

    init(listeners: Int) {
        last = Array(repeating: 0, count: listeners)
        told = Array(repeating: [], count: listeners)
    }

    var newest: [UInt64] { monitor.withLock { last } }
    var problems: [String] { monitor.withLock { found } }
    var notices: [[(number: UInt64, time: UInt64)]] { monitor.withLock { told } }

    /// A line of a listener: "ready", or the number of a transaction and when it was told.
    func hear(_ listener: Int, _ line: String) {
        monitor.withLock {
            let words = line.split(separator: " ").compactMap { UInt64($0) }
            if line == "ready" {
                readyCount += 1
            } else if words.count == 2 {
                if words[0] <= last[listener] {
                    found.append(
                        "Listener \(listener) got \(words[0]) after \(last[listener]).")
                }
                last[listener] = words[0]
                told[listener].append((words[0], words[1]))
            } else {
                found.append("Listener \(listener): \(line)")
            }
            monitor.wakeAll()
        }
    }

    func waitUntilReady(seconds: Double, _ report: TortureReport) {
        let deadline = machineNanoseconds() + UInt64(seconds * 1e9)
        while monitor.withLock({ readyCount < last.count }) {
            if machineNanoseconds() > deadline { return report.find("The listeners do not begin.") }
            usleep(1_000)
        }
    }

    /// How many seconds after a moment the last listener got a transaction; nil if one
    /// was not.
    func wait(for number: UInt64, since moment: UInt64, seconds: Double) -> Double? {
        let deadline = moment + UInt64(seconds * 1e9)
        while monitor.withLock({ last.contains { $0 < number } }) {
            if machineNanoseconds() > deadline { return nil }
            usleep(500)
        }
        let times = notices.compactMap { $0.last?.time }
        return times.map { $0 > moment ? Double($0 - moment) / 1e9 : 0 }.max() ?? 0
    }
}

/// Commits, and says which and when.
struct WatchWriterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-writer", shouldDisplay: false)

    @Argument var path: String
    @Option var count: Int
    @Option var seed: UInt64

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        var random = SeededGenerator(seed: seed)
        let realm = try Realm(
            configuration: HistoryData.configuration(path, isEncrypted: false, isDurable: true))
        for _ in 0..<count {
            let number = try realm.write { HistoryData.change(realm, 0, &random) }
            SpawnedProcess.say("\(number) \(machineNanoseconds())")
            // Both one after the other and with pauses, in which listeners fall asleep.
            if random.once(in: 5) { usleep(UInt32(random.int(0...20_000))) }
        }
    }
}

/// Observes, and says what it is told and when.
struct WatchListenerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-listener", shouldDisplay: false)

    @Argument var path: String

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let queue = DispatchQueue(label: "listener")
        let configuration = HistoryData.configuration(path, isEncrypted: false, isDurable: true)
        nonisolated(unsafe) var token: NotificationToken?
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            token = realm.objects(HistoryHead.self).observe { change in
                switch change {
                case .initial: SpawnedProcess.say("ready")
                case .update(let heads, _, _, _):
                    let time = machineNanoseconds()
                    let seen = HistoryData.look(realm, 0)
                    if heads.first?.number != Int(seen.number) {
                        SpawnedProcess.say("the head and the realm differ")
                    }
                    if let problem = seen.problem { SpawnedProcess.say(problem) }
                    SpawnedProcess.say("\(seen.number) \(time)")
                case .error(let error): SpawnedProcess.say("observing fails: \(error)")
                }
            }
        }
        _ = readLine()
        queue.sync {
            token?.invalidate()
            token = nil
        }
    }
}
