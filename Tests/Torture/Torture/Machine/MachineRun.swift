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
    /// Whether LMDB's lock is lost: no process writes until all have closed the file.
    private var isLockLost = false
    /// Of all that was told and answered: two runs of a seed have the same.
    private(set) var trace = MachineTrace()
    private static let actorCount = 3

    private var path: String { directory + "/machine.realm" }

    init(seed: UInt64, features: Int?, report: TortureReport, isTraced: Bool) throws {
        self.seed = seed
        self.report = report
        self.isTraced = isTraced
        random = SeededGenerator(seed: seed)
        let drawn = MachineFeatures.drawn(&random)
        var chosen = features.map { MachineFeatures(rawValue: $0) } ?? drawn
        if chosen.contains(.severalProcesses) { chosen.remove(.power) }
        self.features = chosen
        directory = report.path("\(seed)")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    func removeFiles() { try? FileManager.default.removeItem(atPath: directory) }

    func find(_ text: String) {
        report.find(
            """
            (\(features)): \(text) Replay: FREEHOLD_SEED=\(seed) Tests/torture machine \
            --seeds 1 --features \(features.rawValue) --trace
            """
        )
    }

    func run(steps: Int) throws {
        // Of more than two the kernel wakes those that wait for a lock in any order.
        let count = features.contains(.severalProcesses) ? 2 : 1
        for number in 0..<count { processes.append(try start(number)) }
        for _ in 0..<steps {
            try step(random.pick(processes))
            if report.hasFindings { return }
            if isLockLost { break }
        }
        repeat {
            if isLockLost { try restart() }
            try heal()
        } while isLockLost && !report.hasFindings
        if !report.hasFindings { try judge(isAtRest: true) }
        report.add("stored writes", ledger.storedCount)
        report.add("seeds")
    }

    private func start(_ number: Int) throws -> MachineProcess {
        let process = try SpawnedProcess(
            [
                "machine-process", path, "--features", "\(features.rawValue)", "--actors",
                "\(Self.actorCount)",
                "--seed", "\(random.next())",
            ])
        let started = MachineProcess(number, process)
        _ = try listen(to: started, while: "it starts")
        return started
    }

    // MARK: Steps

    private func step(_ process: MachineProcess) throws {
        let weights = MachineAction.allCases.map { $0.weight(features) }
        var place = random.int(0...weights.reduce(0, +) - 1)
        for (action, weight) in zip(MachineAction.allCases, weights) {
            if place < weight {
                return try perform(action, process, random.int(0...Self.actorCount - 1))
            }
            place -= weight
        }
    }

    private func perform(_ action: MachineAction, _ process: MachineProcess, _ actor: Int) throws {
        // A write waits for others while their time passes. They are not here to let it.
        if action.mayWait { try passAll() }
        if report.hasFindings || !isAlive(process) { return }
        if action.asks {
            lastWrite += 1
            ledger.ask(lastWrite, process.number)
        }
        try tell("\(action) \(actor) \(random.next()) \(lastWrite)", process)
        report.add("steps")
        try restAll()
    }

    private func isAlive(_ process: MachineProcess) -> Bool {
        processes.contains { $0 === process }
    }

    private func tell(_ line: String, _ process: MachineProcess) throws {
        if !isAlive(process) { return }
        if isTraced { TortureReport.progress("\(process.number): \(line)") }
        trace.add("\(process.number): \(line)")
        process.spawned.tell(line)
        if try !listen(to: process, while: line) { try replace(process) }
    }

    /// Lets all processes come to rest, so that what follows depends on the seed alone: a step
    /// of one may be what another waits for.
    private func restAll() throws {
        if processes.count == 1 { return }
        var before: [String] = []
        while !report.hasFindings {
            for process in processes { try tell("rest 0 0 0", process) }
            let now = processes.map(\.state)
            if now == before { return }
            before = now
        }
    }

    /// Lets time pass until no process is offered a turn.
    private func passAll() throws {
        var rounds = 0
        repeat {
            for process in processes { try tell("pass 0 0 0", process) }
            try restAll()
            rounds += 1
            if rounds > Self.patientSteps {
                find("An offer does not end: \(processes.map(\.state)).")
            }
        } while !report.hasFindings && processes.contains(where: { $0.state.hasPrefix("offered") })
        // What rests does so until a deadline, and all have passed.
        for process in processes where process.state.hasPrefix("held") && !report.hasFindings {
            find("Process \(process.number) keeps the turn at rest: \(process.state).")
        }
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
            trace.add(answer: line)
            if line.hasPrefix("state ") {
                process.state = String(line.dropFirst(6))
            } else {
                note(line, process)
            }
        }
        let end = process.spawned.wait()
        trace.add("\(process.number) ends")
        if watchdog.hasBitten {
            find("Process \(process.number) stands still: \(doing).")
        } else if !process.mayDie || end != -SIGKILL {
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
        case "saw":
            if features.isDisjoint(with: [.faults]) {
                find("Process \(process.number): It \(line).")
            }
        case "refused", "unopened":
            report.add(String(words[0]))
            if !process.mayFail, words[0] == "unopened" {
                find("Process \(process.number): \(line)")
            }
        default:
            guard words.count > 1, let write = Int(words[1]) else {
                return find("Process \(process.number) says \(line)")
            }
            if line.contains("held LMDB's lock") {
                isLockLost = true
            } else if words[0] == "failed", !process.mayFail {
                find("Process \(process.number): \(line)")
            }
            ledger.note(words[0], write, isAmbiguous: process.mayFail)
            report.add(String(words[0]))
        }
        for problem in ledger.problems { find(problem) }
    }

    /// A process died: others may go on, the file is judged, and another process comes.
    private func replace(_ process: MachineProcess) throws {
        ledger.end(process.number)
        report.add("deaths")
        guard let index = processes.firstIndex(where: { $0 === process }) else { return }
        processes.remove(at: index)
        if report.hasFindings { return }
        // Judging and opening a file may write.
        if !processes.isEmpty { try passAll() }
        if report.hasFindings { return }
        try judge(isAtRest: false)
        processes.insert(try start(process.number), at: min(index, processes.count))
    }

    /// All close the file, as the error says that they must, and one opens it again.
    private func restart() throws {
        report.add("lost locks")
        for process in processes {
            process.spawned.kill()
            ledger.end(process.number)
        }
        isLockLost = false
        processes = [try start(0)]
    }

    // MARK: Healing

    /// The faults end, for all processes but one that sleeps on: its own threads go on, and its
    /// schedulers never come. Those that are awake must make progress.
    private func heal() throws {
        let sleeper =
            features.contains(.sleeper) && processes.count > 1 ? processes.last?.number : nil
        let awake = processes.map(\.number).filter { $0 != sleeper }
        for number in awake {
            if let process = process(number) { try perform(.heal, process, 0) }
            if report.hasFindings || isLockLost { return }
        }
        for number in awake {
            for actor in 0..<Self.actorCount where !report.hasFindings {
                try progress(number, actor, .ask, .run)
            }
            if features.contains(.tasks), !report.hasFindings {
                try progress(number, 0, .task, .runTasks)
            }
        }
        if isLockLost { return }
        if let sleeper, let process = process(sleeper) {
            process.spawned.kill()
            ledger.end(sleeper)
            processes.removeAll { $0 === process }
        }
        try drain()
        if isLockLost { return }
        for process in processes where !report.hasFindings {
            process.spawned.tell("end")
            let watchdog = Watchdog(process.spawned.identifier, seconds: 60)
            process.spawned.readLines { note($0, process) }
            let end = process.spawned.wait()
            watchdog.end()
            if end != 0 { find("Process \(process.number) ended with \(end), at the end.") }
        }
    }

    /// The one with a number: another one takes the place of one that dies.
    private func process(_ number: Int) -> MachineProcess? {
        processes.first { $0.number == number }
    }

    /// A write that is asked for now is stored, in a number of steps.
    private func progress(_ number: Int, _ actor: Int, _ ask: MachineAction, _ run: MachineAction)
        throws
    {
        let stored = ledger.storedCount
        for step in 0..<Self.patientSteps {
            guard let process = process(number), !report.hasFindings, !isLockLost else { return }
            // It may have been drawn to cancel itself.
            try perform(step % 50 == 0 ? ask : run, process, actor)
            if ledger.storedCount > stored { return }
            try passAll()
        }
        find("Process \(number) makes no progress in \(Self.patientSteps) steps.")
    }

    /// Everything that is in flight ends.
    private func drain() throws {
        for _ in 0..<Self.patientSteps {
            if report.hasFindings || isLockLost || processes.allSatisfy({ $0.state == "free 0" }) {
                return
            }
            for process in processes { try tell("drain 0 0 0", process) }
            try passAll()
        }
        find("Writes do not end: \(processes.map(\.state)).")
    }

    private static let patientSteps = 500

    // MARK: Judging

    private func judge(isAtRest: Bool) throws {
        let judge = try SpawnedProcess([
            "machine-judge", path, "--features", "\(features.rawValue)",
        ])
        let watchdog = Watchdog(judge.identifier, seconds: 60)
        defer { watchdog.end() }
        var entries: [Int] = []
        var isDone = false
        judge.readLines { line in
            trace.add(answer: line)
            if let number = line.wholeMatch(of: /entry ([0-9]+)/).flatMap({ Int($0.1) }) {
                entries.append(number)
            }
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
    /// What it said when it came to rest.
    var state = ""
    /// Whether a fault is armed that ends it.
    var mayDie = false
    /// Whether calls may fail, or have failed since it was healed.
    var mayFail = false

    init(_ number: Int, _ spawned: SpawnedProcess) {
        (self.number, self.spawned) = (number, spawned)
    }
}

/// Ends a process that takes too long.
private final class Watchdog: @unchecked Sendable {
    // @unchecked: the variables are protected by `monitor`.
    private let monitor = Monitor()
    private var isOver = false
    private var bites = false

    init(_ process: pid_t, seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        startThread { [self] in
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
