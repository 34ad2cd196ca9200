import ArgumentParser
import Freehold
import FreeholdInspection
import FreeholdStorage

struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "Shows which processes read which versions, and what space that keeps.",
        discussion: """
            Examples:
              freehold versions shop.realm
              freehold versions shop.realm --json

            While a version is read, the space that later changes freed is not used again, and \
            the file grows. How long a process has read its version is known to that process: \
            Realm.versionReport() there also says in which line of code.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        var report = VersionsDescription(try file.realm().versionReport())
        // This process reads the newest version itself.
        let own = SystemProcess.identifier
        report.pins.removeAll { $0.processID == own }
        let output = Output(options)
        if options.json {
            try output.json(report)
            return try output.finish()
        }
        let kept = report.pins.map(\.byteCount).max() ?? 0
        try output.line(
            """
            \(path): the newest version is \(grouped(Int(report.newestVersion))); \
            \(bytesText(report.usedByteCount)) in use, of which \(bytesText(kept)) are kept for \
            readers
            """)
        if report.pins.isEmpty {
            try output.line(options.style.dim("No other process reads the file."))
        } else {
            var table = TextTable(
                [
                    .init(title: "version", isRight: true), .init(title: "behind", isRight: true),
                    .init(title: "keeps", isRight: true), .init(title: "process", isRight: true),
                    .init(title: "name"),
                ], output, options)
            for pin in report.pins {
                let behind = Int(report.newestVersion) - Int(pin.version)
                try table.add([
                    .init(grouped(Int(pin.version))),
                    .init(grouped(behind), behind == 0 ? .dim : .plain),
                    .init(bytesText(pin.byteCount)), .init("\(pin.processID)"),
                    .init(pin.processName ?? "", .dim),
                ])
            }
            try table.finish()
        }
        try output.finish()
    }
}
