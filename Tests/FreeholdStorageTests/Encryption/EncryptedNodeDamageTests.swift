import Foundation
import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// A branch that says impossible things and authenticates, as a program with the key and a
/// defect would write it: `check()` says what is wrong, nothing traps, and no walk goes on for
/// ever.
@Suite struct EncryptedNodeDamageTests {
    enum Damage: CaseIterable {
        case childTwice, childBeyondTheNext, noChild, keysOutOfOrder, keyOfAnotherPlace,
            anotherHeight
        case noEntries, countBeyondTheEnd, valueInABranch

        var problem: String {
            switch self {
            case .childTwice: "twice."
            case .childBeyondTheNext, .noChild: "and the next is"
            case .keysOutOfOrder: "whose keys do not ascend."
            case .keyOfAnotherPlace: "with a key that belongs elsewhere."
            case .anotherHeight, .noEntries, .countBeyondTheEnd, .valueInABranch:
                "that is none of height"
            }
        }
    }

    private static func change(_ bytes: inout [UInt8], _ damage: Damage, _ node: EncryptedNode) {
        let offsets = (0..<node.count).map { Int(node.offsets[$0]) }
        func reference(_ index: Int) -> Int {
            offsets[index] + EncryptedNode.entryHeaderSize + node.key(index).count
        }
        let number = UInt64.max.littleEndian
        switch damage {
        case .childTwice:
            bytes.replaceSubrange(
                reference(1)..<reference(1) + EncryptedReference.size,
                with: Array(bytes[reference(0)..<reference(0) + EncryptedReference.size]))
        case .childBeyondTheNext:
            withUnsafeBytes(of: number) {
                bytes.replaceSubrange(reference(1)..<reference(1) + 8, with: Array($0))
            }
        case .noChild:
            bytes.replaceSubrange(
                reference(1)..<reference(1) + 8, with: [UInt8](repeating: 0, count: 8))
        case .keysOutOfOrder:
            // Where the entries begin, that is: their order.
            for byte in 0..<2 {
                bytes.swapAt(
                    EncryptedNode.headerSize + 2 + byte, EncryptedNode.headerSize + 4 + byte)
            }
        case .keyOfAnotherPlace:
            bytes[offsets[node.count - 1] + EncryptedNode.entryHeaderSize] ^= 0x80
        case .anotherHeight: bytes[0] += 1
        case .noEntries: bytes.replaceSubrange(2..<4, with: [0, 0])
        case .countBeyondTheEnd: bytes.replaceSubrange(2..<4, with: [255, 255])
        case .valueInABranch: bytes[offsets[1] + 5] &= 0x7F
        }
    }

    @Test(arguments: Damage.allCases) func damageIsMet(_ damage: Damage) throws {
        let directory = try TemporaryDirectory()
        var options = Store.Options(path: directory.file("encrypted.freehold"), hooks: .tiny)
        options.encryptionKey = EncryptionKey((0..<64).map { UInt8($0) })
        // The record of a branch, encrypted again with other bytes.
        let (number, encrypted): ([UInt8], [UInt8]) = try {
            let store = try Store.open(options)
            try write(store) { writeSet in
                let table = writeSet.createTable(named: "Items")
                let number = writeSet.addColumn(
                    to: table, named: "number", type: .integer, isNullable: false, isIndexed: false)
                let rows = writeSet.mutableTable(table)
                for key in 0..<200 as Range<Int64> {
                    rows.insertRow(RowKey(rawValue: key)).setInteger(number, key * key)
                }
            }
            #expect(try store.check(store.newestSnapshot()) == [])
            let transaction = try store.environment.read()
            let tree = try #require(try transaction.encrypted?.tree(.clusters))
            try #require(tree.roots.height > 1)
            let place = tree.place(tree.roots.root, .node)
            let record = try tree.verify(place, count: nil)
            let node = try #require(EncryptedNode(record.bytes))
            try #require(node.count > 2)
            var bytes = Array(record.bytes)
            Self.change(&bytes, damage, node)
            let encrypted = try bytes.withUnsafeBytes {
                try tree.treeEncryption.encrypt($0, at: place)
            }
            return (withUnsafeBytes(of: place.number.bigEndian) { Array($0) }, Array(encrypted))
        }()
        try RawLMDB.set(options.path, "clusters", number, encrypted)
        do {
            let store = try Store.open(options)
            var problems: [String] = []
            let code = storageCode { problems = try store.check(try store.newestSnapshot()) }
            #expect(
                code == .corrupted || problems.contains { $0.contains(damage.problem) },
                "\(problems)")
        }
        let store = try Store.open(options)
        do {
            let snapshot = try store.newestSnapshot()
            for definition in snapshot.catalog.tables {
                let table = snapshot.table(definition.id)
                for index in 0..<table.clusterCount {
                    let cluster = table.cluster(at: index)
                    for column in definition.columns {
                        for row in 0..<cluster.count {
                            _ = cluster.columns[column.id.position].integer(at: row)
                        }
                    }
                }
            }
            let writeSet = try store.beginWrite()
            let rows = writeSet.mutableTable(try #require(writeSet.catalog.tables.first).id)
            try rows.deleteRows((0..<200).map { Int64($0) })
            _ = try store.commit(writeSet)
        } catch let error as StorageError {
            #expect(error.code == .corrupted, "\(error)")
        }
    }
}
