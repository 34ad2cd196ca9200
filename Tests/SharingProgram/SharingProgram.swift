import Foundation
import Freehold
import FreeholdPostgres
import FreeholdSharing
import FreeholdTestSupport

/// A client in a process of its own.
///
///     SharingProgram FILE URL SCHEMA REALM SECONDS LINE…
///
/// SECONDS moves the wall clock. With "-" as its URL the program does not share its file: it is
/// another process that writes into it. Does what the lines say, and then those of the standard
/// input, and prints a line for each that is done:
///
/// | line | answer |
/// |---|---|
/// | write KEY | wrote KEY |
/// | share KEY | shared KEY; further lines are read meanwhile |
/// | synchronize | synchronized |
/// | snapshot | made |
/// | clock SECONDS | moved; how far the wall clock is ahead from now on |
/// | work SEED KEY | writes and shares at random, with keys from KEY on, until it is killed |
///
/// Or "failed", and the error's code.
@main @MainActor
struct SharingProgram {
    private let configuration: Realm.Configuration
    private let shared: SharedRealm?

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 6, let seconds = Int(arguments[5]) else {
            fatalError("SharingProgram FILE URL SCHEMA REALM SECONDS LINE…")
        }
        SystemCalls.moveWallClock(by: seconds)
        let configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: arguments[1]), objectTypes: Entries.classes)
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.2)
        var shared: SharedRealm?
        if arguments[2] != "-" {
            shared = try await SharedRealm(
                configuration, upstream: .postgres(arguments[2], schema: arguments[3]),
                name: arguments[4], options: options)
        }
        say("opened")
        let program = SharingProgram(configuration: configuration, shared: shared)
        for line in arguments.dropFirst(6) { try await program.run(line) }
        while let line = readLine() { try await program.run(line) }
        await shared?.close()
    }

    private func run(_ line: String) async throws {
        let words = line.split(separator: " ")
        let number = words.last.flatMap { Int($0) } ?? 0
        switch words.first {
        case "write": try write(number)
        case "share": Task.detached { [shared] in await Self.share(number, in: shared) }
        case "synchronize": await answer("synchronized") { try await $0.synchronize() }
        case "snapshot": await answer("made") { try await $0.makeSnapshot() }
        case "clock":
            SystemCalls.moveWallClock(by: number)
            Self.say("moved")
        case "work":
            var random = SeededGenerator(seed: UInt64(words[1]) ?? 0)
            for key in number... {
                if random.int(0...2) == 0 {
                    await Self.share(key, in: shared)
                } else {
                    try write(key)
                }
            }
        default: fatalError("What is \"\(line)\"?")
        }
    }

    private func write(_ key: Int) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { Entries.write(key, in: realm) }
        Self.say("wrote \(key)")
    }

    private nonisolated static func share(_ key: Int, in shared: SharedRealm?) async {
        do {
            try await shared?.writeShared(timeout: .seconds(60)) {
                Entries.writeShared(key, in: $0)
            }
            say("shared \(key)")
        } catch {
            say("failed \(code(of: error))")
        }
    }

    private func answer(_ done: String, _ body: (SharedRealm) async throws -> Void) async {
        do {
            if let shared { try await body(shared) }
            Self.say(done)
        } catch {
            Self.say("failed \(Self.code(of: error))")
        }
    }

    private nonisolated static func code(of error: any Error) -> String {
        (error as? SharingError)?.code.rawValue ?? "\(error)"
    }

    private nonisolated static func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
