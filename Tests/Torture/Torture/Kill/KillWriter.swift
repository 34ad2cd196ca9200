import ArgumentParser
import Foundation
import Freehold
import FreeholdWorkload

/// The process that is killed.
struct KillWriter: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill-writer", shouldDisplay: false)

    @OptionGroup var file: KilledFileOptions
    /// Its writers are this one and those after it.
    @Option var writer = 0
    @Option var ways: String
    /// The rows of a large transaction.
    @Option var rows = 20_000

    func run() async throws {
        Logger.shared.level = .off
        Realm.confinementHandler = { _ in }
        let reporter = Reporter()
        reporter.listen()
        await withTaskGroup(of: Void.self) { group in
            for (index, way) in ways.split(separator: ",").compactMap({
                KillWay(rawValue: String($0))
            }).enumerated() {
                let work = KillWork(
                    reporter: reporter, file: file, writer: writer + 2 * index, rows: rows,
                    isOnLaunch: way == .launch)
                group.addTask {
                    do { try await work.run(way) } catch { reporter.fail(error) }
                }
            }
        }
    }
}

/// How a file is opened, by parent and children alike.
struct KilledFileOptions: ParsableArguments {
    @Option var path: String
    @Flag var encrypted = false
    @Option var durability = KilledDurability.full

    init() {}

    init(path: String, encrypted: Bool, durability: KilledDurability) {
        (self.path, self.encrypted, self.durability) = (path, encrypted, durability)
    }

    static let key = Data((0..<64).map { UInt8($0) &* 29 &+ 3 })

    var key: Data? { encrypted ? Self.key : nil }

    var arguments: [String] {
        ["--path", path, "--durability", durability.rawValue] + (encrypted ? ["--encrypted"] : [])
    }

    /// Of a file of writers or of large transactions.
    func configuration(_ path: String? = nil) -> Realm.Configuration {
        var configuration = Workload.configuration(path ?? self.path, encryptionKey: key)
        configuration.objectTypes =
            Workload.objectTypes + [Workload.Row.self, Workload.Generation.self]
        configuration.durability = durability.level
        return configuration
    }

    func configuration(version: Int) -> Realm.Configuration {
        var configuration = VersionedWorkload.configuration(
            path, version: version, encryptionKey: key)
        configuration.durability = durability.level
        return configuration
    }
}

/// Every level promises to survive the end of a process.
enum KilledDurability: String, CaseIterable, ExpressibleByArgument {
    case full, relaxed, none

    var level: Realm.Durability {
        switch self {
        case .full: .full
        case .relaxed: .relaxed
        case .none: .none
        }
    }
}
