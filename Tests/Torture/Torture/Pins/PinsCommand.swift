import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdTestSupport

/// F13: versions that are kept, by this process and by others that are killed.
struct PinsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract:
            """
            Churns beside a version that is held, and beside readers that are killed; \
            space is reported, and comes back.
            """
    )

    @OptionGroup var options: RunOptions
    @Option(help: "How many readers are killed.") var rounds = 50
    @Option(help: "How many commits are made beside a version that is held.") var churn = 1_000
    @Flag(help: "The file is encrypted.") var encrypted = false

    private static let rows = 2_000

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        let report = try TortureReport("pins", options)
        var configuration = Realm.Configuration.limits(
            report.path("pins.realm"), isEncrypted: encrypted)
        configuration.durability = .none
        let realm = try Realm(configuration: configuration)
        try realm.write {
            for id in 0..<Self.rows {
                realm.create(
                    LimitNote.self, value: ["id": id, "text": String(repeating: "a", count: 100)])
            }
        }
        var random = SeededGenerator(seed: report.seed)
        try hold(report, realm, &random)
        try killReaders(report, realm, configuration, &random)
        for problem in try realm.check() { report.find(problem) }
        try report.finish()
    }

    /// Commits that change ten rows each, and add none.
    private func churn(_ realm: Realm, _ count: Int, _ random: inout SeededGenerator) throws {
        for _ in 0..<count {
            try realm.write {
                for _ in 0..<10 {
                    let note = realm.object(
                        ofType: LimitNote.self, forPrimaryKey: random.int(0...Self.rows - 1))
                    note?.number = random.int(0...9)
                    note?.text = String(repeating: random.pick(["a", "b", "c"]), count: 100)
                }
            }
        }
    }

    private func hold(_ report: TortureReport, _ realm: Realm, _ random: inout SeededGenerator)
        throws
    {
        // Without a version that is held, the file has its size soon.
        try churn(realm, 200, &random)
        let free = try realm.versionReport().usedByteCount
        try churn(realm, churn, &random)
        let unpinned = try realm.versionReport().usedByteCount - free
        report.set("bytes a commit without a held version", Double(unpinned) / Double(churn))
        var frozen: Realm? = realm.freeze()
        let sum = frozen?.objects(LimitNote.self).sum(of: \.number)
        let before = try realm.versionReport()
        let held = before.newestVersion
        try churn(realm, churn, &random)
        let begin = machineNanoseconds()
        let pinned = try realm.versionReport()
        let seconds = Double(machineNanoseconds() - begin) / 1e9
        report.expect(seconds < 1, "The report took \(seconds) s.")
        report.set("ms of the report", seconds * 1e3)
        let growth = pinned.usedByteCount - before.usedByteCount
        report.set("bytes a commit beside a held version", Double(growth) / Double(churn))
        guard let pin = pinned.pins.first(where: { $0.holder == .frozen }) else {
            return report.find("The report does not name the frozen version: \(pinned)")
        }
        report.expect(
            pin.version == held && pinned.newestVersion == held + UInt64(churn),
            "The report names version \(pin.version), not \(held): \(pinned)")
        // All that the commits wrote anew took the place of pages that the version keeps: what
        // the file grew by is what is kept, but for the free list's own pages.
        let (least, most) = (Double(growth) * 0.8, Double(growth + before.usedByteCount) * 1.05)
        report.expect(
            growth > churn * 4096 && Double(pin.byteCount) > least && Double(pin.byteCount) < most,
            "The file grew by \(growth) bytes, and \(pin.byteCount) are said to be kept.")
        report.set("bytes kept, of those grown", Double(pin.byteCount) / Double(growth))
        report.expect(
            frozen?.objects(LimitNote.self).sum(of: \.number) == sum,
            "The version that was held has changed.")
        frozen = nil
        report.expect(
            try realm.versionReport().pins.allSatisfy { $0.holder != .frozen },
            "A released version is reported.")
        let full = try realm.versionReport().usedByteCount
        try churn(realm, churn / 2, &random)
        let reused = try realm.versionReport().usedByteCount
        report.expect(
            reused <= full + full / 50,
            "After the version was released the file grows from \(full) to \(reused).")
        report.set(
            "bytes a commit after it was released", Double(reused - full) / Double(churn / 2))
    }

    /// Readers in other processes are killed while they keep a version; their slots and what
    /// they kept come back.
    private func killReaders(
        _ report: TortureReport, _ realm: Realm, _ configuration: Realm.Configuration,
        _ random: inout SeededGenerator
    ) throws {
        let path = configuration.fileURL?.path ?? ""
        var storeOptions = Store.Options(path: path)
        storeOptions.durability = .none
        storeOptions.encryptionKey = configuration.encryptionKey.flatMap {
            EncryptionKey(Array($0))
        }
        let store = try Store.open(storeOptions)
        let begin = try realm.versionReport().usedByteCount
        var unseen = 0
        for round in 0..<rounds where !report.hasFindings {
            let readers = try (0..<2).map { _ in
                try SpawnedProcess(["pins-reader", path] + (encrypted ? ["--encrypted"] : []))
            }
            for reader in readers {
                report.expect(reader.nextLine() == "reading", "A reader does not begin.")
            }
            try churn(realm, 20, &random)
            let before = try realm.versionReport()
            for reader in readers
            where !before.pins.contains(where: {
                $0.processID == reader.identifier && $0.version < before.newestVersion
            }) {
                report.find(
                    """
                    Round \(round): the reader \(reader.identifier) is not in the report: \
                    \(before)
                    """
                )
            }
            for reader in readers { reader.kill() }
            if random.once(in: 2) {
                // Without a request for a report: the next commits notice it.
                try churn(realm, 40, &random)
                unseen += 1
            }
            let after = try realm.versionReport()
            report.expect(
                after.pins.allSatisfy { $0.processID == getpid() },
                "Round \(round): readers that were killed are in the report: \(after)")
            try churn(realm, 20, &random)
            // The writer thread may hold the version before for a moment after it has told of
            // the new one.
            store.environment.waitForWriterThread()
            report.expect(
                try realm.versionReport().activeVersionCount == 1,
                "Round \(round): more than one version is read.")
        }
        let end = try realm.versionReport().usedByteCount
        report.set("readers killed", rounds * 2)
        report.set("rounds without a report", unseen)
        report.set("bytes grown by all rounds", end - begin)
        report.expect(
            end <= begin + begin / 5 + 4 << 20,
            "Over \(rounds) rounds of killed readers the file grew from \(begin) to \(end).")
    }
}

/// Reads a version until it is killed.
struct PinsReaderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins-reader", shouldDisplay: false)

    @Argument var path: String
    @Flag var encrypted = false

    func run() throws { try onThread { try runOnThread() } }

    private func runOnThread() throws {
        var configuration = Realm.Configuration.limits(path, isEncrypted: encrypted)
        configuration.durability = .none
        let frozen = try Realm(configuration: configuration).freeze()
        let count = frozen.objects(LimitNote.self).count
        SpawnedProcess.say("reading")
        while readLine() != nil {}
        SpawnedProcess.say("\(count)")
    }
}
