import Foundation
import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// What is saved where single records or pages are lost, and what the report says of it.
/// `SalvageTests` has whole realms.
@Suite(.disabled(if: EncryptedSuite.isOn, "writes plain records")) struct SalvagedRecordTests {
    private static let number = ColumnID(rawValue: 1)
    private static let text = ColumnID(rawValue: 2)
    private static let data = ColumnID(rawValue: 3)

    /// A table with a number, a text and bytes in each row, in clusters of four.
    private func makeFile(
        _ directory: TemporaryDirectory, rows: Int, removing removed: [Int64] = []
    ) throws -> (options: Store.Options, table: TableID) {
        let options = Store.Options(path: directory.file("made.freehold"), hooks: .tiny)
        let table = try write(try Store.open(options)) { writeSet in
            let id = writeSet.createTable(named: "Items")
            _ = writeSet.addColumn(
                to: id, named: "number", type: .integer, isNullable: false, isIndexed: false)
            _ = writeSet.addColumn(
                to: id, named: "text", type: .text, isNullable: true, isIndexed: false)
            _ = writeSet.addColumn(
                to: id, named: "data", type: .bytes, isNullable: true, isIndexed: false)
            let table = writeSet.mutableTable(id)
            for _ in 0..<rows {
                let key = table.nextRowKey()
                let row = table.insertRow(key)
                row.setInteger(Self.number, Self.number(of: key.rawValue))
                Self.text(of: key.rawValue).withUnsafeBytes { row.setBytes(Self.text, $0) }
                Self.data(of: key.rawValue).withUnsafeBytes { row.setBytes(Self.data, $0) }
            }
            try table.deleteRows(removed)
            return id
        }.0
        return (options, table)
    }

    private static func number(of key: Int64) -> Int64 { key * 7_919 % 1_009 }
    /// Every second one is too long for its row.
    private static func text(of key: Int64) -> [UInt8] {
        [UInt8](repeating: 0x61 + UInt8(key % 26), count: key % 2 == 0 ? 3 : 60)
    }
    /// No text in UTF-8.
    private static func data(of key: Int64) -> [UInt8] {
        [UInt8](repeating: 0xFF - UInt8(key % 8), count: key % 2 == 0 ? 3 : 60)
    }

    private func salvage(_ path: String, _ directory: TemporaryDirectory) throws -> (
        report: SalvageReport, rows: [Int64: (number: Int64, text: [UInt8]?, data: [UInt8]?)]
    ) {
        let saved = directory.file("saved.freehold")
        let report = try Salvage.run(from: path, to: saved)
        var rows: [Int64: (number: Int64, text: [UInt8]?, data: [UInt8]?)] = [:]
        do {
            let store = try Store.open(Store.Options(path: saved))
            let snapshot = try store.newestSnapshot()
            #expect(try store.check(snapshot) == [])
            let table = snapshot.table(snapshot.catalog.tables[0].id)
            for index in 0..<table.clusterCount {
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    func bytes(_ column: ColumnID) -> [UInt8]? {
                        cluster.columns[column.position].isNull(at: row)
                            ? nil : table.withBytes(cluster, column, row) { Array($0) }
                    }
                    rows[cluster.key(at: row).rawValue] = (
                        cluster.columns[Self.number.position].integer(at: row), bytes(Self.text),
                        bytes(Self.data)
                    )
                }
            }
        }
        _ = try Environment.removeFiles(at: saved)
        #expect(report.tables.count == 1 && report.tables.first?.rowCount == rows.count)
        return (report, rows)
    }

    private func expectSound(
        _ rows: [Int64: (number: Int64, text: [UInt8]?, data: [UInt8]?)],
        _ keys: some Sequence<Int64>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(rows.keys.sorted() == Array(keys), sourceLocation: sourceLocation)
        for (key, row) in rows {
            #expect(
                row.number == Self.number(of: key) && row.text == Self.text(of: key)
                    && row.data == Self.data(of: key), "row \(key)", sourceLocation: sourceLocation)
        }
    }

    /// What hangs below a lost page is on pages that no tree reaches any more, and is found there.
    @Test func whatALostBranchLedToIsFound() throws {
        let directory = try TemporaryDirectory()
        let copy = directory.file("copy.freehold")
        do {
            let store = try Store.open(try makeFile(directory, rows: 2_400).options)
            // Without free pages.
            try Environment.copy(try store.newestSnapshot().transaction, to: copy, key: nil)
        }
        let whole = Array(try Data(contentsOf: URL(fileURLWithPath: copy)))
        let size = pageSizeOfNewFiles
        let path = directory.file("damaged.freehold")
        var branches = 0
        for page in stride(from: 2 * size, to: whole.count, by: size)
        where whole[page + 10] == 1 && whole[page + 11] == 0 {
            // The number of each page is its own; the inside of a long value would not have it.
            guard
                whole[page..<page + 8].withUnsafeBytes({ $0.loadUnaligned(as: UInt64.self) })
                    == UInt64(page / size)
            else { continue }
            branches += 1
            var bytes = whole
            bytes.replaceSubrange(page..<page + size, with: repeatElement(0, count: size))
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let (report, rows) = try salvage(path, directory)
            expectSound(rows, 0..<2_400)
            #expect(report.tables.allSatisfy { $0.lostRowCount == 0 && $0.incompleteRowCount == 0 })
            #expect(!report.problems.isEmpty)
        }
        // At least those of the directory, the clusters and the long values.
        #expect(branches >= 3)
    }

    /// A cluster of consecutive keys that the directory does not have any more is found by its
    /// columns.
    @Test(arguments: [0, 4, 8] as [Int64]) func clustersThatTheDirectoryHasLost(firstKey: Int64)
        throws
    {
        let directory = try TemporaryDirectory()
        let (options, table) = try makeFile(directory, rows: 12)
        try Store.open(options).environment.put(
            nil, under: StorageKey.directory(table, firstKey: firstKey), .directory)
        let (report, rows) = try salvage(options.path, directory)
        expectSound(rows, 0..<12)
        #expect(report.tables.allSatisfy { $0.lostRowCount == 0 && $0.incompleteRowCount == 0 })
    }

    /// Of a cluster whose row keys are in disorder, none is known by its key. Its keys are
    /// 4, 6 and 7.
    @Test(arguments: [[0, 2, 2], [0, 0, 2], [0, 3, 2]] as [[UInt8]]) func keysInDisorder(
        _ deltas: [UInt8]
    ) throws {
        let directory = try TemporaryDirectory()
        let (options, table) = try makeFile(directory, rows: 12, removing: [5])
        do {
            let environment = try Store.open(options).environment
            try environment.changeColumn(table, firstKey: 4, .rowKeys) { bytes in
                #expect(Array(bytes.suffix(3)) == [0, 2, 3])
                bytes.replaceSubrange(bytes.count - 3..<bytes.count, with: deltas)
            }
        }
        let (report, rows) = try salvage(options.path, directory)
        expectSound(rows, Array(0..<4) + Array(8..<12))
        #expect(report.tables.first?.lostRowCount == 3)
        #expect(
            report.problems.contains {
                $0.hasSuffix("with 3 rows: the keys of its rows are in disorder.")
            }, "\(report.problems)")
    }

    /// A column whose record is there, with another checksum, is missing in each row of its
    /// cluster.
    @Test func columnsThatCannotBeRead() throws {
        let directory = try TemporaryDirectory()
        let (options, table) = try makeFile(directory, rows: 12)
        do {
            let environment = try Store.open(options).environment
            let key = StorageKey.column(table, firstKey: 4, Self.number)
            let keyBytes = Array(key.salvageKey)
            var bytes = try #require(
                try environment.read().entries(.clusters).first { $0.key == keyBytes }
            ).value
            bytes[bytes.count - 1] ^= 1
            try environment.put(bytes, under: key, .clusters)
        }
        let (report, rows) = try salvage(options.path, directory)
        #expect(rows.keys.sorted() == Array(0..<12))
        for (key, row) in rows {
            #expect(
                row.number == (4..<8 ~= key ? 0 : Self.number(of: key))
                    && row.text == Self.text(of: key) && row.data == Self.data(of: key))
        }
        #expect(report.tables.first?.incompleteRowCount == 4)
        #expect(report.tables.first?.missingValueCounts == ["number": 4])
    }

    /// Bytes of any kind are saved; text that is no UTF-8 is not, though its checksum is right.
    @Test func longTextThatIsNone() throws {
        let directory = try TemporaryDirectory()
        let (options, table) = try makeFile(directory, rows: 12)
        do {
            let environment = try Store.open(options).environment
            let body = [UInt8](repeating: 0xFF, count: 60)
            let checksum = body.withUnsafeBytes {
                StoredBlob.checksum($0, table, Self.text, rowKey: 5, chunk: 0)
            }
            try environment.put(
                withUnsafeBytes(of: checksum.littleEndian) { Array($0) } + body,
                under: StorageKey.blob(table, Self.text, rowKey: 5, chunk: 0), .blobs)
        }
        let (report, rows) = try salvage(options.path, directory)
        #expect(rows.keys.sorted() == Array(0..<12))
        for (key, row) in rows {
            #expect(
                row.text == (key == 5 ? nil : Self.text(of: key)) && row.data == Self.data(of: key),
                "row \(key)")
        }
        #expect(report.tables.first?.missingValueCounts == ["text": 1])
    }

    /// An element that was a link to a lost row makes its row incomplete, inside of a mixed
    /// value, too.
    @Test func mixedElementsThatLinkToLostRows() throws {
        let directory = try TemporaryDirectory()
        var hooks = TestHooks.tiny
        hooks.layout.longestInlineValue = 40
        let options = Store.Options(path: directory.file("mixed.freehold"), hooks: hooks)
        let (table, list) = try write(try Store.open(options)) { writeSet in
            let id = writeSet.createTable(named: "Items")
            let list = writeSet.addColumn(
                to: id, named: "list",
                collection: StoredCollectionKind(.list, of: .mixed, isNullable: true))
            let table = writeSet.mutableTable(id)
            for _ in 0..<12 { _ = table.insertRow(table.nextRowKey()) }
            for (key, target) in [(0, 6), (1, 1)] as [(Int64, Int64)] {
                let tree = table.mutableCollection(of: list, key: RowKey(rawValue: key))
                let link = LinkTarget(table: id, key: target)
                for value in [MixedValue.integer(3), .link(link)] {
                    value.encoded.withUnsafeBytes { tree?.insert(mixed: $0, at: tree?.count ?? 0) }
                }
            }
            // In the row itself; the others have nodes.
            let small = table.mutableCollection(of: list, key: RowKey(rawValue: 3))
            let link = MixedValue.link(LinkTarget(table: id, key: 6))
            link.encoded.withUnsafeBytes { small?.insert(mixed: $0, at: 0) }
            try table.deleteRows([5])
            return (id, list)
        }.0
        do {
            let environment = try Store.open(options).environment
            try environment.changeColumn(table, firstKey: 4, .rowKeys) { bytes in
                bytes.replaceSubrange(bytes.count - 3..<bytes.count, with: [0, 2, 2])
            }
        }
        let saved = directory.file("saved.freehold")
        let report = try Salvage.run(from: options.path, to: saved)
        let rescued = try #require(report.tables.first)
        #expect(rescued.rowCount == 8 && rescued.lostRowCount == 3)
        #expect(rescued.lostLinkCount == 2 && rescued.incompleteRowCount == 2)
        #expect(rescued.missingValueCounts == ["list": 2])
        let snapshot = try Store.open(Store.Options(path: saved)).newestSnapshot()
        let owners = snapshot.table(snapshot.catalog.tables[0].id)
        for (key, values) in [(0, 2), (1, 2), (2, 0), (3, 1)] as [(Int64, Int)] {
            let elements = owners.collection(of: list, key: RowKey(rawValue: key))
            #expect(elements?.count == values, "row \(key)")
        }
    }
}
