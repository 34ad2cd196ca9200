import Foundation
import Freehold
import FreeholdWorkload

/// What was recorded, and how images of it are made: everything that makes an image again.
struct PowerCase: Codable {
    enum Level: String, Codable, CaseIterable {
        case full, relaxed, none

        var durability: Realm.Durability {
            switch self {
            case .full: .full
            case .relaxed: .relaxed
            case .none: .none
            }
        }
    }

    var name: String
    var level: Level
    var isEncrypted: Bool
    /// How many commits the workload makes, about.
    var length: Int
    /// Whether all syncs behind the first promise are left out: what the tool must find bad.
    var withoutSyncs = false
    var seed: UInt64
    var imageCount: Int
    /// Where the log is.
    var log: String

    static let encryptionKey = Data((0..<64).map { UInt8($0) &* 29 &+ 5 })

    var key: Data? { isEncrypted ? Self.encryptionKey : nil }

    static let realmName = "a.realm"
    static let copyName = "copy.realm"

    func configuration(_ directory: String, schemaVersion: UInt64, name: String = realmName)
        -> Realm.Configuration
    {
        var configuration = Workload.configuration(
            directory + "/" + name, schemaVersion: schemaVersion, encryptionKey: key)
        configuration.durability = level.durability
        return configuration
    }

    init(
        _ name: String, _ level: Level, isEncrypted: Bool = false, length: Int, seed: UInt64,
        imageCount: Int, directory: String
    ) {
        self.name = name
        self.level = level
        self.isEncrypted = isEncrypted
        self.length = length
        self.seed = seed
        self.imageCount = imageCount
        log = directory + "/" + name + ".log"
    }

    var path: String { log.replacingOccurrences(of: ".log", with: ".json") }

    func save() throws { try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path)) }

    static func load(_ path: String) throws -> PowerCase {
        try JSONDecoder().decode(PowerCase.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

/// What the workload was told: this is in the file, by its level of durability.
struct PowerPromise: Codable, Equatable {
    /// The last number of each writer.
    var numbers: [Int: Int] = [:]
    var generation = 0
    var schemaVersion: UInt64 = 0
    /// Whether it is more than the return of one commit, so that relaxed durability keeps it, too.
    var isForSure = false
    /// The numbers that are in the copy.
    var copied: [Int: Int]?

    func note() throws -> Data { try JSONEncoder().encode(self) }

    init() {}

    init(note: Data) throws { self = try JSONDecoder().decode(PowerPromise.self, from: note) }
}
