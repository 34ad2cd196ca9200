package import Foundation
import FreeholdTestProcesses

/// The program `gzip`, for files that are kept compressed.
package enum Gzip {
    struct Failure: Error { var status: Int32 }

    /// Compresses a file, or makes one of what was compressed.
    package static func compress(_ input: URL, to output: URL) throws {
        try run(["-9", "-n"], input, to: output)
    }

    package static func decompress(_ input: URL, to output: URL) throws {
        try run(["-d"], input, to: output)
    }

    private static func run(_ arguments: [String], _ input: URL, to output: URL) throws {
        try Data().write(to: output)
        let process = ChildProcess(
            URL(fileURLWithPath: "/usr/bin/env"), ["gzip"] + arguments + ["-c", input.path])
        process.standardOutput = .file(try FileHandle(forWritingTo: output))
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw Failure(status: process.terminationStatus) }
    }
}
