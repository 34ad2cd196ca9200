@testable import FreeholdSharing
@testable import FreeholdStorage
import Testing

/// Reading the outbox.
@Suite struct OutboxTests {
    private func name(_ number: Int) -> SharedReference {
        SharedReference("Named", .text(ContiguousArray("n\(number)".utf8)))
    }

    /// Numbers that no commit has cost nothing: a file that has made a trillion commits opens as
    /// one that has made few.
    @Test(.timeLimit(.minutes(10))) func numbersWithoutCommits() throws {
        let folder = try StoreFolder()
        let store = try folder.open("a")
        try store.write { SharedWorld.addClasses(to: $0) }
        let file = try SharedFile(store, name: "r", key: nil)
        var expected: [Int64] = []
        for (number, reserved) in [1, 3, 1 << 40, 700].enumerated() {
            let range = try file.reserve(Int64(reserved))
            for place in 0..<300 {
                try store.write { writeSet in
                    var commit = SharedCommit()
                    commit.inserted = [.init(name(number * 300 + place), [:])]
                    commit.define(by: writeSet.catalog)
                    _ = try SharedApplier(writeSet).apply(commit)
                }
                expected.append(range.upperBound + Int64(place) + 1)
            }
        }
        try file.loadOutbox()
        #expect(file.outbox.commits.map(\.sequence) == expected)
        let again = try SharedFile(store, name: "r", key: nil)
        #expect(again.outbox.commits.map(\.sequence) == expected)
        #expect(again.outbox.nextSequence == (expected.last ?? 0) + 1)
        // Some are in the log by now: of the beginning, and of the middle.
        let table = try file.tables(of: try store.newestSnapshot()).outbox
        let gone = Array(expected[..<700] + expected[900..<1100])
        try file.write { try $0.deleteRows(gone, of: table, areUnlinked: true) }
        let left = Array(expected[700..<900] + expected[1100...])
        let last = try SharedFile(store, name: "r", key: nil)
        #expect(last.outbox.commits.map(\.sequence) == left)
        let view = try store.newestSnapshot().table(table)
        #expect(view.firstKey(atOrAfter: .min) == left.first)
        #expect(view.firstKey(atOrAfter: expected[950]) == expected[1100])
        #expect(view.firstKey(atOrAfter: (expected.last ?? 0) + 1) == nil)
        // In a transaction, too.
        try store.write { writeSet in
            #expect(writeSet.table(table).firstKey(atOrAfter: 1) == left.first)
            try writeSet.deleteRows([left[0], left[2]], of: table, areUnlinked: true)
            #expect(writeSet.table(table).firstKey(atOrAfter: 1) == left[1])
            #expect(writeSet.table(table).firstKey(atOrAfter: left[1] + 1) == left[3])
            SharingTables.put([], left[0] - 1, of: table, in: writeSet)
            #expect(writeSet.table(table).firstKey(atOrAfter: 1) == left[0] - 1)
            #expect(writeSet.table(table).firstKey(atOrAfter: left[0]) == left[1])
        }
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
    }
}
