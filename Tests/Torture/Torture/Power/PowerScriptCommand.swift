import ArgumentParser
import Foundation
import Freehold
import FreeholdTestSupport
import FreeholdWorkload
import TortureCalls

/// The workload that is recorded: creation, commits of many sizes, a migration, compactions, a
/// copy. Run with the recording shim.
struct PowerScriptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power-script", shouldDisplay: false)

    @Argument var path: String
    @Option var directory: String

    func run() throws {
        let powerCase = try PowerCase.load(path)
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        guard torture_begin_recording(directory, powerCase.log) != 0 else {
            throw ValidationError("The recording shim is not preloaded.")
        }
        let script = PowerScript(powerCase, directory)
        // A thread of its own: realms belong to it, and no task moves.
        try runThreads(1) { _ in try script.run() }
    }
}

/// Calls back with a note after each commit that returned.
struct PowerScript: Sendable {
    let powerCase: PowerCase
    let directory: String

    init(_ powerCase: PowerCase, _ directory: String) {
        self.powerCase = powerCase
        self.directory = directory
    }

    /// Four times in a row the file is opened, written to and closed: as made; at the higher
    /// schema version; and compacting.
    func run() throws {
        var promise = PowerPromise()
        let tenth = max(1, powerCase.length / 10)
        try write(0..<tenth * 2, &promise)
        try write(tenth * 2..<tenth * 4, &promise)
        promise.schemaVersion = 1
        try write(tenth * 4..<tenth * 8, compactingAt: tenth * 6, copyingAt: tenth * 7, &promise)
        try write(tenth * 8..<tenth * 10, compactingOnLaunch: true, &promise)
    }

    private func write(
        _ rounds: Range<Int>, compactingAt compaction: Int? = nil, copyingAt copy: Int? = nil,
        compactingOnLaunch: Bool = false, _ promise: inout PowerPromise
    ) throws {
        try write(
            rounds, compaction, copy, try open(&promise, compacting: compactingOnLaunch), &promise)
        // The realm is gone, and the file closed.
        promise.isForSure = true
        try note(promise)
        promise.isForSure = false
    }

    private func write(
        _ rounds: Range<Int>, _ compaction: Int?, _ copy: Int?, _ realm: Realm,
        _ promise: inout PowerPromise
    ) throws {
        for round in rounds {
            if round % 7 == 2 {
                promise.generation = try realm.write { Workload.changeRecords(realm) }
                try note(promise)
            } else if round % 11 == 5 {
                try commit(realm, writers: Array(repeating: 2, count: 8) + [0, 1], &promise)
            } else {
                try commit(realm, writers: [round % 2], &promise)
            }
            if round == compaction {
                _ = try realm.compact()
                try note(promise)
            }
            if round == copy {
                try realm.writeCopy(
                    configuration: powerCase.configuration(
                        directory, schemaVersion: 1, name: PowerCase.copyName))
                promise.copied = promise.numbers
                try note(promise)
            }
        }
    }

    private func open(_ promise: inout PowerPromise, compacting: Bool = false) throws -> Realm {
        var configuration = powerCase.configuration(directory, schemaVersion: promise.schemaVersion)
        if compacting { configuration.shouldCompactOnLaunch = { _, _ in true } }
        let realm = try Realm(configuration: configuration)
        try note(promise)
        return realm
    }

    private func commit(_ realm: Realm, writers: [Int], _ promise: inout PowerPromise) throws {
        var numbers = promise.numbers
        try realm.write {
            for writer in writers { numbers[writer] = Workload.change(realm, writer) }
        }
        promise.numbers = numbers
        try note(promise)
    }

    private func note(_ promise: PowerPromise) throws {
        let note = try promise.note()
        note.withUnsafeBytes { bytes in
            torture_note(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int64(bytes.count))
        }
    }
}
