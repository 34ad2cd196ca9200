import Foundation
import Freehold
import FreeholdRealmTestSupport
import FreeholdTestSupport
import Testing

/// Lookups by indexed properties between the changes of a write transaction, those in place
/// included.
@Suite struct LookupInTransactionTests {
    final class Entry: Object {
        @Persisted(indexed: true) var number = 0
        @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
        @Persisted(indexed: true) var title: String?
        @Persisted(indexed: true) var isDone = false
        @Persisted var note = ""
    }

    @Test func lookupsSeeEveryChange() throws {
        var random = Seed.random()
        try withTemporaryRealm([Entry.self]) { realm in
            func fill(_ entry: Entry) {
                entry.number = random.int(0...400)
                entry.date = Date(timeIntervalSinceReferenceDate: Double(random.int(0...400)))
                entry.title = random.once(in: 5) ? nil : "title \(random.int(0...400))"
                entry.isDone = random.once(in: 2)
            }
            var entries: [Entry] = []
            func add() {
                let entry = Entry()
                fill(entry)
                realm.add(entry)
                entries.append(entry)
            }
            try realm.write { for _ in 0..<1_200 { add() } }
            let all = realm.objects(Entry.self)
            for _ in 0..<2 {
                try realm.write {
                    for _ in 0..<80 {
                        for _ in 0..<random.pick([0, 1, 1, 8]) {
                            // Runs of neighbours: the second value of a cluster's column is set
                            // in place.
                            let start = random.int(0...entries.count - 3)
                            switch random.int(0...5) {
                            case 0: add()
                            case 1: realm.delete(entries.remove(at: start))
                            case 2: for entry in entries[start..<start + 3] { entry.note = "seen" }
                            case 3:
                                for entry in entries[start..<start + 3] {
                                    entry.number = random.int(0...400)
                                }
                            case 4:
                                for entry in entries[start..<start + 3] {
                                    entry.date = Date(
                                        timeIntervalSinceReferenceDate: Double(random.int(0...400)))
                                }
                            default: for entry in entries[start..<start + 3] { fill(entry) }
                            }
                        }
                        for _ in 0..<random.pick([1, 2, 12]) {
                            let (number, title) = (
                                random.int(0...400),
                                random.once(in: 9) ? nil : "title \(random.int(0...400))"
                            )
                            let date = Date(timeIntervalSinceReferenceDate: Double(number))
                            let (byNumber, byDate) = (
                                all.where { $0.number == number }.count,
                                all.where { $0.date == date }.count
                            )
                            let byTitle = all.where { $0.title == title && $0.isDone }.count
                            random.expect(
                                byNumber == entries.count { $0.number == number },
                                "number \(number): \(byNumber)")
                            random.expect(
                                byDate == entries.count { $0.date == date },
                                "date \(number): \(byDate)")
                            random.expect(
                                byTitle == entries.count { $0.title == title && $0.isDone },
                                "title \(title ?? "nil"): \(byTitle)")
                        }
                    }
                }
                random.expect(all.count == entries.count, "count")
            }
        }
    }
}
