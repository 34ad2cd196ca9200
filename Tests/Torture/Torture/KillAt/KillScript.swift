import ArgumentParser
import Foundation
import Freehold
import FreeholdWorkload

/// What a process does until it is killed at a certain system call. It does the same each time.
enum KillScript: String, CaseIterable, ExpressibleByArgument {
    case open, create, createEncrypted = "create-encrypted", createSeeded = "create-seeded"
    case commit, commitRelaxed = "commit-relaxed", commitEncrypted = "commit-encrypted",
        commitLarge = "commit-large"
    case compact, compactEncrypted = "compact-encrypted", launch
    case migrate, migrateEncrypted = "migrate-encrypted"
    case copy, copyEncrypted = "copy-encrypted"
    case draft, draftEncrypted = "draft-encrypted"
    case delete, notify

    var isEncrypted: Bool { rawValue.hasSuffix("-encrypted") }
    var durability: KilledDurability { self == .commitRelaxed ? .relaxed : .full }
    var isCreation: Bool { rawValue.hasPrefix("create") }

    var kind: KilledFile.Kind {
        switch self {
        case .migrate, .migrateEncrypted: .versions
        case .commitLarge: .large
        default: .writers
        }
    }
}

/// The process that runs a script.
struct KillScriptRunner: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill-script", shouldDisplay: false)

    @OptionGroup var file: KilledFileOptions
    @Option var script: KillScript
    /// Makes the file that the script begins with.
    @Flag var prepare = false

    func run() throws {
        Logger.shared.level = .off
        Realm.confinementHandler = { _ in }
        let reporter = Reporter()
        do {
            if prepare { try makeFile(reporter) } else { try play(reporter) }
        } catch {
            reporter.fail(error)
        }
    }

    private static let rows = 3_000

    private func write(_ realm: Realm, _ reporter: Reporter) throws {
        let start = monotonicNanoseconds()
        reporter.acknowledge(0, try realm.write { Workload.change(realm, 0) }, since: start)
    }

    private func makeFile(_ reporter: Reporter) throws {
        if script == .create || script == .createEncrypted { return }
        if script.kind == .versions {
            let realm = try Realm(configuration: file.configuration(version: 1))
            try realm.write { VersionedWorkload.fill(realm) }
            return reporter.say("m 1")
        }
        let realm = try Realm(
            configuration: file.configuration(script == .createSeeded ? file.path + ".seed" : nil))
        try write(realm, reporter)
        if script.isCreation { return }
        reporter.say("g \(try realm.write { Workload.changeRows(realm, count: Self.rows) })")
        for _ in 0..<20 { try write(realm, reporter) }
        // There is something to gain, and free pages are used again.
        if script != .commitLarge {
            try realm.write { realm.delete(realm.objects(Workload.Row.self).where { $0.id > 100 }) }
        }
    }

    private func play(_ reporter: Reporter) throws {
        var configuration = file.configuration()
        switch script {
        case .open: _ = try Realm(configuration: configuration)
        case .create, .createEncrypted, .createSeeded:
            if script == .createSeeded {
                configuration.seedFilePath = URL(fileURLWithPath: file.path + ".seed")
            }
            let realm = try Realm(configuration: configuration)
            reporter.say("created \(file.path)")
            try write(realm, reporter)
        case .commit, .commitRelaxed, .commitEncrypted, .notify:
            let realm = try Realm(configuration: configuration)
            for _ in 0..<3 { try write(realm, reporter) }
        case .commitLarge:
            let realm = try Realm(configuration: configuration)
            for _ in 0..<2 {
                reporter.say(
                    "g \(try realm.write { Workload.changeRows(realm, count: Self.rows) })")
            }
        case .compact, .compactEncrypted:
            let realm = try Realm(configuration: configuration)
            try write(realm, reporter)
            try realm.compact()
            try write(realm, reporter)
        case .launch:
            configuration.shouldCompactOnLaunch = { _, _ in true }
            try write(try Realm(configuration: configuration), reporter)
        case .migrate, .migrateEncrypted:
            for _ in 0..<2 {
                let version =
                    Int(
                        try schemaVersionAtURL(
                            URL(fileURLWithPath: file.path), encryptionKey: file.key)) + 1
                _ = try Realm(configuration: file.configuration(version: version))
                reporter.say("m \(version)")
            }
        case .copy, .copyEncrypted:
            let name = file.path + ".copy-1"
            if Realm.fileExists(for: file.configuration(name)) {
                _ = try Realm.deleteFiles(for: file.configuration(name))
            }
            let realm = try Realm(configuration: configuration)
            try write(realm, reporter)
            reporter.say("copying \(name)")
            try realm.writeCopy(toFile: URL(fileURLWithPath: name), encryptionKey: file.key)
            reporter.say("copied \(name)")
        case .draft, .draftEncrypted:
            let realm = try Realm(configuration: configuration)
            var saves = DraftSaves(try realm.draft(), writer: 0, other: 1)
            for _ in DraftSaves.Kind.allCases { try saves.next(realm, reporter) }
        case .delete:
            _ = try Realm.deleteFiles(for: configuration)
        }
    }
}
