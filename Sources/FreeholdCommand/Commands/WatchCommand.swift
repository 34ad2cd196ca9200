import ArgumentParser
import Dispatch
import FreeholdInspection
import FreeholdStorage

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows what each commit changes, as they come.",
        discussion: """
            Examples:
              freehold watch shop.realm
              freehold watch shop.realm Order --json
              freehold watch shop.realm --count 1

            Commits that follow each other faster than they can be printed are shown as one \
            change. Ends with Ctrl-C. Embedded objects are shown as objects of their own.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The classes; all without one.", valueName: "class"))
    var classes: [String] = []

    @Option(help: ArgumentHelp("End after this many changes.", valueName: "number"))
    var count: Int?

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    private struct Commit: Encodable {
        var change = "commit"
        var from: UInt64
        var to: UInt64
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let signal = DispatchSemaphore(value: 0)
        // Before the first version is read, so that no commit falls between.
        let watch = file.store.watchCommits { signal.signal() }
        defer { withExtendedLifetime(watch) {} }
        var last = try file.snapshot()
        for name in classes { _ = try last.catalog.inspected(name) }
        let output = Output(options, isPaged: false)
        if !options.json {
            try output.line(
                options.style.dim("\(path): version \(grouped(Int(last.version))), waiting"))
        } else {
            try output.json(Commit(from: last.version, to: last.version))
        }
        try output.flush()
        var rest = count ?? .max
        while rest > 0 {
            signal.wait()
            let now = try file.snapshot()
            if now.version == last.version { continue }
            if try show(from: last, to: now, output) { rest -= 1 }
            try output.flush()
            last = now
        }
        try output.finish()
    }

    /// Prints the changes; false if there is none in the classes.
    private func show(from old: Snapshot, to new: Snapshot, _ output: Output) throws -> Bool {
        guard old.isSameFile(as: new) else {
            try output.line("The file was compacted; changes meanwhile are not shown.")
            return true
        }
        let difference = try VersionDifference(from: old, to: new)
        let printer = ChangePrinter(output: output, options: options)
        var isFirst = true
        for id in difference.changedTables.sorted() {
            guard let table = new.catalog[id] ?? old.catalog[id],
                classes.isEmpty || classes.contains(table.name)
            else { continue }
            let changes = difference.changes(of: id)
            if changes.isEmpty { continue }
            if isFirst { try showHeading(old, new, output) }
            isFirst = false
            try show(changes, table, old, new, printer)
        }
        return !isFirst
    }

    private func showHeading(_ old: Snapshot, _ new: Snapshot, _ output: Output) throws {
        if options.json { return try output.json(Commit(from: old.version, to: new.version)) }
        let count = Int(new.version - old.version)
        let text = count == 1 ? "" : " (\(grouped(count)) commits)"
        try output.line(options.style.bold("version \(grouped(Int(new.version)))\(text)"))
    }

    private func show(
        _ changes: TableChanges, _ table: TableDefinition, _ old: Snapshot, _ new: Snapshot,
        _ printer: ChangePrinter
    ) throws {
        var (before, after) = (RowEncoder(old), RowEncoder(new))
        func object(_ key: Int64, _ source: Snapshot, _ encoder: inout RowEncoder) -> (
            String, [UInt8]
        )? {
            guard source.catalog[table.id] != nil,
                let place = source.table(table.id).locate(RowKey(rawValue: key)),
                let definition = source.catalog[table.id]
            else { return nil }
            var json = JSONBytes()
            encoder.append(place.cluster, place.row, of: table.id, to: &json)
            return (definition.identity(place.cluster, place.row, &encoder), json.bytes)
        }
        for key in changes.deletions {
            if let (identity, json) = object(key, old, &before) {
                try printer.removed(table.name, identity, json)
            }
        }
        for key in changes.insertions {
            if let (identity, json) = object(key, new, &after) {
                try printer.added(table.name, identity, json)
            }
        }
        for key in changes.modifiedRows(in: nil) {
            guard let definition = old.catalog[table.id],
                let a = old.table(table.id).locate(RowKey(rawValue: key)),
                let b = new.table(table.id).locate(RowKey(rawValue: key))
            else { continue }
            var properties: [(name: String, before: [UInt8], after: [UInt8])] = []
            for column in table.columns where changes.isModified(key, in: [column.id]) {
                guard definition[column.id] != nil else { continue }
                var (first, second) = (JSONBytes(), JSONBytes())
                before.append(column, a.cluster, a.row, of: table.id, to: &first)
                after.append(column, b.cluster, b.row, of: table.id, to: &second)
                if first.bytes != second.bytes {
                    properties.append((column.name, first.bytes, second.bytes))
                }
            }
            // A collection may only be stored in another form.
            if properties.isEmpty { continue }
            let identity = table.identity(b.cluster, b.row, &after)
            try printer.changed(table.name, identity, properties)
        }
    }
}
