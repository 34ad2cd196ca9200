import ArgumentParser
import Foundation
import Freehold
import FreeholdTestSupport
import FreeholdWorkload
import TortureCalls

/// F4: a file system goes down under a process that commits.
struct PowerCutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power-cut",
        abstract:
            """
            Shuts an ext4 file system down while a process commits, mounts it again, and \
            looks. Needs root and loop devices.
            """
    )

    @Option(help: "How many times.") var rounds = 100
    @OptionGroup var options: RunOptions

    func run() throws {
        let place = options.place("power-cut", inMemory: false)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let mount: LoopMount
        do {
            mount = try LoopMount(place)
        } catch let error as LoopMount.Impossible {
            print(
                options.json
                    ? "{\"tool\": \"power-cut\", \"skipped\": true}"
                    : "power-cut: skipped: \(error.reason)")
            return
        }
        let (rounds, seed) = (rounds, options.seed)
        let result = try runThreads(1) { _ in
            try PowerCut(mount, place, rounds: rounds, seed: seed).run()
        }[0]
        try result.print(json: options.json)
        if result.findings.isEmpty {
            try? FileManager.default.removeItem(atPath: place)
        } else {
            throw ExitCode(1)
        }
    }
}

struct PowerCutResult: Codable, Sendable {
    var tool = "power-cut"
    var seed: UInt64
    var date = ISO8601DateFormatter().string(from: Date())
    var seconds = 0.0
    var rounds = 0
    var acknowledgedCommits = 0
    var findings: [String] = []

    func print(json: Bool) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
        for finding in findings { Swift.print("FOUND \(finding)") }
        Swift.print(
            """
            power-cut: \(rounds) rounds in \(Int(seconds)) s, \
            \(acknowledgedCommits) acknowledged commits, \(findings.count) findings
            """
        )
    }
}

/// A file with an ext4 file system in it, mounted.
struct LoopMount: Sendable {
    struct Impossible: Error { let reason: String }

    let image: String
    let path: String

    init(_ directory: String) throws {
        image = directory + "/ext4.image"
        path = directory + "/mounted"
        guard geteuid() == 0 else { throw Impossible(reason: "it needs root") }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: image, contents: nil)
        guard truncate(image, 128 << 20) == 0, try Self.call("mkfs.ext4", ["-q", "-F", image]) == 0
        else { throw Impossible(reason: "no ext4 can be made") }
        guard try mount() else { throw Impossible(reason: "this machine mounts no loop devices") }
    }

    func mount() throws -> Bool {
        try Self.call("mount", ["-o", "loop,commit=5", image, path]) == 0
    }
    func unmount() throws -> Bool { try Self.call("umount", [path]) == 0 }

    static func call(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

struct PowerCut {
    private let mount: LoopMount
    private let place: String
    private let rounds: Int
    private var generator: SeededGenerator

    init(_ mount: LoopMount, _ place: String, rounds: Int, seed: UInt64) {
        self.mount = mount
        self.place = place
        self.rounds = rounds
        generator = SeededGenerator(seed: seed)
    }

    func run() throws -> PowerCutResult {
        var result = PowerCutResult(seed: generator.seed)
        var generator = generator
        let start = Date()
        FileHandle.standardError.write(
            Data("power-cut: in \(place)\n".utf8))
        defer { _ = try? mount.unmount() }
        for round in 0..<rounds {
            // Files that are new and files that live on; each sixth is encrypted.
            let name = "\(round / 4)"
            var powerCase = PowerCase(
                "cut", .full, isEncrypted: round / 4 % 6 == 5, length: 1, seed: generator.seed,
                imageCount: 1, directory: place)
            powerCase.log = place + "/cut.log"
            try powerCase.save()
            try FileManager.default.createDirectory(
                atPath: "\(mount.path)/\(name)", withIntermediateDirectories: true)
            // The directory itself is not what is looked at.
            sync()
            let child = try WatchedChild(
                ["power-cut-writer", powerCase.path, "--directory", "\(mount.path)/\(name)"],
                errors: place + "/writer.errors")
            let commits = generator.int(1...40)
            // With the journal written, as it may be by chance, and without.
            let flags: UInt32 = generator.once(in: 3) ? 1 : 2
            var acknowledged: [Int: Int] = [:]
            var count = 0
            _ = child.run { line in
                let words = line.split(separator: " ").compactMap { Int($0) }
                guard words.count == 2 else { return }
                acknowledged[words[0]] = words[1]
                count += 1
                if count == commits { _ = torture_shut_down_file_system(mount.path, flags) }
            }
            if count < commits { _ = torture_shut_down_file_system(mount.path, flags) }
            result.acknowledgedCommits += count
            guard try mount.unmount(), try mount.mount() else {
                result.findings.append("Round \(round): the file system cannot be mounted again.")
                break
            }
            var promise = PowerPromise()
            promise.numbers = acknowledged
            let outcome = PowerImage(powerCase, "\(mount.path)/\(name)", promise).verify(
                goesOn: true)
            result.rounds += 1
            if case .bad(let text) = outcome {
                let kept = "\(place)/round-\(round)"
                try? FileManager.default.copyItem(atPath: "\(mount.path)/\(name)", toPath: kept)
                result.findings.append(
                    """
                    Round \(round): \(text) Kept in \(kept). Replay: \
                    FREEHOLD_SEED=\(generator.seed) Tests/torture power-cut --rounds \(round + 1)
                    """
                )
                try? FileManager.default.removeItem(atPath: "\(mount.path)/\(name)")
            } else if round % 4 == 3 {
                try FileManager.default.removeItem(atPath: "\(mount.path)/\(name)")
            }
        }
        result.seconds = Date().timeIntervalSince(start)
        return result
    }
}

/// Commits until nothing can be written, and says so after each commit: "writer number".
struct PowerCutWriterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power-cut-writer", shouldDisplay: false)

    @Argument var path: String
    @Option var directory: String

    func run() throws {
        let powerCase = try PowerCase.load(path)
        let directory = directory
        try runThreads(1) { _ in
            let realm = try Realm(
                configuration: powerCase.configuration(directory, schemaVersion: 0))
            for round in 0..<100_000 {
                let writer = round % 3
                do {
                    let number = try realm.write {
                        if round % 9 == 4 { Workload.changeRecords(realm) }
                        return Workload.change(realm, writer)
                    }
                    FileHandle.standardOutput.write(Data("\(writer) \(number)\n".utf8))
                } catch {
                    return
                }
            }
        }
    }
}
