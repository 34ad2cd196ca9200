import Foundation
import FreeholdRealmTestSupport
import FreeholdTestProcesses
import FreeholdTestSupport
import Testing

/// The `freehold` command, as a process.
enum Command {
    /// The command lies beside the tests.
    static let executable = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("freehold")

    struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        }

        /// The lines as JSON.
        func objects() throws -> [[String: Any]] {
            try lines.map {
                try #require(
                    JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
    }

    static func process(_ arguments: [String]) -> ChildProcess {
        ChildProcess(executable, arguments)
    }

    @discardableResult
    static func run(_ arguments: String..., in directory: URL? = nil) throws -> Outcome {
        try run(arguments: arguments, in: directory)
    }

    static func run(arguments: [String], in directory: URL? = nil) throws -> Outcome {
        let process = process(arguments)
        process.currentDirectoryURL = directory
        return try run(process)
    }

    /// Runs a line of the shell, in which `freehold` is the command.
    static func shell(_ line: String) throws -> Outcome {
        try run(
            ChildProcess(
                URL(fileURLWithPath: "/bin/bash"),
                ["-c", "freehold() { \"\(executable.path)\" \"$@\"; }\n" + line]))
    }

    private static func run(_ process: ChildProcess) throws -> Outcome {
        // To files: two full pipes would wait for each other.
        let directory = FileManager.default.temporaryDirectory
        let name = "freehold-command-\(UUID().uuidString)"
        let (out, err) = (
            directory.appendingPathComponent(name + ".out"),
            directory.appendingPathComponent(name + ".err")
        )
        for url in [out, err] { try Data().write(to: url) }
        defer { for url in [out, err] { try? FileManager.default.removeItem(at: url) } }
        process.standardOutput = .file(try FileHandle(forWritingTo: out))
        process.standardError = .file(try FileHandle(forWritingTo: err))
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: out), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: err), as: UTF8.self))
    }
}

/// A directory with realm files, and the keys that open them.
struct Desk {
    let directory: TemporaryDirectory
    /// The key of the files that the tests write; nil for plain ones.
    let key: Data?
    let keyFile: URL

    init(isEncrypted: Bool = false) throws {
        directory = try TemporaryDirectory()
        keyFile = directory.file("key")
        key =
            isEncrypted || EncryptedSuite.isOn
            ? Data(EncryptedSuite.isOn ? EncryptedSuite.key : (0..<64).map { UInt8($0) }) : nil
        if let key { try key.write(to: keyFile) }
    }

    func path(_ name: String) -> String { directory.file(name).path }

    /// `--key-file` for encrypted files.
    var keyOptions: [String] { key == nil ? [] : ["--key-file", keyFile.path] }
    var keyText: String { keyOptions.joined(separator: " ") }

    func run(_ arguments: String...) throws -> Command.Outcome {
        try run(arguments)
    }

    func run(_ arguments: [String]) throws -> Command.Outcome {
        let process = Command.process(arguments + keyOptions)
        return try Command.run(of: process)
    }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: directory.file(name))
        return path(name)
    }

    func delete() { directory.delete() }
}

extension Command {
    static func run(of process: ChildProcess) throws -> Outcome { try run(process) }
}
