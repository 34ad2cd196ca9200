import ArgumentParser
import Foundation
import FreeholdImport
import FreeholdInspection
import FreeholdStorage

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Reads objects from JSON Lines or CSV into a file.",
        discussion: """
            Examples:
              freehold load shop.jsonl new.realm
              freehold dump old.realm | freehold load - new.realm --new-key-file key
              freehold load more.jsonl shop.realm
              freehold load customers.csv shop.realm --class Customer
              freehold load more.jsonl shop.realm --one-transaction

            A file that does not exist is created, if the input begins with a schema, as a dump \
            does. In an existing file, an object with the primary key of an existing one changes \
            the properties that it names, all others are added.

            Up to 20,000 objects are one transaction, and more are several, in constant memory. \
            If such a load fails or is interrupted, it says which lines are in the file, and goes \
            on with --from-line. With --one-transaction everything is loaded or nothing.

            Exits with 0 if everything was loaded, with 2 if not.
            """)

    @Argument(help: ArgumentHelp("The input; - for the standard input.", valueName: "input"))
    var input: String

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("The class of objects that do not name theirs.", valueName: "name"))
    var className: String?

    @Flag(help: "The input is CSV. Also by its name: .csv.")
    var csv = false

    @Flag(
        name: .customLong("one-transaction"),
        help: "Load everything or nothing. Needs memory for all of it.")
    var isOneTransaction = false

    @Option(
        name: .customLong("from-line"),
        help: ArgumentHelp("Leave out the lines before this one.", valueName: "number"))
    var firstLine: Int?

    @OptionGroup var key: KeyOption
    @OptionGroup var newKey: NewKeyOption
    @OptionGroup var options: OutputOptions

    private struct Report: Encodable {
        var file: String
        var isNew: Bool
        var result: Loader.Report
    }

    private var isCSV: Bool { csv || input.lowercased().hasSuffix(".csv") }

    func validate() throws {
        if isCSV, className == nil {
            throw ValidationError("Give the class of the objects in the CSV: --class NAME.")
        }
        if let firstLine, firstLine < 1 { throw ValidationError("--from-line begins with 1.") }
    }

    func run() throws {
        let reader = try LineReader(input)
        let isNew = !FileManager.default.fileExists(atPath: path)
        if isNew {
            if isCSV {
                throw InspectionError(
                    "\"\(path)\" does not exist, and CSV has no schema to create it with.",
                    remedy: "Load into a file that has the class \(className ?? "").")
            }
            guard let first = try reader.peek(), first.starts(with: Array("{\"$freehold\"".utf8))
            else {
                throw InspectionError(
                    """
                    "\(path)" does not exist, and the input does not begin with a schema to \
                    create it with.
                    """,
                    remedy: "Load a dump, or load into a file that has the classes.")
            }
        }
        var storeOptions = Store.Options(path: path)
        let given = try newKey.data() ?? key.data()
        storeOptions.encryptionKey = given.flatMap { EncryptionKey($0) }
        if isNew { storeOptions.durability = .relaxed } else { storeOptions.minimumVersion = 1 }
        let report: Loader.Report
        do {
            report = try load(reader, try Store.open(storeOptions), isNew)
        } catch {
            if isNew { _ = try? Environment.removeFiles(at: path) }
            throw error
        }
        let output = Output(options)
        if options.json {
            try output.json(Report(file: path, isNew: isNew, result: report))
        } else {
            try describe(report, output)
        }
        try output.finish()
    }

    private func load(_ reader: LineReader, _ store: Store, _ isNew: Bool) throws
        -> Loader.Report
    {
        let loader = try Loader(store, isOneTransaction: isOneTransaction)
        let line = ProgressLine(options)
        let interruption = Interruption()
        defer { line.clear() }
        // The last line of those in the file.
        var committed = 0
        func load(_ document: JSONDocument) throws {
            if try loader.load(document, className: className) { committed = reader.line }
            if interruption.isThere { throw InspectionError("Interrupted.") }
        }
        do {
            if isCSV {
                try loadCSV(reader, loader, line, load)
            } else {
                try loadLines(reader, loader, line, load)
            }
            return try loader.finish()
        } catch {
            loader.cancel()
            line.clear()
            throw committed == 0 || isNew ? error : Self.goingOn(error, after: committed)
        }
    }

    /// An error that says how to load the rest.
    private static func goingOn(_ error: any Error, after line: Int) -> InspectionError {
        InspectionError(
            Failure.text(of: error) ?? "\(error)",
            remedy: """
                The lines up to \(line) are in the file. Load the rest with --from-line \
                \(line + 1).
                """)
    }

    private func loadLines(
        _ reader: LineReader, _ loader: Loader, _ line: ProgressLine,
        _ load: (JSONDocument) throws -> Void
    ) throws {
        while let text = try reader.next() {
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            do {
                if let header = try DumpHeader(line: text) {
                    try loader.addClasses(of: header.schema, keepsKeys: true)
                    continue
                }
                if reader.line < firstLine ?? 0 { continue }
                try load(try JSONParser.parse(Data(text)))
            } catch {
                throw located(error, reader.line)
            }
            if reader.line & 0xFF == 0 { show(reader, line) }
        }
    }

    private func show(_ reader: LineReader, _ line: ProgressLine) {
        let text = counted(reader.line, "line")
        if let part = reader.part { line.show(part: part, text) } else { line.show(text) }
    }

    private func located(_ error: any Error, _ line: Int) -> any Error {
        let place = "\(input == "-" ? "standard input" : input), line \(line)"
        return switch error {
        case let error as InspectionError:
            InspectionError("\(place): \(error.message)", remedy: error.remedy)
        case let error as JSONSyntaxError:
            InspectionError("\(place): expected \(error.expected), found \(error.found)")
        case let error as CSVSyntaxError:
            InspectionError(
                "\(place): expected \(error.expected)"
                    + (error.found.map { ", found \($0)" } ?? ""))
        default: error
        }
    }

    // MARK: CSV

    private func loadCSV(
        _ reader: LineReader, _ loader: Loader, _ line: ProgressLine,
        _ load: (JSONDocument) throws -> Void
    ) throws {
        var header: [String]?
        var first = 1
        while let text = try reader.nextRecord() {
            do {
                for record in try CSVParser.parse(Data(text)) {
                    guard let names = header else {
                        header = record.fields.map { $0 ?? "" }
                        continue
                    }
                    if reader.line < firstLine ?? 0 { continue }
                    guard record.fields.count == names.count else {
                        throw InspectionError(
                            """
                            There are \(counted(record.fields.count, "field")), and \
                            \(names.count) in the header.
                            """)
                    }
                    try load(
                        try loader.object(names, record.fields, className: className ?? ""))
                }
            } catch {
                throw located(error, first)
            }
            first = reader.line + 1
            if reader.line & 0xFF == 0 { show(reader, line) }
        }
    }

    private func describe(_ report: Loader.Report, _ output: Output) throws {
        var parts = [counted(report.added, "object") + " added"]
        if report.changed > 0 { parts.append("\(grouped(report.changed)) changed") }
        try output.line("\(path): \(parts.joined(separator: ", "))")
        for (name, count) in report.counts.sorted(by: { $0.key < $1.key }) {
            try output.line("  \(name): \(counted(count, "object"))")
        }
        if report.lostLinks > 0 {
            try output.line(
                options.style.yellow(
                    """
                    ! \(counted(report.lostLinks, "link")) became null: their objects are not in \
                    the input
                    """))
        }
    }
}
