import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Files that cannot be looked at, and the help.
@Suite struct FileErrorTests {
    /// Commands that only take a file.
    static let commands = ["schema", "count", "dump", "versions", "space", "compact"]

    @Test(arguments: commands) func missingFile(command: String) throws {
        let desk = try Desk()
        let failed = try desk.run(command, desk.path("none.realm"))
        #expect(failed.status == 2)
        #expect(failed.errors.contains("does not exist"), "\(failed.errors)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: desk.directory.url.path)
                .filter { $0.hasPrefix("none") }.isEmpty)
        desk.delete()
    }

    @Test(arguments: commands) func otherFiles(command: String) throws {
        let desk = try Desk()
        let text = try desk.write("no realm at all", to: "text.realm")
        let failed = try Command.run(command, text)
        #expect(failed.status == 2)
        #expect(failed.errors.contains("is not a Freehold file"), "\(failed.errors)")
        let directory = try Command.run(command, desk.directory.url.path)
        #expect(directory.status == 2)
        #expect(!directory.errors.isEmpty && !directory.errors.contains("Fatal error"))
        desk.delete()
    }

    @Test func truncatedFile() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let bytes = try Data(contentsOf: desk.directory.file("a.realm"))
        try bytes.prefix(bytes.count / 3).write(to: desk.directory.file("b.realm"))
        let failed = try desk.run("count", desk.path("b.realm"))
        #expect(failed.status == 2)
        #expect(failed.errors.contains("freehold salvage"), "\(failed.errors)")
        desk.delete()
    }

    /// A file of a later Freehold is refused, with the remedy, and not touched.
    @Test(arguments: ["count", "check", "dump", "compact"]) func newerFormat(command: String) throws
    {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let url = desk.directory.file("a.realm")
        var bytes = try Data(contentsOf: url)
        var start = bytes.startIndex
        while let mark = bytes.range(of: Data("FREEHOLD".utf8), in: start..<bytes.endIndex) {
            // 1000.
            bytes.replaceSubrange(mark.upperBound..<mark.upperBound + 4, with: [0xE8, 3, 0, 0])
            start = mark.upperBound
        }
        try bytes.write(to: url)
        let failed = try desk.run(command, url.path)
        #expect(failed.status == 2)
        let text = failed.errors + failed.output
        #expect(text.contains("newerFormat"), "\(text)")
        #expect(text.contains("Update"), "\(text)")
        #expect(try Data(contentsOf: url) == bytes)
        desk.delete()
    }

    @Test func keys() throws {
        let desk = try Desk(isEncrypted: true)
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let file = desk.path("a.realm")
        if !EncryptedSuite.isOn {
            let missing = try Command.run("count", file)
            #expect(missing.status == 2)
            #expect(missing.errors.contains("encryptionKeyMissing"))
            #expect(missing.errors.contains("--key-file"))
        }
        let other = desk.path("other")
        try Data(repeating: 9, count: 64).write(to: URL(fileURLWithPath: other))
        let wrong = try Command.run("count", file, "--key-file", other)
        #expect(wrong.status == 2 && wrong.errors.contains("encryptionKeyWrong"))
        let short = try desk.write("short", to: "short")
        let refused = try Command.run("count", file, "--key-file", short)
        #expect(refused.status == 64 && refused.errors.contains("does not have 64 bytes"))
        let none = try Command.run("count", file, "--key-file", desk.path("none"))
        #expect(none.status == 2 && none.errors.contains("cannot be read"))
        let asked = try Command.shell(
            "setsid -w bash -c '\"\(Command.executable.path)\" count \(file) --ask-key'")
        #expect(asked.status == 2 && asked.errors.contains("no terminal"))
        #expect(try desk.run("count", file, "Shop_Item").output == "10\n")
        desk.delete()
    }

    /// Reading a file changes none of its bytes.
    @Test func readsOnly() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { Shop.fillSimply($0) }
        let url = desk.directory.file("a.realm")
        let before = try Data(contentsOf: url)
        for arguments in [
            ["schema", url.path], ["query", url.path, "Shop_Item"], ["count", url.path],
            ["dump", url.path], ["space", url.path], ["versions", url.path], ["check", url.path],
            ["explain", url.path, "Shop_Item", "price > 1"], ["show", url.path, "Shop_Maker", "1"],
            ["diff", url.path, url.path],
        ] { #expect(try desk.run(arguments).status == 0) }
        #expect(try Data(contentsOf: url) == before)
        desk.delete()
    }

    // MARK: Help

    private static let subcommands = [
        "schema", "query", "explain", "show", "count", "watch", "versions", "space", "diff", "dump",
        "load", "set", "delete", "copy", "compact", "rekey", "check", "salvage",
    ]

    @Test(arguments: subcommands) func help(command: String) throws {
        let help = try Command.run("help", command)
        #expect(help.status == 0)
        let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasPrefix("Example") })
        let examples = lines[(first + 1)...].prefix { !$0.isEmpty }
        #expect(!examples.isEmpty)
        // None was wrapped.
        for line in examples {
            #expect(
                line.hasPrefix("  ") && line.contains("freehold \(command) ")
                    || line.contains("| freehold") || line.hasPrefix("  freehold"), "\(line)")
        }
        #expect(help.output.contains("--json"))
        #expect(try Command.run(command).status == 64)
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completions(shell: String) throws {
        let script = try Command.run("--generate-completion-script", shell)
        #expect(script.status == 0)
        for command in Self.subcommands { #expect(script.output.contains(command)) }
    }
}
