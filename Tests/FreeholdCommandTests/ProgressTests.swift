import Foundation
import Freehold
import FreeholdInspection
import FreeholdRealmTestSupport
import FreeholdStorage
import FreeholdTestSupport
import Synchronization
import Testing

/// How far long work is.
@Suite struct ProgressTests {
    private final class Parts: Sendable {
        private let parts = Mutex<[Double]>([])

        var call: @Sendable (Double) -> Void {
            { part in self.parts.withLock { $0.append(part) } }
        }

        /// Whether the parts rose to 1 in many small steps.
        func expectRise(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
            let parts = parts.withLock { $0 }
            #expect(parts.count > 20, "\(name)", sourceLocation: sourceLocation)
            #expect(parts.count < 500, "\(name)", sourceLocation: sourceLocation)
            #expect(parts.last == 1, "\(name)", sourceLocation: sourceLocation)
            #expect(parts == parts.sorted(), "\(name): \(parts)", sourceLocation: sourceLocation)
            let steps = zip([0] + parts, parts).map { $1 - $0 }
            #expect(
                steps.max() ?? 1 < 0.6, "\(name): \(parts)", sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: [false, true]) func risesToTheWhole(isEncrypted: Bool) throws {
        let desk = try Desk(isEncrypted: isEncrypted)
        let random = Seed.random(5)
        try Shop.make(desk, "a.realm") { realm in
            var random = random
            Shop.fill(realm, &random, count: 60)
            for number in 0..<20_000 {
                realm.create(
                    Shop.Item.self, value: ["name": "many \(number)"], update: .modified)
            }
        }
        let file = try InspectedFile(
            path: desk.path("a.realm"), key: desk.key, isWritable: true)
        let snapshot = try file.snapshot()
        let (checked, copied, compacted) = (Parts(), Parts(), Parts())
        #expect(try file.store.check(snapshot, progress: checked.call) == [])
        checked.expectRise("check")
        try file.store.copy(
            snapshot, to: desk.path("b.realm"), key: desk.key.flatMap { EncryptionKey($0) },
            progress: copied.call)
        copied.expectRise("copy")
        try file.store.compact(progress: compacted.call)
        compacted.expectRise("compact")
        var saved: [(Int, Int)] = []
        _ = try Salvage.run(
            from: desk.path("b.realm"), to: desk.path("c.realm"),
            key: desk.key.flatMap { EncryptionKey($0) }
        ) { saved.append(($0, $1)) }
        let last = try #require(saved.last)
        #expect(last.0 == last.1 && last.0 > 20_000)
        desk.delete()
    }

    /// A bar on a terminal; nothing in a pipe, and nothing for programs.
    @Test func barsOfTheCommand() throws {
        let desk = try Desk()
        try Shop.make(desk, "a.realm") { realm in
            for number in 0..<5_000 {
                realm.create(Shop.Item.self, value: ["name": "item number \(number)"])
            }
        }
        let file = desk.path("a.realm")
        func onTerminal(_ arguments: String) throws -> String {
            try Command.shell(
                """
                FREEHOLD_PROGRESS_INTERVAL=0 script -qec \
                    '"\(Command.executable.path)" \(arguments) \(desk.keyText)' /dev/null
                """
            ).output
        }
        let shown = try onTerminal("check \(file)")
        #expect(shown.contains("░") && shown.contains(" % checked"), "\(shown)")
        #expect(shown.contains("sound"), "\(shown)")
        #expect(!(try onTerminal("check --json \(file)")).contains("░"))
        let piped = try desk.run("check", file)
        #expect(piped.errors.isEmpty && piped.status == 0)
        desk.delete()
    }
}
