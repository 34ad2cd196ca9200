import ArgumentParser
import Foundation
import FreeholdStorage

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verifies everything in a file, and says what is wrong with it.",
        discussion: """
            Compares all values with their checksums, all indexes and links with the objects, all \
            counts with what there is. The file may be in use; the version that is the newest at \
            the beginning is checked, and nothing is changed.

            Examples:
              freehold check shop.realm
              freehold check shop.realm --json

            Exits with 0 if the file is sound, with 1 if it is damaged, with 2 if it could not be \
            looked at.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @OptionGroup var key: KeyOption

    @OptionGroup var options: OutputOptions

    struct Report: Encodable {
        struct Class: Encodable {
            var name: String
            var objectCount: Int
            var propertyCount: Int
            var isEmbedded: Bool
        }

        struct Refusal: Encodable {
            var code: String
            var message: String
            var remedy: String?

            init(_ error: StorageError) {
                code = "\(error.code)"
                message = error.message
                remedy = Failure.remedy(for: error.code)
            }
        }

        var file: String
        var isSound = false
        /// Why the file could not be opened.
        var error: Refusal?
        var version: UInt64?
        var schemaVersion: UInt64?
        var byteCount: Int?
        var usedByteCount: Int?
        var classes: [Class] = []
        var problems: [String] = []
    }

    func run() throws {
        var report = Report(file: path)
        var status = ExitCode.damaged
        do {
            try check(&report)
        } catch let error as StorageError {
            report.error = Report.Refusal(error)
            if error.code != .corrupted, error.code != .truncated { status = .failed }
        }
        if options.json {
            let output = Output(options)
            try output.json(report)
            try output.finish()
        } else {
            describe(report)
        }
        if !report.isSound { throw status }
    }

    private func check(_ report: inout Report) throws {
        var options = Store.Options(path: path)
        options.isReadOnly = true
        // A missing file is not created.
        options.minimumVersion = 1
        options.encryptionKey = try key.key()
        let store = try Store.open(options)
        let snapshot = try store.newestSnapshot()
        report.version = snapshot.version
        report.schemaVersion = snapshot.catalog.schemaVersion
        (report.byteCount, report.usedByteCount) = try store.byteCounts()
        let line = ProgressLine(self.options)
        defer { line.clear() }
        report.problems = try store.check(snapshot) { line.show(part: $0, "checked") }
        for definition in snapshot.catalog.classTables {
            report.classes.append(
                Report.Class(
                    name: definition.name, objectCount: snapshot.table(definition.id).count,
                    propertyCount: definition.columns.count, isEmbedded: definition.isOwned))
        }
        report.isSound = report.problems.isEmpty
    }

    private func describe(_ report: Report) {
        if let error = report.error {
            print("\(path): \(error.code)\n\(error.message)")
            if let remedy = error.remedy { print(remedy) }
            return
        }
        let problemCount =
            report.problems.count >= 100
            ? "at least \(report.problems.count) problems"
            : counted(report.problems.count, "problem")
        print("\(path): \(report.isSound ? "sound" : problemCount)")
        let bytes = bytesText(report.byteCount ?? 0)
        print(
            """
            version \(report.version ?? 0), schema version \
            \(report.schemaVersion.map(String.init) ?? "none"), \(bytes), of which \
            \(bytesText(report.usedByteCount ?? 0)) in use
            """)
        for found in report.classes {
            let objects = counted(
                found.objectCount, found.isEmbedded ? "embedded object" : "object")
            let properties = counted(found.propertyCount, one: "property", many: "properties")
            print("  \(found.name): \(objects), \(properties)")
        }
        for problem in report.problems { print("! \(problem)") }
        if !report.isSound {
            print(
                """
                Restore the file from a backup, or save what can be read: freehold salvage \
                \(path) NEW-FILE
                """)
        }
    }
}
