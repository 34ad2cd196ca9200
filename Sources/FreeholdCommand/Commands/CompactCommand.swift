import ArgumentParser
import FreeholdInspection
import FreeholdStorage

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact", abstract: "Rewrites a file without its unused space.",
        discussion: """
            Example:
              freehold compact shop.realm

            No other process may have the file open. If it is interrupted, the file is as before. \
            Needs free space for the compacted file. Writes to the file.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    private struct Report: Encodable {
        var file: String
        var byteCountBefore: Int
        var byteCount: Int
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data(), isWritable: true)
        let before = try file.store.byteCounts().total
        let line = ProgressLine(options)
        defer { line.clear() }
        try file.store.compact { line.show(part: $0, "written") }
        line.clear()
        let report = Report(
            file: path, byteCountBefore: before, byteCount: try file.store.byteCounts().total)
        let output = Output(options)
        if options.json {
            try output.json(report)
        } else {
            try output.line(
                "\(path): \(bytesText(before)) before, \(bytesText(report.byteCount)) now")
        }
        try output.finish()
    }
}
