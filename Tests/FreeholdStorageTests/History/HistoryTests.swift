@testable import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What the history records, keeps and says of its tokens.
@Suite struct HistoryTests {
    /// A store with a history and the tables of a world.
    private func withHistory(
        _ policy: HistoryPolicy = HistoryPolicy(), layout: StorageLayout = StorageLayout(),
        _ body: (Store, MergeWorld) throws -> Void
    ) throws {
        try withTemporaryStore(layout: layout) { store in
            let (world, _) = try write(store) { writeSet in
                writeSet.setHistory(policy)
                return MergeWorld(in: writeSet)
            }
            try body(store, world)
        }
    }

    @discardableResult
    private func change(
        _ store: Store, _ world: MergeWorld, at time: Double? = nil,
        _ body: (MergeSide) throws -> Void
    ) throws -> Snapshot {
        try write(store) { writeSet in
            writeSet.time = time
            try body(MergeSide(writeSet: writeSet, world: world))
        }.1
    }

    private func reader(_ snapshot: Snapshot) throws -> HistoryReader {
        try #require(try HistoryReader(snapshot))
    }

    @Test func noHistoryIsKeptUnasked() throws {
        try withTemporaryStore { store in
            let (world, _) = try write(store) { MergeWorld(in: $0) }
            let snapshot = try change(store, world) { $0.insert(world.items, 1) }
            #expect(try HistoryReader(snapshot) == nil)
            #expect(snapshot.catalog.history == nil)
        }
    }

    @Test func changesAreRecordedByNamesAndKeys() throws {
        try withHistory { store, world in
            try change(store, world) { side in
                side.insert(world.items, 7)
                side.insert(world.named, nil, [world.title: .text("one")])
            }
            let snapshot = try change(store, world) { side in
                side.writeSet.author = "import"
                side.set(world.items, 7, world.count, .integer(1))
                side.set(world.items, 7, world.name, .text("x"))
                // No change.
                side.set(world.items, 7, world.note, .null)
                try side.delete(world.named, side.keys(world.named)[0])
            }
            let entries = try history(of: snapshot)
            #expect(entries.map(\.head.sequence) == [1, 2])
            #expect(entries[0].tables.map(\.name) == ["Item", "Named"])
            #expect(Array(entries[0].tables[0].inserted) == [7])
            #expect(entries[0].tables[1].primaryKeys == [.text("one")])
            let items = entries[1].tables[0]
            #expect(entries[1].author == "import")
            #expect(
                items.modified.map { items.columns[$0.column].definition.name } == [
                    "name", "count",
                ])
            #expect(items.usesPrimaryKeyAsRowKey)
            #expect(entries[1].tables[1].deleted.count == 1)
            #expect(entries[1].tables[1].primaryKeys == [.text("one")])
        }
    }

    @Test func commitsWithoutChangesAddNoEntry() throws {
        try withHistory { store, world in
            try change(store, world) { $0.insert(world.items, 1, [world.count: .integer(5)]) }
            try change(store, world) { $0.set(world.items, 1, world.count, .integer(5)) }
            let (_, snapshot) = try write(store) { $0.setSchemaVersion(3) }
            #expect(try history(of: snapshot).count == 1)
        }
    }

    @Test func onlyListedTablesAreRecorded() throws {
        try withHistory(HistoryPolicy(tables: ["Named"])) { store, world in
            let snapshot = try change(store, world) { side in
                side.insert(world.items, 1)
                side.insert(world.named, nil, [world.title: .text("one")])
            }
            #expect(try history(of: snapshot).flatMap { $0.tables.map(\.name) } == ["Named"])
        }
    }

    @Test func tombstonesHavePreservedValues() throws {
        try withHistory(HistoryPolicy(preserved: ["Item": ["name"]])) { store, world in
            try change(store, world) { side in
                for key in 1...3 as ClosedRange<Int64> {
                    side.insert(world.items, key, [world.name: .text("n\(key)")])
                }
            }
            let snapshot = try change(store, world) { try $0.delete(world.items, 1, 3) }
            let items = try #require(try history(of: snapshot).last?.tables.first)
            #expect(Array(items.deleted) == [1, 3])
            #expect(items.deletedValues.map(\.values) == [[.text("n1"), .text("n3")]])
        }
    }

    @Test func ownedRowsNameTheirOwners() throws {
        try withHistory { store, world in
            let snapshot = try change(store, world) { side in
                let owner = side.insert(world.owners, nil, [world.label: .text("o")])
                let row = side.insert(world.owned, nil, [world.street: .text("s")])
                side.set(world.owners, owner, world.address, .link(row))
            }
            let owner = snapshot.table(world.owners).allKeys[0]
            let entry = try #require(try history(of: snapshot).last)
            let owned = try #require(entry.tables.first { $0.name == "Address" })
            #expect(owned.owners.map { $0?.row } == [owner])
            #expect(entry.targets[world.owners]?.name == "Owner")
        }
    }

    // MARK: Tokens

    @Test func tokensSayWhetherAllThatFollowsIsThere() throws {
        try withHistory { store, world in
            let start = try reader(store.newestSnapshot()).newestToken()
            #expect(start.sequence == 0)
            var tokens = [start]
            for key in 1...5 as ClosedRange<Int64> {
                let snapshot = try change(store, world) { $0.insert(world.items, key) }
                tokens.append(try reader(snapshot).newestToken())
            }
            let now = try reader(store.newestSnapshot())
            for token in tokens { #expect(try now.hasAll(after: token)) }
            var foreign = tokens[2]
            foreign.mark &+= 1
            #expect(try !now.hasAll(after: foreign))
            foreign = tokens[2]
            foreign.lineage = .random()
            #expect(try !now.hasAll(after: foreign))
            foreign.lineage = tokens[2].lineage
            foreign.sequence = 6
            #expect(try !now.hasAll(after: foreign))

            let (_, snapshot) = try write(store) { $0.firstKeptEntry = 3 }
            let later = try reader(snapshot)
            #expect(later.firstSequence == 3)
            #expect(
                try tokens.map { try later.hasAll(after: $0) } == [
                    false, false, true, true, true, true,
                ])
            #expect(try history(of: snapshot).count == 3)
        }
    }

    @Test func theLastEntryIsNeverDeleted() throws {
        try withHistory(HistoryPolicy(seconds: 10)) { store, world in
            for key in 1...3 as ClosedRange<Int64> {
                try change(store, world, at: Double(key)) { $0.insert(world.items, key) }
            }
            let snapshot = try change(store, world, at: 100) { $0.insert(world.items, 4) }
            #expect(try history(of: snapshot).map(\.head.sequence) == [4])
            let (_, last) = try write(store) { $0.firstKeptEntry = 100 }
            #expect(try history(of: last).map(\.head.sequence) == [4])
        }
    }

    @Test func aCommitDeletesAFewExpiredEntries() throws {
        try withHistory(HistoryPolicy(seconds: 10)) { store, world in
            for key in 1...20 as ClosedRange<Int64> {
                try change(store, world, at: 0) { $0.insert(world.items, key) }
            }
            var left: [Int] = []
            for key in 21...23 as ClosedRange<Int64> {
                left.append(
                    try history(
                        of: change(store, world, at: 100) { $0.insert(world.items, key) }
                    ).count)
            }
            #expect(left == [13, 6, 3])
        }
    }

    @Test func aDroppedHistoryBeginsAnew() throws {
        try withHistory { store, world in
            let token = try reader(
                change(store, world) { $0.insert(world.items, 1) }
            ).newestToken()
            let (_, without) = try write(store) { $0.setHistory(nil) }
            #expect(try HistoryReader(without) == nil)
            try change(store, world) { $0.insert(world.items, 2) }
            let (_, again) = try write(store) { $0.setHistory(HistoryPolicy()) }
            #expect(try !reader(again).hasAll(after: token))
        }
    }

    @Test func aPolicyCanChange() throws {
        try withHistory { store, world in
            try change(store, world) { $0.insert(world.items, 1) }
            try write(store) { writeSet in
                guard var policy = try HistoryReader(writeSet.base)?.policy else { return }
                policy.preserved = ["Item": Set((0..<200).map { "property \($0)" })]
                policy.seconds = 86_400
                writeSet.setHistory(policy)
            }
            let snapshot = try change(store, world) { $0.insert(world.items, 2) }
            #expect(try reader(snapshot).policy.preserved["Item"]?.count == 200)
            try write(store) { writeSet in
                guard var policy = try HistoryReader(writeSet.base)?.policy else { return }
                policy.preserved = [:]
                writeSet.setHistory(policy)
            }
            #expect(try history(of: store.newestSnapshot()).count == 2)
            #expect(try reader(store.newestSnapshot()).policy.preserved == [:])
        }
    }

    // MARK: Bytes

    @Test func largeEntriesAreRead() throws {
        try withHistory(HistoryPolicy(keepsValues: true)) { store, world in
            let text = String(repeating: "text", count: 20_000)
            let snapshot = try change(store, world) { side in
                for key in 1...3 as ClosedRange<Int64> {
                    side.insert(world.items, key * 5, [world.name: .text(text)])
                }
            }
            let entries = try history(of: snapshot)
            #expect(Array(entries[0].tables[0].inserted) == [5, 10, 15])
            let after = try change(store, world) { $0.insert(world.items, 2) }
            #expect(try history(of: after).count == 2)
            let (_, deleted) = try write(store) { $0.firstKeptEntry = 2 }
            #expect(try history(of: deleted).count == 1)
        }
    }

    /// Entries share rows: a row of the table is not written for each commit.
    @Test func smallEntriesShareRows() throws {
        try withHistory { store, world in
            for key in 1...100 as ClosedRange<Int64> {
                try change(store, world, at: Double(key)) { $0.insert(world.items, key) }
            }
            let snapshot = try store.newestSnapshot()
            let id = try #require(snapshot.catalog.history?.id)
            let rowCount = snapshot.table(id).allKeys.count
            #expect(rowCount > 3 && rowCount < 20)
            #expect(try history(of: snapshot).map(\.head.sequence) == Array(1...100))
            // Each number can be the first one, also in the middle of a row.
            for first in stride(from: 2 as Int64, through: 100, by: 7) {
                let (_, kept) = try write(store) { $0.firstKeptEntry = first }
                #expect(try history(of: kept).map(\.head.sequence) == Array(first...100))
                #expect(try store.check(kept).isEmpty)
            }
            let last = try change(store, world, at: 101) { $0.insert(world.items, 101) }
            #expect(try history(of: last).map(\.head.sequence) == [100, 101])
        }
    }

    /// While others have not expired, a row is not written again for each entry that has.
    @Test func expiredEntriesWaitForEachOther() throws {
        try withHistory(HistoryPolicy(seconds: 100)) { store, world in
            for key in 1...5 as ClosedRange<Int64> {
                try change(store, world, at: Double(key)) { $0.insert(world.items, key) }
            }
            let waiting = try change(store, world, at: 103.5) { $0.insert(world.items, 6) }
            #expect(try history(of: waiting).map(\.head.sequence) == Array(1...6))
            let overdue = try change(store, world, at: 112) { $0.insert(world.items, 7) }
            #expect(try history(of: overdue).map(\.head.sequence) == [6, 7])
        }
    }

    /// A damaged row hides nothing of the others.
    @Test(.disabled(if: EncryptedSuite.isOn, "finds bytes in the file"))
    func commitsGoOnAfterADamagedRow() throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(Store.Options(path: directory.file("a.realm")))
        let (world, _) = try write(store) { writeSet in
            writeSet.setHistory(HistoryPolicy())
            return MergeWorld(in: writeSet)
        }
        for key in 1...60 as ClosedRange<Int64> {
            try change(store, world) { $0.insert(world.items, key) }
        }
        let id = try #require(store.newestSnapshot().catalog.history?.id)
        let first = try #require(store.newestSnapshot().table(id).allKeys.last)
        _ = try store.snapshot(of: try flipByte(of: first, id, in: store))
        let later = try reader(change(store, world) { $0.insert(world.items, 61) })
        #expect(later.nextSequence == 62)
        #expect(try later.entry(61).tables.map(\.name) == ["Item"])
        #expect(try later.entry(first - 1).head.sequence == first - 1)
        #expect(throws: StorageError.self) { try later.entry(first) }
        #expect(throws: StorageError.self) { try later.entry(first + 1) }
    }

    @Test func consecutiveRowsTakeAFewBytes() throws {
        try withHistory { store, world in
            let snapshot = try change(store, world) { side in
                let table = side.writeSet.mutableTable(world.items)
                for key in 1...20_000 as ClosedRange<Int64> {
                    _ = table.insertRow(RowKey(rawValue: key))
                }
            }
            let entry = try #require(try history(of: snapshot).first)
            #expect(entry.tables[0].inserted.count == 20_000)
            #expect(entry.encoded().count < 200)
        }
    }

    @Test(
        arguments: [
            [], [0], [-5, -4, -3, 7], [.min, .min + 1, .max], [1, 3, 5, 6, 7, 1_000_000],
        ] as [ContiguousArray<Int64>])
    func keysAreKept(keys: ContiguousArray<Int64>) throws {
        var out = ArchiveWriter()
        out.put(HistoryKeys(keys))
        let read = try out.bytes.withUnsafeBytes { bytes in
            var reader = ArchiveReader(bytes)
            return try reader.historyKeys()
        }
        #expect(ContiguousArray(read) == keys)
        #expect(read.count == keys.count)
    }

    @Test(.disabled(if: EncryptedSuite.isOn, "finds bytes in the file"))
    func damagedEntriesAreFound() throws {
        let directory = try TemporaryDirectory()
        let store = try Store.open(Store.Options(path: directory.file("a.realm")))
        let (world, _) = try write(store) { writeSet in
            writeSet.setHistory(HistoryPolicy(keepsValues: true))
            return MergeWorld(in: writeSet)
        }
        // A row has room for one.
        let text = String(repeating: "x", count: 1_000)
        for key in 1...3 as ClosedRange<Int64> {
            try change(store, world) { $0.insert(world.items, key, [world.name: .text(text)]) }
        }
        let id = try #require(store.newestSnapshot().catalog.history?.id)
        let damaged = try store.snapshot(of: try flipByte(of: 2, id, in: store))
        let reader = try reader(damaged)
        #expect(try reader.entry(1).head.sequence == 1)
        let error = #expect(throws: StorageError.self) { try reader.entry(2) }
        #expect(error?.code == .corrupted)
        // Its mark cannot be trusted either.
        #expect(throws: StorageError.self) {
            try reader.checkOrder(reader.entry(3).head, after: 0)
        }
        #expect(try store.check(damaged).count == 1)
    }

    /// Commits another byte in the middle of an entry.
    private func flipByte(of entry: Int64, _ id: TableID, in store: Store) throws -> ReadTransaction
    {
        try store.environment.writer.begin().commit { transaction in
            try flipByte(of: entry, id, transaction)
        }.1
    }

    private func flipByte(of entry: Int64, _ id: TableID, _ transaction: WriteTransaction)
        throws(StorageError)
    {
        try StorageKey.column(id, firstKey: entry, RecordTable.column).withBytes {
            key throws(StorageError) in
            guard let stored = try transaction.value(.clusters, key: key) else { return }
            var bytes = ContiguousArray(stored)
            bytes[40] ^= 1
            try bytes.withBytes { value throws(StorageError) in
                try transaction.put(.clusters, key: key, value: value)
            }
        }
    }

    @Test func firstEntriesDoNotLoadTheDirectory() throws {
        try withHistory { store, world in
            for key in 1...200 as ClosedRange<Int64> {
                try change(store, world) { $0.insert(world.items, key) }
            }
            let snapshot = try change(store, world) { $0.insert(world.items, 201) }
            let id = try #require(snapshot.catalog.history?.id)
            #expect(snapshot.knownDirectories[id] == nil)
            #expect(try history(of: snapshot).count == 201)
            #expect(snapshot.knownDirectories[id] == nil)
        }
    }
}
