import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import Testing
import UpstreamConformance

/// A machine's file that was shared before, and has something pending.
struct BadInputRoom {
    let schema: PostgresSchema
    let directory: TemporaryDirectory

    static var options: SharingOptions {
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.1)
        return options
    }

    var configuration: Realm.Configuration { configuration("near.realm") }
    var farConfiguration: Realm.Configuration { configuration("far.realm") }
    /// Of a file that is not there.
    var newConfiguration: Realm.Configuration { configuration("new.realm") }

    init() async throws {
        schema = try await PostgresSchema()
        try await schema.upstream.create("shop")
        directory = try TemporaryDirectory()
        let near = try await open(configuration)
        try write("before", configuration)
        try await near.synchronize()
        await near.close()
        try write("pending", configuration)
    }

    private func configuration(_ file: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: directory.file(file), objectTypes: SharedShop.classes)
    }

    func open(
        _ configuration: Realm.Configuration, at upstream: PostgresUpstream? = nil,
        options: SharingOptions = BadInputRoom.options
    ) async throws -> SharedRealm {
        try await SharedRealm(
            configuration, upstream: upstream ?? schema.upstream, name: "shop", options: options)
    }

    func openFar() async throws -> SharedRealm {
        let far = try await open(farConfiguration)
        try await far.synchronize()
        return far
    }

    func write(_ key: String, _ configuration: Realm.Configuration) throws {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.create(Thing.self, value: ["key": key]) }
    }

    /// The files that belong to a realm's, but for the lock of sharing.
    func rest(of configuration: Realm.Configuration) throws -> [String] {
        let name = configuration.fileURL?.lastPathComponent ?? ""
        return try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
            .filter { $0.hasPrefix(name) && $0 != name + ".sharing" }.sorted()
    }

    /// Expects that the file is intact, takes writes, and keeps what is pending.
    func expectUsable(
        hasPending: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expectSound(configuration, sourceLocation: sourceLocation)
        let realm = try Realm(configuration: configuration)
        realm.refresh()
        let pending = try #require(try SharedFileStatus(of: realm)).pending
        let key = "later \(pending)"
        try realm.write { _ = realm.create(Thing.self, value: ["key": key]) }
        let keys = Set(realm.objects(Thing.self).map(\.key))
        #expect(keys.isSuperset(of: ["before", "pending", key]), sourceLocation: sourceLocation)
        let now = try #require(try SharedFileStatus(of: realm)).pending
        #expect(now == pending + 1, sourceLocation: sourceLocation)
        #expect(pending > 0 || !hasPending, sourceLocation: sourceLocation)
    }

    /// Expects that an upstream is refused with a code, and a remedy that has a word.
    func expectRefusal(
        _ code: SharingError.Code, _ word: String, at upstream: PostgresUpstream,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        // A file that was shared before opens without a connection.
        let near = try await open(configuration, at: upstream)
        await expectError(code, sourceLocation: sourceLocation) { try await near.synchronize() }
        await expectError(code, sourceLocation: sourceLocation) {
            try await near.writeShared { _ = $0.create(Thing.self, value: ["key": "none"]) }
        }
        let error = try #require(near.status.lastError, sourceLocation: sourceLocation)
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        #expect(error.remedy.contains(word), "\(error)", sourceLocation: sourceLocation)
        try expectUsable(sourceLocation: sourceLocation)
        await near.close()
        try expectUsable(sourceLocation: sourceLocation)
        // One that begins is not made.
        await expectError(code, sourceLocation: sourceLocation) {
            _ = try await open(newConfiguration, at: upstream)
        }
        #expect(try rest(of: newConfiguration) == [], sourceLocation: sourceLocation)
    }

    /// Expects that with everything right, what is pending is pushed, and ends.
    func expectThatItGoesOn(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let near = try await open(configuration)
        let far = try await openFar()
        try await near.synchronize()
        try await far.synchronize()
        try await near.synchronize()
        #expect(near.status.isCaughtUp, sourceLocation: sourceLocation)
        let (first, second) = (
            try SharedShop.contents(near.configuration), try SharedShop.contents(far.configuration)
        )
        #expect(first == second, sourceLocation: sourceLocation)
        #expect(first["before"] != nil && first["pending"] != nil, sourceLocation: sourceLocation)
        for machine in [near, far] {
            await machine.close()
            try expectSound(machine.configuration, sourceLocation: sourceLocation)
        }
        directory.delete()
    }
}
