import ArgumentParser
import Foundation
import Glibc

/// What happens when the system or the file has no more of something: each case in a process of
/// its own.
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract:
            """
            Uses up reader slots, map, address space, descriptors and threads; opens and \
            closes realms in thousands.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How many realms are opened and closed, one after the other.") var realms = 2_000
    @Option(help: "Only these cases.") var cases: [LimitCase] = LimitCase.allCases

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("limits", options)
        // The allocator's arenas of many threads would hide what is lost.
        setenv("MALLOC_ARENA_MAX", "1", 1)
        for one in cases {
            let begin = Date()
            let directory = report.path(one.rawValue)
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            let process = try SpawnedProcess([
                "limits-case", one.rawValue, "--directory", directory, "--realms", "\(realms)",
                "--seed", "\(options.seed)",
            ])
            process.readLines { line in
                let words = line.split(separator: " ", maxSplits: 2).map(String.init)
                switch words.first {
                case "figure" where words.count == 3:
                    report.set("\(one.rawValue) \(words[2])", Double(words[1]) ?? .nan)
                case "found": report.find("\(one.rawValue): \(line.dropFirst(6))")
                case "note": TortureReport.progress("\(one.rawValue): \(line.dropFirst(5))")
                default: break
                }
            }
            let end = process.wait()
            report.expect(
                end == 0,
                """
                \(one.rawValue): the process ended with \(end). Alone: torture limits \
                --cases \(one.rawValue)
                """
            )
            report.set("\(one.rawValue) seconds", Date().timeIntervalSince(begin))
        }
        try report.finish()
    }
}

/// One case, in the process that is limited.
struct LimitsCaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits-case", shouldDisplay: false)

    @Argument var which: LimitCase
    @Option var directory: String
    @Option var realms: Int
    @Option var seed: UInt64

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let log = LimitLog(directory: directory, seed: seed)
        switch which {
        case .readers: try log.useUpReaderSlots()
        case .map: try log.useUpTheMap()
        case .address: try log.limitTheAddressSpace()
        case .descriptors: try log.limitDescriptors()
        case .threads: try log.limitThreads()
        case .crowd: try log.openACrowd()
        case .leaks: try log.openAndClose(realms)
        }
    }
}

enum LimitCase: String, CaseIterable, ExpressibleByArgument {
    case readers, map, address, descriptors, threads, crowd, leaks
}

/// What a case has to say to the process that started it.
struct LimitLog: Sendable {
    let directory: String
    let seed: UInt64

    func path(_ name: String) -> String { directory + "/" + name }

    func find(_ text: String) { SpawnedProcess.say("found " + text.replacing("\n", with: " ")) }

    func note(_ text: String) { SpawnedProcess.say("note " + text.replacing("\n", with: " ")) }

    func figure(_ name: String, _ value: some BinaryInteger) {
        SpawnedProcess.say("figure \(value) \(name)")
    }

    func expect(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { find(text()) }
    }
}
