import ArgumentParser
import Foundation
import Freehold
import FreeholdPrograms
import FreeholdTestSupport

/// Natural programs in release builds, each in a process of its own: the compiler's faults end one.
struct ProgramsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "programs",
        abstract:
            """
            Runs programs as users write them: actors that open realms in their \
            initialisers, tasks without actors.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How often each runs.") var rounds = 1
    @Option(help: "Only the program of this name.") var program: String?
    @Option(help: .hidden) var file: String?

    func run() async throws {
        let programs = NaturalProgram.all.filter { program == nil || $0.name == program }
        if programs.isEmpty { throw ValidationError("There is no program of this name.") }
        if let file { return try await Self.run(programs[0], file) }
        let report = try TortureReport("programs", options)
        report.set("programs", programs.count)
        try await awaitThread { try runAll(programs, report) }
        try report.finish()
    }

    private func runAll(_ programs: [NaturalProgram], _ report: TortureReport) throws {
        for (number, program) in programs.enumerated() {
            for round in 0..<rounds {
                let path = report.path("\(number)-\(round).realm")
                let child = try WatchedChild(
                    ["programs", "--program", program.name, "--file", path],
                    errors: report.path("\(number).errors"))
                var problems: [String] = []
                let end = child.run { problems.append(String($0)) }
                if end != .exit(0) { problems.append("\(end). \(child.lastErrors)") }
                for problem in problems { report.find("\(program.name): \(problem)") }
            }
        }
    }

    /// In the process of its own: prints what was wrong.
    private static func run(_ program: NaturalProgram, _ file: String) async throws {
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: file), objectTypes: [Note.self])
        for problem in try await program.run(configuration) { print(problem) }
        let damage = try await Realm.performBackgroundTask(configuration: configuration) {
            try $0.check()
        }
        for problem in damage { print(problem) }
    }
}
