import ArgumentParser
import Foundation
import FreeholdStorage

struct SalvageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Writes every object that can still be read of a damaged file into a new one.",
        discussion: """
            The damaged file is only read; no program should have it open. A value that cannot be \
            read is null, zero or empty in the new file; objects whose primary key is lost, and \
            links to lost objects, are left out. Indexes are made anew. What was saved and what \
            was not is printed.

            Example:
              freehold salvage shop.realm saved.realm

            Exits with 0 if everything was saved, with 1 if something was lost, with 2 if nothing \
            could be done.
            """)

    @Argument(help: ArgumentHelp("The damaged file.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The new file.", valueName: "new-file"))
    var newPath: String

    @OptionGroup var key: KeyOption

    @OptionGroup var options: OutputOptions

    func run() throws {
        let line = ProgressLine(options)
        let report: SalvageReport
        do {
            report = try Salvage.run(from: path, to: newPath, key: try key.key()) {
                count, total in
                line.show(
                    part: Double(count) / Double(max(1, total)),
                    "\(grouped(count)) of \(counted(total, "object")) saved")
            }
        } catch let error as StorageError {
            line.clear()
            printError("\(error.code): \(error.message)")
            throw ExitCode.failed
        }
        line.clear()
        if options.json {
            let output = Output(options)
            try output.json(report)
            try output.finish()
        } else {
            describe(report)
        }
        if !report.isComplete { throw ExitCode.damaged }
    }

    private func describe(_ report: SalvageReport) {
        print("\(newPath): \(counted(report.tables.reduce(0) { $0 + $1.rowCount }, "object"))")
        for table in report.tables {
            var parts = ["\(counted(table.rowCount, "object")) saved"]
            if table.lostRowCount > 0 { parts.append("\(grouped(table.lostRowCount)) lost") }
            if table.incompleteRowCount > 0 {
                let values = table.missingValueCounts.sorted { $0.key < $1.key }.map {
                    "\($0.key) of \($0.value)"
                }
                parts.append(
                    """
                    \(table.incompleteRowCount) without all of their values \
                    (\(values.joined(separator: ", ")))
                    """)
            }
            if table.lostLinkCount > 0 {
                parts.append("\(counted(table.lostLinkCount, "link")) to lost objects left out")
            }
            print("  \(table.name): \(parts.joined(separator: ", "))")
        }
        for problem in report.problems { print("! \(problem)") }
    }
}
