import FreeholdStorage
import Testing

/// Damage to what `meta` keeps of a table: the check reports it, new rows get keys without a
/// trap, and nothing is committed.
@Suite struct FactsDamageTests {
    private static let sound = TableFacts(nextRowKey: 12, rowCount: 10)

    /// A store whose table has ten rows and has had twelve, in clusters of four.
    private final class FactsFile {
        let directory: TemporaryDirectory
        let options: Store.Options
        // A temporary file goes with its last environment.
        let environment: Environment
        let table: TableID
        let key: [UInt8]

        init() throws {
            directory = try TemporaryDirectory()
            var options = Store.Options(path: directory.file("facts.freehold"), hooks: .tiny)
            options.isTemporary = true
            self.options = options
            let store = try Store.open(options)
            environment = store.environment
            table = try write(store) { writeSet in
                let id = writeSet.createTable(named: "Items")
                _ = writeSet.addColumn(
                    to: id, named: "number", type: .integer, isNullable: false, isIndexed: true)
                let table = writeSet.mutableTable(id)
                for _ in 0..<12 { _ = table.insertRow(table.nextRowKey()) }
                try table.deleteRows([5, 11])
                return id
            }.0
            key = [UInt8(ascii: "t")] + withUnsafeBytes(of: table.rawValue.bigEndian) { Array($0) }
            let stored = try environment.read().entries(.meta).first { [key] in $0.key == key }
            #expect(
                stored.map { ContiguousArray($0.value) }
                    == FactsDamageTests.sound.encoded(of: table))
        }

        /// Stores other bytes as the table's facts, or none.
        func replaceFacts(_ bytes: ContiguousArray<UInt8>?) throws {
            try environment.writer.begin().commit { transaction in
                try key.withUnsafeBytes { key in
                    guard let bytes else { return _ = try transaction.delete(.meta, key: key) }
                    try bytes.withUnsafeBytes { try transaction.put(.meta, key: key, value: $0) }
                }
            }
        }

        /// What adding rows ends with, in a store that knows of no damage yet.
        func addRows() -> StorageError? {
            #expect(throws: StorageError.self) {
                try write(try Store.open(options)) { writeSet in
                    let table = writeSet.mutableTable(self.table)
                    for number in 0..<9 {
                        table.insertRow(table.nextRowKey()).setInteger(
                            ColumnID(rawValue: 1), Int64(number))
                    }
                }
            }
        }
    }

    private func expectDamage(
        _ bytes: ContiguousArray<UInt8>?, _ file: FactsFile, _ comment: Comment
    ) throws {
        try file.replaceFacts(bytes)
        do {
            let store = try Store.open(file.options)
            #expect(try !store.check(try store.newestSnapshot()).isEmpty, comment)
        }
        let error = file.addRows()
        #expect(error?.code == .corrupted, comment)
        #expect(error?.message.contains("Items") == true, comment)
        #expect(error?.path == file.options.path, comment)
    }

    @Test func everyBitCounts() throws {
        let file = try FactsFile()
        let sound = Self.sound.encoded(of: file.table)
        #expect(sound.count == TableFacts.size)
        for bit in 0..<sound.count * 8 {
            var bytes = sound
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            try expectDamage(bytes, file, "bit \(bit)")
        }
    }

    @Test func otherBytes() throws {
        let file = try FactsFile()
        let sound = Self.sound.encoded(of: file.table)
        try expectDamage(nil, file, "missing")
        try expectDamage(ContiguousArray(sound.dropLast()), file, "cut")
        try expectDamage(sound + [0], file, "too long")
        try expectDamage(
            Self.sound.encoded(of: TableID(rawValue: file.table.rawValue + 1)), file,
            "another table's")
    }

    /// What no damaged medium makes, but a defect or an attacker might.
    @Test func impossibleFactsWithTheRightChecksum() throws {
        let file = try FactsFile()
        for (next, rows) in [
            (0, 10), (4, 10), (10, 10), (-1, 10), (.max, 10), (.min, 10), (1 << 62 + 1, 10),
            (12, 9), (12, -1), (12, .max),
        ] as [(Int64, Int64)] {
            try expectDamage(
                TableFacts(nextRowKey: next, rowCount: rows).encoded(of: file.table), file,
                "\(next), \(rows)")
        }
        // The sound ones still do.
        try file.replaceFacts(Self.sound.encoded(of: file.table))
        let store = try Store.open(file.options)
        try write(store) { writeSet in
            let table = writeSet.mutableTable(file.table)
            #expect(table.nextRowKey().rawValue == 12)
            _ = table.insertRow(table.nextRowKey())
        }
        #expect(try store.check(try store.newestSnapshot()) == [])
    }
}

/// The entries of the directory: each bit that is flipped is reported.
@Suite struct DirectoryDamageTests {
    @Test func everyFlippedBitOfAnEntryIsReported() throws {
        let directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("directory.freehold"), hooks: .tiny)
        options.isTemporary = true
        let environment = try makeFile(options)
        let entries = try environment.read().entries(.directory)
        #expect(entries.count == 3)
        for entry in entries {
            for bit in 0..<entry.value.count * 8 {
                var value = entry.value
                value[bit / 8] ^= 1 << UInt8(bit % 8)
                try put(entry.key, value, environment)
                // A new store, which knows of no damage yet: the one before ended with its last
                // reference.
                let damaged = try Store.open(options)
                let problems = try? damaged.check(try damaged.newestSnapshot())
                #expect(problems != [], "bit \(bit) of \(entry.key)")
            }
            try put(entry.key, entry.value, environment)
        }
    }

    /// Clusters with and without consecutive keys, in a table without an index that would tell.
    private func makeFile(_ options: Store.Options) throws -> Environment {
        let store = try Store.open(options)
        try write(store) { writeSet in
            let id = writeSet.createTable(named: "Items")
            _ = writeSet.addColumn(
                to: id, named: "number", type: .integer, isNullable: false, isIndexed: false)
            let table = writeSet.mutableTable(id)
            for _ in 0..<12 { _ = table.insertRow(table.nextRowKey()) }
            try table.deleteRows([1, 2])
        }
        return store.environment
    }

    private func put(_ key: [UInt8], _ value: [UInt8], _ environment: Environment) throws {
        _ = try environment.writer.begin().commit { transaction in
            try key.withUnsafeBytes { key in
                try value.withUnsafeBytes { try transaction.put(.directory, key: key, value: $0) }
            }
        }
    }
}
