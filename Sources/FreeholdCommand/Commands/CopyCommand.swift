import ArgumentParser
import Foundation
import FreeholdInspection
import FreeholdStorage

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Writes the newest version of a file into a new, compact one.",
        discussion: """
            Examples:
              freehold copy shop.realm backup.realm
              freehold copy shop.realm secret.realm --new-key-file key
              freehold copy secret.realm plain.realm --key-file key --plain

            The file may be in use, and readers and writers go on. The copy gets its name when it \
            is complete. A copy of an encrypted file has the same key, unless --new-key-file, \
            --ask-new-key or --plain says otherwise. An existing file is not replaced.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The copy.", valueName: "new-file"))
    var newPath: String

    @Flag(help: "Write a copy without encryption.")
    var plain = false

    @OptionGroup var key: KeyOption
    @OptionGroup var newKey: NewKeyOption
    @OptionGroup var options: OutputOptions

    private struct Report: Encodable {
        var file: String
        var copy: String
        var version: UInt64
        var byteCount: Int
    }

    func validate() throws {
        if plain, newKey.isGiven {
            throw ValidationError("A plain copy has no key: leave one of the options out.")
        }
    }

    func run() throws {
        let given = try key.data()
        let file = try InspectedFile(path: path, key: given)
        let snapshot = try file.snapshot()
        let target = plain ? nil : try newKey.data() ?? given
        let line = ProgressLine(options)
        defer { line.clear() }
        try file.store.copy(
            snapshot, to: newPath, key: target.flatMap { EncryptionKey($0) },
            progress: { line.show(part: $0, "copied") })
        line.clear()
        let size =
            (try? FileManager.default.attributesOfItem(atPath: newPath)[.size] as? Int) ?? nil
        let output = Output(options)
        let report = Report(
            file: path, copy: newPath, version: snapshot.version, byteCount: size ?? 0)
        if options.json {
            try output.json(report)
        } else {
            let kind = target == nil ? "plain" : "encrypted"
            try output.line(
                """
                \(newPath): version \(grouped(Int(snapshot.version))) of \(path), \
                \(bytesText(report.byteCount)), \(kind)
                """)
        }
        try output.finish()
    }
}
