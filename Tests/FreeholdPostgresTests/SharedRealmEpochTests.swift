import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import Testing

/// Epochs that begin while others write.
@Suite(.needsPostgres, .timeLimit(.minutes(10))) struct SharedRealmEpochTests {
    @Test func aMigrationOfAllMachines() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("cards")
        let directory = try TemporaryDirectory()
        func configuration(_ machine: String, _ version: UInt64) -> Realm.Configuration {
            Realm.Configuration(
                fileURL: directory.file(machine), schemaVersion: version,
                migrationBlock: { migration, _ in
                    migration.enumerateObjects(ofType: "Card") { old, new in
                        new?["rank"] = "\(old?["rank"] ?? "")"
                    }
                },
                objectTypes: version == 1 ? [FormerCard.self] : [LaterCard.self])
        }
        func open(_ machine: String, _ version: UInt64) async throws -> SharedRealm {
            try await SharedRealm(
                configuration(machine, version), upstream: schema.upstream, name: "cards")
        }
        let (one, two) = (try await open("a.realm", 1), try await open("b.realm", 1))
        for shared in [one, two] {
            for number in 0..<10 { try await write(number, to: shared) }
            try await shared.synchronize()
        }
        await one.close()
        let newOne = try await open("a.realm", 2)
        #expect(newOne.status.epoch == 2)
        // The former program is told so, and keeps what it writes.
        try await write(99, to: two)
        let error = await #expect(throws: SharingError.self) { try await two.synchronize() }
        #expect(error?.code == .unsupportedVersion)
        await two.close()
        let newTwo = try await open("b.realm", 2)
        try await newTwo.synchronize()
        try await newOne.synchronize()
        for shared in [newOne, newTwo] {
            let ranks = try await MainActor.run {
                try shared.realm().objects(LaterCard.self).map(\.rank).sorted()
            }
            // That of the former program's last card was a number.
            #expect(ranks == ([""] + (0..<10).flatMap { ["\($0)", "\($0)"] }).sorted())
        }
        await newOne.close()
        await newTwo.close()
        directory.delete()
    }

    /// No commit that the server has acknowledged is left out of the new epoch.
    @Test func epochsThatBeginWhileOthersPush() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("cards")
        let directory = try TemporaryDirectory()
        func open(_ machine: String) async throws -> SharedRealm {
            try await SharedRealm(
                Realm.Configuration(
                    fileURL: directory.file(machine), objectTypes: [FormerCard.self]),
                upstream: schema.upstream, name: "cards")
        }
        let (one, two) = (try await open("a.realm"), try await open("b.realm"))
        async let writing: Void = {
            for number in 0..<60 {
                try await one.writeShared(timeout: .seconds(600)) { realm in
                    realm.add(FormerCard(number: number))
                }
            }
        }()
        for _ in 0..<5 { try await two.beginEpoch() }
        try await writing
        try await one.synchronize()
        try await two.synchronize()
        #expect(two.status.epoch == 6)
        for shared in [one, two] {
            let ranks = try await MainActor.run {
                try shared.realm().objects(FormerCard.self).map(\.rank).sorted()
            }
            #expect(ranks == Array(0..<60))
            await shared.close()
        }
        directory.delete()
    }

    private func write(_ rank: Int, to shared: SharedRealm) async throws {
        try await MainActor.run {
            let realm = try shared.realm()
            try realm.write { realm.add(FormerCard(number: rank)) }
        }
    }
}

final class FormerCard: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var rank: Int

    convenience init(number: Int) {
        self.init()
        rank = number
    }

    override class func _realmObjectName() -> String? { "Card" }
}

final class LaterCard: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    @Persisted(primaryKey: true) var id: UUID
    @Persisted var rank: String

    override class func _realmObjectName() -> String? { "Card" }
}
