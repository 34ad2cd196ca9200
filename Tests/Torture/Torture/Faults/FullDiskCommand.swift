import ArgumentParser
import Foundation
import Freehold
import FreeholdTestSupport
import FreeholdWorkload

/// F6: a disk fills up, again and again.
struct FullDiskCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "full-disk",
        abstract:
            """
            Fills a small file system with a realm, deletes from it, and fills it again. \
            Needs root, to mount one.
            """
    )

    @Option(help: "How often it is filled.") var cycles = 100
    @OptionGroup var options: RunOptions

    func run() throws {
        let place = options.place("full-disk", inMemory: false)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        guard geteuid() == 0,
            try LoopMount.call("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", place]) == 0
        else {
            print(
                options.json
                    ? "{\"tool\": \"full-disk\", \"skipped\": true}"
                    : "full-disk: skipped: it needs root, to mount a small file system")
            return
        }
        defer {
            _ = try? LoopMount.call("umount", [place])
            try? FileManager.default.removeItem(atPath: place)
        }
        let (cycles, seed) = (cycles, options.seed)
        FileHandle.standardError.write(Data("full-disk: in \(place)\n".utf8))
        let result = try runThreads(1) { _ in try FullDisk(place, cycles: cycles, seed: seed).run()
        }[0]
        try result.print(json: options.json)
        if !result.findings.isEmpty { throw ExitCode(1) }
    }
}

struct FullDiskResult: Codable, Sendable {
    var tool = "full-disk"
    var seed: UInt64
    var date = ISO8601DateFormatter().string(from: Date())
    var seconds = 0.0
    var cycles = 0
    var commits = 0
    var refusals = 0
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
            full-disk: \(cycles) cycles in \(Int(seconds)) s, \(commits) \
            commits, \(refusals) refused for lack of space, \(findings.count) findings
            """
        )
    }
}

/// What lies in the realm is known to the last byte: a commit that fails changes nothing.
struct FullDisk {
    private let configuration: Realm.Configuration
    private let cycles: Int
    private var generator: SeededGenerator
    private var result: FullDiskResult
    /// The lengths of the texts by name.
    private var known: [String: Int] = [:]
    private var nextName = 0

    init(_ place: String, cycles: Int, seed: UInt64) {
        var configuration = Workload.configuration(place + "/a.realm")
        configuration.objectTypes = [Workload.Part.self]
        self.configuration = configuration
        self.cycles = cycles
        generator = SeededGenerator(seed: seed)
        result = FullDiskResult(seed: seed)
    }

    func run() throws -> FullDiskResult {
        var copy = self
        try copy.runCycles()
        return copy.result
    }

    private mutating func runCycles() throws {
        let start = Date()
        var realm: Realm? = try Realm(configuration: configuration)
        for cycle in 0..<cycles {
            guard let open = realm else { break }
            try fill(open)
            try empty(open, completely: cycle % 5 == 4)
            look(open, "in cycle \(cycle)")
            if !result.findings.isEmpty { break }
            result.cycles += 1
            if cycle % 10 == 9 {
                FileHandle.standardError.write(
                    Data("\(result.cycles) of \(cycles) cycles, \(result.commits) commits\n".utf8))
                let problems = try open.check()
                result.findings += problems
                realm = nil
                realm = try Realm(configuration: configuration)
                if let realm { look(realm, "opened again after cycle \(cycle)") }
            }
        }
        result.seconds = Date().timeIntervalSince(start)
    }

    /// Until the disk is full: large and small commits, the last ones small, so that the end is
    /// reached.
    private mutating func fill(_ realm: Realm) throws {
        var length = generator.int(3_000...60_000)
        while length > 10 {
            let count = generator.int(1...4)
            let names = (0..<count).map { "\(nextName + $0)" }
            let lengths = names.map { _ in generator.int(1...length) }
            do {
                try realm.write {
                    for (name, length) in zip(names, lengths) {
                        realm.create(
                            Workload.Part.self,
                            value: ["name": name, "writer": count, "text": Self.text(name, length)])
                    }
                }
                nextName += count
                result.commits += 1
                for (name, length) in zip(names, lengths) { known[name] = length }
            } catch let error as Realm.Error {
                result.refusals += 1
                if error.code != .outOfDiskSpace {
                    return result.findings.append(
                        "A commit on a full disk threw \(error.code): \(error)")
                }
                if realm.objects(Workload.Part.self).count != known.count {
                    return result.findings.append("A commit that failed changed something.")
                }
                length /= 3
            }
        }
    }

    /// Deletes on a full disk: one after the other, then many at once.
    private mutating func empty(_ realm: Realm, completely: Bool) throws {
        while !known.isEmpty {
            let all = realm.objects(Workload.Part.self)
            let count = min(
                all.count,
                known.count > 20 ? generator.int(1...3) : completely ? 100 : generator.int(1...8))
            if !completely, all.count < 8 { return }
            let victims = Array(all.prefix(count))
            let names = victims.map(\.name)
            do {
                try realm.write { realm.delete(victims) }
                result.commits += 1
                for name in names { known[name] = nil }
            } catch let error as Realm.Error {
                result.findings.append(
                    "Deleting \(count) of \(all.count) on a full disk threw \(error.code): \(error)"
                )
                return
            }
        }
    }

    private mutating func look(_ realm: Realm, _ when: String) {
        let parts = realm.objects(Workload.Part.self)
        if parts.count != known.count {
            result.findings.append("\(when), there are \(parts.count) objects, not \(known.count).")
        }
        for part in parts where known[part.name].map({ Self.text(part.name, $0) }) != part.text {
            result.findings.append("\(when), the object \(part.name) is wrong.")
        }
    }

    private static func text(_ name: String, _ length: Int) -> String {
        String(String(repeating: name + " ", count: length / (name.count + 1) + 1).prefix(length))
    }
}
