import Foundation
import Freehold
import FreeholdRealmTestSupport
import Testing

/// Wrong uses of the history, which trap.
@Suite struct HistoryMisuseTests {
    @Test func negativeRetention() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { _ = Realm.HistoryPolicy.kept(for: .seconds(-1)) }
        expectMessage(
            result, "History can't be kept for -1.0 seconds.", "Give a number of 0 or more.")
    }

    @Test func deletionInADraft() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withHistory { realm in
                try realm.draft().realm.deleteHistory(before: try realm.historyToken)
            }
        }
        expectMessage(
            result, "A draft can't delete history.",
            "Call deleteHistory(before:) on the realm that the draft was made of.")
    }

    @Test func deletionInATransaction() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withHistory { realm in
                let token = try realm.historyToken
                try realm.write { try realm.deleteHistory(before: token) }
            }
        }
        expectMessage(result, "already in a write transaction")
    }

    @Test func deletionInAFrozenRealm() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            try withHistory { realm in
                let token = try realm.historyToken
                try realm.freeze().deleteHistory(before: token)
            }
        }
        expectMessage(result, "frozen")
    }
}
