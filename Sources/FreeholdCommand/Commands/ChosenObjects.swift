import ArgumentParser
import Foundation
import Freehold
import FreeholdInspection
import FreeholdStorage

/// The objects that a command changes: one by its key, or those of a condition.
struct ChosenObjects {
    let file: InspectedFile
    let className: String

    /// The keys of the rows.
    ///
    /// - Throws: ``ExitCode/no`` if a key names no object.
    func keys(_ names: [String], where query: String?) throws -> [Int64] {
        if let query {
            return Array(try StoredQuery(query, of: className, in: file.realm()).results.rowKeys)
        }
        let snapshot = try file.snapshot()
        let table = try snapshot.catalog.inspected(className)
        return try names.map { name in
            guard let key = try table.key(name, in: snapshot) else {
                printError("\(className) has no object '\(name)'.")
                throw ExitCode.no
            }
            return key
        }
    }

    /// Asks on the terminal whether to go on.
    ///
    /// - Throws: Without a terminal, what to do instead; ``ExitCode/no`` if the answer is no.
    static func confirm(_ question: String) throws {
        guard let answer = Terminal.ask(question + " [y/N] ", isHidden: false) else {
            throw InspectionError(
                "Nothing was changed: there is no terminal to ask on.",
                remedy: "Give --yes to change without a question.")
        }
        let text = String(decoding: answer, as: UTF8.self).lowercased()
        guard ["y", "yes"].contains(text.trimmingCharacters(in: .whitespaces)) else {
            printError("Nothing was changed.")
            throw ExitCode.no
        }
    }
}

/// Prints objects before and after a change.
struct ChangePrinter {
    let output: Output
    let options: OutputOptions

    /// What a program reads of a change.
    func json(
        _ change: String, _ className: String, _ identity: String,
        _ members: [(name: String, value: [UInt8])]
    ) throws {
        var json = JSONBytes()
        json.append(raw: "{\"change\":")
        json.append(quoted: change)
        json.append(raw: ",\"class\":")
        json.append(quoted: className)
        json.append(raw: ",\"key\":")
        if identity.hasPrefix("row ") {
            json.append(ascii: "{\"$key\":\(identity.dropFirst(4))}")
        } else {
            json.append(ascii: identity)
        }
        for (name, value) in members {
            json.append(UInt8(ascii: ","))
            json.append(quoted: name)
            json.append(UInt8(ascii: ":"))
            json.append(raw: value)
        }
        json.append(UInt8(ascii: "}"))
        try output.line(json)
    }

    func added(_ className: String, _ identity: String, _ object: [UInt8]) throws {
        if options.json { return try json("added", className, identity, [("after", object)]) }
        try output.line(options.style.green("+ \(className) \(identity)  \(shown(object))"))
    }

    func removed(_ className: String, _ identity: String, _ object: [UInt8]) throws {
        if options.json { return try json("removed", className, identity, [("before", object)]) }
        try output.line(options.style.red("- \(className) \(identity)  \(shown(object))"))
    }

    func changed(
        _ className: String, _ identity: String,
        _ properties: [(name: String, before: [UInt8], after: [UInt8])]
    ) throws {
        if options.json {
            return try json(
                "changed", className, identity,
                [
                    ("before", Self.object(properties.map { ($0.name, $0.before) })),
                    ("after", Self.object(properties.map { ($0.name, $0.after) })),
                ])
        }
        let style = options.style
        try output.line(style.yellow("~ \(className) \(identity)"))
        let width = properties.map { TextTable.width(of: $0.name) }.max() ?? 0
        for property in properties {
            let padding = String(
                repeating: " ", count: width - TextTable.width(of: property.name))
            try output.line(
                "    \(style.dim(property.name))\(padding)  \(style.red(shown(property.before))) → "
                    + style.green(shown(property.after)))
        }
    }

    private func shown(_ json: [UInt8]) -> String {
        let text = String(decoding: json, as: UTF8.self)
        // A line of a terminal shows no more.
        return options.width.map { TextTable.cut(text, to: max(20, $0 - 24)) } ?? text
    }

    static func object(_ members: [(String, [UInt8])]) -> [UInt8] {
        var json = JSONBytes()
        json.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(quoted: RowEncoder.memberName(member.0))
            json.append(UInt8(ascii: ":"))
            json.append(raw: member.1)
        }
        json.append(UInt8(ascii: "}"))
        return json.bytes
    }
}
