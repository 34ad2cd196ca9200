@testable import Freehold
import FreeholdRealmTestSupport
@testable import FreeholdStorage
import Testing

/// The changes of a transaction as a sequence.
@Suite struct HistoryChangesTests {
    /// An array of them would reserve memory for all at once.
    @Test func manyChangesAreNotEstimated() throws {
        // One run of 2^47 keys, from 0 on.
        var out = ArchiveWriter()
        out.put(number: 1)
        out.put(varint: 0)
        out.put(varint: (1 << 47) - 1)
        var table = HistoryEntry.Table(name: "Memo")
        table.deleted = try out.bytes.withUnsafeBytes { bytes in
            var reader = ArchiveReader(bytes)
            return try reader.historyKeys()
        }
        let entry = HistoryEntry(
            head: HistoryEntry.Head(sequence: 1, mark: 1, previousMark: 1, time: 0),
            processName: "", processID: 1, tables: [table], targets: [:])
        try withHistory { realm in
            let changes = HistoryChanges(entry, HistoryNames(realm.core.schema), only: nil)
            #expect(changes.count == 1 << 47)
            #expect(changes.underestimatedCount <= 1 << 16)
            #expect(changes.prefix(2).map(\.text) == ["Memo #0 deleted", "Memo #1 deleted"])
        }
    }
}
