import ArgumentParser
import Foundation
import Freehold
import FreeholdStorage
import FreeholdWorkload
import Glibc

/// What the judge is asked about a file of which a process was killed.
struct KillQuestion: Codable {
    struct Copy: Codable {
        var name: String
        var numbers: [Int: Int]
        var isAcknowledged = false
    }

    struct Creation: Codable {
        var name: String
        var isSeeded: Bool
        var isAcknowledged = false
        /// The transaction that was acknowledged.
        var number = 0
    }

    var kind = KilledFile.Kind.writers
    var path = ""
    var encrypted = false
    var durability = KilledDurability.full.rawValue
    /// Whether no other process has it open.
    var isAlone = true
    var acknowledged: [Int: Int] = [:]
    var generation = 0
    var version = 0
    var copies: [Copy] = []
    var creations: [Creation] = []
    /// The processes that were killed, and a version that was the newest after that.
    var dead: [Int32: UInt64] = [:]
    /// Nothing of it was acknowledged, or it was being deleted.
    var mayBeMissing = false

    var options: KilledFileOptions {
        KilledFileOptions(
            path: path, encrypted: encrypted,
            durability: KilledDurability(rawValue: durability) ?? .full)
    }
}

struct KillVerdict: Codable {
    var problems: [String] = []
    /// What the writers' numbers are.
    var numbers: [Int: Int] = [:]
    /// The newest version.
    var version: UInt64 = 0
}

/// A process that opens and reads files of killed ones, question by question: so what kills or
/// blocks it is found, and does not end the run.
struct KillJudge: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "kill-judge", shouldDisplay: false)

    func run() throws {
        Logger.shared.level = .off
        Realm.confinementHandler = { _ in }
        let reporter = Reporter()
        while let line = readLine() {
            let question = try JSONDecoder().decode(KillQuestion.self, from: Data(line.utf8))
            var verdict = KillVerdict()
            do {
                verdict = try question.judge()
                if question.isAlone { verdict.problems += question.leftovers() }
            } catch {
                verdict.problems.append("\(error)")
            }
            reporter.say(String(decoding: try JSONEncoder().encode(verdict), as: UTF8.self))
        }
    }
}

extension KillQuestion {
    func judge() throws -> KillVerdict {
        var verdict = KillVerdict()
        if mayBeMissing, !FileManager.default.fileExists(atPath: path) { return verdict }
        switch kind {
        case .writers:
            let realm = try Realm(configuration: options.configuration())
            verdict.problems =
                try Workload.problems(realm, acknowledged: acknowledged)
                + storageProblems(path, version: &verdict.version)
            verdict.numbers = Workload.numbers(realm)
            for copy in copies { verdict.problems += try judge(copy, realm) }
        case .large:
            let realm = try Realm(configuration: options.configuration())
            verdict.problems = try Workload.rowProblems(realm, acknowledged: generation)
            verdict.problems +=
                try Workload.problems(realm, acknowledged: acknowledged)
                + storageProblems(path, version: &verdict.version)
        case .versions:
            let exists = FileManager.default.fileExists(atPath: path)
            if !exists, version == 0 { return verdict }
            let found = try VersionedWorkload.version(ofFileAt: path, encryptionKey: options.key)
            if found < version {
                verdict.problems.append(
                    "Version \(version) was acknowledged, and the file is at \(found).")
            }
            let realm = try Realm(configuration: options.configuration(version: max(1, found)))
            verdict.problems +=
                try VersionedWorkload.problems(realm, version: max(1, found), isFilled: version > 0)
                + storageProblems(path, version: &verdict.version)
        case .creations:
            for creation in creations { verdict.problems += try judge(creation) }
        }
        return verdict
    }

    /// What check() does not look at: pages that nothing knows of, and readers that died.
    private func storageProblems(_ path: String, version: inout UInt64) throws -> [String] {
        var storeOptions = Store.Options(path: path)
        storeOptions.durability =
            options.durability == .full ? .full : options.durability == .relaxed ? .relaxed : .none
        if let key = options.key { storeOptions.encryptionKey = EncryptionKey(Array(key)) }
        let environment = try Store.open(storeOptions).environment
        var problems: [String] = []
        let account = try environment.pageAccount()
        if account.lostCount != 0 {
            problems.append("\(account.lostCount) pages are lost: \(account).")
        }
        // Commits look for them at each 256th version.
        let newest = try environment.read().version
        for pin in environment.readerPins {
            guard let death = dead[pin.processIdentifier], newest >= death + 260 else { continue }
            problems.append(
                """
                Process \(pin.processIdentifier), which was dead at version \(death), \
                still keeps version \(pin.version) at \(newest).
                """
            )
        }
        version = newest
        return problems
    }

    /// A copy is there in full, or not at all; what is left of one that was not finished, the
    /// next to the same place replaces.
    private func judge(_ copy: Copy, _ source: Realm) throws -> [String] {
        var problems: [String] = []
        var version: UInt64 = 0
        if FileManager.default.fileExists(atPath: copy.name) {
            let realm = try Realm(configuration: options.configuration(copy.name))
            problems =
                try Workload.problems(realm, acknowledged: copy.numbers)
                + storageProblems(copy.name, version: &version)
            // Writers went on before the version was taken.
            for (writer, number) in Workload.numbers(realm) where number < copy.numbers[writer] ?? 0
            { problems.append("Writer \(writer) is at \(number).") }
        } else {
            if copy.isAcknowledged { problems.append("The copy was acknowledged, and is missing.") }
            try source.writeCopy(
                toFile: URL(fileURLWithPath: copy.name), encryptionKey: options.key)
            let realm = try Realm(configuration: options.configuration(copy.name))
            problems += try Workload.problems(realm, acknowledged: Workload.numbers(source))
        }
        if FileManager.default.fileExists(atPath: copy.name + ".copying") {
            problems.append("It left a temporary file.")
        }
        if problems.isEmpty { _ = try Realm.deleteFiles(for: options.configuration(copy.name)) }
        return problems.map { "Copy \(copy.name): \($0)" }
    }

    private func judge(_ creation: Creation) throws -> [String] {
        let existed = FileManager.default.fileExists(atPath: creation.name)
        if !existed, creation.isAcknowledged {
            return ["\(creation.name) was created, and is missing."]
        }
        var problems: [String] = []
        do {
            var version: UInt64 = 0
            let realm = try Realm(configuration: options.configuration(creation.name))
            problems =
                try Workload.problems(realm, acknowledged: [0: creation.number])
                + storageProblems(creation.name, version: &version)
            let number = Workload.numbers(realm)[0] ?? 0
            let least = existed && creation.isSeeded ? 1 : 0
            if number < least || number > least + 1 {
                problems.append("It is at transaction \(number), and was begun at \(least).")
            }
        }
        problems += Self.temporaries(of: creation.name)
        if problems.isEmpty { _ = try Realm.deleteFiles(for: options.configuration(creation.name)) }
        return problems.map { "Created file \(creation.name): \($0)" }
    }

    private static func temporaries(of path: String) -> [String] {
        [".creating", ".compacting", ".compacting-lock", ".copying"].filter {
            FileManager.default.fileExists(atPath: path + $0)
        }.map { "A temporary file is left: \($0)." }
    }

    /// The files beside the realm that are not its own.
    func leftovers() -> [String] {
        // What is left of one that was never there, the next to open it removes.
        if !FileManager.default.fileExists(atPath: path) { return [] }
        let url = URL(fileURLWithPath: path)
        let names =
            (try? FileManager.default.contentsOfDirectory(
                atPath: url.deletingLastPathComponent().path)) ?? []
        let own = ["", "-lock", ".control"].map { url.lastPathComponent + $0 }
        let isLeft = names.filter {
            $0.hasPrefix(url.lastPathComponent) && !own.contains($0) && !$0.contains(".copy-")
                && !$0.contains(".new-") && !$0.contains(".seed")
        }
        return isLeft.isEmpty
            ? [] : ["These files are left: \(isLeft.sorted().joined(separator: ", "))."]
    }
}
