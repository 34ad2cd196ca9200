import Foundation
import Freehold
import FreeholdPostgres
import FreeholdRealmTestSupport
import FreeholdSharing
import FreeholdStorage
import FreeholdTestSupport
import PostgresServer
import SharingProgram
import Testing

/// A client's process is killed while it pushes. Its file goes on: what it wrote is in the log
/// once.
///
/// `FREEHOLD_SHARING_CHAOS` gives the number of random kills, for `Tests/sharing`.
@Suite(.needsPostgres)
struct SharedRealmKillTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["FREEHOLD_SHARING_CHAOS"].flatMap(Int.init)
        ?? Stress.rounds(10)

    enum Writes: CaseIterable {
        case tentative
        case shared
        /// Some tentative ones and a shared one, in one push.
        case both
    }

    /// The server did the push, and the client never learnt it; or the server never got it.
    @Test(arguments: CuttingProxy.Held.allCases, Writes.allCases)
    func killedWhileAPushIsUnderWay(_ held: CuttingProxy.Held, _ writes: Writes) async throws {
        let room = try await EntriesRoom()
        let client = try await room.open()
        try await client.ask("write 1", "wrote 1")
        try await client.ask("share 2", "shared 2")
        try await client.ask("synchronize", "synchronized")
        let (written, shared): ([Int], [Int]) =
            switch writes {
            case .tentative: ([3], [])
            case .shared: ([], [6])
            case .both: ([3, 4, 5], [6])
            }
        // Offline, so that there is one push of all of them.
        room.proxy.cutAll()
        for key in written { try await client.ask("write \(key)", "wrote \(key)") }
        for key in shared { try client.send("share \(key)") }
        room.proxy.hold(held)
        room.proxy.restore()
        await room.proxy.waitForHold()
        if held == .answers {
            while try await room.entriesOfLog().count < 2 + written.count + shared.count {}
        }
        await client.kill()
        room.proxy.hold(nil)
        // Again, by another process.
        let again = try await room.open()
        try await again.ask("synchronize", "synchronized")
        try await again.ask("share 9", "shared 9")
        try await again.end()
        var expected: Set<Int> = [1, 2, 9]
        expected.formUnion(written)
        if held == .answers { expected.formUnion(shared) }
        let entries = try await room.judge()
        #expect(Set(entries.keys) == expected)
        room.close()
    }

    /// A client that begins leaves the half of a snapshot, and the next one begins anew.
    @Test func killedWhileASnapshotIsRead() async throws {
        let room = try await EntriesRoom(files: [])
        let other = try await room.share("other.realm")
        let realm = try other.realm()
        for part in 0..<4 {
            try realm.write {
                // Ascending, and with gaps, so that compressing leaves some of the snapshot.
                for key in 1...1000 {
                    Entries.write((part * 1000 + key) << 32 + .random(in: 0..<1 << 32), in: realm)
                }
            }
        }
        try await other.synchronize()
        try await other.makeSnapshot()
        await other.close()
        func snapshots() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: room.directory.url.path)
                .filter { $0.contains("snapshot") }
        }
        let snapshot = try await room.schema.upstream.realms().first?.snapshot
        let size = Int(try #require(snapshot).byteCount)
        let started = Locked<ClientProcess?>(nil)
        // What comes before is shorter than the snapshot, which is not complete then.
        room.proxy.cut(after: size) {
            while started.withLock({ $0 }) == nil {}
            started.withLock { $0 }?.signalKill()
        }
        let client = try room.start([])
        started.withLock { $0 = client }
        try await client.end()
        #expect(try !snapshots().isEmpty)
        room.proxy.cut(after: nil)
        let again = try await room.open()
        try await again.ask("synchronize", "synchronized")
        #expect(try snapshots() == [])
        try await again.end()
        #expect(try await room.judge().count == 4000)
        room.close()
    }

    /// After some bytes or some answers, wherever the process is then.
    @Test func killedAtRandom() async throws {
        let room = try await EntriesRoom()
        var random = Seed.random()
        var (written, shared): (Set<Int>, Set<Int>) = ([], [])
        for round in 1...Self.rounds {
            let work = "work \(random.next()) \(round * 1_000_000)"
            let client = try room.start([work])
            var lines: [String] = []
            if random.once(in: 2) {
                // The moment after so many bytes to or from the server.
                room.proxy.cut(after: random.int(1...60_000)) { client.signalKill() }
            } else {
                room.proxy.cut(after: nil)
                for _ in 0..<random.int(1...60) {
                    if let line = try await client.line() { lines.append(line) }
                }
                client.signalKill()
            }
            lines += await client.lines()
            await client.kill()
            room.proxy.cut(after: nil)
            for line in lines {
                let words = line.split(separator: " ")
                let key = words.last.flatMap { Int($0) } ?? 0
                // The last one may be cut.
                guard key >= round * 1_000_000 else { continue }
                if words[0] == "wrote" { written.insert(key) }
                if words[0] == "shared" { shared.insert(key) }
            }
            if round % 10 == 0 || round == Self.rounds {
                let entries = try await room.judge()
                let lost = written.union(shared).subtracting(entries.keys)
                #expect(lost.isEmpty, "round \(round)")
                #expect(shared.allSatisfy { entries[$0].map { $0 > 0 } ?? false })
            }
        }
        print("Killed \(Self.rounds) times: \(written.count) writes, \(shared.count) shared.")
        #expect(!written.isEmpty && !shared.isEmpty)
        room.close()
    }
}
