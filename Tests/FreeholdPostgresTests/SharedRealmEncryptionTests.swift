import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import PostgresServer
import SharingProgram
import Testing

/// Encrypted files, and files that were copied, over a real server.
@Suite(.needsPostgres)
struct SharedRealmEncryptionTests {
    private static let key = Data((0..<64).map { UInt8($0) })

    private let schema: PostgresSchema
    private let directory: TemporaryDirectory

    init() async throws {
        schema = try await PostgresSchema()
        try await schema.upstream.create("entries")
        directory = try TemporaryDirectory()
    }

    private func open(_ file: String, key: Data? = nil) async throws -> SharedRealm {
        var options = SharingOptions()
        (options.shortestRetry, options.longestRetry) = (0.01, 0.1)
        return try await SharedRealm(
            Realm.Configuration(
                fileURL: directory.file(file), encryptionKey: key, objectTypes: Entries.classes),
            upstream: schema.upstream, name: "entries", options: options)
    }

    private func write(_ key: Int, _ shared: SharedRealm) async throws {
        try await MainActor.run {
            let realm = try shared.realm()
            try realm.write { Entries.write(key, in: realm) }
        }
    }

    private func keys(_ shared: SharedRealm) async throws -> [Int] {
        try await shared.synchronize()
        return try await MainActor.run {
            try shared.realm().objects(Entry.self).map(\.key).sorted()
        }
    }

    @Test(.timeLimit(.minutes(10))) func encryptedFiles() async throws {
        let one = try await open("one", key: Self.key)
        try await one.writeShared { Entries.begin(in: $0) }
        try await write(1, one)
        try await one.synchronize()
        try await one.beginEpoch()
        try await write(2, one)
        let two = try await open("two", key: Self.key)
        try await write(3, two)
        #expect(try await keys(two).contains(1))
        #expect(try await keys(one).count == 3)
        #expect(try await keys(two) == [1, 2, 3])
        // The snapshot cannot be read without the key, and its file does not stay.
        for other in [nil, Data(Self.key.reversed())] {
            let error = await #expect(throws: SharingError.self) {
                try await open("other", key: other).close()
            }
            #expect(error?.code == .damagedPayload)
            #expect(error?.remedy.contains("key") == true)
            #expect(
                !FileManager.default.fileExists(atPath: directory.file("other").path))
        }
        await one.close()
        await two.close()
        directory.delete()
    }

    @Test(.timeLimit(.minutes(10))) func aCopiedFile() async throws {
        let one = try await open("one")
        try await one.writeShared { Entries.begin(in: $0) }
        await one.close()
        try FileManager.default.copyItem(
            at: directory.file("one"), to: directory.file("copy"))
        let again = try await open("one")
        try await write(1, again)
        try await again.synchronize()
        let copy = try await open("copy")
        try await write(2, copy)
        let error = await #expect(throws: SharingError.self) { try await copy.synchronize() }
        #expect(error?.code == .copiedClient)
        #expect(error?.remedy.contains("takeNewIdentity()") == true)
        // It stays usable, keeps what is pending, and disturbs nobody.
        #expect(copy.status.pending == 1)
        try await write(3, again)
        try await again.synchronize()
        try await copy.takeNewIdentity()
        #expect(try await keys(copy) == [1, 2, 3])
        #expect(try await keys(again) == [1, 2, 3])
        await again.close()
        await copy.close()
        directory.delete()
    }
}
