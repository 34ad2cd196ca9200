import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport
import Glibc
import TortureCalls

/// An entry that a write made, in the order of transactions.
final class MachineEntry: Object {
    @Persisted(primaryKey: true) var write = 0
    @Persisted(indexed: true) var order = 0
    @Persisted var text = ""
}

/// How many entries there are: each transaction changes both.
final class MachineCounter: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var entries = 0
}

/// A process of `torture machine`. It does what its standard input says, a step a line, and
/// says what came of it, with "done" at the end. One thread, and those of the library, of which
/// one runs at a time.
struct MachineProcessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine-process", shouldDisplay: false)

    @Argument var path: String
    @Option var features: Int
    @Option var actors: Int
    @Option var seed: UInt64

    static func configuration(_ path: String, _ features: MachineFeatures) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path),
            objectTypes: [MachineEntry.self, MachineCounter.self])
        if features.contains(.encryption) {
            configuration.encryptionKey = Data(repeating: 7, count: 64)
        }
        return configuration
    }

    func run() throws {
        try onThread {
            // Its looks have a thread of their own.
            Realm.pinnedByteWarningThreshold = nil
            SteppedThreads.begin(seed: seed)
            if torture_step_pool() == 0 {
                throw ValidationError("The runtime's pool cannot be stepped.")
            }
            let features = MachineFeatures(rawValue: features)
            if features.contains(.power) {
                torture_keep_unsynced(URL(fileURLWithPath: path).deletingLastPathComponent().path)
            }
            let work = MachineWork(path, features, actors: actors)
            SpawnedProcess.say("done")
            while let line = readLine() {
                let words = line.split(separator: " ")
                if words.first == "end" { return }
                guard words.count == 4, let action = MachineAction(rawValue: String(words[0])),
                    let actor = Int(words[1]),
                    let number = UInt64(words[2]), let write = Int(words[3])
                else { throw ValidationError("Not a step: \(line)") }
                work.perform(action, actor, number, write)
                SpawnedProcess.say("done")
            }
        }
    }
}

/// Says what the file has, for the judge.
struct MachineJudgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "machine-judge", shouldDisplay: false)

    @Argument var path: String
    @Option var features: Int

    func run() throws {
        try onThread {
            let features = MachineFeatures(rawValue: features)
            let realm = try Realm(
                configuration: MachineProcessCommand.configuration(path, features))
            let entries = realm.objects(MachineEntry.self).sorted(by: \.order)
            for entry in entries {
                SpawnedProcess.say("entry \(entry.write)")
                if entry.text != MachineWork.text(entry.write) {
                    SpawnedProcess.say("problem Entry \(entry.write) says \(entry.text).")
                }
            }
            if Array(entries.map(\.order)) != Array(0..<entries.count) {
                SpawnedProcess.say("problem The orders are \(Array(entries.map(\.order))).")
            }
            let counted = realm.object(ofType: MachineCounter.self, forPrimaryKey: 0)?.entries ?? 0
            if counted != entries.count {
                SpawnedProcess.say("problem \(entries.count) entries are counted as \(counted).")
            }
            for problem in try realm.check() { SpawnedProcess.say("problem \(problem)") }
            SpawnedProcess.say("done")
        }
    }
}
