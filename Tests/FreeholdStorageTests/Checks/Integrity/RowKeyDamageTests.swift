import Foundation
import FreeholdStorage
import FreeholdTestSupport
import Testing

/// Row keys in disorder, under a checksum that is right: a walk would come by rows that no key
/// finds.
@Suite(.disabled(if: EncryptedSuite.isOn, "writes plain records")) struct RowKeyDamageTests {
    /// The key deltas of the cluster that begins with row 4 and has rows 4, 6 and 7, as they
    /// would be.
    @Test(arguments: [[0, 3, 2], [0, 2, 2], [0, 2, 4], [0, 2, 9]] as [[UInt8]])
    func keysInDisorderAreDamage(_ deltas: [UInt8]) throws {
        try expectDamage { table, environment in try replaceKeys(table, deltas, environment) }
    }

    /// The cluster's entry in the directory says that it has more rows than there are keys
    /// before the next one.
    @Test func moreRowsThanKeysAreDamage() throws {
        try expectDamage { table, environment in
            let key =
                withUnsafeBytes(of: table.rawValue.bigEndian) { Array($0) }
                + withUnsafeBytes(of: (UInt64(0) ^ (1 << 63)).bigEndian) { Array($0) }
            var bytes = try #require(
                try environment.read().entries(.directory).first { $0.key == key }
            ).value
            // Four rows with consecutive keys, and no column that is not zero.
            try #require(bytes.count == 16 && bytes[..<4].elementsEqual([4, 0x80, 0, 0]))
            bytes[0] = 36
            let seed = UInt64(table.rawValue) << 16
            let checksum = UInt32(
                truncatingIfNeeded: Array(bytes[8...]).withUnsafeBytes {
                    Checksum.xxh64($0, seed: seed ^ (36 | 0x8000) &* 0xC2B2_AE3D_27D4_EB4F)
                })
            bytes.withUnsafeMutableBytes {
                $0.storeBytes(of: checksum, toByteOffset: 4, as: UInt32.self)
            }
            try put(bytes, under: key, .directory, environment)
        }
    }

    /// On the leaf of the directory, the entry of the last cluster is that of the first one
    /// once more.
    @Test func clustersInDisorderAreDamage() throws {
        try expectDamage { table, environment in
            let path = environment.path
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            func key(_ firstKey: UInt64) -> Data {
                withUnsafeBytes(of: table.rawValue.bigEndian) { Data($0) }
                    + withUnsafeBytes(of: (firstKey ^ (1 << 63)).bigEndian) { Data($0) }
            }
            func word(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
            var changed = 0
            let size = pageSizeOfNewFiles
            for page in stride(from: 2 * size, to: bytes.count, by: size) where word(page + 10) == 2
            {
                let pointers = Array(
                    stride(from: page + 16, to: page + min(word(page + 12), size), by: 2))
                func pointer(to key: Data) -> Int? {
                    pointers.first { pointer in
                        let node = page + word(pointer)
                        return word(pointer) <= size - 8 - key.count - 16 && word(node) == 16
                            && word(node + 6) == 12 && bytes[node + 8..<node + 20] == key
                    }
                }
                guard let first = pointer(to: key(0)), let last = pointer(to: key(8)) else {
                    continue
                }
                bytes[last] = bytes[first]
                bytes[last + 1] = bytes[first + 1]
                changed += 1
            }
            try #require(changed > 0)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: bytes)
            try file.close()
        }
    }

    /// Damages a table with rows 0 to 11, without 5, in clusters of four.
    private func expectDamage(_ damage: (TableID, Environment) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        let options = Store.Options(path: directory.file("keys.freehold"), hooks: .tiny)
        let environment: Environment
        do {
            let store = try Store.open(options)
            environment = store.environment
            let table = try write(store) { writeSet in
                let id = writeSet.createTable(named: "Items")
                _ = writeSet.addColumn(
                    to: id, named: "number", type: .integer, isNullable: false, isIndexed: false)
                let table = writeSet.mutableTable(id)
                for _ in 0..<12 { _ = table.insertRow(table.nextRowKey()) }
                try table.deleteRows([5])
                return id
            }.0
            #expect(try store.check(try store.newestSnapshot()) == [])
            try damage(table, environment)
        }
        // It knows of no damage yet.
        let store = try Store.open(options)
        let snapshot = try store.newestSnapshot()
        let table = snapshot.table(snapshot.catalog.tables[0].id)
        for index in 0..<table.clusterCount {
            let cluster = table.cluster(at: index)
            for row in 0..<cluster.count {
                #expect(
                    table.contains(cluster.key(at: row)), "row \(cluster.key(at: row).rawValue)")
            }
        }
        #expect(storageCode { _ = try store.beginWrite() } == .corrupted)
        withExtendedLifetime(environment) {}
    }

    private func replaceKeys(_ table: TableID, _ deltas: [UInt8], _ environment: Environment) throws
    {
        let key =
            withUnsafeBytes(of: table.rawValue.bigEndian) { Array($0) }
            + withUnsafeBytes(of: (UInt64(4) ^ (1 << 63)).bigEndian) { Array($0) } + [0, 0]
        let found = try environment.read().entries(.clusters).first { $0.key == key }
        var bytes = try #require(found).value
        // A byte each, above the base.
        try #require(
            bytes[0] == 3 && bytes.count == 16 + deltas.count && Array(bytes[16...]) == [0, 2, 3])
        bytes.replaceSubrange(16..., with: deltas)
        let seed = UInt64(table.rawValue) << 16 ^ 4 &* 0x9E37_79B9_7F4A_7C15
        let head =
            bytes.withUnsafeBytes { UInt64($0.loadUnaligned(as: UInt32.self)) }
            &* 0xC2B2_AE3D_27D4_EB4F
        let checksum = UInt32(
            truncatingIfNeeded: Array(bytes[8...]).withUnsafeBytes {
                Checksum.xxh64($0, seed: seed ^ head)
            })
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: checksum, toByteOffset: 4, as: UInt32.self)
        }
        try put(bytes, under: key, .clusters, environment)
    }

    private func put(
        _ bytes: [UInt8], under key: [UInt8], _ database: Database, _ environment: Environment
    ) throws {
        try environment.writer.begin().commit { transaction in
            try key.withUnsafeBytes { key in
                try bytes.withUnsafeBytes { try transaction.put(database, key: key, value: $0) }
            }
        }
    }
}
