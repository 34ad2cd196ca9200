import FreeholdTestSupport
import Testing

@testable import FreeholdStorage

/// Each damage that a node of a collection can have, also under the right checksum, as a
/// program would write it that has a defect: nothing traps, and `check()` reports it.
@Suite(.disabled(if: EncryptedSuite.isOn, "writes plain records")) struct CollectionNodeDamageTests
{
    private static let key = RowKey(rawValue: 1)

    private struct File {
        let options: Store.Options
        let environment: Environment
        let table: TableID
        let list: ColumnID
        let map: ColumnID
        let small: ColumnID
        let content: [(database: Database, entries: [(key: [UInt8], value: [UInt8])])]

        init(_ directory: TemporaryDirectory) throws {
            var options = Store.Options(path: directory.file("elements.freehold"), hooks: .tiny)
            options.isTemporary = true
            self.options = options
            let store = try Store.open(options)
            (table, list, map, small) = try write(store) { writeSet in
                let table = writeSet.createTable(named: "Owner")
                func add(_ name: String, _ shape: StoredCollectionKind.Shape) -> ColumnID {
                    writeSet.addColumn(
                        to: table, named: name,
                        collection: StoredCollectionKind(shape, of: .integer, isNullable: false))
                }
                let (list, map, small) = (add("list", .list), add("map", .map), add("small", .map))
                let target = writeSet.mutableTable(table)
                _ = target.insertRow(CollectionNodeDamageTests.key)
                for (column, count) in [(list, 20), (map, 10), (small, 2)] {
                    let elements = target.mutableCollection(
                        of: column, key: CollectionNodeDamageTests.key)
                    let tree = try #require(elements)
                    for index in 0..<count {
                        let row = tree.insert(at: index)
                        row.setInteger(MutableStoredCollection.values, Int64(index * index))
                        guard column != list else { continue }
                        Array("key \(index)".utf8).withUnsafeBytes { tree.setKey($0, at: index) }
                    }
                }
                return (table, list, map, small)
            }.0
            environment = store.environment
            let transaction = try environment.read()
            content = try Database.allCases.map { ($0, try transaction.entries($0)) }
        }

        /// Makes the file sound but for one entry, whose value is another one or missing.
        func replace(_ database: Database, _ key: [UInt8], _ value: [UInt8]?) throws {
            try environment.writer.begin().commit { transaction in
                for (other, entries) in content {
                    try transaction.deleteAll(other)
                    for entry in entries {
                        let isDamaged = other == database && entry.key == key
                        guard let bytes = isDamaged ? value : entry.value else { continue }
                        try entry.key.withUnsafeBytes { key in
                            try bytes.withUnsafeBytes {
                                try transaction.put(other, key: key, value: $0)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Reads the collections, asks for their checksums and changes them, each with a store that
    /// knows of no damage. Returns whether `check()` and a walk found it.
    private func use(_ file: File) throws -> (check: Bool, walk: Bool) {
        func isCorrupted(_ body: (Store) throws -> Void) throws -> Bool {
            let store = try Store.open(file.options)
            do {
                try body(store)
                return storageCode { store.cancel(try store.beginWrite()) } == .corrupted
            } catch {
                #expect((error as? StorageError)?.code == .corrupted, "\(error)")
                return true
            }
        }
        let columns = [file.list, file.map, file.small]
        let isChecked = try isCorrupted { store in
            let problems = try store.check(store.newestSnapshot())
            if !problems.isEmpty { throw StorageError(.corrupted, problems[0]) }
        }
        let isWalked = try isCorrupted { store in
            let snapshot = try store.newestSnapshot()
            let table = snapshot.table(file.table)
            for column in columns {
                guard let elements = table.collection(of: column, key: Self.key) else { continue }
                _ = ModelCollection(reading: elements)
                _ = table.verifyChecksums(of: column, key: Self.key)
            }
        }
        let changes: [(MutableStoredCollection) -> Void] = [
            { _ = $0.insert(at: 0) },
            { _ = $0.insert(at: $0.count) },
            { if $0.count > 0 { $0.remove($0.count / 2..<$0.count / 2 + 1) } },
            {
                if $0.count > 0 {
                    $0.element(at: $0.count - 1).setInteger(MutableStoredCollection.values, 5)
                }
            },
            { $0.removeAll() },
        ]
        for column in columns {
            for change in changes where column != file.small {
                _ = try isCorrupted { store in
                    let writeSet = try store.beginWrite()
                    let table = writeSet.mutableTable(file.table)
                    if let tree = table.mutableCollection(of: column, key: Self.key) {
                        change(tree)
                    }
                    _ = try store.commit(writeSet)
                }
            }
        }
        return (isChecked, isWalked)
    }

    /// The bytes of a node of the list with the checksum that they should have. A leaf has it
    /// behind what it says of itself, a branch in front of that.
    private func withRightChecksum(
        _ value: [UInt8], isLeaf: Bool, _ key: [UInt8], _ file: File
    ) -> [UInt8] {
        var value = value
        let number = key.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        let seed = CollectionLeaf.seed(file.table, file.list, rowKey: Self.key.rawValue, number)
        let checksum =
            isLeaf
            ? value.withUnsafeBytes { StoredColumn.checksum($0, seed: seed) }
            : UInt32(
                truncatingIfNeeded: Array(value[4...]).withUnsafeBytes {
                    Checksum.xxh64($0, seed: seed)
                })
        value.withUnsafeMutableBytes {
            $0.storeBytes(of: checksum, toByteOffset: isLeaf ? 4 : 0, as: UInt32.self)
        }
        return value
    }

    @Test func everyDamageOfANode() throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory)
        let nodes = try #require(file.content.first { $0.database == .elements }).entries
        try #require(nodes.count > 8)
        for node in nodes {
            var damages: [(name: String, value: [UInt8]?)] = [("missing", nil)]
            for count in [0, 1, 3, 7, 8, node.value.count - 1] where count < node.value.count {
                damages.append(("\(count) bytes", Array(node.value.prefix(count))))
            }
            for other in nodes where other.key != node.key {
                damages.append(("that of \(other.key)", other.value))
            }
            for (name, value) in damages {
                try file.replace(.elements, node.key, value)
                let found = try use(file)
                #expect(found.check, "\(node.key): \(name)")
            }
        }
    }

    /// What leaves and branches say of themselves, and what branches say of their children.
    @Test func nodesUnderTheRightChecksum() throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory)
        let prefix = Array(
            StorageKey.nodes(file.table, file.list, rowKey: Self.key.rawValue).salvageKey)
        let all = try #require(file.content.first { $0.database == .elements }).entries
        let nodes = all.filter { $0.key.starts(with: prefix) }
        var leaves = 0
        var walked = 0
        for node in nodes {
            let isLeaf =
                withRightChecksum(node.value, isLeaf: true, node.key, file) == node.value
            leaves += isLeaf ? 1 : 0
            let bits =
                isLeaf
                ? Array(0..<32) : Array(32..<64) + stride(from: 64, to: node.value.count * 8, by: 8)
            for bit in bits {
                var value = node.value
                value[bit / 8] ^= 1 << UInt8(bit % 8)
                value = withRightChecksum(value, isLeaf: isLeaf, node.key, file)
                try file.replace(.elements, node.key, value)
                if try use(file).walk { walked += 1 }
            }
        }
        #expect(leaves > 4)
        #expect(nodes.count > leaves)
        #expect(walked > 100)
    }

    /// The cells of the row: their kind, and of trees their root.
    @Test func cellsUnderTheRightChecksum() throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory)
        for column in [file.list, file.map, file.small] {
            let key = StorageKey.column(file.table, firstKey: 1, column)
            let clusters = try #require(file.content.first { $0.database == .clusters }).entries
            let keyBytes = Array(key.salvageKey)
            let entry = try #require(clusters.first { $0.key == keyBytes })
            for bit in 64..<entry.value.count * 8 {
                try file.replace(.clusters, keyBytes, entry.value)
                try file.environment.changeColumn(file.table, firstKey: 1, column) {
                    $0[bit / 8] ^= 1 << UInt8(bit % 8)
                }
                _ = try use(file)
            }
        }
    }

    /// A leaf that cannot be read is noticed by who inserts into it, whatever is read before.
    @Test func insertingIntoADamagedLeaf() throws {
        let directory = try TemporaryDirectory()
        let file = try File(directory)
        let all = try #require(file.content.first { $0.database == .elements }).entries
        let prefix = Array(
            StorageKey.nodes(file.table, file.list, rowKey: Self.key.rawValue).salvageKey)
        var refused = 0
        for node in all where node.key.starts(with: prefix) {
            var value = node.value
            value[value.count - 1] ^= 1
            try file.replace(.elements, node.key, value)
            for index in 0...20 {
                let store = try Store.open(file.options)
                let writeSet = try store.beginWrite()
                let table = writeSet.mutableTable(file.table)
                let tree = try #require(table.mutableCollection(of: file.list, key: Self.key))
                let row = tree.insert(at: min(index, tree.count))
                row.setInteger(MutableStoredCollection.values, 5)
                let code = storageCode { try store.commit(writeSet) }
                if code == nil {
                    // It went elsewhere: the list has what it had, and one more.
                    let snapshot = try store.newestSnapshot()
                    let elements = snapshot.table(file.table).collection(
                        of: file.list, key: Self.key)
                    #expect(elements?.count == 21, "\(node.key), \(index)")
                    try file.replace(.elements, node.key, value)
                } else {
                    #expect(code == .corrupted)
                    refused += 1
                }
            }
        }
        #expect(refused > 20)
    }
}
