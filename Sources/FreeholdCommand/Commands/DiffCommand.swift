import ArgumentParser
import Foundation
import FreeholdInspection
import FreeholdStorage

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compares the contents of two files.",
        discussion: """
            Examples:
              freehold diff old.realm new.realm
              freehold diff plain.realm secret.realm --key-file key
              freehold diff a.realm b.realm --key-file key-of-a --new-key-file key-of-b
              freehold diff old.realm new.realm --json | jq -c .key

            Objects are matched by their primary keys, in classes without one by the keys of \
            their rows; embedded objects belong to their owners. -, + and ~ mark what is only in \
            the first file, only in the second, and different. --key-file is for each file that \
            is encrypted, --new-key-file for the second.

            Exits with 0 if the contents are equal, with 1 if they differ, with 2 on failure.
            """)

    @Argument(help: ArgumentHelp("The first file.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The second file.", valueName: "other-file"))
    var otherPath: String

    @Flag(help: "Print nothing: the exit status is the answer.")
    var quiet = false

    @OptionGroup var key: KeyOption
    @OptionGroup var newKey: NewKeyOption
    @OptionGroup var options: OutputOptions

    private struct SchemaChange: Encodable {
        var change = "schema"
        var text: String
    }

    /// Opens a file with the key for both, which it need not have.
    private static func open(_ path: String, _ key: Data?) throws -> InspectedFile {
        do {
            return try InspectedFile(path: path, key: key)
        } catch let error as StorageError where error.code == .notEncrypted {
            return try InspectedFile(path: path, key: nil)
        }
    }

    func run() throws {
        let (given, other) = (try key.data(), try newKey.data())
        let first = try Self.open(path, given)
        let second =
            try other.map { try InspectedFile(path: otherPath, key: $0) }
            ?? Self.open(otherPath, given)
        let output = Output(options)
        let printer = ChangePrinter(output: output, options: options)
        let (options, isQuiet) = (options, quiet)
        var counts = (schema: 0, added: 0, removed: 0, changed: 0)
        let line = ProgressLine(options)
        try withoutActuallyEscaping({ (change: FileChange) throws in
            switch change {
            case .schema(let text):
                counts.schema += 1
                if isQuiet { return }
                if options.json {
                    try output.json(SchemaChange(text: text))
                } else {
                    try output.line(options.style.cyan("! \(text)"))
                }
            case .added(let className, let identity, let object):
                counts.added += 1
                if !isQuiet { try printer.added(className, identity, object) }
            case .removed(let className, let identity, let object):
                counts.removed += 1
                if !isQuiet { try printer.removed(className, identity, object) }
            case .changed(let className, let identity, let properties):
                counts.changed += 1
                if !isQuiet { try printer.changed(className, identity, properties) }
            }
        }) { body in
            try FileComparison.compare(
                try first.snapshot(), try second.snapshot(),
                progress: { line.show("\(counted($0, "object")) compared") }, body)
        }
        line.clear()
        let isSame = counts == (0, 0, 0, 0)
        if !quiet, !options.json {
            let parts = [
                (counts.schema, "\(grouped(counts.schema)) of the schema"),
                (counts.removed, "\(grouped(counts.removed)) only in the first"),
                (counts.added, "\(grouped(counts.added)) only in the second"),
                (counts.changed, "\(grouped(counts.changed)) different"),
            ].filter { $0.0 > 0 }.map(\.1)
            try output.line(
                options.style.dim(isSame ? "equal" : parts.joined(separator: ", ")))
        }
        try output.finish()
        if !isSame { throw ExitCode.no }
    }
}
