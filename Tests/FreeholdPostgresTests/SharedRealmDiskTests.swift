import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing
import UpstreamConformance

/// No room on the disk of a machine that takes part, or of the server.
@Suite(
    .needsPostgres,
    .enabled(if: SmallDisk.isPossible, "Only root can mount a small file system."),
    .timeLimit(.minutes(10)))
struct SharedRealmDiskTests {
    private struct Room {
        let schema: PostgresSchema
        let directory: TemporaryDirectory
        let disk: SmallDisk

        init(byteCount: Int) async throws {
            schema = try await PostgresSchema()
            try await schema.upstream.create("shop")
            directory = try TemporaryDirectory()
            disk = try await SmallDisk(at: directory.file("disk"), byteCount: byteCount)
        }

        /// Another machine's.
        func openFar() async throws -> SharedRealm { try await open(directory.file("far.realm")) }

        /// The machine's whose disk is small.
        func openNear(_ upstream: PostgresUpstream? = nil) async throws -> SharedRealm {
            try await open(near, upstream)
        }

        private var near: URL { URL(fileURLWithPath: disk.path).appendingPathComponent("near") }

        private func open(_ file: URL, _ upstream: PostgresUpstream? = nil) async throws
            -> SharedRealm
        {
            var options = SharingOptions()
            (options.shortestRetry, options.longestRetry) = (0.01, 0.2)
            return try await SharedRealm(
                Realm.Configuration(fileURL: file, objectTypes: SharedShop.classes),
                upstream: upstream ?? schema.upstream, name: "shop", options: options)
        }

        var namesOnDisk: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() }
        }

        func end(_ open: SharedRealm...) async throws {
            let near = try SharedShop.contents(open[0].configuration)
            #expect(try near == SharedShop.contents(open[1].configuration))
            for shared in open {
                await shared.close()
                try expectSound(shared.configuration)
            }
            try await disk.unmount()
            directory.delete()
        }
    }

    /// Random, and no two alike, so that nothing can be compressed.
    private static func bytes() -> Data {
        var random = SeededGenerator(seed: .random(in: 0 ... .max))
        return (0..<8192).map { _ in random.next() }.withUnsafeBytes { Data($0) }
    }

    /// Writes so many objects of 64 KB in a transaction each.
    private func write(_ count: Int, from first: Int = 0, _ shared: SharedRealm) throws {
        let realm = try shared.realm()
        for number in first..<first + count {
            try realm.write {
                realm.create(
                    Thing.self, value: ["key": "large \(number)", "data": Self.bytes()])
            }
        }
    }

    private func write(_ key: String, _ shared: SharedRealm) throws {
        let realm = try shared.realm()
        try realm.write { _ = realm.create(Thing.self, value: ["key": key]) }
    }

    private func keys(_ shared: SharedRealm) throws -> Int {
        let realm = try shared.realm()
        realm.refresh()
        return realm.objects(Thing.self).count
    }

    @Test func commitsThatDoNotFit() async throws {
        let room = try await Room(byteCount: 3 << 20)
        let proxy = try CuttingProxy(for: room.schema.server)
        let through = PostgresUpstream(
            room.schema.server.url(sockets: proxy.sockets), schema: room.schema.name)
        let (far, near) = (try await room.openFar(), try await room.openNear(through))
        try write("first", near)
        try await near.synchronize()
        try await far.synchronize()
        proxy.cutAll()
        try write("pending", near)
        try write(100, far)
        try await far.synchronize()
        proxy.restore()
        await expectError(.fileFailed) {
            // It may still learn that the connection is gone.
            while true {
                do { try await near.synchronize() } catch let error as SharingError {
                    if error.code != .unreachable { throw error }
                }
            }
        }
        var status = near.status
        for await next in near.statusChanges where next.lastError != nil {
            status = next
            break
        }
        #expect(status.lastError?.code == .fileFailed, "\(status)")
        #expect(status.lastError?.remedy.contains("Free space") == true)
        #expect(status.pending == 1)
        await expectError(.fileFailed) {
            try await near.writeShared { _ = $0.create(Thing.self, value: ["key": "none"]) }
        }
        // Readable and sound, with what was pending.
        #expect(try keys(near) >= 2)
        try expectSound(near.configuration)
        try await room.disk.grow(to: 64 << 20)
        // By itself.
        for await status in near.statusChanges where status.isCaughtUp && status.applied > 101 {
            break
        }
        try await far.synchronize()
        #expect(try keys(far) == 102)
        try await room.end(near, far)
        proxy.close()
    }

    @Test func snapshotsOfNewClientsThatDoNotFit() async throws {
        let room = try await Room(byteCount: 2 << 20)
        let far = try await room.openFar()
        try write(64, far)
        try await far.synchronize()
        try await far.makeSnapshot()
        await expectError(.fileFailed) { _ = try await room.openNear() }
        let left = try room.namesOnDisk
        #expect(left.allSatisfy { $0.hasSuffix(".sharing") }, "\(left)")
        try await room.disk.grow(to: 64 << 20)
        let near = try await room.openNear()
        try await near.synchronize()
        #expect(try keys(near) == 64)
        try await room.end(near, far)
    }

    /// The disk of the server's tables.
    @Test func fullServers() async throws {
        let server = try await PostgresServer()
        let disk = try await SmallDisk(for: server, byteCount: 20 << 20)
        try await server.query("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        let upstream = PostgresUpstream(
            server.url() + "&options=-c%20default_tablespace%3Dsmall")
        try await upstream.prepare()
        try await upstream.create("shop")
        let directory = try TemporaryDirectory()
        func open(_ file: String) async throws -> SharedRealm {
            var options = SharingOptions()
            (options.shortestRetry, options.longestRetry) = (0.01, 0.2)
            return try await SharedRealm(
                Realm.Configuration(
                    fileURL: directory.file(file), objectTypes: SharedShop.classes),
                upstream: upstream, name: "shop", options: options)
        }
        let (near, far) = (try await open("near.realm"), try await open("far.realm"))
        try write(160, near)
        try await near.synchronize()
        // There is no room for a snapshot, and some for commits.
        await expectError(.serverFull) { try await near.makeSnapshot() }
        #expect(near.status.connection == .online)
        try write("small", near)
        try await near.synchronize()
        try write(200, from: 1000, near)
        for await status in near.statusChanges where status.lastError?.code == .serverFull {
            break
        }
        await expectError(.serverFull) { try await near.synchronize() }
        #expect(near.status.pending > 0)
        try expectSound(near.configuration)
        try await disk.grow(to: 200 << 20)
        // By itself.
        for await status in near.statusChanges where status.isCaughtUp { break }
        try await far.synchronize()
        #expect(try keys(far) == 361)
        for shared in [near, far] {
            await shared.close()
            try expectSound(shared.configuration)
        }
        await server.stop()
        try await disk.unmount()
        await server.delete()
        directory.delete()
    }

    @Test func snapshotsThatCannotBeMade() async throws {
        let room = try await Room(byteCount: 32 << 20)
        let (far, near) = (try await room.openFar(), try await room.openNear())
        try write(64, near)
        try await near.synchronize()
        let names = try room.namesOnDisk
        // The rest of the disk, but for some room of the file's own.
        let filler = room.disk.path + "/filler"
        let free = try FileManager.default.attributesOfFileSystem(forPath: room.disk.path)
        let byteCount = (free[.systemFreeSize] as? Int ?? 0) - (1 << 20)
        try Data(count: byteCount).write(to: URL(fileURLWithPath: filler))
        await expectError(.fileFailed) { try await near.makeSnapshot() }
        #expect(try room.namesOnDisk == (names + ["filler"]).sorted())
        // Nothing else is disturbed.
        #expect(near.status.connection == .online)
        try write("near", near)
        try await near.synchronize()
        try write("far", far)
        try await far.synchronize()
        try await near.synchronize()
        try FileManager.default.removeItem(atPath: filler)
        try await near.makeSnapshot()
        #expect(try room.namesOnDisk == names)
        try await room.end(near, far)
    }
}
