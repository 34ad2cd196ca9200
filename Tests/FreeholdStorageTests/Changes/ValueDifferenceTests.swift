import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What counts as another value, and what is asked how.
@Suite struct ValueDifferenceTests {
    private static let rowCount: Int64 = 1200

    /// A store with rows of one value each, then `change`, then what differs.
    private func difference(
        _ type: ColumnType, isNullable: Bool = false, layout: StorageLayout = StorageLayout(),
        before: (MutableRow, ColumnID, Int64) -> Void,
        after: (MutableRow, ColumnID, Int64) -> Void, on keys: [Int64]
    ) throws -> [Int64] {
        try withTemporaryStore(layout: layout) { store in
            let ((table, column), old) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let column = writeSet.addColumn(
                    to: table, named: "value", type: type, isNullable: isNullable, isIndexed: false)
                for key in 0..<Self.rowCount {
                    before(
                        writeSet.mutableTable(table).insertRow(RowKey(rawValue: key)), column, key)
                }
                return (table, column)
            }
            let (_, new) = try write(store) { writeSet in
                for key in keys {
                    after(
                        try #require(
                            writeSet.mutableTable(table).mutableRow(RowKey(rawValue: key))), column,
                        key)
                }
            }
            let changes = try VersionDifference(from: old, to: new).changes(of: table)
            #expect(changes.insertions.isEmpty && changes.deletions.isEmpty)
            #expect(Array(changes.modifications.keys) == (changes.isEmpty ? [] : [column]))
            return Array(changes.modifications[column] ?? [])
        }
    }

    @Test func bitsDecideAboutNumbers() throws {
        let nan = Double(bitPattern: 0x7FF8_0000_0000_0001)
        let keys: [Int64] = [3, 4, 700, 701]
        func run(_ a: Double, _ b: Double) throws -> [Int64] {
            try difference(
                .double, before: { row, column, _ in row.setDouble(column, a) },
                after: { row, column, _ in row.setDouble(column, b) }, on: keys)
        }
        #expect(try run(.nan, .nan) == [])
        #expect(try run(.nan, nan) == keys)
        #expect(try run(0, -0.0) == keys)
        #expect(try run(1, 1) == [])
        #expect(
            try difference(
                .float, before: { row, column, _ in row.setFloat(column, 0) },
                after: { row, column, _ in row.setFloat(column, -0.0) }, on: keys) == keys)
        #expect(
            try difference(
                .float, before: { row, column, _ in row.setFloat(column, .nan) },
                after: { row, column, _ in row.setFloat(column, .nan) }, on: keys) == [])
    }

    /// One row's value changes the encoding of all rows of its cluster.
    @Test(arguments: [Int64(1), 200, 70_000, 1 << 40, .max, .min])
    func encodingsDoNotMatter(value: Int64) throws {
        for shape in 0..<3 {
            let initial: @Sendable (Int64) -> Int64 = { key in
                shape == 0 ? 0 : shape == 1 ? key : key % 50
            }
            let found = try difference(
                .integer, before: { $0.setInteger($1, initial($2)) },
                after: { row, column, _ in row.setInteger(column, value) }, on: [17, 1100])
            #expect(found == [17, 1100].filter { initial($0) != value })
        }
    }

    @Test func nullIsNoValue() throws {
        for type in ColumnType.allCases where type != .link {
            let zero: (MutableRow, ColumnID, Int64) -> Void = { row, column, _ in
                switch type {
                case .integer: row.setInteger(column, 0)
                case .boolean: row.setBoolean(column, false)
                case .float: row.setFloat(column, 0)
                case .double, .timestamp: row.setDouble(column, 0)
                case .fixed12: row.setFixed12(column, (0, 0))
                case .fixed16, .decimal: row.setFixed16(column, (0, 0))
                case .text, .bytes:
                    row.setBytes(column, UnsafeRawBufferPointer(start: nil, count: 0))
                case .link: break
                case .mixed:
                    MixedValue.boolean(false).encoded.withUnsafeBytes { row.setMixed(column, $0) }
                }
            }
            // Nothing is stored of a column that is null in all rows.
            let null: (MutableRow, ColumnID, Int64) -> Void = { row, column, _ in
                if type == .mixed { row.setMixed(column, nil) } else { row.setNull(column) }
            }
            #expect(
                try difference(type, isNullable: true, before: null, after: zero, on: [5, 6]) == [
                    5, 6,
                ], "\(type)")
            #expect(
                try difference(type, isNullable: true, before: zero, after: null, on: [5, 600]) == [
                    5, 600,
                ], "\(type)")
            #expect(
                try difference(type, isNullable: true, before: null, after: null, on: [5, 6]) == [],
                "\(type)")
            #expect(
                try difference(type, isNullable: true, before: zero, after: zero, on: [5, 6]) == [],
                "\(type)")
        }
    }

    /// Long values are in a database of their own: their row says how long they are, and
    /// nothing else.
    @Test func longValues() throws {
        let layout = StorageLayout()
        for (before, after, isChanged) in [
            (40_000, 40_000, false), (40_000, 40_001, true), (512, 513, true), (513, 512, true),
            (100, 40_000, true), (40_000, 0, true), (600, 600, false),
        ] {
            let found = try difference(
                .text, layout: layout,
                before: { row, column, _ in
                    [UInt8](repeating: 97, count: before).withUnsafeBytes {
                        row.setBytes(column, $0)
                    }
                },
                after: { row, column, _ in
                    [UInt8](repeating: 97, count: after).withUnsafeBytes {
                        row.setBytes(column, $0)
                    }
                }, on: [9])
            #expect(found == (isChanged ? [9] : []), "\(before) to \(after)")
        }
        // Of the same length, with one byte in the last chunk that differs.
        let found = try difference(
            .bytes,
            before: { row, column, _ in
                [UInt8](repeating: 97, count: 40_000).withUnsafeBytes { row.setBytes(column, $0) }
            },
            after: { row, column, _ in
                ([UInt8](repeating: 97, count: 39_999) + [98]).withUnsafeBytes {
                    row.setBytes(column, $0)
                }
            }, on: [9, 1000])
        #expect(found == [9, 1000])
    }

    /// Tables that only one version has, empty versions, and a version compared with itself.
    @Test func tablesThatComeAndGo() throws {
        try withTemporaryStore { store in
            let empty = try store.newestSnapshot()
            let ((items, other), full) = try write(store) { writeSet in
                let items = writeSet.createTable(named: "Items")
                for key in 0..<Int64(900) {
                    _ = writeSet.mutableTable(items).insertRow(RowKey(rawValue: key))
                }
                return (items, writeSet.createTable(named: "Others"))
            }
            let forwards = try VersionDifference(from: empty, to: full)
            #expect(forwards.changedTables == [items])
            #expect(
                Array(forwards.changes(of: items).insertions) == Array(0..<900)
                    && forwards.changes(of: items).deletions.isEmpty)
            #expect(
                forwards.changes(of: other).isEmpty
                    && forwards.changes(of: TableID(rawValue: 77)).isEmpty)
            #expect(forwards.isChanged(ColumnID(rawValue: 1), of: RowKey(rawValue: 5), in: items))
            #expect(
                !forwards.isChanged(ColumnID(rawValue: 1), of: RowKey(rawValue: 901), in: items))
            let backwards = try VersionDifference(from: full, to: empty)
            #expect(
                Array(backwards.changes(of: items).deletions) == Array(0..<900)
                    && backwards.changes(of: items).insertions.isEmpty)
            #expect(backwards.isChanged(ColumnID(rawValue: 1), of: RowKey(rawValue: 5), in: items))
            #expect(try VersionDifference(from: full, to: full).changedTables == [])
            // Only the schema changes.
            let (_, wider) = try write(store) {
                _ = $0.addColumn(
                    to: items, named: "more", type: .integer, isNullable: false, isIndexed: false)
            }
            #expect(try VersionDifference(from: full, to: wider).changes(of: items).isEmpty)
        }
    }

    /// Several threads ask at once; each table is compared once, and all get the same.
    @Test func manyThreads() throws {
        try withTemporaryStore { store in
            let (table, old) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let column = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: false)
                for key in 0..<Int64(3000) {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: key)).setInteger(
                        column, key)
                }
                return table
            }
            let (_, new) = try write(store) { writeSet in
                for key in stride(from: Int64(0), to: 3000, by: 7) {
                    try #require(writeSet.mutableTable(table).mutableRow(RowKey(rawValue: key)))
                        .setInteger(ColumnID(rawValue: 1), -1)
                }
                try writeSet.mutableTable(table).deleteRows([1, 2, 3])
            }
            let difference = try VersionDifference(from: old, to: new)
            let found = try runThreads(6) { number in
                #expect(
                    difference.isChanged(ColumnID(rawValue: 1), of: RowKey(rawValue: 7), in: table))
                return difference.changes(of: table)
            }
            for changes in found {
                #expect(
                    Array(changes.modifiedRows(in: nil)) == Array(stride(from: 0, to: 3000, by: 7))
                        && Array(changes.deletions) == [1, 2, 3])
            }
        }
    }

    /// A page that does not say its own number is none: neither the comparison nor a cursor
    /// reads it, and LMDB, which does not look, is not asked.
    @Test(.disabled(if: EncryptedSuite.isOn, "damages plain pages")) func oddPagesAreRefused()
        throws
    {
        try withTemporaryStore { store in
            let ((table, column), old) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let column = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: false)
                for key in 0..<Int64(3000) {
                    writeSet.mutableTable(table).insertRow(RowKey(rawValue: key)).setInteger(
                        column, key * key)
                }
                return (table, column)
            }
            let oldView = try store.environment.read()
            let (_, new) = try write(store) { writeSet in
                try #require(writeSet.mutableTable(table).mutableRow(RowKey(rawValue: 1234)))
                    .setInteger(column, 5)
                _ = writeSet.mutableTable(table).insertRow(RowKey(rawValue: 5000))
            }
            for database in [Database.clusters, .directory] {
                let newView = try store.environment.read()
                let tree = try #require(try newView.mappedTree(database))
                let file = try #require(FileHandle(forUpdatingAtPath: store.path))
                func setNumber(_ number: UInt64) throws {
                    try file.seek(toOffset: tree.root * UInt64(tree.pageSize))
                    try file.write(
                        contentsOf: withUnsafeBytes(of: number.littleEndian) { Data($0) })
                }
                try setNumber(tree.root + 1)
                #expect(try newView.forEachDifference(database, from: oldView) { _ in } == nil)
                let error = #expect(throws: StorageError.self) {
                    try VersionDifference(from: old, to: new)
                }
                #expect(error?.code == .corrupted)
                try setNumber(tree.root)
                let changes = try VersionDifference(from: old, to: new).changes(of: table)
                #expect(
                    changes.modifications == [column: [1234]] && changes.insertions == [5000]
                        && changes.deletions.isEmpty)
            }
        }
    }
}
