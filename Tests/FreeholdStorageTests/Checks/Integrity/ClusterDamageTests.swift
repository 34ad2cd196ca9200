import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// One record of a table that is missing or is not what the others say, also under the right
/// checksum: in a plain file and in an encrypted one. Nothing traps, and nothing is committed
/// on top of it.
@Suite struct ClusterDamageTests {
    private static let encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })

    private struct File {
        let options: Store.Options
        let environment: Environment
        let table: TableID
        let number: ColumnID
        let text: ColumnID

        init(_ directory: TemporaryDirectory, isEncrypted: Bool) throws {
            var options = Store.Options(path: directory.file("cluster.freehold"), hooks: .tiny)
            options.isTemporary = true
            options.encryptionKey = isEncrypted ? ClusterDamageTests.encryptionKey : nil
            self.options = options
            let store = try Store.open(options)
            environment = store.environment
            (table, number, text) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                func add(_ name: String, _ type: ColumnType) -> ColumnID {
                    writeSet.addColumn(
                        to: table, named: name, type: type, isNullable: false, isIndexed: false)
                }
                let (number, text) = (add("number", .integer), add("text", .text))
                // Neither consecutive keys nor equal values, so that both are stored.
                for key in [0, 1, 3] as [Int64] {
                    let row = writeSet.mutableTable(table).insertRow(RowKey(rawValue: key))
                    row.setInteger(number, key * key * 1_000)
                    [UInt8](repeating: 97, count: key == 3 ? 100 : 5).withUnsafeBytes {
                        row.setBytes(text, $0)
                    }
                }
                return (table, number, text)
            }.0
            #expect(try store.check(try store.newestSnapshot()) == [])
        }

        func bytes(_ key: StorageKey, _ database: Database) throws -> [UInt8] {
            let entries = try environment.read().entries(database)
            let sought = Array(key.salvageKey)
            return try #require(entries.first { $0.key == sought }).value
        }

        var blob: StorageKey { StorageKey.blob(table, text, rowKey: 3, chunk: 0) }
    }

    enum Damage: CaseIterable {
        case noRowKeys, noDirectoryEntry, brokenDirectoryEntry
        case columnOfNoType, shortColumn, columnThatIsThereNoMore, columnOfAnotherPlace
        case noChunk, longChunk, shortChunk, emptyChunk, blobWithoutLength
    }

    private static func damage(_ damage: Damage, _ file: File) throws {
        let environment = file.environment
        let numbers = StorageKey.column(file.table, firstKey: 0, file.number)
        let directory = StorageKey.directory(file.table, firstKey: 0)
        switch damage {
        case .noRowKeys:
            let keys = StorageKey.column(file.table, firstKey: 0, .rowKeys)
            try environment.put(nil, under: keys, .clusters)
        case .noDirectoryEntry: try environment.put(nil, under: directory, .directory)
        case .brokenDirectoryEntry: try environment.put([1, 2, 3], under: directory, .directory)
        case .columnOfNoType:
            try environment.changeColumn(file.table, firstKey: 0, file.number) { $0[0] = 200 }
        case .shortColumn:
            let short = Array(try file.bytes(numbers, .clusters).dropLast())
            try environment.put(short, under: numbers, .clusters)
        case .columnThatIsThereNoMore: try environment.put(nil, under: numbers, .clusters)
        case .columnOfAnotherPlace:
            let bytes = try file.bytes(numbers, .clusters)
            let other = StorageKey.column(file.table, firstKey: 0, ColumnID(rawValue: 900))
            try environment.put(bytes, under: other, .clusters)
        case .noChunk: try environment.put(nil, under: file.blob, .blobs)
        case .longChunk:
            try environment.put(try file.bytes(file.blob, .blobs) + [1], under: file.blob, .blobs)
        case .shortChunk:
            let short = Array(try file.bytes(file.blob, .blobs).dropLast())
            try environment.put(short, under: file.blob, .blobs)
        case .emptyChunk: try environment.put([], under: file.blob, .blobs)
        case .blobWithoutLength:
            // The row whose text is short says, too, that it lies elsewhere.
            try environment.changeColumn(file.table, firstKey: 0, file.text) { bytes in
                let bitmap = bytes.indices.dropFirst(8).first { bytes[$0] == 0b100 }
                guard let bitmap else { return }
                bytes[bitmap] = 0b111
            }
        }
    }

    @Test(arguments: Damage.allCases, [false, true])
    func damageIsMet(_ damage: Damage, isEncrypted: Bool) throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory, isEncrypted: isEncrypted)
        try Self.damage(damage, file)
        do {
            let store = try Store.open(file.options)
            var problems: [String] = []
            let code = storageCode { problems = try store.check(store.newestSnapshot()) }
            #expect(code == .corrupted || !problems.isEmpty)
        }
        let store = try Store.open(file.options)
        do {
            let snapshot = try store.newestSnapshot()
            let table = snapshot.table(file.table)
            for index in 0..<table.clusterCount {
                let cluster = table.cluster(at: index)
                for row in 0..<cluster.count {
                    for column in table.definition.columns {
                        _ = StoredModelTable.read(column, cluster, row, of: table)
                        _ = table.verifyChecksums(of: column.id, key: cluster.key(at: row))
                    }
                }
            }
        } catch {
            #expect(error.code == .corrupted, "\(error)")
        }
        // A table without its only cluster reads as one that is empty: only `check()` looks for
        // records that no cluster has.
        let code = storageCode { store.cancel(try store.beginWrite()) }
        #expect(code == (damage == .noDirectoryEntry ? nil : .corrupted))
    }

    /// A long value has one chunk more than its length says. It is never read, but
    /// `check()` reports it.
    @Test(arguments: [false, true]) func aChunkTooMany(isEncrypted: Bool) throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory, isEncrypted: isEncrypted)
        let bytes = try file.bytes(file.blob, .blobs)
        let second = StorageKey.blob(file.table, file.text, rowKey: 3, chunk: 1)
        try file.environment.put(bytes, under: second, .blobs)
        let store = try Store.open(file.options)
        let problems = try store.check(store.newestSnapshot())
        let text = "A long value of row 3 of table Items has more chunks than its length."
        #expect(problems == [text])
    }
}
