import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// What the lengths of records say, which everybody with the file sees.
@Suite struct EncryptedLengthTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })
    private static let names = ["meta", "directory", "clusters", "indexes", "blobs", "elements"]
    private static let types: [ColumnType] = [
        .integer, .boolean, .double, .float, .timestamp, .fixed16,
    ]

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func options(_ name: String) -> Store.Options {
        var options = Store.Options(
            path: directory.file(name), hooks: TestHooks(layout: StorageLayout()))
        options.encryptionKey = Self.key
        return options
    }

    /// The lengths of all records of a file, by their places.
    private func lengths(_ path: String) throws -> [String: Int] {
        var lengths: [String: Int] = [:]
        for name in Self.names {
            for (key, value) in try RawLMDB.entries(path, name) {
                lengths["\(name) \(key)"] = value.count
            }
        }
        for (key, value) in try RawLMDB.entries(path, nil) where key == Array("roots".utf8) {
            lengths["roots"] = value.count
        }
        return lengths
    }

    /// A table of all types without lengths of their own, with a list of integers in some rows.
    private func makeFile(_ name: String, rows: Int, integer: (Int) -> Int64?) throws -> String {
        let options = options(name)
        let store = try Store.open(options)
        try write(store) { writeSet in
            let table = writeSet.createTable(named: "Table")
            for (index, type) in Self.types.enumerated() {
                for isNullable in [false, true] {
                    _ = writeSet.addColumn(
                        to: table, named: "\(index) \(isNullable)", type: type,
                        isNullable: isNullable, isIndexed: index == 0)
                }
            }
            _ = writeSet.addColumn(
                to: table, named: "list",
                collection: StoredCollectionKind(.list, of: .integer, isNullable: true))
            let columns = try #require(writeSet.catalog[table]).columns
            let table1 = writeSet.mutableTable(table)
            for key in 0..<rows {
                let row = table1.insertRow(RowKey(rawValue: Int64(key)))
                for column in columns where column.collection == nil {
                    Self.set(integer(key), column, row)
                }
                if key % 7 == 0, let list = columns.last {
                    let tree = try #require(
                        table1.mutableCollection(of: list.id, key: RowKey(rawValue: Int64(key))))
                    for index in 0..<(key % 49 == 0 ? 600 : 20) {
                        let element = tree.insert(at: index)
                        if let value = integer(key) {
                            element.setInteger(
                                MutableStoredCollection.values, value &+ Int64(index))
                        } else {
                            element.setNull(MutableStoredCollection.values)
                        }
                    }
                }
            }
        }
        #expect(try store.check(try store.newestSnapshot()).isEmpty)
        return options.path
    }

    private static func set(_ value: Int64?, _ column: ColumnDefinition, _ row: MutableRow) {
        if value == nil, column.isNullable { return row.setNull(column.id) }
        let value = value ?? 0
        switch column.type {
        case .integer: row.setInteger(column.id, value)
        case .boolean: row.setBoolean(column.id, value & 1 == 1)
        case .double, .timestamp: row.setDouble(column.id, Double(value))
        case .float: row.setFloat(column.id, Float(value))
        default: row.setFixed16(column.id, (UInt64(truncatingIfNeeded: value), 1))
        }
    }

    @Test(arguments: [5, 25, 700]) func lengthsDoNotVaryWithTheValues(rows: Int) throws {
        let makers: [(String, (Int) -> Int64?)] = [
            ("zero", { _ in 0 }), ("small", { Int64($0 % 3) }), ("sequence", { Int64($0) }),
            ("constant", { _ in 77_777 }),
            ("large", { Int64($0) &* 0x1234_5678_9ABC_DEF1 }),
            ("one", { $0 == 3 ? .max : Int64($0 % 100) }), ("null", { $0 % 100 == 3 ? 1 : nil }),
            ("some", { $0 % 2 == 0 ? nil : Int64($0) }),
        ]
        var expected: [String: Int]?
        for (name, integer) in makers {
            var found = try lengths(try makeFile(name, rows: rows, integer: integer))
            // The entries of an index differ in number with the distinct values, so that it has
            // more nodes or fewer, all of one length, and lists of the rows of one value.
            let indexes = found.filter { $0.key.hasPrefix("indexes") }
            #expect(indexes.values.allSatisfy { $0 == 8_148 || ($0 - 28) % 256 == 0 })
            for key in indexes.keys { found[key] = nil }
            #expect(expected == nil || found == expected, "\(name)")
            expected = expected ?? found
        }
    }

    /// A text's length shows in steps only.
    @Test func textsAreRoundedUp() throws {
        let options = options("text")
        let environment = try Environment.open(
            Environment.Options(options.path) { $0.encryptionKey = Self.key })
        var lengths: Set<Int> = []
        for count in stride(from: 257, to: 60_000, by: 501) {
            let view = try environment.writer.begin().commit {
                try $0.put("k", [UInt8](repeating: 1, count: count))
            }.1
            #expect(try view.bytes("k")?.count == count)
            let copy = directory.file("copy")
            try? FileManager.default.removeItem(atPath: copy)
            try FileManager.default.copyItem(atPath: environment.path, toPath: copy)
            // The other record is the leaf.
            let longest = try #require(
                try RawLMDB.entries(copy, "clusters").map(\.value.count).first { $0 != 8_148 })
            #expect(longest >= count + 28 && longest <= count + 28 + 4_096 + count / 8)
            lengths.insert(longest)
        }
        // 256, and whole pages.
        #expect(lengths.allSatisfy { ($0 - 28) % 256 == 0 || ($0 - 4_080) % 4_096 == 0 })
        #expect(lengths.count < 25)
    }
}
