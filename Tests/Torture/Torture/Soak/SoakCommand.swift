import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import FreeholdWorkload

/// F18: everything at once for a long time; what the processes and files take must not grow.
struct SoakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract:
            """
            A mixed load of several processes on plain and encrypted files; memory, files, \
            slots, descriptors and threads stay bounded.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How long.") var seconds = 30
    @Option(help: "How many processes.") var processes = 2
    @Option(help: "How many samples are taken.") var samples = 60

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("soak", options)
        let files = SoakFiles(directory: report.directory)
        let end = machineNanoseconds() + UInt64(seconds) * 1_000_000_000
        let workers = try (0..<processes).map {
            try SpawnedProcess([
                "soak-worker", report.directory, "--number", "\($0)", "--deadline", "\(end)",
                "--seed", "\(report.seed)",
            ])
        }
        let acknowledged = Locked<[String: [Int: Int]]>([:])
        let log = SoakLog()
        let interval = Double(seconds) / Double(samples)
        let sampler: @Sendable () throws -> Void = {
            try sample(report, files, workers, log, until: end, interval)
        }
        let listeners = workers.map { worker -> @Sendable () throws -> Void in
            {
                worker.readLines { line in
                    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
                    if words.first == "acknowledged", words.count == 4, let writer = Int(words[2]),
                        let number = Int(words[3])
                    {
                        acknowledged.withLock { $0[words[1], default: [:]][writer] = number }
                        report.add("transactions", number)
                    } else if words.first == "count", words.count == 3 {
                        report.add(words[1], Int(words[2]) ?? 0)
                    } else {
                        report.find(line)
                    }
                }
                let end = worker.wait()
                report.expect(end == 0, "A process ended with \(end).")
            }
        }
        try runThreads([sampler] + listeners)
        log.judge(report)
        for name in files.shared {
            let realm = try Realm(configuration: files.configuration(name))
            for problem in try Workload.problems(
                realm, acknowledged: acknowledged.withLock { $0[name] ?? [:] })
            { report.find("\(name): \(problem)") }
            let pins = try realm.versionReport().pins.filter { $0.processID != getpid() }
            report.expect(pins.isEmpty, "\(name): slots of processes that ended: \(pins)")
        }
        try report.finish()
    }

    private func sample(
        _ report: TortureReport, _ files: SoakFiles, _ workers: [SpawnedProcess], _ log: SoakLog,
        until end: UInt64, _ interval: Double
    ) throws {
        var next = machineNanoseconds() + UInt64(interval * 1e9)
        while next < end {
            while machineNanoseconds() < next { usleep(10_000) }
            next += UInt64(interval * 1e9)
            var sample = SoakSample(seconds: report.seconds)
            for worker in workers {
                if let figures = ProcessFigures(worker.identifier) {
                    sample.processes.append(figures)
                }
            }
            for name in files.shared where FileManager.default.fileExists(atPath: files.path(name))
            {
                let attributes = try FileManager.default.attributesOfItem(atPath: files.path(name))
                sample.fileBytes[name] = attributes[.size] as? Int ?? 0
                guard
                    let versions = try? Realm(configuration: files.configuration(name))
                        .versionReport()
                else { continue }
                sample.activeVersions[name] = versions.activeVersionCount
                sample.usedBytes[name] = versions.usedByteCount
            }
            guard sample.processes.count == workers.count else { continue }
            log.add(sample)
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            TortureReport.progress(String(decoding: try encoder.encode(sample), as: UTF8.self))
        }
    }
}

/// The files of a run: two that all processes share, and one of each process, which it compacts.
struct SoakFiles: Sendable {
    let directory: String
    let shared = ["plain", "encrypted"]

    func path(_ name: String) -> String { "\(directory)/\(name).realm" }

    func configuration(_ name: String) -> Realm.Configuration {
        Workload.configuration(
            path(name), encryptionKey: name == "encrypted" ? Realm.Configuration.limitKey : nil)
    }
}

/// What was there at a moment.
struct SoakSample: Codable, Sendable {
    var seconds: Double
    var processes: [ProcessFigures] = []
    var fileBytes: [String: Int] = [:]
    var usedBytes: [String: Int] = [:]
    var activeVersions: [String: Int] = [:]
}

/// What was there over time.
final class SoakLog: Sendable {
    private let samples = Locked<[SoakSample]>([])

    func add(_ sample: SoakSample) { samples.withLock { $0.append(sample) } }

    /// The first third warms up. Of what follows, the last half may not have more than the
    /// first, but for what moves anyway.
    func judge(_ report: TortureReport) {
        let all = samples.withLock { $0 }
        let warm = Array(all.dropFirst(all.count / 3))
        guard warm.count >= 8 else { return report.find("There are only \(warm.count) samples.") }
        func compare(_ name: String, _ values: [Int], slack: Double, least: Int) {
            let middle = values.count / 2
            let before = values[..<middle].sorted()[middle / 2]
            let after = values[middle...].sorted()[(values.count - middle) / 2]
            report.set("\(name), first half", before)
            report.set("\(name), last half", after)
            let bound = before + max(Int(Double(before) * slack), least)
            report.expect(after <= bound, "\(name) grow from \(before) to \(after).")
        }
        for process in warm[0].processes.indices {
            let figures = warm.map { $0.processes[process] }
            compare(
                "bytes of process \(process)", figures.map(\.anonymousBytes), slack: 0.05,
                least: 6 << 20)
            compare("threads of process \(process)", figures.map(\.threads), slack: 0.2, least: 6)
            compare(
                "descriptors of process \(process)", figures.map(\.descriptors), slack: 0.2,
                least: 8)
            compare("maps of process \(process)", figures.map(\.maps), slack: 0.2, least: 60)
        }
        for name in warm[0].usedBytes.keys.sorted() {
            compare(
                "bytes of the file \(name)", warm.compactMap { $0.fileBytes[name] }, slack: 0.25,
                least: 4 << 20)
            compare(
                "bytes in use of \(name)", warm.compactMap { $0.usedBytes[name] }, slack: 0.25,
                least: 4 << 20)
            let versions = warm.compactMap { $0.activeVersions[name] }.max() ?? 0
            report.set("versions of \(name), at most", versions)
            report.expect(versions < 200, "\(name) had \(versions) versions that were read.")
        }
    }
}
