import Foundation
import FreeholdTestSupport

/// A file and the processes that write to it, of which one is killed in each round, until the
/// file has served long enough.
final class KilledFile {
    enum Kind: String, Codable { case writers, large, versions, creations }

    struct Plan {
        var ways: [KillWay]
        var encryption: KillEncryption
        var rows: Int
        var directory: URL
    }

    let seed: UInt64
    let kind: Kind
    let options: KilledFileOptions
    let directory: URL
    /// How many processes there are.
    let processCount: Int
    /// The first process writes on while others die that only read: only its commits return
    /// their reader slots.
    private let killsReadersOnly: Bool
    private let ways: [KillWay]
    private let rows: Int
    var random: SeededGenerator
    private var processes: [KilledProcess] = []
    private let judge: KillBench
    /// The processes that were killed, and a version that was the newest after that; zero if
    /// that is not known yet.
    private var dead: [Int32: UInt64] = [:]
    /// From the start of a process to its first report, and from one report to the next;
    /// seconds, as they were in the last rounds.
    private var startTime = 0.05
    private var interval = 0.005
    var acknowledged: [Int: Int] = [:]
    var generation = 0
    var version = 0
    var copies: [KillQuestion.Copy] = []
    var creations: [KillQuestion.Creation] = []
    private(set) var killed: [String: Int] = [:]
    private(set) var heldUp = HoldUps()
    private(set) var heldUpOtherwise = HoldUps()
    private var nextWriter = 0

    init(seed: UInt64, plan: Plan, judge: KillBench) {
        self.seed = seed
        self.judge = judge
        random = SeededGenerator(seed: seed)
        // Large files cost ten times as much as others.
        let kinds = Set(plan.ways.map(\.kind.rawValue)).sorted().compactMap { Kind(rawValue: $0) }
        let weighted = kinds.flatMap {
            Array(repeating: $0, count: $0 == .writers ? 8 : $0 == .large ? 1 : 2)
        }
        let kind = random.pick(weighted)
        self.kind = kind
        ways = plan.ways.filter { $0.kind == kind }
        rows = plan.rows
        directory = plan.directory.appendingPathComponent("file-\(seed)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let drawn = random.once(in: 3)
        let isEncrypted = plan.encryption == .always || plan.encryption == .some && drawn
        let durability =
            random.once(in: 2) ? KilledDurability.full : random.pick(KilledDurability.allCases)
        options = KilledFileOptions(
            path: directory.appendingPathComponent("killed.realm").path, encrypted: isEncrypted,
            durability: durability)
        processCount =
            switch kind {
            case .writers: random.pick([1, 1, 2, 3])
            case .large: random.pick([1, 2])
            case .versions, .creations: 1
            }
        let sparesWriter = random.once(in: 3)
        killsReadersOnly =
            sparesWriter && kind == .writers && processCount > 1 && plan.ways.contains(.observe)
    }

    var roundCount: Int {
        switch kind {
        case .writers: 20
        case .large: 3
        case .versions, .creations: 10
        }
    }

    var description: String {
        """
        \(kind.rawValue), \(processCount) \
        processes\(options.encrypted ? ", encrypted" : ""), durability \
        \(options.durability.rawValue)
        """
    }

    // MARK: A round

    /// Kills one process, and says what is wrong afterwards.
    func runRound() -> [String] {
        while processes.count < processCount { startProcess() }
        let victim = random.pick(killsReadersOnly ? Array(processes.dropFirst()) : processes)
        var problems = awaitMoment(victim)
        let now = monotonicNanoseconds()
        victim.child.kill()
        processes.removeAll { $0 === victim }
        dead[victim.child.identifier] = 0
        for way in victim.ways { killed[way.rawValue, default: 0] += 1 }
        victim.child.lines().forEach { note($0, victim) }
        if !victim.child.wasKilled { problems.append(victim.child.ending) }
        problems += measure(from: now, isKill: true)
        problems += ask(isAlone: processes.isEmpty)
        return problems + takeErrors()
    }

    /// Ends the processes as they should, and looks at the file once more.
    func finish() -> [String] {
        processes.forEach { $0.child.stop() }
        let isDone = pump(limit: 60) { self.processes.allSatisfy { $0.child.output < 0 } }
        var problems: [String] = []
        for process in processes {
            if isDone { process.child.reap() } else { process.child.kill() }
            if !process.child.succeeded {
                problems.append("It was told to end: \(process.child.ending)")
            }
        }
        processes = []
        return problems + ask(isAlone: true) + takeErrors()
    }

    private func startProcess() {
        let isFirst = processes.isEmpty
        let possible = ways.filter { processCount == 1 || !$0.wantsToBeAlone || random.once(in: 4) }
        var drawn = [random.pick(possible.isEmpty ? ways : possible)]
        if kind == .large, !isFirst { drawn = [.paced] }
        if killsReadersOnly, !isFirst { drawn = [.observe] }
        // Several ways in one process, unless they want the file closed or need all of the time.
        if kind == .writers, drawn[0] != .launch, !killsReadersOnly {
            for way in possible where way != .launch && !drawn.contains(way) && random.once(in: 4) {
                drawn.append(way)
            }
        }
        // Someone whose operations can be held up.
        if kind == .writers, processCount > 1, isFirst,
            killsReadersOnly || possible.contains(.paced)
        {
            drawn = [.paced]
        }
        let arguments =
            ["kill-writer"] + options.arguments + [
                "--writer", "\(nextWriter)", "--ways", drawn.map(\.rawValue).joined(separator: ","),
                "--rows", "\(rows)",
            ]
        processes.append(
            KilledProcess(
                arguments, ways: drawn, writer: nextWriter,
                errorPath: directory.appendingPathComponent("errors.txt").path))
        // The numbers of processes are used again, too.
        dead[processes[processes.count - 1].child.identifier] = nil
        // A few sets of writers' numbers, likewise. No two live processes have one: of two drafts
        // of one writer, the second one to be saved would have a conflict.
        repeat {
            nextWriter = (nextWriter + 24) % 96
        } while processes.contains {
            $0.writer == nextWriter
        }
    }

    /// Waits until the victim has come as far as the dice say.
    private func awaitMoment(_ victim: KilledProcess) -> [String] {
        if random.once(in: 5), !victim.hasReported {
            wait(Double.random(in: 0...1.3 * startTime, using: &random))
            return []
        }
        let began = victim.reportCount
        let least = random.pick([1, 1, 2, 5, 20, 50])
        let wasNew = !victim.hasReported
        let patience = kind == .writers ? 3.0 : 20
        _ = pump(limit: 60) { victim.hasReported || victim.child.output < 0 }
        if !victim.hasReported {
            return ["A process did not begin within a minute: \(victim.child.ending)"]
        }
        if wasNew { startTime = startTime * 0.8 + 0.2 * victim.startTime }
        let start = monotonicNanoseconds()
        _ = pump(limit: min(patience, max(0.01, interval * Double(least)))) {
            victim.reportCount >= began + least || victim.child.output < 0
        }
        let elapsed = Double(monotonicNanoseconds() - start) / 1e9
        if victim.reportCount > began {
            interval = interval * 0.8 + 0.2 * min(2, elapsed / Double(victim.reportCount - began))
        }
        // What the processes do to each other anyway.
        let problems =
            processes.count > 1 ? measure(from: monotonicNanoseconds(), isKill: false) : []
        wait(Double.random(in: 0...2 * min(interval, 1), using: &random))
        return problems
    }

    /// Measures how long the operations of those that are alive take from now on.
    private func measure(from event: UInt64, isKill: Bool) -> [String] {
        var measured: [(KilledProcess, Int)] = []
        for process in processes {
            for key in process.tracks.keys where process.tracks[key]?.isKnown == true {
                process.tracks[key]?.measure(from: event)
                measured.append((process, key))
            }
        }
        if measured.isEmpty { return [] }
        let isDone = pump(limit: 60) {
            measured.allSatisfy { $0.0.tracks[$0.1]?.remaining == 0 || $0.0.child.output < 0 }
        }
        for (process, key) in measured {
            let held = process.tracks[key]?.held ?? 0
            if isKill { heldUp.add(held) } else { heldUpOtherwise.add(held) }
        }
        return isDone
            ? []
            : [
                isKill
                    ? "A process was held up for a minute after another was killed."
                    : "A process was held up for a minute."
            ]
    }

    // MARK: Asking

    private func ask(isAlone: Bool) -> [String] {
        var question = KillQuestion(
            kind: kind, path: options.path, encrypted: options.encrypted,
            durability: options.durability.rawValue, isAlone: isAlone)
        (question.acknowledged, question.generation, question.version, question.dead) = (
            acknowledged, generation, version, dead.filter { $0.value > 0 }
        )
        // Those whose process is alive are not looked at, as they are being written.
        question.copies = Array(
            copies.filter { copy in
                !processes.contains { copy.name.contains(".copy-\($0.child.identifier)-") }
            }.suffix(3))
        question.creations = Array(creations.suffix(3))
        question.mayBeMissing = acknowledged.isEmpty && generation == 0 && version == 0
        let verdict = judge.ask(question) { self.pumpOnce(judge: $0) }
        // Files are opened anew, and their readers with them, when no process has them open.
        if isAlone {
            dead = [:]
        } else {
            for process in dead.keys where dead[process] == 0 { dead[process] = verdict.version }
        }
        // What is not looked at goes.
        for copy in copies
        where !processes.contains(where: { copy.name.contains(".copy-\($0.child.identifier)-") })
            && verdict.problems.isEmpty
        { remove(copy.name) }
        if verdict.problems.isEmpty { creations.forEach { remove($0.name) } }
        copies.removeAll { copy in
            !processes.contains { copy.name.contains(".copy-\($0.child.identifier)-") }
        }
        creations = []
        // What was not acknowledged may be there: from now on it must be.
        if verdict.problems.isEmpty { acknowledged.merge(verdict.numbers) { max($0, $1) } }
        return verdict.problems
    }

    private func remove(_ path: String) {
        for suffix in ["", "-lock", ".control", ".copying", ".creating"] { unlink(path + suffix) }
    }

    // MARK: Listening

    private var errors: [String] = []

    func complain(_ problem: String) { errors.append(problem) }

    private func takeErrors() -> [String] {
        defer { errors = [] }
        return errors
    }

    private func wait(_ seconds: Double) { _ = pump(limit: seconds) { false } }

    /// Listens until a condition holds. Whether it does.
    private func pump(limit: Double, until isDone: () -> Bool) -> Bool {
        let end = monotonicNanoseconds() + UInt64(limit * 1e9)
        while !isDone() {
            let now = monotonicNanoseconds()
            if now >= end { return false }
            listen(
                extra: nil, milliseconds: min(50, Int32((end - now) / 1_000_000)),
                spinning: end - now < 1_000_000)
        }
        return true
    }

    private func pumpOnce(judge: Int32) { listen(extra: judge, milliseconds: 50, spinning: false) }

    private func listen(extra: Int32?, milliseconds: Int32, spinning: Bool) {
        let open = processes.filter { $0.child.output >= 0 }
        var polled = open.map { pollfd(fd: $0.child.output, events: Int16(POLLIN), revents: 0) }
        if let extra { polled.append(pollfd(fd: extra, events: Int16(POLLIN), revents: 0)) }
        poll(&polled, nfds_t(polled.count), spinning ? 0 : milliseconds)
        for process in open {
            process.child.lines().forEach { note($0, process) }
            if process.child.output < 0, !process.wasMissed {
                process.wasMissed = true
                process.child.reap()
                if !process.child.succeeded {
                    errors.append("It ended by itself: \(process.child.ending)")
                }
            }
        }
    }
}
