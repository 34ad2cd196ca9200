import ArgumentParser
import Foundation

@main
struct BenchmarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Benchmarks",
        abstract: "Measures Freehold and its peers side by side.",
        discussion: "WORKS:\n"
            + Work.allCases.map { "  \($0.rawValue): \($0.summary)" }.joined(separator: "\n")
    )

    @Argument(help: "The works to measure; all, if none is named.")
    var works: [Work] = []

    @Option(help: "How many rows the stores have.")
    var rows = 1_000_000

    @Option(help: "How many samples the median is taken of.")
    var repeats = 5

    @Option(
        name: .customLong("engine"),
        help: "An engine to measure; may be repeated. All, if none is named.")
    var engineNames: [EngineName] = []

    @Option(help: "Also write the values to this file.")
    var json: String?

    @Option(
        help:
            """
            The folder for the stores, on a real disk; a folder in it is made, and removed \
            at the end.
            """
    )
    var directory = FileManager.default.temporaryDirectory.path

    @Option(
        help: ArgumentHelp(
            """
            Commit to this file as often as --rows says, and print when each commit \
            returned; for observe-process.
            """,
            visibility: .hidden))
    var commitTo: String?

    func validate() throws {
        guard rows >= 10 else { throw ValidationError("--rows must be at least 10.") }
        guard repeats >= 1 else { throw ValidationError("--repeats must be at least 1.") }
    }

    func run() throws {
        if let commitTo { return try FreeholdEngine.commit(to: commitTo, times: rows) }
        let folder = URL(fileURLWithPath: directory).appendingPathComponent(
            "freehold-benchmarks-\(getpid())")
        try StoreFiles.makeEmptyFolder(folder)
        defer { try? FileManager.default.removeItem(at: folder) }

        show("\(rows) rows, median of \(repeats), stores in \(folder.path)")
        let dataset = Dataset(rowCount: rows)
        let types = EngineRegistry.engines.filter {
            engineNames.isEmpty || engineNames.contains($0.name)
        }
        let engines = try types.map { type in
            let own = folder.appendingPathComponent(type.name.rawValue)
            try StoreFiles.makeEmptyFolder(own)
            return try type.init(dataset: dataset, directory: own)
        }

        let measurer = Measurer(engines: engines, repeats: repeats)
        let table = TableReport(engines: types.map { $0.name })
        show(table.header)
        var all: [Measurement] = []
        for work in works.isEmpty ? Work.allCases : works {
            let measurements = try measurer.measure(work)
            let earlier = Dictionary(grouping: all, by: \.work).mapValues {
                Dictionary($0.map { ($0.engine, $0.value) }, uniquingKeysWith: { $1 })
            }
            show(table.line(work, measurements, earlier: earlier))
            table.memoryLine(measurements).map(show)
            all += measurements
        }
        if let json {
            try JSONReport(all).write(to: URL(fileURLWithPath: json))
        }
    }

    /// Prints a line that appears at once, also in a pipe.
    private func show(_ line: String) {
        print(line)
        fflush(nil)
    }
}
