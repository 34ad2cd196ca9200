import Foundation // DEBUG
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Random drafts: edits, commits of others, rebasing, saving, undo and redo, nested drafts,
/// against a plain model of three versions.
@Suite struct RandomDraftTests {
    @Test func asAPlainModel() throws {
        var random = Seed.random()
        var statistics = DraftRun.Statistics()
        for _ in 0..<Stress.rounds(20) {
            try withTemporaryRealm(MergeBook.all) { realm in
                for _ in 0..<10 {
                    let seed = random.next()
                    if let only = ProcessInfo.processInfo.environment["ONLY"], UInt64(only) != seed { continue } // DEBUG
                    var run = try DraftRun(realm, SeededGenerator(seed: seed))
                    try run.play()
                    statistics.add(run.statistics)
                }
            }
        }
        // Each kind of operation was there, with and without conflicts.
        let least = min(statistics.silent, statistics.settled, statistics.refused)
        #expect(least > 20, "\(statistics)")
        #expect(min(statistics.undone, statistics.nested) > 20, "\(statistics)")
    }
}
