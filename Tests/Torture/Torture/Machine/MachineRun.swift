import Foundation
import FreeholdStorage
import FreeholdTestSupport

/// One seed of `torture machine`.
final class MachineRun {
    private let seed: UInt64
    private let features: MachineFeatures
    private let report: TortureReport
    private let isTraced: Bool
    private let directory: String
    private var random: SeededGenerator
    private var ledger = MachineLedger()
    private var processes: [MachineProcess] = []
    private var lastWrite = 0
    private static let actorCount = 3

    private var path: String { directory + "/machine.realm" }

    init(seed: UInt64, features: Int?, report: TortureReport, isTraced: Bool) throws {
        self.seed = seed
        self.report = report
        self.isTraced = isTraced
        random = SeededGenerator(seed: seed)
        let drawn = MachineFeatures.drawn(&random)
        self.features = features.map { MachineFeatures(rawValue: $0) } ?? drawn
        directory = report.path("\(seed)")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    func removeFiles() { try? FileManager.default.removeItem(atPath: directory) }

    func find(_ text: String) {
        report.find(
            "Seed \(seed) (\(features)): \(text) Replay: torture machine --seeds 1 --seed \(seed) --features \(features.rawValue) --trace")
    }

    func run(steps: Int) throws {
        for number in 0..<(features.contains(.severalProcesses) ? random.int(2...3) : 1) { processes.append(try start(number)) }
        for _ in 0..<steps {
            try step(random.pick(processes))
            if report.hasFindings { return }
        }
        try heal()
        if !report.hasFindings { try judge(isAtRest: true) }
        report.add("stored writes", ledger.storedCount)
        report.add("seeds")
    }

    private func start(_ number: Int) throws -> MachineProcess {
        let process = try SpawnedProcess(
            ["machine-process", path, "--features", "\(features.rawValue)", "--actors", "\(Self.actorCount)"])
        let started = MachineProcess(number, process)
        _ = try listen(to: started, while: "it starts")
        return started
    }

    // MARK: Steps

    private func step(_ process: MachineProcess) throws {
        let weights = MachineAction.allCases.map { $0.weight(features) }
        var place = random.int(0...weights.reduce(0, +) - 1)
        for (action, weight) in zip(MachineAction.allCases, weights) {
            if place < weight { return try perform(action, process, random.int(0...Self.actorCount - 1)) }
            place -= weight
        }
    }

    private func perform(_ action: MachineAction, _ process: MachineProcess, _ actor: Int) throws {
        if action == .ask || action == .write {
            lastWrite += 1
            ledger.ask(lastWrite, process.number)
        }
        let line = "\(action) \(actor) \(random.next()) \(lastWrite)"
        if isTraced { TortureReport.progress("\(process.number): \(line)") }
        process.spawned.tell(line)
        report.add("steps")
        if try !listen(to: process, while: line) { try replace(process) }
    }

    /// Takes what a process says of its step.
    ///
    /// - Returns: False if it has died of a fault.
    private func listen(to process: MachineProcess, while doing: String) throws -> Bool {
        // A step waits for nothing but what ends by itself.
        let watchdog = Watchdog(process.spawned.identifier, seconds: 30)
        defer { watchdog.end() }
        while let line = process.spawned.nextLine() {
            if isTraced { TortureReport.progress("\(process.number):     \(line)") }
            if line == "done" { return true }
            note(line, process)
        }
        let end = process.spawned.wait()
        if watchdog.hasBitten { find("Process \(process.number) stands still: \(doing).") } else if !process.mayDie || end != -SIGKILL {
            find("Process \(process.number) ended with \(end): \(doing).")
        }
        return false
    }

    private func note(_ line: String, _ process: MachineProcess) {
        let words = line.split(separator: " ", maxSplits: 2)
        switch words[0] {
        case "found": find("Process \(process.number): \(line.dropFirst(6))")
        case "armed":
            if line.hasSuffix("death") { process.mayDie = true } else { process.mayFail = true }
            report.add("faults")
        case "healed": (process.mayDie, process.mayFail) = (false, false)
        // What a failing call undid may have been seen before.
        case "saw": if features.isDisjoint(with: [.faults]) { find("Process \(process.number): It \(line).") }
        case "refused", "unopened":
            report.add(String(words[0]))
            if !process.mayFail, words[0] == "unopened" { find("Process \(process.number): \(line)") }
        default:
            guard words.count > 1, let write = Int(words[1]) else { return find("Process \(process.number) says \(line)") }
            if words[0] == "failed", !process.mayFail { find("Process \(process.number): \(line)") }
            ledger.note(words[0], write, isAmbiguous: process.mayFail)
            report.add(String(words[0]))
        }
        for problem in ledger.problems { find(problem) }
    }

    /// A process died: others may go on, the file is judged, and another process comes.
    private func replace(_ process: MachineProcess) throws {
        ledger.end(process.number)
        report.add("deaths")
        if report.hasFindings { return }
        try judge(isAtRest: false)
        guard let index = processes.firstIndex(where: { $0 === process }) else { return }
        processes[index] = try start(process.number)
    }

    // MARK: Healing

    /// The faults end, for all processes but one that sleeps on. Those that are awake must make progress.
    private func heal() throws {
        let sleeper = features.contains(.sleeper) && processes.count > 1 ? processes.last : nil
        for process in processes where process !== sleeper {
            try perform(.heal, process, 0)
            if report.hasFindings { return }
        }
        for process in processes where process !== sleeper {
            for actor in 0..<Self.actorCount { try progress(process, actor) }
            if report.hasFindings { return }
        }
        if let sleeper {
            sleeper.spawned.kill()
            ledger.end(sleeper.number)
            processes.removeAll { $0 === sleeper }
        }
        for process in processes {
            process.spawned.tell("end")
            let watchdog = Watchdog(process.spawned.identifier, seconds: 60)
            process.spawned.readLines { note($0, process) }
            let end = process.spawned.wait()
            watchdog.end()
            if end != 0 { find("Process \(process.number) ended with \(end), at the end.") }
        }
    }

    /// A write that is asked for now is stored, in a number of steps.
    private func progress(_ process: MachineProcess, _ actor: Int) throws {
        let stored = ledger.storedCount
        let deadline = machineNanoseconds() + 20_000_000_000
        try perform(.ask, process, actor)
        var steps = 0
        while ledger.storedCount == stored {
            try perform(.run, process, actor)
            steps += 1
            // It may have been drawn to cancel itself.
            if steps % 50 == 0 { try perform(.ask, process, actor) }
            if report.hasFindings { return }
            if machineNanoseconds() > deadline { return find("Process \(process.number) makes no progress in \(steps) steps.") }
        }
    }

    // MARK: Judging

    private func judge(isAtRest: Bool) throws {
        let judge = try SpawnedProcess(["machine-judge", path, "--features", "\(features.rawValue)"])
        let watchdog = Watchdog(judge.identifier, seconds: 60)
        defer { watchdog.end() }
        var entries: [Int] = []
        var isDone = false
        judge.readLines { line in
            if let number = line.wholeMatch(of: /entry ([0-9]+)/).flatMap({ Int($0.1) }) { entries.append(number) }
            if line.hasPrefix("problem ") { find(String(line.dropFirst(8))) }
            if line == "done" { isDone = true }
        }
        let end = judge.wait()
        if !isDone || end != 0 { return find("The judge ended with \(end).") }
        ledger.judge(entries, isAtRest: isAtRest)
        for problem in ledger.problems { find(problem) }
        report.add("judgements")
    }
}

/// A process that is alive.
final class MachineProcess {
    let number: Int
    let spawned: SpawnedProcess
    /// Whether a fault is armed that ends it.
    var mayDie = false
    /// Whether calls may fail, or have failed since it was healed.
    var mayFail = false

    init(_ number: Int, _ spawned: SpawnedProcess) { (self.number, self.spawned) = (number, spawned) }
}

/// Ends a process that takes too long.
private final class Watchdog: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    private var isOver = false
    private var bites = false

    init(_ process: pid_t, seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        Thread.detachNewThread { [self] in
            monitor.withLock {
                while !isOver { if !monitor.wait(until: deadline) { break } }
                if isOver { return }
                bites = true
                kill(process, SIGABRT)
            }
        }
    }

    func end() {
        monitor.withLock {
            isOver = true
            monitor.wakeAll()
        }
    }

    var hasBitten: Bool { monitor.withLock { bites } }
}
