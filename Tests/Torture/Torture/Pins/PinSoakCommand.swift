import ArgumentParser
import Foundation
import Freehold
import FreeholdTestSupport

/// F13: each kind of realm that only its own calls move, beside a writer. The file grows by
/// what they read on purpose, which is what the writer wrote since they moved last, and no
/// further.
struct PinSoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin-soak",
        abstract:
            """
            Realms on schedulers that never come to their work refresh, write and \
            invalidate beside a writer; the file grows by less than 2 x the live data.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How long.") var seconds = 60.0
    @Option(help: "How many objects the file has.") var rows = 20_000
    @Option(help: "How many commits the writer makes between two moves of the others.")
    var commits = 5
    @Flag(help: "The file is encrypted.") var encrypted = false

    func run() async throws {
        let report = try TortureReport("pin-soak", options)
        var configuration = Realm.Configuration.limits(
            report.path("pin-soak.realm"), isEncrypted: encrypted)
        configuration.durability = .none
        // The main thread is free, so that a participant can keep it.
        let participants = PinParticipant.start(configuration)
        let run = PinSoakRun(
            report, configuration, participants, rows: rows, commits: commits, seconds: seconds)
        try await awaitThread { try run.run() }
        try report.finish()
    }
}

/// The writer, and what has to hold after each of its rounds.
private struct PinSoakRun: Sendable {
    private let report: TortureReport
    private let configuration: Realm.Configuration
    private let participants: [PinParticipant]
    private let rows: Int
    private let commits: Int
    private let seconds: Double

    init(
        _ report: TortureReport, _ configuration: Realm.Configuration,
        _ participants: [PinParticipant], rows: Int, commits: Int, seconds: Double
    ) {
        self.report = report
        self.configuration = configuration
        self.participants = participants
        self.rows = rows
        self.commits = commits
        self.seconds = seconds
    }

    func run() throws {
        let realm = try Realm(configuration: configuration)
        let text = String(repeating: "a", count: 300)
        try realm.write {
            for id in 0..<rows { realm.create(LimitNote.self, value: ["id": id, "text": text]) }
        }
        let live = try liveByteCount(realm)
        report.set("live bytes", live)
        let beginning = try fileByteCount()
        report.set("bytes at the beginning", beginning)
        var random = SeededGenerator(seed: report.seed)
        var (rounds, largest) = (0, 0)
        while report.seconds < seconds, !report.hasFindings {
            for _ in 0..<commits { try write(realm, &random) }
            let written = try realm.versionReport().newestVersion
            try examine(realm, "round \(rounds), behind", oldest: nil)
            for participant in participants { participant.go(rounds) }
            for participant in participants where !participant.waitUntilMoved() {
                return report.find("Round \(rounds): '\(participant.name)' stands still.")
            }
            for participant in participants {
                for failure in participant.takeFailures() {
                    report.find("\(participant.name): \(failure)")
                }
            }
            try examine(realm, "round \(rounds)", oldest: written)
            largest = max(largest, try fileByteCount())
            if largest - beginning > 2 * live {
                report.find(
                    """
                    Round \(rounds): the file has \(largest) bytes, and its data \(live): \
                    \(try realm.versionReport())
                    """
                )
            }
            rounds += 1
        }
        for participant in participants { participant.end() }
        report.set("rounds", rounds)
        report.set("commits of the writer", rounds * commits)
        report.set("participants", participants.count)
        report.set("largest bytes", largest)
        report.set("growth, of the live data", Double(largest - beginning) / Double(live))
        for problem in try realm.check() { report.find(problem) }
    }

    private func write(_ realm: Realm, _ random: inout SeededGenerator) throws {
        try realm.write {
            for _ in 0..<10 {
                let note = realm.object(
                    ofType: LimitNote.self, forPrimaryKey: random.int(0...rows - 1))
                note?.number = random.int(0...9)
                note?.text = String(repeating: random.pick(["a", "b", "c"]), count: 300)
            }
        }
    }

    /// The report names each holder of a version with a place, and none is older than `oldest`.
    private func examine(_ realm: Realm, _ what: String, oldest: UInt64?) throws {
        realm.waitForNotifier()
        let versions = realm.readVersions
        let found = try realm.versionReport()
        let named = Set(found.pins.map(\.version))
        let unnamed = versions.filter { !named.contains($0) }
        report.expect(unnamed.isEmpty, "\(what): no holder is reported for \(unnamed): \(found)")
        report.expect(
            found.pins.allSatisfy { $0.place != nil }, "\(what): a holder without a place: \(found)"
        )
        guard let oldest, let first = versions.first else { return }
        report.expect(
            first >= oldest,
            "\(what): version \(first) is kept although everybody moved to \(oldest): \(found)")
    }

    /// The bytes that the data take alone.
    private func liveByteCount(_ realm: Realm) throws -> Int {
        let copy = report.path("live.realm")
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try realm.writeCopy(
            toFile: URL(fileURLWithPath: copy), encryptionKey: configuration.encryptionKey)
        return try byteCount(copy)
    }

    private func fileByteCount() throws -> Int { try byteCount(report.path("pin-soak.realm")) }

    private func byteCount(_ path: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
    }
}
