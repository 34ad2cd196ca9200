import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import Testing

/// A machine that may read a realm, and not write it.
@Suite(.needsPostgres)
struct SharedRealmGrantTests {
    @Test(.timeLimit(.minutes(10))) func readersGetAnErrorForEachKindOfWrite() async throws {
        let schema = try await PostgresSchema()
        try await schema.upstream.create("shop")
        let role = try await schema.makeRole()
        try await schema.upstream.grant("shop", to: role, canWrite: false)
        let directory = try TemporaryDirectory()
        let configuration = Realm.Configuration(
            fileURL: directory.file("a.realm"), objectTypes: SharedShop.classes)
        let shared = try await SharedRealm(
            configuration, upstream: schema.upstream(user: role), name: "shop")
        try await shared.synchronize()
        func expectRefusal(_ call: () async throws -> Void) async {
            do {
                try await call()
                Issue.record("Nothing was refused.")
            } catch {
                #expect((error as? SharingError)?.code == .permissionDenied, "\(error)")
            }
        }
        await expectRefusal { try await shared.makeSnapshot() }
        try await shared.synchronize()
        await expectRefusal {
            try await shared.writeShared(timeout: .seconds(600)) { realm in
                _ = realm.create(Account.self, value: ["number": 1])
            }
        }
        var random = Seed.random()
        try SharedShop.change(configuration, &random)
        for _ in 0..<2 { await expectRefusal { try await shared.synchronize() } }
        await expectRefusal { try await shared.makeSnapshot() }
        #expect(shared.status.pending == 1)
        // What was refused goes on by itself when it is granted, on the same connection.
        try await schema.upstream.grant("shop", to: role, canWrite: true)
        for await status in shared.statusChanges where status.isCaughtUp && status.applied == 1 {
            #expect(status.lastError == nil)
            break
        }
        try await shared.writeShared(timeout: .seconds(600)) { realm in
            _ = realm.create(Account.self, value: ["number": 1])
        }
        try await shared.makeSnapshot()
        await shared.close()
        directory.delete()
    }
}
