import Foundation
import Freehold
import Testing

@testable import PackageIndex

/// One process watches while others import.
@Suite("Watching the realm", .serialized)
struct WatchTests {
    /// The built program, in the folder of the tests.
    private static func program() throws -> String {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var directory = URL(fileURLWithPath: own).deletingLastPathComponent()
        // The tests may run in a helper in another folder.
        let named =
            CommandLine.arguments.firstIndex(of: "--test-bundle-path").map {
                CommandLine.arguments[$0 + 1]
            } ?? CommandLine.arguments[0]
        if !FileManager.default.isExecutableFile(
            atPath: directory.appendingPathComponent("PackageIndex").path)
        {
            directory = URL(fileURLWithPath: named).deletingLastPathComponent()
        }
        return directory.appendingPathComponent("PackageIndex").path
    }

    /// A process of the program. If expected output never comes, `timeout` ends the process, and
    /// thereby its reader.
    private final class Running {
        let process = Process()
        private let output = Pipe()
        private var unread = Data()

        init(_ arguments: [String]) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            process.arguments = ["60", try WatchTests.program()] + arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            // The tests' threads block signals, and a process would inherit that.
            var (signals, old) = (sigset_t(), sigset_t())
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            pthread_sigmask(SIG_UNBLOCK, &signals, &old)
            defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
            try process.run()
        }

        /// Waits for the next line; nil at the end.
        func line() -> String? {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { unread = Data(unread[unread.index(after: end)...]) }
                    return String(decoding: unread[..<end], as: UTF8.self)
                }
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                unread += more
            }
        }

        /// The next state that was printed as JSON.
        func state() throws -> DashboardState? {
            try line().map { try JSONDecoder().decode(DashboardState.self, from: Data($0.utf8)) }
        }

        /// Waits for the end.
        func status() -> Int32 {
            process.waitUntilExit()
            return process.terminationStatus
        }
    }

    /// Runs the program to its end.
    private func run(_ arguments: String...) throws {
        let running = try Running(arguments)
        while running.line() != nil {}
        #expect(running.status() == 0)
    }

    private func withPath(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "WatchTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.appendingPathComponent("index.realm").path
        try body(path)
        #expect(try Realm(configuration: IndexRealm.configuration(path: path)).check() == [])
    }

    /// The sample without some of its stanzas, as a file beside the realm.
    private func sample(first count: Int, beside path: String) throws -> String {
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../PackageIndex/Sample/Packages").path
        let stanzas = try String(contentsOfFile: sample, encoding: .utf8).components(
            separatedBy: "\n\n")
        let file = path + ".packages"
        try (stanzas.prefix(count).joined(separator: "\n\n") + "\n").write(
            toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    @Test("a watching process sees what others import, and ends at the number that it waits for")
    func imports() throws {
        try withPath { path in
            let watching = try Running([
                "watch", "--json", "--limit", "3", "--until", "23", "--realm", path,
            ])
            let begin = try #require(try watching.state())
            #expect(
                begin
                    == DashboardState(
                        number: 0, packageCount: 0, maintainerCount: 0, sectionCount: 0,
                        addedCount: 0, removedCount: 0, changedCount: 0, largest: []))
            // While a process imports a part, without waiting for the watcher.
            try run("update", "--source", try sample(first: 5, beside: path), "--realm", path)
            var known = 0
            var state = begin
            while state.packageCount < 5 {
                state = try #require(try watching.state())
                known += state.addedCount - state.removedCount
                #expect(known == state.packageCount)
            }
            #expect(state.packageCount == 5 && state.largest.count == 3)
            let largest = state.largest
            try run("update", "--sample", "--batch", "4", "--realm", path)
            while let next = try watching.state() {
                known += next.addedCount - next.removedCount
                #expect(next.number == state.number + 1 && known == next.packageCount)
                #expect(
                    next.largest.map(\.installedSize)
                        == next.largest.map(\.installedSize).sorted(by: >))
                state = next
            }
            #expect(state.packageCount == 23 && state.largest != largest)
            let realm = try Realm(configuration: IndexRealm.configuration(path: path))
            #expect(
                state.largest.map(\.id)
                    == Questions(realm: realm).largestPackages.prefix(3).map(\.id))
            #expect(watching.status() == 0)
        }
    }

    @Test("Ctrl-C ends it cleanly")
    func interrupted() throws {
        try withPath { path in
            try run("update", "--sample", "--realm", path)
            let watching = try Running(["watch", "--realm", path])
            #expect(watching.line() == "23 packages, 4 maintainers, 13 sections")
            watching.process.interrupt()
            while watching.line() != nil {}
            #expect(watching.status() == 0)
        }
    }
}
