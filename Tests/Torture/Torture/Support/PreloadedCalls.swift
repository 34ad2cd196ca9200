import ArgumentParser
import Foundation
import Glibc
import TortureCalls

/// Whether a preloaded library sees the calls of this program.
///
/// The tests' own wrappers of these calls (`FreeholdTestStart`) come before it; a wrapper that
/// went to the kernel by itself would make every tool blind that preloads a library, and each
/// would still find nothing.
enum PreloadedCalls {
    struct Unseen: Error, CustomStringConvertible {
        let expected: [String]
        let seen: [String]

        var description: String {
            """
            \(KillAtCommand.shimName) sees \(seen) of the calls \(expected) that this \
            program makes.
            """
        }
    }

    /// What `PreloadedCallsCommand` calls, in its order; of the descriptor calls those that
    /// change a file.
    static let names = [
        "open", "pwrite", "ftruncate", "fsync", "fdatasync", "rename", "renameat2", "unlink",
    ]

    static func verify(shim: String, in parent: URL) throws {
        let directory = parent.appendingPathComponent("preloaded")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let log = parent.appendingPathComponent("preloaded.log").path
        let child = ChildProcess(
            ["preloaded-calls", directory.path],
            environment: [
                "LD_PRELOAD": shim, "TORTURE_KILL_DIRECTORY": directory.path,
                "TORTURE_KILL_LOG": log,
            ],
            errorPath: parent.appendingPathComponent("preloaded.errors").path)
        child.reap()
        let seen =
            (try? String(contentsOfFile: log, encoding: .utf8))?.split(separator: "\n").map(
                String.init) ?? []
        guard child.succeeded, seen == names else { throw Unseen(expected: names, seen: seen) }
    }
}

/// The process that makes the calls, each once.
struct PreloadedCallsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preloaded-calls", shouldDisplay: false)

    @Argument var directory: String

    func run() throws {
        let error = torture_make_calls(directory)
        if error != 0 { throw ValidationError(String(cString: strerror(error))) }
    }
}
