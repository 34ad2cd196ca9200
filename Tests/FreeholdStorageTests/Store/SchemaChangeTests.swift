@testable import FreeholdStorage
import Testing

/// Columns and indexes that come and go on a table that has rows already.
@Suite struct SchemaChangeTests {
    private static let rowCount = 1700

    /// A store with a table of some thousand rows, in several clusters whatever the layout.
    private func withFilledStore(
        _ layout: StorageLayout,
        _ body: (Store, TableID, _ number: ColumnID, _ text: ColumnID) throws -> Void
    ) throws {
        try withTemporaryStore(layout: layout) { store in
            let (place, snapshot) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let number = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: false)
                let text = writeSet.addColumn(
                    to: table, named: "text", type: .text, isNullable: true, isIndexed: false)
                for key in 0..<Int64(Self.rowCount) {
                    let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: key))
                    row.setInteger(number, key % 10)
                    if key % 7 != 0 { Self.text(key).withUnsafeBytes { row.setBytes(text, $0) } }
                }
                return (table, number, text)
            }
            try #require(snapshot.table(place.0).clusterCount > 2)
            try body(store, place.0, place.1, place.2)
        }
    }

    /// Ten texts, some of them longer than what an index keeps and than what a row of the tiny
    /// layout holds.
    private static func text(_ key: Int64) -> [UInt8] {
        let length = [3, 30, 210, 700][Int(key % 4)]
        return [UInt8](repeating: UInt8(ascii: "a") + UInt8(key % 10), count: length)
    }

    private func expectSound(_ store: Store, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        #expect(try store.check(try store.newestSnapshot()) == [], sourceLocation: sourceLocation)
    }

    private func keys(
        _ column: ColumnID, _ value: ScanValue, in source: TableSource, _ table: TableID
    ) throws -> [Int64] {
        Array(
            try ScanEngine(source: source).keys(
                .compare(ScanPath(column: column), .equal, value), in: source.table(table)))
    }

    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func addedColumnsReadAsNullOrZero(layout: StorageLayout) throws {
        try withFilledStore(layout) { store, table, number, _ in
            let (added, snapshot) = try write(store) { writeSet in
                var added: [(column: ColumnID, isNullable: Bool)] = []
                for type in ColumnType.allCases where type != .link && type != .mixed {
                    for isNullable in [false, true] {
                        let column = writeSet.addColumn(
                            to: table, named: "\(type)\(isNullable)", type: type,
                            isNullable: isNullable, isIndexed: type != .float && type != .decimal)
                        added.append((column, isNullable))
                    }
                }
                return added
            }
            try expectSound(store)
            let everything = Array(0..<Int64(Self.rowCount))
            for (column, isNullable) in added {
                #expect(
                    try keys(column, .null, in: snapshot, table) == (isNullable ? everything : []))
            }
            let (integer, optionalInteger) = (added[0].column, added[1].column)
            #expect(try keys(integer, .integer(0), in: snapshot, table) == everything)
            // Values in one cluster, and a row behind the last.
            let last = Int64(Self.rowCount)
            let (_, changed) = try write(store) { writeSet in
                let row = try #require(
                    writeSet.mutableTable(table).mutableRow(RowKey(rawValue: 850)))
                row.setInteger(integer, 5)
                row.setInteger(optionalInteger, 6)
                writeSet.mutableTable(table).insertRow(RowKey(rawValue: last)).setInteger(number, 3)
            }
            try expectSound(store)
            #expect(try keys(integer, .integer(5), in: changed, table) == [850])
            #expect(try keys(optionalInteger, .integer(6), in: changed, table) == [850])
            #expect(
                try keys(optionalInteger, .null, in: changed, table)
                    == (everything + [last]).filter { $0 != 850 })
        }
    }

    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func indexesAreAddedAndRemoved(layout: StorageLayout) throws {
        try withFilledStore(layout) { store, table, number, text in
            let before = try store.newestSnapshot()
            let (_, indexed) = try write(store) { writeSet in
                writeSet.setIndexed(true, column: number, of: table)
                writeSet.setIndexed(true, column: text, of: table)
            }
            try expectSound(store)
            let index = try #require(indexed.table(table).index(of: number))
            #expect(try index.count(equalTo: .integer(3)) == Self.rowCount / 10)
            #expect(before.table(table).index(of: number) == nil)
            for value in [ScanValue.text(Self.text(5)), .text(Self.text(6)), .null] {
                #expect(
                    try keys(text, value, in: indexed, table)
                        == keys(text, value, in: before, table))
            }
            // The index follows the rows.
            let (_, changed) = try write(store) { writeSet in
                let target = writeSet.mutableTable(table)
                for key in stride(from: Int64(3), to: 1000, by: 10) {
                    try #require(target.mutableRow(RowKey(rawValue: key))).setInteger(number, 77)
                }
                try target.deleteRows([13, 23, 1503])
            }
            try expectSound(store)
            #expect(try changed.table(table).index(of: number)?.count(equalTo: .integer(77)) == 98)
            #expect(try changed.table(table).index(of: number)?.count(equalTo: .integer(3)) == 69)
            let (_, removed) = try write(store) { $0.setIndexed(false, column: number, of: table) }
            try expectSound(store)
            #expect(removed.table(table).index(of: number) == nil)
            #expect(try keys(number, .integer(77), in: removed, table).count == 98)
            // Nothing of the first index is left for a second one.
            let (_, again) = try write(store) { $0.setIndexed(true, column: number, of: table) }
            try expectSound(store)
            #expect(try again.table(table).index(of: number)?.count(equalTo: .integer(77)) == 98)
        }
    }

    /// An index and rows that change in the same transaction.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func indexesAreAddedWithChanges(layout: StorageLayout) throws {
        try withFilledStore(layout) { store, table, number, _ in
            let (_, snapshot) = try write(store) { writeSet in
                writeSet.setIndexed(true, column: number, of: table)
                let target = writeSet.mutableTable(table)
                try #require(target.mutableRow(RowKey(rawValue: 900))).setInteger(number, 500)
                target.insertRow(RowKey(rawValue: 5000)).setInteger(number, 500)
                try target.deleteRows([4, 14])
                // Not there yet: a question inside of the transaction is answered by a scan.
                #expect(try keys(number, .integer(500), in: writeSet, table) == [900, 5000])
            }
            try expectSound(store)
            #expect(try keys(number, .integer(500), in: snapshot, table) == [900, 5000])
            #expect(
                try keys(number, .integer(4), in: snapshot, table).count == Self.rowCount / 10 - 2)
        }
    }

    /// What a cluster stores of a removed column stays until the cluster is written, and goes then.
    @Test(arguments: [StorageLayout.tiny, StorageLayout()])
    func removedColumnsGoWithTheNextChangeOfTheirCluster(layout: StorageLayout) throws {
        try withFilledStore(layout) { store, table, number, text in
            func stored(_ column: ColumnID, _ snapshot: Snapshot) throws -> Int {
                try snapshot.transaction.entries(.clusters).count {
                    $0.key.suffix(2) == [0, UInt8(column.rawValue)]
                }
            }
            let before = try store.newestSnapshot()
            let counts = (number: try stored(number, before), text: try stored(text, before))
            let (_, removed) = try write(store) { $0.retireColumn(text, of: table) }
            #expect(try counts.text > 2 && stored(text, removed) == counts.text)
            let (_, changed) = try write(store) { writeSet in
                try #require(writeSet.mutableTable(table).mutableRow(RowKey(rawValue: 3)))
                    .setInteger(number, 77)
            }
            #expect(try stored(text, changed) == counts.text - 1)
            // In the transaction that removes it, too.
            let (_, both) = try write(store) { writeSet in
                writeSet.retireColumn(number, of: table)
                try writeSet.mutableTable(table).deleteRows([2])
            }
            #expect(try stored(number, both) == counts.number - 1)
        }
    }

    /// A change of the schema that is taken back in the same transaction, or whose transaction
    /// is cancelled, leaves nothing.
    @Test func whatIsTakenBackLeavesNothing() throws {
        try withFilledStore(.tiny) { store, table, number, _ in
            let before = try store.newestSnapshot()
            let (_, same) = try write(store) { writeSet in
                writeSet.setIndexed(true, column: number, of: table)
                writeSet.setIndexed(false, column: number, of: table)
            }
            #expect(same.version == before.version)
            let writeSet = try store.beginWrite()
            writeSet.setIndexed(true, column: number, of: table)
            _ = writeSet.addColumn(
                to: table, named: "never", type: .text, isNullable: true, isIndexed: true)
            store.cancel(writeSet)
            try expectSound(store)
            #expect(try store.newestSnapshot().catalog == before.catalog)
        }
    }

    @Test func catalogsWithoutOrderAreDamaged() {
        func decoded(_ ids: [UInt32], next: UInt32 = 10) -> Catalog? {
            var catalog = Catalog()
            catalog.nextTableID = next
            catalog.tables = ids.enumerated().map { index, id in
                TableDefinition(
                    id: TableID(rawValue: id), name: "table \(index)", columns: [], primaryKey: nil,
                    nextColumnID: 1)
            }
            return catalog.encoded().withUnsafeBytes { Catalog(decoding: $0) }
        }
        #expect(decoded([1, 2, 9])?.tables.count == 3)
        for ids in [[0], [0, 1], [1, 1], [2, 1], [1, 2, 2], [10], [1, 11]] as [[UInt32]] {
            #expect(decoded(ids) == nil, "\(ids)")
        }
    }

    /// A conversion says how many rows of each cluster it has done.
    @Test func fillingSaysHowFarItIs() throws {
        try withFilledStore(.tiny) { store, table, number, _ in
            var counts: [Int] = []
            try write(store) { writeSet in
                let copy = writeSet.addColumn(
                    to: table, named: "copy", type: .integer, isNullable: false, isIndexed: false)
                let rows = writeSet.mutableTable(table)
                rows.fill(copy, from: number, progress: { counts.append($0) }) { _, row in
                    row.setInteger(copy, 1)
                }
                #expect(counts.count == rows.clusterCount)
            }
            #expect(counts.reduce(0, +) == Self.rowCount)
        }
    }
}
