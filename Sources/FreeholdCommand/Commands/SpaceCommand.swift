import ArgumentParser
import FreeholdInspection
import FreeholdStorage

struct SpaceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "space", abstract: "Shows what the bytes of a file are used for.",
        discussion: """
            Examples:
              freehold space shop.realm
              freehold space shop.realm Order
              freehold space shop.realm --json

            Values are those in rows; long values and large collections have places of their own. \
            Reads the file once.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The classes; all without one.", valueName: "class"))
    var classes: [String] = []

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let snapshot = try file.snapshot()
        for name in classes { _ = try snapshot.catalog.inspected(name) }
        let line = ProgressLine(options)
        var space = try SpaceDescription(file, snapshot) { part in line.show(part: part, "read") }
        line.clear()
        if !classes.isEmpty { space.classes.removeAll { !classes.contains($0.name) } }
        let output = Output(options)
        if options.json {
            try output.json(space)
        } else {
            try describe(space, output)
        }
        try output.finish()
    }

    private func describe(_ space: SpaceDescription, _ output: Output) throws {
        try output.line(
            """
            \(path): \(bytesText(space.fileByteCount)), of which \
            \(bytesText(space.usedByteCount)) in use and \(bytesText(space.freeByteCount)) free
            """)
        var table = TextTable(
            [
                .init(title: "class"), .init(title: "objects", isRight: true),
                .init(title: "total", isRight: true), .init(title: "share", isRight: true),
                .init(title: "values", isRight: true), .init(title: "long", isRight: true),
                .init(title: "collections", isRight: true), .init(title: "index", isRight: true),
            ], output, options)
        func share(_ count: Int) -> String {
            let part = Double(count) / Double(max(space.usedByteCount, 1))
            return part < 0.0005 ? "" : "\((part * 1000).rounded() / 10) %"
        }
        func size(_ count: Int) -> TextTable.Cell {
            count == 0 ? .init("", .dim) : .init(bytesText(count))
        }
        for found in space.classes {
            func sum(_ part: (SpaceDescription.Column) -> Int) -> Int {
                found.columns.reduce(0) { $0 + part($1) }
            }
            try table.add([
                .init(found.name, .strong), .init(grouped(found.count), .strong),
                .init(bytesText(found.total), .strong), .init(share(found.total), .strong),
                size(sum(\.values) + found.directory), size(sum(\.longValues)),
                size(sum(\.elements)), size(sum(\.index)),
            ])
            for column in found.columns {
                try table.add([
                    .init("  " + column.name), .init(""), size(column.total),
                    .init(share(column.total), .dim), size(column.values), size(column.longValues),
                    size(column.elements), size(column.index),
                ])
            }
        }
        if classes.isEmpty {
            try table.add([
                .init("(catalog)", .dim), .init(""), size(space.metaByteCount),
                .init(share(space.metaByteCount), .dim), .init(""), .init(""), .init(""),
                .init(""),
            ])
            try table.add([
                .init("(pages)", .dim), .init(""), size(space.overheadByteCount),
                .init(share(space.overheadByteCount), .dim), .init(""), .init(""), .init(""),
                .init(""),
            ])
        }
        try table.finish()
    }
}
