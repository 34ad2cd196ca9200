import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Encrypted files that are opened with the wrong key, or that were changed.
@Suite struct EncryptedFileTests {
    private static let key = EncryptionKey((0..<64).map { UInt8($0) })
    private static let otherKey = EncryptionKey((0..<64).map { UInt8($0) + 1 })
    private static let names = ["meta", "directory", "clusters", "indexes", "blobs", "elements"]
    /// Stored as a text, an indexed text, a long text, an element, a key, and as names.
    private static let markers = [
        "marker-of-text", "marker-indexed", "marker-of-blob", "marker-element", "MarkerTable",
        "markerColumn",
    ]
    private static let markedNumber: Int64 = 0x4D41_524B_4E55_4D31

    private let directory: TemporaryDirectory
    private let options: Store.Options

    init() throws {
        directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("encrypted.freehold"))
        options.encryptionKey = Self.key
        self.options = options
    }

    /// A file with something in each database.
    private func fill(_ text: String = "marker-of-text") throws {
        let store = try Store.open(options)
        try write(store) { writeSet in
            let known = writeSet.catalog.tables.first { $0.name == "MarkerTable" }
            let table = known?.id ?? writeSet.createTable(named: "MarkerTable")
            if known == nil {
                _ = writeSet.addColumn(
                    to: table, named: "markerColumn", type: .text, isNullable: false,
                    isIndexed: false)
                _ = writeSet.addColumn(
                    to: table, named: "indexed", type: .text, isNullable: false, isIndexed: true)
                _ = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: true)
                _ = writeSet.addColumn(
                    to: table, named: "list",
                    collection: StoredCollectionKind(.list, of: .text, isNullable: false))
            }
            let columns = try #require(writeSet.catalog[table]).columns
            let rows = writeSet.mutableTable(table)
            for key in 0..<Int64(1_200) {
                let row =
                    known == nil
                    ? rows.insertRow(RowKey(rawValue: key))
                    : try #require(rows.mutableRow(RowKey(rawValue: key)))
                Array(
                    (key % 400 == 0
                        ? String(repeating: "marker-of-blob ", count: 3_000) : "\(text) \(key)")
                        .utf8
                ).withUnsafeBytes { row.setBytes(columns[0].id, $0) }
                Array("marker-indexed \(key % 700)".utf8).withUnsafeBytes {
                    row.setBytes(columns[1].id, $0)
                }
                row.setInteger(columns[2].id, Self.markedNumber &+ key)
            }
            let tree = try #require(
                rows.mutableCollection(of: columns[3].id, key: RowKey(rawValue: 7)))
            for index in 0..<900 {
                Array("marker-element \(index)".utf8).withUnsafeBytes {
                    tree.insert(at: index).setBytes(MutableStoredCollection.values, $0)
                }
            }
        }
    }

    private func code(_ key: EncryptionKey?) -> StorageError.Code? {
        storageCode {
            var options = options
            options.encryptionKey = key
            _ = try Store.open(options)
        }
    }

    @Test func keysAreToldApart() throws {
        try fill()
        #expect(code(nil) == .encryptionKeyMissing)
        #expect(code(Self.otherKey) == .encryptionKeyWrong)
        #expect(code(Self.key) == nil)
        var plain = Store.Options(path: directory.file("plain.freehold"))
        plain.encryptionKey = nil
        do { _ = try Store.open(plain) }
        plain.encryptionKey = Self.key
        #expect(storageCode { try Store.open(plain) } == .notEncrypted)
    }

    @Test func oneKeyAtATime() throws {
        let store = try Store.open(options)
        #expect(code(Self.otherKey) == .alreadyOpen)
        #expect(code(nil) == .alreadyOpen)
        #expect(code(Self.key) == nil)
        withExtendedLifetime(store) {}
    }

    @Test func nothingOfTheDataIsInTheFile() throws {
        try fill()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: options.path))
        for marker in Self.markers {
            #expect(bytes.range(of: Data(marker.utf8)) == nil, "\(marker)")
        }
        for value in [
            Self.markedNumber.bigEndian, Self.markedNumber.littleEndian,
            Self.markedNumber.bigEndian ^ Int64(1 << 7),
        ] {
            #expect(
                withUnsafeBytes(of: value) { bytes.range(of: Data($0.dropFirst().dropLast())) }
                    == nil)
        }
        // The search itself finds what a plain file has.
        var plain = Store.Options(path: directory.file("plain.freehold"))
        plain.encryptionKey = nil
        try write(try Store.open(plain)) { _ = $0.createTable(named: "MarkerTable") }
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: plain.path)).range(
                of: Data("MarkerTable".utf8)) != nil)
    }

    /// What a damaged file says: the errors and problems of opening and checking it.
    private func findings() throws -> [String] {
        do throws(StorageError) {
            let store = try Store.open(options)
            return try store.check(try store.newestSnapshot())
        } catch {
            #expect(error.code == .corrupted, "\(error)")
            return [error.message]
        }
    }

    @Test func changedRecordsAreFound() throws {
        try fill()
        #expect(try findings() == [])
        var random = Seed.random()
        for name in Self.names {
            let records = try RawLMDB.entries(options.path, name).filter { $0.key.count == 8 }
            try #require(!records.isEmpty, "\(name)")
            for _ in 0..<6 {
                let record = random.pick(records)
                var value = record.value
                switch random.int(0...3) {
                case 0: value.removeLast(random.int(1...value.count))
                case 1: value.append(0)
                default: value[random.int(0...value.count - 1)] ^= 1 << UInt8(random.int(0...7))
                }
                try RawLMDB.set(options.path, name, record.key, value)
                #expect(try !findings().isEmpty, "\(name)")
                try RawLMDB.set(options.path, name, record.key, nil)
                #expect(try !findings().isEmpty, "\(name)")
                try RawLMDB.set(options.path, name, record.key, record.value)
            }
        }
        #expect(try findings() == [])
    }

    @Test func movedRecordsAreFound() throws {
        try fill()
        for name in ["directory", "clusters", "indexes", "blobs"] {
            let records = try RawLMDB.entries(options.path, name).filter { $0.key.count == 8 }
            guard records.count > 1 else { continue }
            try RawLMDB.set(options.path, name, records[0].key, records[1].value)
            try RawLMDB.set(options.path, name, records[1].key, records[0].value)
            #expect(try !findings().isEmpty, "\(name)")
            for record in records.prefix(2) {
                try RawLMDB.set(options.path, name, record.key, record.value)
            }
            // A record that nothing refers to.
            try RawLMDB.set(options.path, name, [1, 2, 3, 4, 5, 6, 7, 8], records[0].value)
            #expect(try !findings().isEmpty, "\(name)")
            try RawLMDB.set(options.path, name, [1, 2, 3, 4, 5, 6, 7, 8], nil)
        }
        #expect(try findings() == [])
    }

    @Test func olderRecordsAreFound() throws {
        try fill()
        let old = try Dictionary(
            uniqueKeysWithValues: Self.names.map { ($0, try RawLMDB.entries(options.path, $0)) })
        let oldRoots = try #require(
            try RawLMDB.entries(options.path, nil).first { $0.key == Array("roots".utf8) })
        try fill("another text")
        for name in Self.names {
            let now = try RawLMDB.entries(options.path, name)
            for (key, value) in old[name] ?? [] {
                guard let current = now.first(where: { $0.key == key })?.value, current != value
                else { continue }
                try RawLMDB.set(options.path, name, key, value)
                #expect(try !findings().isEmpty, "\(name)")
                try RawLMDB.set(options.path, name, key, current)
                break
            }
        }
        let roots = try #require(
            try RawLMDB.entries(options.path, nil).first { $0.key == oldRoots.key })
        try RawLMDB.set(options.path, nil, roots.key, oldRoots.value)
        #expect(try !findings().isEmpty)
        try RawLMDB.set(options.path, nil, roots.key, roots.value)
        #expect(try findings() == [])
    }

    @Test func aDamagedFormatRecordIsNoWrongKey() throws {
        try fill()
        let record = try #require(
            try RawLMDB.entries(options.path, "meta").first { $0.key == Array("format".utf8) })
        for index in record.value.indices where index >= 12 {
            var value = record.value
            value[index] ^= 4
            try RawLMDB.set(options.path, "meta", record.key, value)
            #expect(code(Self.key) == .corrupted)
        }
        try RawLMDB.set(options.path, "meta", record.key, record.value)
        #expect(code(Self.key) == nil)
    }

    @Test func aFailedCommitLeavesNothing() throws {
        try fill()
        let environment = try Environment.open(
            Environment.Options(options.path) { $0.encryptionKey = Self.key })
        let before = try environment.read().entries(.indexes).map(\.key)
        struct Stop: Error {}
        for _ in 0..<3 {
            #expect(throws: Stop.self) {
                try environment.writer.begin().commit { transaction in
                    try transaction.put("zz", "lost", in: .indexes)
                    throw Stop()
                }
            }
        }
        #expect(try environment.read().entries(.indexes).map(\.key) == before)
        try environment.writer.begin().commit { try $0.put("zz", "kept", in: .indexes) }
        #expect(try environment.read().text("zz", in: .indexes) == "kept")
        #expect(try environment.read().encryptionProblems().isEmpty)
        try environment.writer.begin().commit { try $0.delete("zz", in: .indexes) }
    }
}
