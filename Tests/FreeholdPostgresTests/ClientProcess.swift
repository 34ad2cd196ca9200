import Foundation
import FreeholdTestProcesses
import Glibc
import PostgresServer
import Testing

/// A client of a shared realm in a process of its own: `Tests/SharingProgram`.
final class ClientProcess: Sendable {
    private let process: ChildProcess
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the program, and returns when it has opened its file.
    ///
    /// - Parameter clockOffset: How many seconds its wall clock is ahead.
    static func open(
        _ file: URL, at url: String, _ schema: PostgresSchema, realm: String, clockOffset: Int = 0
    ) async throws -> ClientProcess {
        let client = try ClientProcess(
            file, at: url, schema, realm: realm, clockOffset: clockOffset)
        let line = try await client.line()
        try #require(line == "opened", "The program printed \(line ?? "nothing").")
        return client
    }

    /// Starts the program.
    ///
    /// - Parameter lines: What it is to do.
    init(
        _ file: URL, at url: String, _ schema: PostgresSchema, realm: String, clockOffset: Int = 0,
        _ lines: [String] = []
    ) throws {
        // Beside the tests.
        let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("SharingProgram")
        process = ChildProcess(
            program, [file.path, url, schema.name, realm, "\(clockOffset)"] + lines)
        process.standardInput = .pipe(input)
        process.standardOutput = .pipe(output)
        try process.run()
    }

    func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The next line that the program prints; nil when it has ended.
    func line() async throws -> String? {
        try await onThread { [output] in
            var line = Data()
            while let next = try output.fileHandleForReading.read(upToCount: 1), !next.isEmpty {
                if next.first == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                line.append(next)
            }
            return nil
        }
    }

    /// All further lines, when the program has ended. The last one may be cut.
    func lines() async -> [String] {
        let all = try? await onThread { [output] in try output.fileHandleForReading.readToEnd() }
        return String(decoding: (all ?? nil) ?? Data(), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    /// Sends a line, and expects an answer.
    func ask(
        _ line: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try send(line)
        let answer = try await self.line()
        #expect(answer == expected, sourceLocation: sourceLocation)
    }

    func signalKill() { process.signal(SIGKILL) }

    /// Ends it at once (`kill -9`), and returns when it is gone.
    func kill() async {
        signalKill()
        await waitForEnd()
    }

    /// Closes its shared realm, and waits for its end.
    func end() async throws {
        try input.fileHandleForWriting.close()
        await waitForEnd()
    }

    private func waitForEnd() async { await onThread { [process] in process.waitUntilExit() } }
}
