import Foundation
import Freehold

/// History.
///
/// - `durable-commit-history`, `update-all-history`: those works, in a copy that keeps history.
/// - `history-read`: the history of one transaction that changed all objects, every second of them
///   in two properties.
extension FreeholdEngine {
    private static let policy = Realm.HistoryPolicy.kept(for: .days(7))

    func commitsWithHistory() throws -> Sample {
        try withCopy(history: Self.policy) { try durableCommits($0) }
    }

    func updateAllWithHistory() throws -> Sample {
        try withCopy(history: Self.policy) { try updateAll($0) }
    }

    func readHistory() throws -> Sample {
        try withCopy(history: Self.policy) { realm in
            let token = try realm.historyToken
            try realm.write {
                for (index, person) in realm.objects(Person.self).enumerated() {
                    person.age += 1
                    if index % 2 == 0 { person.score += 1 }
                }
            }
            var count = 0
            let value = try nanoseconds(per: dataset.rows.count) {
                for transaction in try realm.history(after: token) {
                    for change in transaction.changes
                    where !change.isDeletion && change.primaryKey != nil { count += 1 }
                }
            }
            return Sample(value: value, answer: count)
        }
    }
}
