import Foundation
import FreeholdPostgres
import FreeholdSharing
import FreeholdTestSupport
import PostgresServer
import Testing

/// Wall clocks that are wrong, and jump: of machines they decide nothing.
@Suite(.needsPostgres)
struct SharedRealmClockTests {
    private static let year = 365 * 86_400

    @Test(.timeLimit(.minutes(10))) func clocksThatDifferByYears() async throws {
        let files = ["past.realm", "now.realm", "future.realm"]
        let room = try await EntriesRoom(files: files)
        var programs: [ClientProcess] = []
        for (file, years) in zip(files, [-30, 0, 10]) {
            programs.append(try await room.open(file, clockOffset: years * Self.year))
        }
        var random = Seed.random()
        var key = 0
        for _ in 0..<60 {
            key += 1
            let program = random.pick(programs)
            switch random.int(0...5) {
            case 0...2: try await program.ask("write \(key)", "wrote \(key)")
            case 3...4: try await program.ask("share \(key)", "shared \(key)")
            default:
                key -= 1
                let years = random.int(-30...30)
                try await program.ask("clock \(years * Self.year)", "moved")
            }
        }
        for program in programs {
            try await program.ask("synchronize", "synchronized")
            try await program.end()
        }
        let entries = try await room.judge(files)
        #expect(entries.count == key)
        room.close()
    }

    /// The log is kept by the server's clock.
    @Test(.timeLimit(.minutes(10))) func retentionByTheServersClock() async throws {
        let room = try await EntriesRoom()
        let table = "\(room.schema.name).realm"
        func floor() async throws -> String {
            try await room.schema.server.query("SELECT floor FROM \(table)")
        }
        for (number, years) in [20, -20].enumerated() {
            let program = try await room.open(clockOffset: years * Self.year)
            try await program.ask("write \(number)", "wrote \(number)")
            try await program.ask("synchronize", "synchronized")
            try await program.ask("snapshot", "made")
            // The trim follows the first of these at the latest, and the second one follows it.
            for _ in 0..<2 { try await program.ask("synchronize", "synchronized") }
            try await program.end()
            #expect(try await floor() == "0")
        }
        // A week by the server's clock; the client's is decades behind.
        try await room.schema.server.query(
            "UPDATE \(room.schema.name).commit SET at = at - interval '8 days'")
        let program = try await room.open(clockOffset: -20 * Self.year)
        try await program.ask("snapshot", "made")
        for _ in 0..<2 { try await program.ask("synchronize", "synchronized") }
        try await program.end()
        #expect(try await floor() != "0")
        // Files that have all of it, and one that begins now.
        for file in ["client.realm", "new.realm", "other.realm"] {
            let machine = try await room.share(file)
            try await machine.synchronize()
            #expect(try room.judgeContents(of: machine).count == 2)
            await machine.close()
        }
        room.close()
    }
}
