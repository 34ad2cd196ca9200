import ArgumentParser
import FreeholdInspection
import FreeholdStorage

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Shows the classes of a file.",
        discussion: """
            Examples:
              freehold schema shop.realm
              freehold schema shop.realm Order Customer
              freehold schema shop.realm --swift > Models.swift
              freehold schema shop.realm --mermaid

            --swift writes model classes that open the file. --mermaid writes a class diagram for \
            documents.
            """)

    @Argument(help: ArgumentHelp("The file of the realm.", valueName: "file"))
    var path: String

    @Argument(help: ArgumentHelp("The classes; all if none is given.", valueName: "class"))
    var classes: [String] = []

    @Flag(help: "Write model classes in Swift.")
    var swift = false

    @Flag(help: "Write a class diagram in Mermaid.")
    var mermaid = false

    @OptionGroup var key: KeyOption
    @OptionGroup var options: OutputOptions

    func validate() throws {
        if [swift, mermaid, options.json].count(where: \.self) > 1 {
            throw ValidationError("Give one of --swift, --mermaid and --json, not several.")
        }
    }

    func run() throws {
        let file = try InspectedFile(path: path, key: try key.data())
        let snapshot = try file.snapshot()
        var schema = SchemaDescription(snapshot)
        if !classes.isEmpty {
            for name in classes { _ = try snapshot.catalog.inspected(name) }
            schema.classes = schema.classes.filter { classes.contains($0.name) }
        }
        let output = Output(options)
        if swift {
            try output.line(SwiftModels.text(schema, file: path))
        } else if mermaid {
            try output.line(MermaidDiagram.text(schema))
        } else if options.json {
            for found in schema.classes { try output.json(found) }
        } else {
            try describe(schema, output)
        }
        try output.finish()
    }

    private func describe(_ schema: SchemaDescription, _ output: Output) throws {
        let style = options.style
        let version = schema.schemaVersion.map { ", schema version \($0)" } ?? ""
        try output.line(
            style.dim(
                "\(path): \(counted(schema.classes.count, one: "class", many: "classes"))\(version)"
            ))
        for found in schema.classes {
            try output.line()
            let noun = found.isEmbedded ? "embedded object" : "object"
            try output.line(
                style.bold(found.name) + style.dim("  " + counted(found.count ?? 0, noun)))
            var table = TextTable(
                [.init(title: "property"), .init(title: "type"), .init(title: "")], output, options)
            for property in found.properties {
                let note =
                    property.name == found.primaryKey
                    ? "primary key"
                    : property.index == .ordered
                        ? "indexed" : property.index == .fullText ? "full-text index" : ""
                try table.add([
                    .init(property.name), .init(property.typeText), .init(note, .dim),
                ])
            }
            try table.finish()
        }
    }
}
