import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdSharing
import Testing
import UpstreamConformance

struct RealmFileUpstreamTests {
    @Test(arguments: UpstreamCheck.allCases)
    func conforms(_ check: UpstreamCheck) async throws {
        let directory = try TemporaryDirectory()
        let upstream = RealmFileUpstream(directory.file("log.realm"))
        try await check(upstream)
        directory.delete()
    }

    /// One file for many realms, with a key.
    @Test func conformsWithAKey() async throws {
        let directory = try TemporaryDirectory()
        let key = Data((0..<64).map { UInt8($0) })
        let upstream = RealmFileUpstream(directory.file("log.realm"), encryptionKey: key)
        for check in [UpstreamCheck.appends, .snapshots, .trims, .epochsFromSnapshots, .waits] {
            try await check(upstream)
        }
        await expectError(.serverFailed) {
            try await RealmFileUpstream(directory.file("log.realm")).create("other")
        }
        directory.delete()
    }

    /// A file of a program's own is not taken for an upstream's.
    @Test func refusesOtherFiles() async throws {
        let directory = try TemporaryDirectory()
        let url = directory.file("own.realm")
        try makeForeignFile(url)
        await expectError(.unsupportedVersion) { try await RealmFileUpstream(url).create("orders") }
        await expectError(.unknownRealm) {
            _ = try await RealmFileUpstream(directory.file("none.realm"))
                .connect(to: "orders", as: .random())
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("none.realm").path))
        directory.delete()
    }

    private func makeForeignFile(_ url: URL) throws {
        _ = try Realm(
            configuration: Realm.Configuration(fileURL: url, schemaVersion: 7, objectTypes: []))
    }
}
