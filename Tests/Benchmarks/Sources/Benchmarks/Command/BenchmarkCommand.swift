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

    @Flag(help: "Measure many writers of one file, and nothing else.")
    var writers = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "For --writers: the writer's number, its writes, the file.", visibility: .hidden))
    var writeAs: [String] = []

    @Flag(help: "Measure what a few works cost with ever more objects, and nothing else.")
    var scale = false

    @Option(
        parsing: .upToNextOption,
        help: "The numbers of objects for --scale, in millions. 64 M take 8 GB of disk.")
    var millions = [1, 4, 16, 64]

    @Option(help: "Also draw the figures of --scale into this SVG file.")
    var svg: String?

    @Option(
        help: ArgumentHelp("Commit to this file of --scale until killed.", visibility: .hidden))
    var commitUntilKilled: String?

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
        guard millions.allSatisfy({ $0 > 0 }), millions == millions.sorted() else {
            throw ValidationError("--millions must be ascending numbers above 0.")
        }
        guard repeats >= 1 else { throw ValidationError("--repeats must be at least 1.") }
    }

    func run() throws {
        if let commitTo { return try FreeholdEngine.commit(to: commitTo, times: rows) }
        if writeAs.count == 3, let id = Int(writeAs[0]), let times = Int(writeAs[1]) {
            return try WritersRun.write(as: id, times: times, to: writeAs[2])
        }
        if let commitUntilKilled { return try ScaleRun.commitUntilKilled(commitUntilKilled) }
        let folder = URL(fileURLWithPath: directory).appendingPathComponent(
            "freehold-benchmarks-\(getpid())")
        try StoreFiles.makeEmptyFolder(folder)
        defer { try? FileManager.default.removeItem(at: folder) }

        if scale { return try runScale(in: folder) }
        if writers { return try runWriters(in: folder) }
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

    private func runWriters(in folder: URL) throws {
        func run(_ name: String) -> WritersRun {
            WritersRun(file: folder.appendingPathComponent(name + ".realm"))
        }
        show(WritersResult.header)
        var results = [try run("actors").actors(100, each: 100)]
        show(results[0].line)
        results.append(try run("realms").realms(1_000, each: 10))
        show(results[1].line)
        results.append(try run("processes").processes(50, each: 40))
        show(results[2].line)
        if let json {
            try JSONEncoder().encode(results).write(to: URL(fileURLWithPath: json))
        }
    }

    private func runScale(in folder: URL) throws {
        var runs: [ScaleRun] = []
        for count in millions {
            show("\(count) M objects in \(folder.path) ...")
            try StoreFiles.withScratchFolder(in: folder) { scratch in
                var run = ScaleRun(count: count * 1_000_000, folder: scratch)
                try run.measure()
                runs.append(run)
            }
        }
        let report = ScaleReport(runs: runs)
        show(report.table)
        if let json { try report.json.write(to: URL(fileURLWithPath: json)) }
        if let svg { try Data(ScalePlot(runs: runs).svg.utf8).write(to: URL(fileURLWithPath: svg)) }
    }

    /// Prints a line that appears at once, also in a pipe.
    private func show(_ line: String) {
        print(line)
        fflush(nil)
    }
}
